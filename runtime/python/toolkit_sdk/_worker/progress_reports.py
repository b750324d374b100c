"""Sends the values of `progress` as frames, at most four per second and job.

A separate thread sends them, so that functions do not wait for the link. A newer value replaces one that has not been
sent yet.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass

from toolkit_sdk._values import NotJsonError, to_json

from .frames import FrameLink
from .output_capture import OutputCapture, current_request

# Seconds between two values of a job.
INTERVAL = 0.25
# Most bytes of one value: the platform may store four of them per second.
PROGRESS_BYTES = 1_000_000


@dataclass
class _RunningJob:
    waiting: bytes | None = None
    """The last value, until it is sent."""
    due: float = 0.0
    """When the next value may be sent."""
    warned: bool = False
    """Whether the log has a warning about a value that was too large."""


class ProgressReports:
    """The values of the jobs of this process."""

    def __init__(self, link: FrameLink, capture: OutputCapture) -> None:
        self._link = link
        self._capture = capture
        self._process = os.getpid()
        self._jobs: dict[str, _RunningJob] = {}
        self._changed = threading.Condition()
        # Held while a value is sent; taken before `_changed`.
        self._sending = threading.Lock()
        self._sender: threading.Thread | None = None
        self._warned = False

    def begin(self, jobs: Iterable[str]) -> None:
        """Accepts values of jobs from now on."""
        with self._changed:
            self._jobs.update((job, _RunningJob()) for job in jobs)

    def end(self, job: str) -> None:
        """Stops sending values of a job. Once this returns, none is being sent."""
        with self._sending, self._changed:
            self._jobs.pop(job, None)

    def report(self, value: object) -> None:
        """Sends the value for the job that the calling code belongs to, unless a newer one replaces it.

        Raises:
            TypeError: The value cannot be converted to JSON.
        """
        if os.getpid() != self._process:
            return  # In a forked child, the copies of the locks may be held forever.
        job = current_request.get() or self._only_job()
        if job is None:
            return
        try:
            data = to_json(value, "progress")
        except NotJsonError as error:
            raise TypeError(str(error)) from None
        with self._changed:
            running = self._jobs.get(job)
            if running is None:
                return
            if len(data) > PROGRESS_BYTES:
                self._warn_of_size(job, running, len(data))
                return
            running.waiting = data
            if self._sender is None:
                self._sender = threading.Thread(target=self._send_all, daemon=True, name="progress")
                self._sender.start()
            self._changed.notify()

    def _only_job(self) -> str | None:
        """The job of a thread without a context: the only running one, if there is exactly one."""
        with self._changed:
            if len(self._jobs) == 1:
                return next(iter(self._jobs))
            if self._jobs and not self._warned:
                self._warned = True
                self._capture.warning(
                    "progress() was called in a thread while several jobs are running, so its job is unknown and the "
                    "value is not shown. Start the thread with asyncio.to_thread or contextvars.copy_context().run."
                )
        return None

    def _warn_of_size(self, job: str, running: _RunningJob, size: int) -> None:
        if not running.warned:
            running.warned = True
            self._capture.warning(f"progress is {size:,} bytes and is not shown; the limit is {PROGRESS_BYTES:,}.", job)

    def _send_all(self) -> None:
        while True:
            job = self._next()
            with self._sending:
                with self._changed:
                    running = self._jobs.get(job)
                    if running is None or running.waiting is None:
                        continue  # The job has ended in the meantime.
                    data, running.waiting = running.waiting, None
                    running.due = time.monotonic() + INTERVAL
                try:
                    self._link.send("progress", b'{"status":"IN_PROGRESS","output":' + data + b"}", id=job)
                except OSError:
                    return  # The function has closed the link, so nothing more can be sent.

    def _next(self) -> str:
        """Waits until a value may be sent. Returns its job."""
        with self._changed:
            while True:
                waiting = [(running.due, job) for job, running in self._jobs.items() if running.waiting is not None]
                if not waiting:
                    self._changed.wait()
                    continue
                due, job = min(waiting)
                pause = due - time.monotonic()
                if pause <= 0:
                    return job
                self._changed.wait(pause)
