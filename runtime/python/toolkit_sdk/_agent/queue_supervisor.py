"""Supervises a queue-based worker: takes jobs, passes them to the child, posts results, and stops jobs."""

from __future__ import annotations

import json
import math
import time

from toolkit_sdk._worker.frames import Frame

from .held_jobs import HeldJob, HeldJobs
from .job_posts import JobPosts
from .job_source import JobSource
from .log_relay import LogRelay
from .machine import Machine
from .protocol import WorkerOrder
from .reports import Reports
from .runner_process import RunnerProcess
from .runner_supervisor import RunnerSupervisor
from .taken_jobs import TakenJob
from .worker_thread import start_thread

# Seconds that an async function gets to end after it was cancelled.
CANCEL_GRACE = 1.0
# Seconds that `close()` of a class may take; the platform kills the worker soon after.
CLOSE_GRACE = 8.0


class QueueSupervisor(RunnerSupervisor):
    """Supervises a worker that runs the jobs of a queue-based endpoint."""

    def __init__(self, order: WorkerOrder, machine: Machine, logs: LogRelay, reports: Reports) -> None:
        super().__init__(order, machine, logs, reports)
        most = order.assignment.max_concurrency
        self._jobs = HeldJobs(most)
        self._posts = JobPosts(order, logs, min(most, 8), held=lambda: len(self._jobs), on_done=self._drop)
        self._source = JobSource(order)
        start_thread("take", self._take_jobs)

    def jobs_held(self) -> list[str]:
        return [job.id for job in self._jobs.all()]

    def stop(self) -> None:
        super().stop()
        self._source.abort()
        self._jobs.wake()

    def abandon(self, exit_code: int) -> None:
        super().abandon(exit_code)
        self._source.abort()
        self._posts.abandon()
        self.stopping = True
        self._jobs.wake()

    def become_ready(self) -> None:
        super().become_ready()
        self._jobs.wake()
        if self.runner is not None:
            self._hand_over(self._jobs.without_runner(), self.runner)

    def become_unhealthy(self, sentence: str, structured: str | None = None) -> None:
        super().become_unhealthy(sentence, structured)
        self._jobs.wake()
        for job in self._jobs.without_runner():
            self._fail(job, self.unhealthy_reason or sentence)

    # Taking

    def _take_jobs(self) -> None:
        while (free := self._jobs.await_room(self._may_take)) > 0:
            taken = self._source.take(free, busy=bool(self._jobs))
            if taken is None:
                if not self.stopping:
                    self.events.put(self._end_unknown)
                break
            self._accept(taken)
        self._source.close()

    def _may_take(self) -> bool | None:
        return None if self.stopping else self.ready or self.unhealthy is not None

    def _end_unknown(self) -> None:
        self.logs.write("error", "The platform no longer knows this worker; the worker ends.")
        self.stop()

    def _accept(self, taken: list[TakenJob]) -> None:
        jobs = [HeldJob(each.id, each.attempt, self._timeout_of(each), each.input) for each in taken]
        self._jobs.add(jobs)
        runner = self.runner if self.ready else None
        if self.unhealthy is not None:
            for job in jobs:
                self._fail(job, self.unhealthy_reason or self.unhealthy)
        elif runner is not None:
            self._hand_over(jobs, runner)

    def _timeout_of(self, taken: TakenJob) -> float:
        return taken.execution_timeout or self.assignment.execution_timeout or math.inf

    def _hand_over(self, jobs: list[HeldJob], runner: RunnerProcess) -> None:
        jobs = self._jobs.hand_over(jobs, runner, lambda: runner is self.runner)
        try:
            runner.send_all(Frame({"type": "job", "id": job.id}, job.input) for job in jobs)
        except OSError:
            return  # The child has ended; `runner_ended` handles these jobs.

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

    def _drop(self, ids: list[str]) -> None:
        if self._jobs.drop(ids) and self.ready and self.runner is not None:
            self._hand_over(self._jobs.without_runner(), self.runner)

    def _fail(self, job: HeldJob, error: str) -> None:
        if self._jobs.answer(job):
            self._post_error(job, error)

    def _post_error(self, job: HeldJob, error: str, *, keep: bool = False) -> None:
        body = json.dumps({"error": error}).encode()
        self._posts.done(job.id, job.attempt, body, stream=False, follows=job.reported, keep=keep)

    # Timeouts, cancellations and crashes

    def tick(self) -> None:
        now = time.monotonic()
        jobs = self._jobs.all()
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
            self.logs.write("error", post, job.id)
            self._post_error(job, post, keep=True)
        if job.runner is None:
            self._drop([job.id])
            return
        try:
            # If the child does not read the frame, it is replaced after the grace period.
            job.runner.try_send("cancel", id=job.id)
        except OSError:
            return  # The child has ended; `runner_ended` handles this job.

    def runner_ended(self, runner: RunnerProcess) -> None:
        lost = self._jobs.unanswered(runner)
        given_up = [job for job in lost if job.given_up is not None]
        alive = [job for job in lost if job.given_up is None]
        signal = runner.foreign_signal()
        lost_by = None if signal is None or given_up else self._lost_by(signal)
        if lost_by is None and not given_up and len(alive) == 1:
            kind = "WorkerCrashed" if self.exceeded is None else "MemoryExceeded"
            sentence = self.exceeded or f"The worker's process {runner.ending()} while the function ran."
            self.logs.write("error", sentence, alive[0].id)
            self._fail(alive[0], self.reason(kind, sentence, "\n".join(self.logs.last_lines(alive[0].id)[-10:])))
            alive = []
        self._jobs.drop([job.id for job in given_up])
        if len(alive) > 1 and not given_up:
            self._jobs.run_alone([job.id for job in alive])
        for job in alive:
            why = lost_by or "The job was lost because the process that it shared with other jobs ended"
            self.logs.write("warning", f"{why}; it runs again.", job.id)
            # Released first: once requeued, the job may be taken again at once.
            self._jobs.release([job.id])
            # If the process ended because another job was stopped, this job is not the cause. In a crash, any of the
            # running jobs may be.
            lines = "\n".join(self.logs.last_lines(job.id)[-10:])
            error = None if lost_by is None else self.reason("WorkerLost", lost_by, lines)
            self._posts.requeue(job.id, job.attempt, counted=not given_up, error=error)
        if not self.stopping:
            self.start()

    def _lost_by(self, signal: str) -> str:
        used = 0 if self.memory is None else self.memory.used
        return f"worker lost: {signal} while the function ran, {used / 1e6:.0f} MB in use"

    def _finish(self) -> None:
        self._posts.flush()
        if self.runner is not None and not self.runner.close(CLOSE_GRACE):
            self.logs.write("warning", f"The worker's process did not end within {CLOSE_GRACE:.0f} s and was killed.")
        self._posts.close()
        self.end()
