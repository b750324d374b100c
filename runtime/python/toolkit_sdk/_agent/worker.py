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

# What a worker ends with when a fault of ours has ended it.
_FAULT = 70


class Worker:
    """See the module. Its threads are its own: what goes wrong in one ends this worker alone."""

    def __init__(
        self,
        order: WorkerOrder,
        machine: Machine,
        *,
        tell: Callable[[Worker, Report], None],
        ended: Callable[[Worker, int], None],
    ) -> None:
        """Starts nothing yet.

        Args:
            order: What it serves.
            machine: What it shares with the other workers.
            tell: Called with each state.
            ended: Called once, with its exit code; negative: the signal that ended it.
        """
        self.order = order
        self.reports = Reports(lambda report: tell(self, report))
        self._machine = machine
        self._folder = machine.work / order.worker
        self.cache = NodeCache(machine.cache)
        """The node's, as this worker uses it."""
        self._ended = ended
        self._end_lock = threading.Lock()
        self._is_ended = False
        self._is_stopping = False
        self._timers: list[threading.Timer] = []
        """One for each stop that was ordered."""
        self._supervisor: Supervisor | None = None
        self._preparation: Preparation | None = None
        self._logs: LogRelay | None = None

    def start(self) -> None:
        """Starts it. One that fails at once has ended before this returns."""
        context = contextvars.copy_context()
        context.run(on_fault.set, self._fail)
        context.run(start_thread, "worker", self._run)

    def leases(self) -> list[str] | None:
        """The jobs that it holds; None when its command takes them by itself."""
        return [] if self._supervisor is None else self._supervisor.jobs_held()

    def stop_jobs(self, ids: list[str]) -> None:
        """Ends what runs of these jobs."""
        if self._supervisor is not None:
            self._supervisor.stop_jobs(ids)

    def stop(self, grace: float) -> None:
        """Lets it end what is under way.

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
        """Ends it at once, whatever is in hand.

        Args:
            why: For its log.
        """
        if why is not None and self._logs is not None and not self._is_ended:
            self._logs.tell("error", why)
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
            # A stop that came before could not abort it.
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
        """A fault of ours: without the thread the worker would hold jobs and do nothing, so another replaces it."""
        told = "".join(traceback.format_exception(error))
        sentence = f'The worker\'s thread "{thread}" failed, and the worker ends:\n{told}'
        if self._logs is not None:
            self._logs.tell("error", sentence)
        else:  # Its log cannot be opened, perhaps.
            sys.stderr.write(f"{self.order.worker}: {sentence}\n")
        if self._supervisor is not None:
            self._supervisor.abandon(_FAULT)
        self._end(_FAULT)

    def _end(self, code: int) -> None:
        # Whoever comes second waits until the folder is gone: the agent may exit then.
        with self._end_lock:
            if self._is_ended:
                return
            self._is_ended = True
            for timer in list(self._timers):
                timer.cancel()
            if self._preparation is not None:
                self._preparation.abort()
            shutil.rmtree(self._folder, ignore_errors=True)
        self._ended(self, code)
        if self._logs is not None:
            self._logs.close()
