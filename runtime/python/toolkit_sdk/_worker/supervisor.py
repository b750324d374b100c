"""The supervising process of a worker: prepares, starts the child with the user's code, and sees to it until the end.

It never runs user code, so leases are renewed and stop signals are heard whatever the function does.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType

from .failures import reason as structured_reason
from .frames import Frame
from .heartbeat import Heartbeat
from .log_lines import LogRelay
from .platform_connection import Contact, PlatformConnection
from .platform_reports import Reports, WorkerGoneError, fetch_assignment
from .preparation import PreparationError, prepare
from .protocol import Assignment, WorkerFacts, worker_facts
from .runner_process import RunnerPlan, RunnerProcess


class Supervisor:
    """What queue-based and load-balanced workers share: the child's life on the main thread.

    All decisions are made on the main thread, in the order in which the events came.
    """

    def __init__(self, facts: WorkerFacts, assignment: Assignment, logs: LogRelay, reports: Reports) -> None:
        self.facts = facts
        self.assignment = assignment
        self.logs = logs
        self.reports = reports
        self.events: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.runner: RunnerProcess | None = None
        self.stopping = False
        self.ready = False
        self.unhealthy: str | None = None
        self.unhealthy_reason: str | None = None
        """The structured reason that each job is answered with."""
        self._plan: RunnerPlan | None = None
        self._failed_start: tuple[str, str] | None = None
        self._ended = False

    def run(self, plan: RunnerPlan) -> None:
        """Serves until told to stop."""
        self._plan = plan
        self.start_runner()
        self.serve()

    def serve(self) -> None:
        """Handles events until the worker has ended."""
        while not self._ended:
            try:
                self.events.get(timeout=0.25)()
            except queue.Empty:
                self.tick()

    def end(self) -> None:
        """The worker has nothing left to do."""
        self._ended = True

    def start_runner(self) -> None:
        """Starts the child; on the main thread only."""
        assert self._plan is not None
        self.ready = False
        self.runner = RunnerProcess(
            self._plan,
            self.logs,
            on_frame=self.frame_received,
            on_exit=lambda runner: self.events.put(lambda: self._runner_exited(runner)),
        )

    def become_ready(self) -> None:
        """The child has loaded the user's code."""
        self.ready = True
        self.reports.ready()

    def become_unhealthy(self, sentence: str, structured: str | None = None) -> None:
        """The worker cannot work; it stays and answers with the reason."""
        self.unhealthy = sentence
        self.unhealthy_reason = structured or structured_reason("WorkerUnhealthy", sentence)
        self.logs.tell("error", sentence)
        self.reports.unhealthy(sentence, self.logs.last_lines())

    def stop(self) -> None:
        """Ends once what is under way has ended."""
        self.stopping = True

    def tick(self) -> None:
        """Called about four times a second."""

    def frame_received(self, runner: RunnerProcess, frame: Frame) -> None:
        """A frame of the child, on the child's reading thread."""
        if frame.type == "unhealthy":
            # The child ends now; its last lines are read until then.
            self._failed_start = (frame.header["reason"], frame.payload.decode())

    def jobs_held(self) -> list[str]:
        """Ids of the jobs to ping for."""
        return []

    def only_job(self) -> str | None:
        """The job that unlabelled output belongs to."""
        jobs = self.jobs_held()
        return jobs[0] if len(jobs) == 1 else None

    def runner_ended(self, runner: RunnerProcess) -> None:
        """The child has ended after it was ready, and nobody wanted it to."""

    def _runner_exited(self, runner: RunnerProcess) -> None:
        if runner is not self.runner:
            return
        self.runner = None
        was_ready, self.ready = self.ready, False
        if self.unhealthy is not None:
            return
        if was_ready:
            self.runner_ended(runner)
        elif self.stopping:
            self.end()
        elif self._failed_start is not None:
            self.become_unhealthy(*self._failed_start)
        else:
            self.become_unhealthy(f"The worker's process {runner.ending()} before the function was loaded.")


def main() -> None:
    """The program `python -m toolkit_sdk._worker`."""
    facts = worker_facts()
    contact = Contact()
    connection = PlatformConnection(facts.platform, facts.token, contact)
    held: list[Supervisor] = []
    logs = LogRelay(facts.worker_id, lambda: held[0].only_job() if held else None)
    try:
        assignment = fetch_assignment(facts, connection)
    except WorkerGoneError as error:
        logs.tell("error", str(error))
        raise SystemExit(1) from error
    reports = Reports(facts, PlatformConnection(facts.platform, facts.token, contact))
    supervisor = _supervisor_of(facts, assignment, logs, reports, contact)
    held.append(supervisor)

    def orphaned() -> None:
        logs.tell("error", f"The platform at {facts.platform} does not answer any more; the worker ends.")
        if supervisor.runner is not None:
            supervisor.runner.kill()
        os._exit(1)

    Heartbeat(facts, contact, jobs=supervisor.jobs_held, on_orphaned=orphaned).start()
    reports.starting()
    signal.signal(signal.SIGTERM, _end_now)
    try:
        plan = prepare(facts, assignment, connection)
    except PreparationError as error:
        _listen_for_stop(supervisor)
        supervisor.become_unhealthy(str(error))
        supervisor.serve()
    else:
        _listen_for_stop(supervisor)
        supervisor.run(plan)


def _supervisor_of(
    facts: WorkerFacts, assignment: Assignment, logs: LogRelay, reports: Reports, contact: Contact
) -> Supervisor:
    if assignment.kind == "queue":
        from .queue_supervisor import QueueSupervisor

        return QueueSupervisor(facts, assignment, logs, reports, contact)
    from .load_balanced_supervisor import LoadBalancedSupervisor

    return LoadBalancedSupervisor(facts, assignment, logs, reports)


def _end_now(signum: int, frame: FrameType | None) -> None:
    """A stop while the node is prepared: nothing is in hand, and clean-ups run on the way out."""
    del signum, frame
    sys.exit(0)


def _listen_for_stop(supervisor: Supervisor) -> None:
    asked = threading.Event()

    def stop(signum: int, frame: FrameType | None) -> None:
        del signum, frame
        asked.set()

    def pass_on() -> None:
        # A handler may not take locks that the main thread may hold.
        asked.wait()
        supervisor.events.put(supervisor.stop)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    threading.Thread(target=pass_on, daemon=True, name="stop").start()
