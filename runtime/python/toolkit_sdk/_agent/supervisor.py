"""A worker's supervisor: holds the process that runs the endpoint's code, until the end.

It never runs user code, so leases are renewed and stops are heard whatever the function does.
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

# A killed process is gone sooner, unless the kernel holds it.
_KILL_SECONDS = 5.0


class Supervisor:
    """What all workers share: decisions are made on one thread, in the order in which the events came."""

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
        """Says where on this node everything is.

        Raises:
            PreparationError: Something is missing.
        """
        raise NotImplementedError

    def start(self) -> None:
        """Starts the child."""
        raise NotImplementedError

    def serve(self) -> int:
        """Handles events until the worker has ended; its exit code."""
        while self._exit_code is None:
            try:
                self.events.get(timeout=0.25)()
            except queue.Empty:
                self.tick()
        return self._exit_code

    def end(self, exit_code: int = 0) -> None:
        """The worker has nothing left to do."""
        self._exit_code = exit_code

    def become_unhealthy(self, sentence: str) -> None:
        """The worker cannot work."""
        self.unhealthy = sentence
        self.logs.tell("error", sentence)
        self.reports.unhealthy(sentence, self.logs.last_lines())

    def make_cgroup(self) -> Cgroup | None:
        """One for the child, with the worker's limit; None where the machine does not allow it.

        Raises:
            OSError: It cannot be made.
        """
        cgroups = self.machine.cgroups
        return None if cgroups is None else cgroups.make(self.assignment.memory_bytes)

    def stop(self) -> None:
        """Ends once what is under way has ended."""
        self.stopping = True

    def tick(self) -> None:
        """Called about four times a second."""

    @property
    def is_over(self) -> bool:
        """Whether the worker has ended."""
        return self._exit_code is not None

    @property
    def child(self) -> ChildProcess | None:
        """The process with the endpoint's code, while there is one."""
        raise NotImplementedError

    def abandon(self, exit_code: int) -> None:
        """Ends the worker at once, whatever is in hand; from any thread."""
        self.end(exit_code)
        self.kill_child()

    def kill_child(self) -> None:
        """Ends the child, and waits until it is gone; from any thread."""
        child = self.child
        if child is not None:
            child.kill()
            child.wait(_KILL_SECONDS)

    def jobs_held(self) -> list[str] | None:
        """Ids of the jobs whose leases are renewed; None when the child takes jobs by itself."""
        return []

    def stop_jobs(self, ids: list[str]) -> None:
        """Ends what runs of these jobs; from any thread."""

    def only_job(self) -> str | None:
        """The job that unlabelled output belongs to."""
        jobs = self.jobs_held()
        return jobs[0] if jobs is not None and len(jobs) == 1 else None
