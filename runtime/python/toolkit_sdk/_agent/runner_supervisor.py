"""What the supervisors of queue-based and load-balanced workers share: they start, watch and restart the child."""

from __future__ import annotations

import re
import threading
import time

from toolkit_sdk._worker.failures import reason_of
from toolkit_sdk._worker.frames import Frame

from .log_relay import LogRelay
from .machine import Machine
from .memory import MemoryWatch, memory_exceeded
from .preparation import Node, runner_plan
from .protocol import WorkerOrder
from .reports import Reports
from .runner_process import RunnerPlan, RunnerProcess
from .supervisor import Supervisor
from .zygote import ZygoteError

# Seconds during which a start is retried after a signal from outside has ended it, such as the kernel's on low memory.
_KILLED_SECONDS = 10.0
# Seconds before the first retry; each later one waits twice as long.
_FIRST_PAUSE = 0.1
# The address of a worker that listens on a port, because the path of its socket would be too long.
_OF_LOOPBACK = re.compile(r"http://127\.0\.0\.1:([0-9]{1,5})")
_LAST_PORT = 65_535


class RunnerSupervisor(Supervisor):
    """Supervises a worker whose child process runs the user's functions."""

    def __init__(self, order: WorkerOrder, machine: Machine, logs: LogRelay, reports: Reports) -> None:
        super().__init__(order, machine, logs, reports)
        self.runner: RunnerProcess | None = None
        self.ready = False
        self._address: str | None = None
        self.unhealthy_reason: str | None = None
        """The structured reason that jobs fail with while the worker is unhealthy."""
        self._plan: RunnerPlan | None = None
        self._failed_start: tuple[str, str] | None = None
        self.memory: MemoryWatch | None = None
        self._killed_since: float | None = None
        self._pause = _FIRST_PAUSE
        self.exceeded: str | None = None
        """The message that the child was killed for its use of memory; None if it was not."""

    def plan(self, node: Node) -> None:
        self._plan = runner_plan(self.order, node)

    def start(self) -> None:
        assert self._plan is not None
        self.ready = False
        self.exceeded = None
        try:
            cgroup = self.make_cgroup()
            runner = RunnerProcess(
                self._plan,
                self.machine.zygotes,
                cgroup=cgroup,
                logs=self.logs,
                on_frame=self.frame_received,
                on_exit=lambda runner: self.events.put(lambda: self._runner_exited(runner)),
            )
        except OSError as error:
            lines = str(error).splitlines()
            for line in lines[1:]:
                self.logs.write("error", line)
            sentence = f"The worker's process cannot be started: {lines[0]}."
            if isinstance(error, ZygoteError) and error.was_killed:
                self._start_killed(sentence)
            else:
                self.become_unhealthy(sentence)
            return
        self.runner = runner

        def exceeded() -> None:
            self._exceed()
            runner.kill()

        # With a cgroup, the kernel enforces the limit. The watch then only measures the use of memory.
        allowed = self.assignment.memory_bytes if cgroup is None else None
        self.memory = MemoryWatch(runner.pid, allowed, exceeded)
        self.reports.importing()

    @property
    def child(self) -> RunnerProcess | None:
        return self.runner

    def become_ready(self) -> None:
        """Called when the child has loaded the user's code."""
        self.ready = True
        self._killed_since = None
        self._pause = _FIRST_PAUSE
        self.reports.ready(self._address)

    def become_unhealthy(self, sentence: str, structured: str | None = None) -> None:
        """Marks the worker as unable to work. It keeps running, and its jobs fail with the reason."""
        self.unhealthy_reason = structured or self.reason("WorkerUnhealthy", sentence)
        super().become_unhealthy(sentence)

    def reason(self, error_type: str, sentence: str, lines: str = "") -> str:
        """The structured reason that a job fails with."""
        return reason_of(self.order.environment, self.assignment.python, error_type, sentence, lines)

    def frame_received(self, runner: RunnerProcess, frame: Frame) -> None:
        """Handles a frame from the child, on the thread that reads its frames."""
        if frame.type == "ready":
            address = frame.header.get("address")
            self.events.put(lambda: self._runner_ready(runner, address))
        elif frame.type == "unhealthy":
            # The report waits for the child's end, which follows, so that its last lines are read.
            self._failed_start = (frame.header["reason"], frame.payload.decode())

    def _runner_ready(self, runner: RunnerProcess, address: str | None) -> None:
        if runner is not self.runner or self.ready:
            return
        # The gateway connects to this address, and user code in the process may have forged it.
        if address is not None and address != self._own_socket() and not _is_of_loopback(address):
            self.become_unhealthy(f"The worker reported an address that is not its own: {address}.")
            return
        self._address = address
        self.become_ready()

    def _own_socket(self) -> str:
        assert self._plan is not None
        return f"unix:{self._plan.setup['socket']}"

    def _exceed(self) -> None:
        self.exceeded = memory_exceeded("The function", self.assignment.memory_bytes)

    def runner_ended(self, runner: RunnerProcess) -> None:
        """Called when the child has ended after it was ready."""

    def _runner_exited(self, runner: RunnerProcess) -> None:
        if runner is not self.runner:
            return
        self.runner = None
        if self.memory is not None:
            self.memory.end()
        if runner.ran_out_of_memory:
            self._exceed()
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
            sentence = f"The worker's process {runner.ending()} before the function was loaded."
            if runner.foreign_signal() is None:
                self.become_unhealthy(sentence)
            else:
                self._start_killed(sentence)

    def _start_killed(self, sentence: str) -> None:
        """Retries a start that a signal from outside has ended, until `_KILLED_SECONDS` have passed."""
        now = time.monotonic()
        if self._killed_since is None:
            self._killed_since = now
        if now + self._pause > self._killed_since + _KILLED_SECONDS:
            self.become_unhealthy(sentence)
            return
        self.logs.write("warning", f"{sentence} It is restarted.")
        again = threading.Timer(self._pause, lambda: self.events.put(self._start_again))
        again.daemon = True
        again.start()
        self._pause *= 2

    def _start_again(self) -> None:
        if not self.stopping:
            self.start()


def _is_of_loopback(address: str) -> bool:
    found = _OF_LOOPBACK.fullmatch(address)
    return found is not None and int(found[1]) <= _LAST_PORT
