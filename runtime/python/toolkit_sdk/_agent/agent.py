"""The workers of this node, as the platform orders them."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

from toolkit_sdk import __version__

from .cache_pruning import prune
from .machine import Machine
from .platform_link import Message, PlatformLink
from .protocol import AGENT_PROTOCOL, ORPHAN_TIMEOUT, decode_order
from .reports import Report
from .worker import Worker

# Seconds between reports of leases, until the platform says another number.
_LEASE_INTERVAL = 10.0
# Seconds between looks at what nobody uses in the node's cache.
_PRUNE_INTERVAL = 3600.0


class Agent:
    """See the module."""

    def __init__(self, address: str, machine: Machine) -> None:
        """Connects nothing yet.

        Args:
            address: Path of the socket at which the platform listens.
            machine: What the workers share.
        """
        self._machine = machine
        self._workers: dict[str, Worker] = {}
        self._lease_interval = _LEASE_INTERVAL
        self._link = PlatformLink(address, self._hello, self._take_order)

    def run(self) -> None:
        """Starts its threads."""
        threads = {"link": self._link.run, "leases": self._report_leases, "cache": self._prune_cache}
        for name, work in threads.items():
            threading.Thread(target=work, daemon=True, name=name).start()

    def _hello(self) -> Message:
        workers = [
            {
                "worker": worker.order.worker,
                "endpoint": worker.order.endpoint,
                "platform": worker.order.platform,
                **_told(worker.reports.last),
            }
            for worker in list(self._workers.values())
        ]
        return {
            "type": "hello",
            "protocol": AGENT_PROTOCOL,
            "version": __version__,
            "pid": os.getpid(),
            "workers": workers,
        }

    def _take_order(self, message: Message) -> None:
        act = self._orders.get(message["type"])
        if act is not None:
            act(self, message)

    def _welcome(self, message: Message) -> None:
        self._lease_interval = message["leaseInterval"]

    def _start_worker(self, message: Message) -> None:
        order = decode_order(message["order"])
        if order.worker not in self._workers:
            self._workers[order.worker] = Worker(order, self._machine, tell=self._tell, ended=self._worker_ended)

    def _stop_worker(self, message: Message) -> None:
        worker = self._workers.get(message["worker"])
        if worker is not None:
            worker.stop(message["grace"] / 1000)

    def _stop_jobs(self, message: Message) -> None:
        worker = self._workers.get(message["worker"])
        if worker is not None:
            worker.stop_jobs(message["jobs"])

    def _end(self, message: Message) -> None:
        del message
        self._kill_all(None)
        os._exit(0)

    _orders: dict[str, Callable[[Agent, Message], None]] = {  # noqa: RUF012 (never changed)
        "welcome": _welcome,
        "start": _start_worker,
        "stop": _stop_worker,
        "stop-jobs": _stop_jobs,
        "end": _end,
    }

    def _tell(self, worker: Worker, report: Report) -> None:
        self._link.say({"type": "state", "worker": worker.order.worker, **_told(report)})

    def _worker_ended(self, worker: Worker, code: int) -> None:
        self._workers.pop(worker.order.worker, None)
        self._link.say({"type": "ended", "worker": worker.order.worker, **_exit(code)})

    def _report_leases(self) -> None:
        """Keeps the platform told which jobs are held, and notices when there is no platform any more."""
        while True:
            time.sleep(self._lease_interval)
            workers = list(self._workers.values())
            self._link.say({"type": "leases", "workers": {each.order.worker: each.leases() for each in workers}})
            for worker in workers:
                worker.reports.renew_start()
            self._machine.zygotes.end_idle()
            if self._link.silent_for() > ORPHAN_TIMEOUT:
                self._kill_all("The platform does not answer any more; the worker ends.")
                os._exit(1)

    def _prune_cache(self) -> None:
        while True:
            # It may not be there, or not be ours to write.
            with contextlib.suppress(OSError):
                for worker in list(self._workers.values()):
                    worker.cache.keep()
                prune(self._machine.cache)
            time.sleep(_PRUNE_INTERVAL)

    def _kill_all(self, why: str | None) -> None:
        killing = [
            threading.Thread(target=worker.kill, args=(why,), daemon=True) for worker in list(self._workers.values())
        ]
        for thread in killing:
            thread.start()
        for thread in killing:
            thread.join()


def _told(report: Report) -> dict[str, Any]:
    return {"state": report.state, "reason": report.reason, "lines": report.lines, "address": report.address}


def _exit(code: int) -> dict[str, Any]:
    if code >= 0:
        return {"code": code, "signal": None}
    return {"code": None, "signal": signal.Signals(-code).name}
