"""Where jobs come from: the platform's take and stop routes, both long-polled."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

from .platform_connection import PlatformConnection
from .protocol import LONG_POLL_TIMEOUT, WorkerFacts
from .taken_jobs import TakenJob, decode_taken

# Answers of "not your worker" in a row after which it is believed.
_REFUSALS = 5
_PAUSE = 0.5


class JobSource:
    """Takes jobs, one thread's work."""

    def __init__(self, facts: WorkerFacts, connection: PlatformConnection) -> None:
        self._url = facts.take_url
        self._connection = connection
        self._stopped = threading.Event()

    def take(self, free: int, *, busy: bool) -> list[TakenJob] | None:
        """Waits for up to `free` jobs.

        Args:
            free: How many there is room for.
            busy: Whether others run meanwhile.

        Returns:
            At least one job; None when the platform refuses this worker or taking was aborted.
        """
        url = self._url if free == 1 else self._url.replace("/job-take/", "/job-take-batch/", 1)
        url += f"{'&' if '?' in url else '?'}job_in_progress={int(busy)}"
        url += f"&batch_size={free}" if free > 1 else ""
        refused = 0
        while not self._stopped.is_set():
            try:
                answer = self._connection.request("GET", url, timeout=LONG_POLL_TIMEOUT)
            except OSError:
                self._stopped.wait(_PAUSE)
                continue
            if answer.status == 200:
                return decode_taken(answer.body)
            if answer.status == 204:
                continue
            if answer.status in (401, 403, 404, 410):
                refused += 1
                if refused >= _REFUSALS:
                    return None
            self._stopped.wait(_PAUSE)
        return None

    def abort(self) -> None:
        """Breaks off the waiting: a job is never assigned to a closed connection."""
        self._stopped.set()
        self._connection.abort()


def watch_stops(facts: WorkerFacts, connection: PlatformConnection, on_stop: Callable[[list[str]], None]) -> None:
    """Waits for orders to stop jobs, for ever.

    Args:
        facts: Addresses.
        connection: For this thread alone.
        on_stop: Called with job ids.
    """
    url = facts.control(f"job-stop/{facts.worker_id}")
    pause = threading.Event()
    while True:
        try:
            answer = connection.request("GET", url, timeout=LONG_POLL_TIMEOUT)
        except OSError:
            pause.wait(_PAUSE)
            continue
        if answer.status == 200:
            on_stop(json.loads(answer.body).get("jobsToStop") or [])
        elif answer.status != 204:
            pause.wait(_PAUSE * 4)
