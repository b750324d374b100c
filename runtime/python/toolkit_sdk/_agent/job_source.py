"""Takes jobs from the platform, by long polls of its take route."""

from __future__ import annotations

import threading

from .platform_connection import PlatformConnection
from .protocol import LONG_POLL_TIMEOUT, WorkerOrder
from .taken_jobs import TakenJob, decode_taken

# After this many refusals in a row, the worker accepts that the platform does not know it.
_REFUSALS = 5
_PAUSE = 0.5


class JobSource:
    """Takes jobs; used by one thread."""

    def __init__(self, order: WorkerOrder) -> None:
        # In the take URL, $ID is the worker.
        self._url = order.url("RUNPOD_WEBHOOK_GET_JOB").replace("$ID", order.worker)
        self._connection = PlatformConnection(order.platform, order.token)
        self._stopped = threading.Event()

    def take(self, free: int, *, busy: bool) -> list[TakenJob] | None:
        """Waits for up to `free` jobs.

        Args:
            free: How many jobs the worker has room for.
            busy: Whether other jobs are running.

        Returns:
            At least one job; None when the platform refuses this worker or the take was aborted.
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

    def close(self) -> None:
        """Closes the connection; called by the thread that takes jobs."""
        self._connection.close()

    def abort(self) -> None:
        """Aborts the wait, from another thread. No job is lost: the platform assigns none to a closed connection."""
        self._stopped.set()
        self._connection.abort()
