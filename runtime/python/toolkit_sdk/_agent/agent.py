"""Starts and stops the workers of this node on the platform's orders, and reports their states."""

from __future__ import annotations

import base64
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

from toolkit_sdk import __version__

from .cache_pruning import prune
from .capacity import capacity
from .log_reading import WorkerLogs
from .machine import Machine
from .platform_dial import RefusedError, dial_of
from .platform_link import Message, PlatformLink
from .protocol import AGENT_PROTOCOL, ORPHAN_TIMEOUT, AgentStart, decode_order
from .reports import Report
from .streams import Streams
from .worker import Worker

# Seconds between reports of leases, until the platform sends another number.
_LEASE_INTERVAL = 10.0
# Seconds between checks of how long the platform has been silent.
_LOOK_INTERVAL = 1.0
# Seconds between removals of unused folders from the node's cache.
_PRUNE_INTERVAL = 3600.0


class Agent:
    """The agent of this node: takes orders from the platform, and holds the workers."""

    def __init__(self, start: AgentStart, machine: Machine) -> None:
        """Prepares the agent. Connects to nothing yet.

        Args:
            start: The settings that the agent was started with.
            machine: What the workers share.

        Raises:
            RefusedError: The platform's address or token cannot be used, or user code could read the token.
        """
        if not machine.hiding.hides(start.token):
            raise RefusedError(f"User code could read the token file {start.token}: move the file into {start.home}.")
        self._start = start
        self._machine = machine
        self._instance = os.urandom(16).hex()
        self._capacity = capacity()
        self._orphan_timeout = ORPHAN_TIMEOUT
        self._logs = WorkerLogs(machine.logs)
        self._workers: dict[str, Worker] = {}
        self._lease_interval = _LEASE_INTERVAL
        dial = dial_of(start.platform, start.token)
        self._streams = Streams(dial)
        self._link = PlatformLink(dial, self._hello, self._take_order)

    def run(self) -> None:
        """Starts the agent's threads."""
        threads = {"link": self._serve, "leases": self._report_leases, "cache": self._prune_cache}
        for name, work in threads.items():
            threading.Thread(target=work, daemon=True, name=name).start()

    def _serve(self) -> None:
        try:
            self._link.run()
        except RefusedError as error:
            self._give_up(str(error))

    def _hello(self) -> Message:
        workers = [
            {
                "worker": worker.order.worker,
                "endpoint": worker.order.endpoint,
                "platform": worker.order.platform,
                **_state_fields(worker.reports.last),
            }
            for worker in list(self._workers.values())
        ]
        return {
            "type": "hello",
            "protocol": AGENT_PROTOCOL,
            "version": __version__,
            "instance": self._instance,
            "pid": os.getpid(),
            "node": self._start.node,
            "platform": self._start.platform,
            "capacity": self._capacity,
            "workers": workers,
        }

    def _take_order(self, message: Message) -> None:
        act = self._orders.get(message["type"])
        if act is not None:
            act(self, message)

    def _welcome(self, message: Message) -> None:
        self._lease_interval = message["leaseInterval"]
        self._orphan_timeout = message["patience"]

    def _start_worker(self, message: Message) -> None:
        order = decode_order(message["order"])
        if order.worker not in self._workers:
            worker = Worker(order, self._machine, on_report=self._worker_reported, on_end=self._worker_ended)
            self._workers[order.worker] = worker
            worker.start()

    def _stop_worker(self, message: Message) -> None:
        worker = self._workers.get(message["worker"])
        if worker is not None:
            worker.stop(message["grace"] / 1000)

    def _stop_jobs(self, message: Message) -> None:
        worker = self._workers.get(message["worker"])
        if worker is not None:
            worker.stop_jobs(message["jobs"])

    def _list_logs(self, message: Message) -> None:
        written = self._logs.written(message["endpoint"])
        logs = [{"worker": worker, "written": time} for worker, time in written.items()]
        self._link.send({"type": "logs", "question": message["question"], "logs": logs})

    def _read_log(self, message: Message) -> None:
        part = self._logs.read(message["endpoint"], message["worker"], message["from"])
        fields = {"start": part.start, "since": part.since, "bytes": base64.b64encode(part.data).decode()}
        self._link.send({"type": "log", "question": message["question"], **fields})

    def _open_stream(self, message: Message) -> None:
        number = message["stream"]
        worker = self._workers.get(message["worker"])

        def failed(reason: str, *, at_node: bool) -> None:
            self._link.send({"type": "stream-failed", "stream": number, "reason": reason, "atNode": at_node})

        self._streams.open(number, None if worker is None else worker.reports.last.address, failed)

    def _note(self, message: Message) -> None:
        with contextlib.suppress(OSError):  # The disk may be full.
            self._logs.note(message["endpoint"], message["worker"], message["line"])

    def _remove_logs(self, message: Message) -> None:
        self._logs.remove(message["endpoint"], message["workers"])

    def _keep_logs(self, message: Message) -> None:
        of_workers = {worker.order.endpoint for worker in list(self._workers.values())}
        self._logs.keep(of_workers.union(message["endpoints"]))

    def _end(self, message: Message) -> None:
        if message["reason"] is not None:
            self._give_up(message["reason"])
        self._kill_all(None)
        os._exit(0)

    _orders: dict[str, Callable[[Agent, Message], None]] = {  # noqa: RUF012 (never changed)
        "welcome": _welcome,
        "start": _start_worker,
        "stop": _stop_worker,
        "stop-jobs": _stop_jobs,
        "list-logs": _list_logs,
        "read-log": _read_log,
        "open-stream": _open_stream,
        "note": _note,
        "remove-logs": _remove_logs,
        "keep-logs": _keep_logs,
        "end": _end,
    }

    def _worker_reported(self, worker: Worker, report: Report) -> None:
        self._link.send({"type": "state", "worker": worker.order.worker, **_state_fields(report)})

    def _worker_ended(self, worker: Worker, code: int) -> None:
        self._workers.pop(worker.order.worker, None)
        self._link.send({"type": "ended", "worker": worker.order.worker, **_exit(code)})

    def _report_leases(self) -> None:
        """Reports the held jobs at regular intervals, and ends the agent when the platform has been silent too long."""
        reported_at = time.monotonic()
        while True:
            time.sleep(min(self._lease_interval, _LOOK_INTERVAL))
            if self._link.silent_for() > self._orphan_timeout:
                self._give_up("The platform no longer responds; the agent and its workers end.")
            if time.monotonic() - reported_at < self._lease_interval:
                continue
            reported_at = time.monotonic()
            workers = list(self._workers.values())
            self._link.send({"type": "leases", "workers": {each.order.worker: each.leases() for each in workers}})
            for worker in workers:
                worker.reports.renew_start()
            self._machine.zygotes.end_idle()

    def _prune_cache(self) -> None:
        while True:
            # The cache may not exist yet, or may not be writable.
            with contextlib.suppress(OSError):
                for worker in list(self._workers.values()):
                    worker.cache.keep()
                prune(self._machine.cache)
            time.sleep(_PRUNE_INTERVAL)

    def _give_up(self, why: str) -> NoReturn:
        sys.stderr.write(f"{why}\n")
        self._kill_all(why)
        os._exit(1)

    def _kill_all(self, why: str | None) -> None:
        killing = [
            threading.Thread(target=worker.kill, args=(why,), daemon=True) for worker in list(self._workers.values())
        ]
        for thread in killing:
            thread.start()
        for thread in killing:
            thread.join()


def _state_fields(report: Report) -> dict[str, Any]:
    return {"state": report.state, "reason": report.reason, "lines": report.lines, "address": report.address}


def _exit(code: int) -> dict[str, Any]:
    if code >= 0:
        return {"code": code, "signal": None}
    return {"code": None, "signal": signal.Signals(-code).name}
