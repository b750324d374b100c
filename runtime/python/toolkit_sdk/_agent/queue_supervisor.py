"""Supervises a queue-based worker: takes jobs, hands them to the child, posts results, stops what must be stopped."""

from __future__ import annotations

import json
import math
import threading
import time
from dataclasses import dataclass, field

from toolkit_sdk._worker.frames import Frame

from .job_posts import JobPosts
from .job_source import JobSource
from .log_relay import LogRelay
from .protocol import WorkerOrder
from .reports import Reports
from .runner_process import RunnerProcess
from .runner_supervisor import RunnerSupervisor
from .taken_jobs import TakenJob
from .worker_thread import start_thread
from .zygotes import Zygotes

# Seconds that an async function has to end after it was cancelled.
CANCEL_GRACE = 1.0

# Seconds that `close()` of a class may take; the platform kills the worker soon after.
CLOSE_GRACE = 8.0


# Seconds that the worker waits for more room before it takes jobs.
_ROOM_SECONDS = 0.02


@dataclass
class HeldJob:
    """A job of this worker, from take to posted result."""

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


class QueueSupervisor(RunnerSupervisor):
    """See the module. Jobs are kept under one lock, shared by taking, reading and main thread."""

    def __init__(self, order: WorkerOrder, zygotes: Zygotes, logs: LogRelay, reports: Reports) -> None:
        super().__init__(order, zygotes, logs, reports)
        self._jobs: dict[str, HeldJob] = {}
        self._changed = threading.Condition()
        self._alone = 0
        """How many jobs more run one at a time: a crash among several is repeated until the one at fault is known."""
        self._posts = JobPosts(
            order, logs, min(order.assignment.max_concurrency, 8), held=lambda: len(self._jobs), on_done=self._drop
        )
        self._source = JobSource(order)
        start_thread("take", self._take_jobs)

    def jobs_held(self) -> list[str]:
        with self._changed:
            return list(self._jobs)

    def stop(self) -> None:
        super().stop()
        self._source.abort()
        with self._changed:
            self._changed.notify_all()

    def abandon(self, exit_code: int) -> None:
        super().abandon(exit_code)
        self._source.abort()
        self._posts.abandon()
        with self._changed:
            self.stopping = True
            self._changed.notify_all()

    def become_ready(self) -> None:
        super().become_ready()
        with self._changed:
            self._changed.notify_all()
            waiting = [job for job in self._jobs.values() if job.runner is None]
        runner = self.runner
        if runner is not None:
            self._hand_over(waiting, runner)

    def become_unhealthy(self, sentence: str, structured: str | None = None) -> None:
        super().become_unhealthy(sentence, structured)
        with self._changed:
            self._changed.notify_all()
            waiting = [job for job in self._jobs.values() if job.runner is None]
        for job in waiting:
            self._fail(job, self.unhealthy_reason or sentence)

    # Taking

    def _take_jobs(self) -> None:
        while (free := self._await_room()) > 0:
            taken = self._source.take(free, busy=bool(self._jobs))
            if taken is None:
                if not self.stopping:
                    self.events.put(self._end_unknown)
                break
            self._accept(taken)
        self._source.close()

    def _await_room(self) -> int:
        """Waits until the worker may take jobs; 0 when it shall take none any more."""
        with self._changed:
            while not self.stopping:
                if self._can_take():
                    # A request for many jobs costs little more than one for a single job.
                    self._changed.wait_for(lambda: not self._is_more_room_near(), _ROOM_SECONDS)
                    if self._can_take():
                        return self._room()
                else:
                    self._changed.wait()
        return 0

    def _can_take(self) -> bool:
        return not self.stopping and self._room() > 0 and (self.ready or self.unhealthy is not None)

    def _room(self) -> int:
        return (1 if self._alone else self.assignment.max_concurrency) - len(self._jobs)

    def _is_more_room_near(self) -> bool:
        """Whether results are on their way, and less than half of the room is free."""
        return self._room() < len(self._jobs) and any(job.answered for job in self._jobs.values())

    def _end_unknown(self) -> None:
        self.logs.tell("error", "The platform does not know this worker any more; it ends.")
        self.stop()

    def _accept(self, taken: list[TakenJob]) -> None:
        jobs = [HeldJob(each.id, each.attempt, self._timeout_of(each), each.input) for each in taken]
        with self._changed:
            self._jobs.update((job.id, job) for job in jobs)
            runner = self.runner if self.ready else None
        if self.unhealthy is not None:
            for job in jobs:
                self._fail(job, self.unhealthy_reason or self.unhealthy)
        elif runner is not None:
            self._hand_over(jobs, runner)

    def _timeout_of(self, taken: TakenJob) -> float:
        return taken.execution_timeout or self.assignment.execution_timeout or math.inf

    def _hand_over(self, jobs: list[HeldJob], runner: RunnerProcess) -> None:
        now = time.monotonic()
        with self._changed:
            # One that has ended meanwhile would never tell of these jobs: the next one gets them.
            if runner is not self.runner:
                return
            jobs = [job for job in jobs if job.runner is None]
            for job in jobs:
                job.runner = runner
                job.deadline = now + job.timeout
        try:
            runner.send_all(Frame({"type": "job", "id": job.id}, job.input) for job in jobs)
        except OSError:
            return  # The child's end is told, and with it what becomes of these jobs.

    # Results

    def frame_received(self, runner: RunnerProcess, frame: Frame) -> None:
        super().frame_received(runner, frame)
        ends = frame.type in ("result", "cancelled")
        job = self._jobs.get(frame.header.get("id", ""))
        if job is None:
            return
        if ends and job.given_up is not None:
            self._drop([job.id])
        elif frame.type == "result":
            job.answered = True
            self._posts.done(job.id, job.attempt, frame.payload, stream=frame.header["stream"], follows=job.reported)
        elif frame.type == "chunk" and job.given_up is None:
            job.reported = True
            self._posts.chunk(job.id, job.attempt, frame.payload)
        elif frame.type == "progress" and job.given_up is None:
            job.reported = True
            self._posts.progress(job.id, job.attempt, frame.payload)

    def _fail(self, job: HeldJob, error: str) -> None:
        with self._changed:
            if job.answered:
                return
            job.answered = True
        self._post_error(job, error)

    def _post_error(self, job: HeldJob, error: str, *, keep: bool = False) -> None:
        body = json.dumps({"error": error}).encode()
        self._posts.done(job.id, job.attempt, body, stream=False, follows=job.reported, keep=keep)

    def _drop(self, jobs: list[str]) -> None:
        with self._changed:
            for job in jobs:
                self._jobs.pop(job, None)
            self._alone = max(0, self._alone - len(jobs))
            self._changed.notify_all()

    # Ends from outside

    def tick(self) -> None:
        now = time.monotonic()
        with self._changed:
            jobs = list(self._jobs.values())
        for job in jobs:
            if job.runner is None or job.answered:
                continue
            if job.given_up is None and now > job.deadline:
                self._give_up(job, post="executionTimeout exceeded")
            elif job.given_up is not None and now > job.given_up + CANCEL_GRACE:
                job.runner.kill()
        if self.stopping and not jobs:
            self._finish()

    def stop_jobs(self, ids: list[str]) -> None:
        self.events.put(lambda: self._cancel(ids))

    def _cancel(self, ids: list[str]) -> None:
        for each in ids:
            job = self._jobs.get(each)
            if job is not None and job.given_up is None:
                self._give_up(job, post=None)

    def _give_up(self, job: HeldJob, post: str | None) -> None:
        job.given_up = time.monotonic()
        if post is not None:
            self.logs.tell("error", post, job.id)
            self._post_error(job, post, keep=True)
        if job.runner is None:
            self._drop([job.id])
            return
        try:
            # A child that does not even read is replaced after the grace.
            job.runner.try_send("cancel", id=job.id)
        except OSError:
            return  # The child's end is told, and with it what becomes of this job.

    def runner_ended(self, runner: RunnerProcess) -> None:
        with self._changed:
            lost = [job for job in self._jobs.values() if job.runner is runner and not job.answered]
        given_up = [job for job in lost if job.given_up is not None]
        alive = [job for job in lost if job.given_up is None]
        signal = runner.foreign_signal()
        lost_by = None if signal is None or given_up else self._lost_by(signal)
        if lost_by is None and not given_up and len(alive) == 1:
            kind = "WorkerCrashed" if self.exceeded is None else "MemoryExceeded"
            sentence = self.exceeded or f"The worker's process {runner.ending()} while the function ran."
            self.logs.tell("error", sentence, alive[0].id)
            self._fail(alive[0], self.reason(kind, sentence, "\n".join(self.logs.last_lines(alive[0].id)[-10:])))
            alive = []
        for job in given_up:
            self._drop([job.id])
        for job in alive:
            why = lost_by or "The job was lost with its neighbour's process"
            self.logs.tell("warning", f"{why}; it runs again.", job.id)
            # Dropped first: once given back, it may come again at once.
            self._drop([job.id])
            # Where a neighbour was stopped this one is innocent; of several in a crash any may be the cause.
            lines = "\n".join(self.logs.last_lines(job.id)[-10:])
            error = None if lost_by is None else self.reason("WorkerLost", lost_by, lines)
            self._posts.give_back(job.id, job.attempt, counted=not given_up, error=error)
        if len(alive) > 1 and not given_up:
            self._alone = len(alive)
        if not self.stopping:
            self.start()

    def _lost_by(self, signal: str) -> str:
        used = 0 if self.memory is None else self.memory.used
        return f"worker lost: {signal} while the function ran, {used / 1e6:.0f} MB in use"

    def _finish(self) -> None:
        self._posts.flush()
        if self.runner is not None and not self.runner.close(CLOSE_GRACE):
            self.logs.tell("warning", f"The worker's process did not end within {CLOSE_GRACE:.0f} s and was killed.")
        self._posts.close()
        self.end()
