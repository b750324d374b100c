"""Supervises a worker of any language: runs the endpoint's command and relays its output; jobs it pulls by itself.

A queue-based command is ready with its first take, which the platform sees; a load-balanced one when its health route
says so. Its leases are renewed by its own pings alone, so that one that hangs loses them.
"""

from __future__ import annotations

import os
import shlex
import sys
import threading

from .child_process import ChildProcess
from .command_plan import CommandPlan, command_plan
from .health import await_health
from .log_lines import LogRelay
from .memory import MemoryWatch
from .platform_reports import Reports
from .preparation import Node
from .protocol import Assignment, WorkerFacts
from .supervisor import Supervisor

# Becomes the command: leads a group of its own and ends with the supervisor, which an exec keeps.
_LAUNCHER = """
import ctypes, os, signal, sys
parent, command = int(sys.argv[1]), sys.argv[2:]
os.setpgid(0, 0)
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() != parent:
    sys.exit(1)
try:
    os.execvp(command[0], command)
except OSError as error:
    sys.exit(f"{command[0]} cannot be run: {error.strerror}.")
"""


class CommandSupervisor(Supervisor):
    """See the module."""

    def __init__(self, facts: WorkerFacts, assignment: Assignment, logs: LogRelay, reports: Reports) -> None:
        super().__init__(facts, assignment, logs, reports)
        self._plan: CommandPlan | None = None
        self._child: ChildProcess | None = None
        self._odd_health: int | None = None
        self._memory: MemoryWatch | None = None
        self._exceeded: str | None = None

    def plan(self, node: Node) -> None:
        self._plan = command_plan(self.facts, self.assignment, node)

    def start(self) -> None:
        plan = self._plan
        assert plan is not None
        # Said before the command lives: a take makes the worker ready, and a later "starting" would undo it.
        self.reports.prepared()
        child = ChildProcess(
            [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(os.getpid()), *plan.command],
            folder=plan.folder,
            environment=plan.environment,
            logs=self.logs,
            error_level="warning",
        )
        self._child = child
        if self.assignment.memory_bytes is not None:
            self._memory = MemoryWatch("The command", child.pid, self.assignment.memory_bytes, self._exceed)
        threading.Thread(target=self._await_end, args=(child,), daemon=True, name="command").start()
        if self.assignment.kind == "load-balanced":
            threading.Thread(target=self._await_health, args=(child,), daemon=True, name="health").start()

    def jobs_held(self) -> list[str] | None:
        return None

    def kill_child(self) -> None:
        if self._child is not None:
            self._child.kill()

    def stop(self) -> None:
        super().stop()
        if self._child is None:
            self.end()
        else:
            self._child.terminate()

    def become_unhealthy(self, sentence: str) -> None:
        """Tells why and ends: nobody is here to answer jobs, and another worker may fare better."""
        super().become_unhealthy(sentence)
        self.end(1)

    def _exceed(self, sentence: str) -> None:
        self._exceeded = sentence
        self.kill_child()

    def _await_end(self, child: ChildProcess) -> None:
        child.await_end()
        self.events.put(lambda: self._ended(child))

    def _ended(self, child: ChildProcess) -> None:
        self._child = None
        if self._memory is not None:
            self._memory.end()
        code = child.exit_code()
        if self.stopping or code == 0:
            self.end()
            return
        command = shlex.join(self.assignment.command or [])
        self.become_unhealthy(self._exceeded or f"The command `{command}` {child.ending()}.")

    def _await_health(self, child: ChildProcess) -> None:
        assert self.facts.port is not None
        if await_health(self.facts.port, lambda: child is self._child, self._tell_odd_health):
            self.events.put(self.reports.ready)

    def _tell_odd_health(self, status: int) -> None:
        if status != self._odd_health:
            self._odd_health = status
            told = f"The command answers {status} to GET /ping; it gets requests once that is 200."
            self.logs.tell("warning", told)
