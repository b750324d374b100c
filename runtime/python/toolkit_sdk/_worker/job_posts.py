"""Results and chunks on their way to the platform: in order within a job, tried again while it does not answer."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote
from zlib import crc32

from .log_lines import LogRelay
from .platform_connection import Contact, PlatformConnection
from .protocol import ATTEMPT_HEADER, ORPHAN_TIMEOUT, RESULT_TYPE, WorkerFacts

# Chunks that wait; then the function waits.
_WAITING = 64


@dataclass
class _Post:
    job: str
    attempt: str | None
    url: str
    body: bytes
    last: bool
    """Whether the job has left the worker with it."""


class JobPosts:
    """Posts from a few threads; a job's posts all go through the same one."""

    def __init__(
        self, facts: WorkerFacts, contact: Contact, logs: LogRelay, threads: int, on_done: Callable[[str], None]
    ) -> None:
        """Starts the threads.

        Args:
            facts: Addresses.
            contact: Shared by the worker's connections.
            logs: For results that the platform refuses.
            threads: How many connections.
            on_done: Called after a job's result was posted.
        """
        self._facts = facts
        self._logs = logs
        self._on_done = on_done
        self._queues: list[queue.Queue[_Post]] = [queue.Queue(_WAITING) for _ in range(threads)]
        for number, waiting in enumerate(self._queues):
            connection = PlatformConnection(facts.platform, facts.token, contact)
            threading.Thread(target=self._run, args=(waiting, connection), daemon=True, name=f"posts-{number}").start()

    def chunk(self, job: str, attempt: str | None, body: bytes) -> None:
        """Posts one yield of a generator; blocks while many wait."""
        self._add(_Post(job, attempt, self._url(self._facts.stream_url, job, "false"), body, last=False))

    def done(self, job: str, attempt: str | None, body: bytes, *, stream: bool, keep: bool = False) -> None:
        """Posts a job's result.

        Args:
            job: The job's id.
            attempt: Under which it was taken.
            body: `{"output": …}` or `{"error": …}`.
            stream: Whether chunks went before.
            keep: The job stays held, for its function still runs.
        """
        url = self._url(self._facts.output_url, job, "true" if stream else "false")
        self._add(_Post(job, attempt, url, body, last=not keep))

    def give_back(self, job: str, attempt: str | None, *, counted: bool) -> None:
        """Returns a job that ended without an answer of its own, to be run again.

        Args:
            job: The job's id.
            attempt: Under which it was taken.
            counted: Whether it may be at fault itself, so that this counts as one of its retries.
        """
        body = json.dumps({"status": "IN_QUEUE", "counted": counted}).encode()
        self._add(_Post(job, attempt, self._url(self._facts.output_url, job, "false"), body, last=False))

    def flush(self) -> None:
        """Waits until everything is posted."""
        for waiting in self._queues:
            waiting.join()

    def _url(self, template: str, job: str, stream: str) -> str:
        url = template.replace("$ID", quote(job, safe=""))
        return f"{url}{'&' if '?' in url else '?'}isStream={stream}"

    def _add(self, post: _Post) -> None:
        self._queues[crc32(post.job.encode()) % len(self._queues)].put(post)

    def _run(self, waiting: queue.Queue[_Post], connection: PlatformConnection) -> None:
        while True:
            post = waiting.get()
            self._send(post, connection)
            if post.last:
                self._on_done(post.job)
            waiting.task_done()

    def _send(self, post: _Post, connection: PlatformConnection) -> None:
        headers = {"Content-Type": RESULT_TYPE}
        if post.attempt is not None:
            headers[ATTEMPT_HEADER] = post.attempt
        deadline = time.monotonic() + ORPHAN_TIMEOUT
        trouble = "no answer"
        while time.monotonic() < deadline:
            try:
                answer = connection.request("POST", post.url, body=post.body, headers=headers)
            except OSError as error:
                trouble = str(error)
            else:
                if answer.status < 400:
                    return
                trouble = f"status {answer.status}: {answer.body[:200].decode('utf-8', 'replace')}"
                if answer.status < 500 and answer.status != 429:
                    break
            time.sleep(0.5)
        self._logs.tell("warning", f"The platform did not take the result ({trouble}).", post.job)
