"""Supervises a worker of any language: runs the endpoint's command, which takes jobs itself, and relays its output.

A queue-based command is ready when it first takes jobs, which the platform notices; a load-balanced one when its health
route returns 200. Only the command's own pings renew its leases, so that a command that hangs loses them.
"""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import asdict

from toolkit_sdk import _worker

from .child_process import ChildProcess
from .command_plan import CommandPlan, command_plan
from .health import await_health
from .log_relay import LogRelay
from .machine import Machine
from .memory import MemoryWatch, memory_exceeded
from .preparation import Node
from .protocol import WorkerOrder
from .reports import Reports
from .supervisor import Supervisor
from .worker_thread import start_thread

# The launcher imports nothing else from toolkit_sdk: the command may run in a Python of any version.
_MODULES = os.path.dirname(_worker.__file__)
# Sets up the process and then becomes the command by exec, which keeps the set-up: it enters its cgroup, hides
# TOOLKIT_HOME, leads a process group of its own, ends with the agent, and adopts orphaned processes below it.
_LAUNCHER = """
import ctypes, json, os, signal, sys
parent, modules, entrance, hiding, command = int(sys.argv[1]), *sys.argv[2:4], json.loads(sys.argv[4]), sys.argv[5:]
if entrance:
    with open(entrance, "w") as procs:
        procs.write("0")
sys.path.insert(0, modules)
from containment import Containment, contain
contain(Containment(**hiding))
os.setpgid(0, 0)
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
ctypes.CDLL(None).prctl(36, 1)
if os.getppid() != parent:
    sys.exit(1)
try:
    os.execvp(command[0], command)
except OSError as error:
    sys.exit(f"{command[0]} cannot be run: {error.strerror}.")
"""


class CommandSupervisor(Supervisor):
    """Supervises a worker that runs the endpoint's command."""

    def __init__(self, order: WorkerOrder, machine: Machine, logs: LogRelay, reports: Reports) -> None:
        super().__init__(order, machine, logs, reports)
        self._plan: CommandPlan | None = None
        self._child: ChildProcess | None = None
        self._unexpected_status: int | None = None
        self._memory: MemoryWatch | None = None
        self._exceeded = False

    def plan(self, node: Node) -> None:
        self._plan = command_plan(self.order, node)

    def start(self) -> None:
        plan = self._plan
        assert plan is not None
        # Before the command starts: its first take makes the worker ready, and a later "starting" would undo that.
        self.reports.prepared()
        containment = json.dumps(asdict(plan.containment))
        try:
            cgroup = self.make_cgroup()
            entrance = "" if cgroup is None else str(cgroup.entrance)
            launch = [str(os.getpid()), _MODULES, entrance, containment]
            child = ChildProcess(
                lambda out, err: self.machine.spawner.start(
                    [self.order.python, "-I", "-S", "-B", "-c", _LAUNCHER, *launch, *plan.command],
                    folder=plan.folder,
                    environment=plan.environment,
                    stdout=out,
                    stderr=err,
                ),
                cgroup=cgroup,
                logs=self.logs,
                error_level="warning",
            )
        except OSError as error:
            self.become_unhealthy(f"The command cannot be started: {error}.")
            return
        self._child = child
        if self.assignment.memory_bytes is not None and cgroup is None:
            self._memory = MemoryWatch(child.pid, self.assignment.memory_bytes, self._exceed)
        start_thread("command", lambda: self._await_end(child))
        if plan.port is not None:
            address = f"http://127.0.0.1:{plan.port}"
            start_thread("health", lambda: self._await_health(child, address))

    def jobs_held(self) -> list[str] | None:
        return None

    @property
    def child(self) -> ChildProcess | None:
        return self._child

    def stop(self) -> None:
        super().stop()
        if self._child is None:
            self.end()
        else:
            self._child.terminate()

    def become_unhealthy(self, sentence: str) -> None:
        """Reports why and ends the worker: no process is left to respond to jobs, and another worker may succeed."""
        super().become_unhealthy(sentence)
        self.end(1)

    def _exceed(self) -> None:
        self._exceeded = True
        if self._child is not None:
            self._child.kill()

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
        if self._exceeded or child.ran_out_of_memory:
            self.become_unhealthy(memory_exceeded("The command", self.assignment.memory_bytes))
            return
        command = shlex.join(self.assignment.command or [])
        self.become_unhealthy(f"The command `{command}` {child.ending()}.")

    def _await_health(self, child: ChildProcess, address: str) -> None:
        if await_health(address, lambda: child is self._child and not self.is_over, self._log_unexpected_status):
            self.events.put(lambda: self.reports.ready(address))

    def _log_unexpected_status(self, status: int) -> None:
        if status != self._unexpected_status:
            self._unexpected_status = status
            self.logs.write(
                "warning", f"The command returns {status} for GET /ping; it gets requests once it returns 200."
            )
