"""Supervises a queue-based worker: takes jobs, hands them to the child, posts results, stops what must be stopped."""

from __future__ import annotations

import json
import math
import threading
import time
from dataclasses import dataclass, field

from .failures import reason
from .frames import Frame
from .job_posts import JobPosts
from .job_source import JobSource, watch_stops
from .log_lines import LogRelay
from .platform_connection import Contact, PlatformConnection
from .platform_reports import Reports
from .protocol import Assignment, WorkerFacts
from .runner_process import RunnerProcess
from .runner_supervisor import RunnerSupervisor
from .taken_jobs import TakenJob

# Seconds that an async function has to end after it was cancelled.
CANCEL_GRACE = 1.0

# Seconds that `close()` of a class may take; the platform kills the worker soon after.
CLOSE_GRACE = 8.0


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
    given_up: float | None = None
    """When its end was decided from outside (timed out or cancelled); the child is then replaced if need be."""


class QueueSupervisor(RunnerSupervisor):
    """See the module. Jobs are kept under one lock, shared by taking, reading and main thread."""

    def __init__(
        self, facts: WorkerFacts, assignment: Assignment, logs: LogRelay, reports: Reports, contact: Contact
    ) -> None:
        super().__init__(facts, assignment, logs, reports)
        self._jobs: dict[str, HeldJob] = {}
        self._changed = threading.Condition()
        self._alone = 0
        """How many jobs more run one at a time: a crash among several is repeated until the one at fault is known."""
        self._posts = JobPosts(facts, contact, logs, min(assignment.max_concurrency, 8), on_done=self._drop)
        self._source = JobSource(facts, PlatformConnection(facts.platform, facts.token, contact))
        threading.Thread(target=self._take_jobs, daemon=True, name="take").start()
        stops = PlatformConnection(facts.platform, facts.token, contact)
        threading.Thread(target=watch_stops, args=(facts, stops, self._stop_asked), daemon=True, name="stops").start()

    def jobs_held(self) -> list[str]:
        with self._changed:
            return list(self._jobs)

    def stop(self) -> None:
        super().stop()
        self._source.abort()
        with self._changed:
            self._changed.notify_all()

    def become_ready(self) -> None:
        super().become_ready()
        with self._changed:
            self._changed.notify_all()

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
                return
            for each in taken:
                self._accept(each)

    def _await_room(self) -> int:
        """Waits until the worker may take jobs; 0 when it shall take none any more."""
        with self._changed:
            while not self.stopping:
                free = (1 if self._alone else self.assignment.max_concurrency) - len(self._jobs)
                if free > 0 and (self.ready or self.unhealthy is not None):
                    return free
                self._changed.wait()
        return 0

    def _end_unknown(self) -> None:
        self.logs.tell("error", "The platform does not know this worker any more; it ends.")
        self.stop()

    def _accept(self, taken: TakenJob) -> None:
        timeout = taken.execution_timeout or self.assignment.execution_timeout or math.inf
        job = HeldJob(id=taken.id, attempt=taken.attempt, timeout=timeout, input=taken.input)
        with self._changed:
            self._jobs[job.id] = job
            runner = self.runner if self.ready else None
        if self.unhealthy is not None:
            self._fail(job, self.unhealthy_reason or self.unhealthy)
        elif runner is not None:
            self._hand_over(job, runner)

    def _hand_over(self, job: HeldJob, runner: RunnerProcess) -> None:
        with self._changed:
            if job.runner is not None:
                return
            job.runner = runner
            job.deadline = time.monotonic() + job.timeout
        try:
            runner.send("job", job.input, id=job.id)
        except OSError:
            return  # The child's end is told, and with it what becomes of this job.

    # Results

    def frame_received(self, runner: RunnerProcess, frame: Frame) -> None:
        super().frame_received(runner, frame)
        if frame.type == "ready":
            self.events.put(self._runner_ready)
            return
        ends = frame.type in ("result", "cancelled")
        job = self._jobs.get(frame.header.get("id", ""))
        if job is None:
            return
        if ends and job.given_up is not None:
            self._drop(job.id)
        elif frame.type == "result":
            self._posts.done(job.id, job.attempt, frame.payload, stream=frame.header["stream"])
        elif frame.type == "chunk" and job.given_up is None:
            self._posts.chunk(job.id, job.attempt, frame.payload)

    def _runner_ready(self) -> None:
        if not self.ready:
            self.become_ready()
        runner = self.runner
        if runner is not None:
            with self._changed:
                waiting = [job for job in self._jobs.values() if job.runner is None]
            for job in waiting:
                self._hand_over(job, runner)

    def _fail(self, job: HeldJob, error: str) -> None:
        with self._changed:
            if job.answered:
                return
            job.answered = True
        self._posts.done(job.id, job.attempt, json.dumps({"error": error}).encode(), stream=False)

    def _drop(self, job: str) -> None:
        with self._changed:
            self._jobs.pop(job, None)
            self._alone = max(0, self._alone - 1)
            self._changed.notify_all()

    # Ends from outside

    def tick(self) -> None:
        now = time.monotonic()
        with self._changed:
            jobs = list(self._jobs.values())
        for job in jobs:
            if job.runner is None:
                continue
            if job.given_up is None and now > job.deadline:
                self._give_up(job, post="executionTimeout exceeded")
            elif job.given_up is not None and now > job.given_up + CANCEL_GRACE:
                job.runner.kill()
        if self.stopping and not jobs:
            self._finish()

    def _stop_asked(self, ids: list[str]) -> None:
        """On the stop-watching thread."""
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
            self._posts.done(job.id, job.attempt, json.dumps({"error": post}).encode(), stream=False, keep=True)
        if job.runner is None:
            self._drop(job.id)
            return
        try:
            # A child that does not even read is replaced after the grace.
            job.runner.try_send("cancel", id=job.id)
        except OSError:
            return  # The child's end is told, and with it what becomes of this job.

    def runner_ended(self, runner: RunnerProcess) -> None:
        with self._changed:
            lost = [job for job in self._jobs.values() if job.runner is runner]
        given_up = [job for job in lost if job.given_up is not None]
        alive = [job for job in lost if job.given_up is None]
        if not given_up and len(alive) == 1:
            kind = "WorkerCrashed" if self.exceeded is None else "MemoryExceeded"
            sentence = self.exceeded or f"The worker's process {runner.ending()} while the function ran."
            self.logs.tell("error", sentence, alive[0].id)
            self._fail(alive[0], reason(kind, sentence, "\n".join(self.logs.last_lines(alive[0].id)[-10:])))
            alive = []
        for job in given_up:
            self._drop(job.id)
        for job in alive:
            self.logs.tell("warning", "The job was lost with its neighbour's process; it runs again.", job.id)
            # Dropped first: once given back, it may come again at once.
            self._drop(job.id)
            # Where a neighbour was stopped this one is innocent; of several in a crash any may be the cause.
            self._posts.give_back(job.id, job.attempt, counted=not given_up)
        if alive and not given_up:
            self._alone = len(alive)
        if not self.stopping:
            self.start()

    def _finish(self) -> None:
        self._posts.flush()
        if self.runner is not None and not self.runner.close(CLOSE_GRACE):
            self.logs.tell("warning", f"The worker's process did not end within {CLOSE_GRACE:.0f} s and was killed.")
        self.end()
