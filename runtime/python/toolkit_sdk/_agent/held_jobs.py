"""The jobs that a worker holds, from take to posted result: shared by its taking, reading and main threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from .runner_process import RunnerProcess

# Seconds that the worker waits for more room before it takes jobs.
_ROOM_SECONDS = 0.02


@dataclass
class HeldJob:
    """One of them."""

    id: str
    attempt: str | None
    timeout: float
    """Seconds it may run."""
    input: bytes
    deadline: float = 0.0
    runner: RunnerProcess | None = field(default=None, repr=False)
    answered: bool = False
    reported: bool = False
    """Whether chunks or progress of it were posted."""
    given_up: float | None = None
    """When its end was decided from outside (timed out or cancelled); the child is then replaced if need be."""


class HeldJobs:
    """See the module."""

    def __init__(self, most: int) -> None:
        """None yet.

        Args:
            most: How many the worker may hold at once.
        """
        self._most = most
        self._alone = 0
        """How many of the next jobs run one at a time."""
        self._jobs: dict[str, HeldJob] = {}
        self._changed = threading.Condition()

    def __len__(self) -> int:
        return len(self._jobs)

    def all(self) -> list[HeldJob]:
        """A copy."""
        with self._changed:
            return list(self._jobs.values())

    def get(self, job: str) -> HeldJob | None:
        """The job of an id."""
        return self._jobs.get(job)

    def without_runner(self) -> list[HeldJob]:
        """Those that no process has."""
        return [job for job in self.all() if job.runner is None]

    def unanswered(self, runner: RunnerProcess) -> list[HeldJob]:
        """Those that a process has and has not answered."""
        return [job for job in self.all() if job.runner is runner and not job.answered]

    def add(self, jobs: Iterable[HeldJob]) -> None:
        """Takes up jobs."""
        with self._changed:
            self._jobs.update((job.id, job) for job in jobs)

    def drop(self, ids: list[str]) -> None:
        """Their results are posted, or they were given back."""
        with self._changed:
            for job in ids:
                self._jobs.pop(job, None)
            self._alone = max(0, self._alone - len(ids))
            self._changed.notify_all()

    def hand_over(self, jobs: list[HeldJob], runner: RunnerProcess, is_current: Callable[[], bool]) -> list[HeldJob]:
        """Gives jobs to a process.

        Args:
            jobs: Some of those that are held.
            runner: The process.
            is_current: Whether it is still the worker's. One that has ended would never tell of these jobs.

        Returns:
            Those that it gets, because no other one has them.
        """
        now = time.monotonic()
        with self._changed:
            if not is_current():
                return []
            # Those that were given up meanwhile are held no more.
            jobs = [job for job in jobs if job.runner is None and self._jobs.get(job.id) is job]
            for job in jobs:
                job.runner = runner
                job.deadline = now + job.timeout
        return jobs

    def answer(self, job: HeldJob) -> bool:
        """Notes that a job is answered; False when it was before."""
        with self._changed:
            was_answered, job.answered = job.answered, True
        return not was_answered

    def run_alone(self, count: int) -> None:
        """The next `count` jobs run one at a time: a crash among several is repeated to find its cause."""
        self._alone = count

    def await_room(self, may_take: Callable[[], bool | None]) -> int:
        """Waits until the worker may take jobs.

        Args:
            may_take: Whether it may, if there is room; None: it shall take none any more.

        Returns:
            How many; 0 when it shall take none any more.
        """
        with self._changed:
            while (may := may_take()) is not None:
                if may and self._room() > 0:
                    # A request for many jobs costs little more than one for a single job.
                    self._changed.wait_for(lambda: not self._is_more_room_near(), _ROOM_SECONDS)
                    if may_take() and self._room() > 0:
                        return self._room()
                else:
                    self._changed.wait()
        return 0

    def wake(self) -> None:
        """Has who waits for room ask again whether the worker may take jobs."""
        with self._changed:
            self._changed.notify_all()

    def _room(self) -> int:
        return (1 if self._alone else self._most) - len(self._jobs)

    def _is_more_room_near(self) -> bool:
        """Whether results are on their way, and less than half of the room is free."""
        return self._room() < len(self._jobs) and any(job.answered for job in self._jobs.values())
