"""The jobs that a worker holds, from take to posted result. Shared by the worker's taking, reading and main threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .runner_process import RunnerProcess

# Seconds that the worker waits for more free slots before it takes jobs.
_ROOM_SECONDS = 0.02


@dataclass
class HeldJob:
    """One job that the worker holds."""

    id: str
    attempt: str | None
    timeout: float
    """Seconds that it may run."""
    input: bytes
    deadline: float = 0.0
    runner: RunnerProcess | None = field(default=None, repr=False)
    answered: bool = False
    reported: bool = False
    """Whether chunks or progress of it were posted."""
    given_up: float | None = None
    """When it timed out or was cancelled. If its function does not stop, the child is replaced."""


class HeldJobs:
    """The jobs that the worker holds now. Usable from any thread."""

    def __init__(self, most: int) -> None:
        """Starts with no jobs.

        Args:
            most: How many jobs the worker may hold at once.
        """
        self._most = most
        self._suspects: set[str] = set()
        """Jobs that lost their process together. While there are any, jobs run one at a time."""
        self._asked_alone = False
        """Whether the last request for jobs was made while there were suspects."""
        self._jobs: dict[str, HeldJob] = {}
        self._changed = threading.Condition()

    def __len__(self) -> int:
        return len(self._jobs)

    def all(self) -> list[HeldJob]:
        """All jobs, as a copy."""
        with self._changed:
            return list(self._jobs.values())

    def get(self, job: str) -> HeldJob | None:
        """The job with an id; None if the worker does not hold it."""
        return self._jobs.get(job)

    def without_runner(self) -> list[HeldJob]:
        """The jobs that no process has."""
        return [job for job in self.all() if job.runner is None]

    def unanswered(self, runner: RunnerProcess) -> list[HeldJob]:
        """The jobs that a process has and has not sent a response for."""
        return [job for job in self.all() if job.runner is runner and not job.answered]

    def add(self, jobs: Sequence[HeldJob]) -> None:
        """Adds jobs."""
        with self._changed:
            self._jobs.update((job.id, job) for job in jobs)
            # Requeued jobs are assigned before all others. If a request gets another job now, other workers have the
            # rest of the suspects.
            if self._asked_alone and not self._suspects.issuperset(job.id for job in jobs):
                self._suspects.clear()

    def drop(self, ids: list[str]) -> bool:
        """Removes jobs whose results are posted, or which were cancelled. Returns whether others may wait for them."""
        with self._changed:
            ran_alone = bool(self._suspects)
            self._remove(ids)
            self._suspects.difference_update(ids)
        return ran_alone

    def release(self, ids: list[str]) -> None:
        """Removes jobs that are requeued."""
        with self._changed:
            self._remove(ids)

    def _remove(self, ids: list[str]) -> None:
        for job in ids:
            self._jobs.pop(job, None)
        self._changed.notify_all()

    def hand_over(self, jobs: list[HeldJob], runner: RunnerProcess, is_current: Callable[[], bool]) -> list[HeldJob]:
        """Assigns jobs to a process.

        Args:
            jobs: Jobs that are held.
            runner: The process.
            is_current: Whether it is still the worker's process. One that has ended would never respond to the jobs.

        Returns:
            The jobs that were assigned, because no process had them; at most one while jobs run one at a time.
        """
        now = time.monotonic()
        with self._changed:
            if not is_current():
                return []
            # A job that was given up in the meantime is no longer held.
            jobs = [job for job in jobs if job.runner is None and self._jobs.get(job.id) is job]
            if self._suspects:
                # A request from before the crash can bring several.
                is_running = any(job.runner is not None for job in self._jobs.values())
                jobs = [] if is_running else jobs[:1]
            for job in jobs:
                job.runner = runner
                job.deadline = now + job.timeout
        return jobs

    def answer(self, job: HeldJob) -> bool:
        """Marks a job as having its response. Returns False if it already was."""
        with self._changed:
            was_answered, job.answered = job.answered, True
        return not was_answered

    def run_alone(self, ids: list[str]) -> None:
        """Makes these jobs run one at a time when they are taken again, to find out which of them caused a crash."""
        with self._changed:
            self._suspects.update(ids)

    def await_room(self, may_take: Callable[[], bool | None]) -> int:
        """Waits until the worker may take jobs.

        Args:
            may_take: Whether it may take jobs now; None if it must never take jobs again.

        Returns:
            How many jobs it may take; 0 if it must never take jobs again.
        """
        with self._changed:
            while (may := may_take()) is not None:
                if may and self._room() > 0:
                    # A request for many jobs costs little more than one for a single job.
                    self._changed.wait_for(lambda: not self._is_more_room_near(), _ROOM_SECONDS)
                    if may_take() and self._room() > 0:
                        self._asked_alone = bool(self._suspects)
                        return self._room()
                else:
                    self._changed.wait()
        return 0

    def wake(self) -> None:
        """Makes `await_room` check again whether the worker may take jobs."""
        with self._changed:
            self._changed.notify_all()

    def _room(self) -> int:
        return (1 if self._suspects else self._most) - len(self._jobs)

    def _is_more_room_near(self) -> bool:
        """Whether more slots become free soon: results are being posted, and less than half of the slots are free."""
        return self._room() < len(self._jobs) and any(job.answered for job in self._jobs.values())
