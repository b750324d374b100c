"""Supervises a worker: starts, watches and ends the process that runs the endpoint's code.

A supervisor never runs user code, so it renews leases and obeys stops whatever the function does.
"""

from __future__ import annotations

import queue
from collections.abc import Callable

from .cgroups import Cgroup
from .child_process import ChildProcess
from .log_relay import LogRelay
from .machine import Machine
from .preparation import Node
from .protocol import WorkerOrder
from .reports import Reports

# Seconds to wait for a killed process. It takes longer only if the kernel holds the process.
_KILL_SECONDS = 5.0


class Supervisor:
    """The common base of supervisors. One thread handles all events, in the order in which they arrive."""

    def __init__(self, order: WorkerOrder, machine: Machine, logs: LogRelay, reports: Reports) -> None:
        self.order = order
        self.machine = machine
        self.assignment = order.assignment
        self.logs = logs
        self.reports = reports
        self.events: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.stopping = False
        self.unhealthy: str | None = None
        self._exit_code: int | None = None

    def plan(self, node: Node) -> None:
        """Plans the start of the child, given where everything is on this node.

        Raises:
            PreparationError: Something is missing.
        """
        raise NotImplementedError

    def start(self) -> None:
        """Starts the child."""
        raise NotImplementedError

    def serve(self) -> int:
        """Handles events until the worker has ended. Returns its exit code."""
        while self._exit_code is None:
            try:
                self.events.get(timeout=0.25)()
            except queue.Empty:
                self.tick()
        return self._exit_code

    def end(self, exit_code: int = 0) -> None:
        """Ends the worker, which has nothing left to do."""
        self._exit_code = exit_code

    def become_unhealthy(self, sentence: str) -> None:
        """Marks the worker as unable to work, and reports why."""
        self.unhealthy = sentence
        self.logs.write("error", sentence)
        self.reports.unhealthy(sentence, self.logs.last_lines())

    def make_cgroup(self) -> Cgroup | None:
        """Creates a cgroup for the child, with the worker's limit; None if the machine does not allow cgroups.

        Raises:
            OSError: It cannot be created.
        """
        cgroups = self.machine.cgroups
        return None if cgroups is None else cgroups.make(self.assignment.memory_bytes)

    def stop(self) -> None:
        """Ends the worker once its current work is done."""
        self.stopping = True

    def tick(self) -> None:
        """Called about four times a second."""

    @property
    def is_over(self) -> bool:
        """Whether the worker has ended."""
        return self._exit_code is not None

    @property
    def child(self) -> ChildProcess | None:
        """The process with the endpoint's code; None while there is none."""
        raise NotImplementedError

    def abandon(self, exit_code: int) -> None:
        """Ends the worker at once, even with unfinished work. Callable from any thread."""
        self.end(exit_code)
        self.kill_child()

    def kill_child(self) -> None:
        """Kills the child, and waits until it is gone. Callable from any thread."""
        child = self.child
        if child is not None:
            child.kill()
            child.wait(_KILL_SECONDS)

    def jobs_held(self) -> list[str] | None:
        """Ids of the jobs whose leases are renewed; None if the child takes jobs itself."""
        return []

    def stop_jobs(self, ids: list[str]) -> None:
        """Stops those of these jobs that are running. Callable from any thread."""

    def only_job(self) -> str | None:
        """The job that output without a label belongs to: the only held job, if there is exactly one."""
        jobs = self.jobs_held()
        return jobs[0] if jobs is not None and len(jobs) == 1 else None
