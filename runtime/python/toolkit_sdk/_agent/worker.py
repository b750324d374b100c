"""One worker of this node: from its order to its end."""

from __future__ import annotations

import contextvars
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING

from .log_relay import LogRelay
from .machine import Machine
from .node_cache import NodeCache
from .preparation import Preparation, PreparationError
from .protocol import WorkerOrder
from .reports import Report, Reports
from .worker_thread import on_fault, start_thread

if TYPE_CHECKING:
    from .supervisor import Supervisor

# Exit code of a worker that a bug in the agent has ended.
_FAULT = 70


class Worker:
    """One worker. It has threads of its own: an error in one of them ends only this worker."""

    def __init__(
        self,
        order: WorkerOrder,
        machine: Machine,
        *,
        on_report: Callable[[Worker, Report], None],
        on_end: Callable[[Worker, int], None],
    ) -> None:
        """Prepares the worker. Starts nothing yet.

        Args:
            order: The platform's order.
            machine: What it shares with the other workers.
            on_report: Called with each report of its state.
            on_end: Called once, with its exit code; if negative, the signal that ended it.
        """
        self.order = order
        self.reports = Reports(lambda report: on_report(self, report))
        self._machine = machine
        self._folder = machine.work / order.worker
        self.cache = NodeCache(machine.cache)
        """The node's cache, as this worker sees it."""
        self._on_end = on_end
        self._end_lock = threading.Lock()
        self._is_ended = False
        self._is_stopping = False
        self._timers: list[threading.Timer] = []
        """One timer for each stop that was ordered."""
        self._supervisor: Supervisor | None = None
        self._preparation: Preparation | None = None
        self._logs: LogRelay | None = None

    def start(self) -> None:
        """Starts the worker. If it fails at once, it has ended before this returns."""
        context = contextvars.copy_context()
        context.run(on_fault.set, self._fail)
        context.run(start_thread, "worker", self._run)

    def leases(self) -> list[str] | None:
        """The jobs that it holds; None if its command takes jobs itself."""
        return [] if self._supervisor is None else self._supervisor.jobs_held()

    def stop_jobs(self, ids: list[str]) -> None:
        """Stops those of these jobs that are running."""
        if self._supervisor is not None:
            self._supervisor.stop_jobs(ids)

    def stop(self, grace: float) -> None:
        """Ends the worker once its current work is done.

        Args:
            grace: Seconds after which it is killed.
        """
        self._is_stopping = True
        supervisor, preparation = self._supervisor, self._preparation
        if preparation is not None:
            preparation.abort()
        if supervisor is not None:
            supervisor.events.put(supervisor.stop)
        timer = threading.Timer(grace, lambda: self.kill(None))
        timer.daemon = True
        self._timers.append(timer)
        timer.start()

    def kill(self, why: str | None) -> None:
        """Ends the worker at once, even with unfinished work.

        Args:
            why: The reason, for its log.
        """
        if why is not None and self._logs is not None and not self._is_ended:
            self._logs.write("error", why)
        if self._supervisor is not None:
            self._supervisor.abandon(-signal.SIGKILL)
        self._end(-signal.SIGKILL)

    def _run(self) -> None:
        order = self.order
        file = self._machine.logs / order.endpoint / f"{order.worker}.log"
        logs = self._logs = LogRelay(order.worker, file, self._only_job)
        supervisor = self._supervisor = self._supervisor_of(order, logs)
        self.reports.renew_start()
        preparation = self._preparation = Preparation(order, self._machine, self.cache, self._folder)
        try:
            # A stop that was ordered before this point could not abort the preparation.
            node = None if self._is_stopping else preparation.run()
            self._preparation = None
            if node is not None and not self._is_stopping:
                supervisor.plan(node)
                supervisor.start()
        except PreparationError as error:
            self._preparation = None
            if not self._is_stopping:
                supervisor.become_unhealthy(str(error))
        if self._is_stopping:
            supervisor.stop()
        code = supervisor.serve()
        supervisor.kill_child()
        self._end(code)

    def _supervisor_of(self, order: WorkerOrder, logs: LogRelay) -> Supervisor:
        if order.assignment.command is not None:
            from .command_supervisor import CommandSupervisor

            return CommandSupervisor(order, self._machine, logs, self.reports)
        if order.assignment.kind == "queue":
            from .queue_supervisor import QueueSupervisor

            return QueueSupervisor(order, self._machine, logs, self.reports)
        from .load_balanced_supervisor import LoadBalancedSupervisor

        return LoadBalancedSupervisor(order, self._machine, logs, self.reports)

    def _only_job(self) -> str | None:
        return None if self._supervisor is None else self._supervisor.only_job()

    def _fail(self, thread: str, error: BaseException) -> None:
        """Ends the worker after a bug in one of its threads, so that another worker replaces it.

        Without the thread, the worker would hold jobs and do nothing.
        """
        lines = "".join(traceback.format_exception(error))
        sentence = f'The worker\'s thread "{thread}" failed; the worker ends:\n{lines}'
        if self._logs is not None:
            self._logs.write("error", sentence)
        else:  # For example, its log cannot be opened.
            sys.stderr.write(f"{self.order.worker}: {sentence}\n")
        if self._supervisor is not None:
            self._supervisor.abandon(_FAULT)
        self._end(_FAULT)

    def _end(self, code: int) -> None:
        # A second caller waits here until the folder is gone, because the agent may exit after that.
        with self._end_lock:
            if self._is_ended:
                return
            self._is_ended = True
            for timer in list(self._timers):
                timer.cancel()
            if self._preparation is not None:
                self._preparation.abort()
            shutil.rmtree(self._folder, ignore_errors=True)
        self._on_end(self, code)
        if self._logs is not None:
            self._logs.close()
