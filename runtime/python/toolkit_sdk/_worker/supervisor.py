"""The supervising process of a worker: holds the child that runs the endpoint's code, until the end.

It never runs user code, so leases are renewed and stop signals are heard whatever the function does.
"""

from __future__ import annotations

import queue
from collections.abc import Callable

from .log_lines import LogRelay
from .platform_reports import Reports
from .preparation import Node
from .protocol import Assignment, WorkerFacts


class Supervisor:
    """What all workers share: decisions are made on the main thread, in the order in which the events came."""

    def __init__(self, facts: WorkerFacts, assignment: Assignment, logs: LogRelay, reports: Reports) -> None:
        self.facts = facts
        self.assignment = assignment
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
        """Starts the child; on the main thread only."""
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

    def stop(self) -> None:
        """Ends once what is under way has ended."""
        self.stopping = True

    def tick(self) -> None:
        """Called about four times a second."""

    def kill_child(self) -> None:
        """Ends the child at once; from any thread."""
        raise NotImplementedError

    def jobs_held(self) -> list[str] | None:
        """Ids of the jobs to ping for; None when the child takes jobs by itself."""
        return []

    def only_job(self) -> str | None:
        """The job that unlabelled output belongs to."""
        jobs = self.jobs_held()
        return jobs[0] if jobs is not None and len(jobs) == 1 else None
