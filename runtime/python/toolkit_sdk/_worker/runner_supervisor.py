"""What supervisors of queue-based and load-balanced functions share: the life of the child with the user's code."""

from __future__ import annotations

from .failures import reason as structured_reason
from .frames import Frame
from .log_lines import LogRelay
from .memory import MemoryWatch
from .platform_reports import Reports
from .preparation import Node, runner_plan
from .protocol import Assignment, WorkerFacts
from .runner_process import RunnerPlan, RunnerProcess
from .supervisor import Supervisor


class RunnerSupervisor(Supervisor):
    """See the module."""

    def __init__(self, facts: WorkerFacts, assignment: Assignment, logs: LogRelay, reports: Reports) -> None:
        super().__init__(facts, assignment, logs, reports)
        self.runner: RunnerProcess | None = None
        self.ready = False
        self.unhealthy_reason: str | None = None
        """The structured reason that each job is answered with."""
        self._plan: RunnerPlan | None = None
        self._failed_start: tuple[str, str] | None = None
        self._memory: MemoryWatch | None = None
        self.exceeded: str | None = None
        """Says that the child was ended for its use of memory."""

    def plan(self, node: Node) -> None:
        self._plan = runner_plan(self.facts, self.assignment, node)

    def start(self) -> None:
        assert self._plan is not None
        self.ready = False
        self.exceeded = None
        runner = self.runner = RunnerProcess(
            self._plan,
            self.logs,
            on_frame=self.frame_received,
            on_exit=lambda runner: self.events.put(lambda: self._runner_exited(runner)),
        )
        if self.assignment.memory_bytes is not None:

            def exceeded(sentence: str) -> None:
                self.exceeded = sentence
                runner.kill()

            self._memory = MemoryWatch("The function", runner.pid, self.assignment.memory_bytes, exceeded)
        self.reports.importing()

    def kill_child(self) -> None:
        if self.runner is not None:
            self.runner.kill()

    def become_ready(self) -> None:
        """The child has loaded the user's code."""
        self.ready = True
        self.reports.ready()

    def become_unhealthy(self, sentence: str, structured: str | None = None) -> None:
        """The worker cannot work; it stays and answers with the reason."""
        self.unhealthy_reason = structured or structured_reason("WorkerUnhealthy", sentence)
        super().become_unhealthy(sentence)

    def frame_received(self, runner: RunnerProcess, frame: Frame) -> None:
        """A frame of the child, on the child's reading thread."""
        del runner
        if frame.type == "unhealthy":
            # The child ends now; its last lines are read until then.
            self._failed_start = (frame.header["reason"], frame.payload.decode())

    def runner_ended(self, runner: RunnerProcess) -> None:
        """The child has ended after it was ready, and nobody wanted it to."""

    def _runner_exited(self, runner: RunnerProcess) -> None:
        if runner is not self.runner:
            return
        self.runner = None
        if self._memory is not None:
            self._memory.end()
        was_ready, self.ready = self.ready, False
        if self.unhealthy is not None:
            return
        if was_ready:
            self.runner_ended(runner)
        elif self.stopping:
            self.end()
        elif self._failed_start is not None:
            self.become_unhealthy(*self._failed_start)
        elif self.exceeded is not None:
            self.become_unhealthy(self.exceeded)
        else:
            self.become_unhealthy(f"The worker's process {runner.ending()} before the function was loaded.")
