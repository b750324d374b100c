"""Supervises a load-balanced worker: watches the child's health route, replaces the child when it ends."""

from __future__ import annotations

import threading
import time

from .health import await_health
from .protocol import GATEWAY_SECRET_HEADER
from .runner_process import RunnerProcess
from .runner_supervisor import RunnerSupervisor

# A child that ends this many times in a row, each time within so many seconds of its start, is not started again.
_ENDS = 3
_SHORT_LIFE = 60.0


class LoadBalancedSupervisor(RunnerSupervisor):
    """See the module."""

    _ends = 0
    _started = 0.0

    def start(self) -> None:
        super().start()
        self._started = time.monotonic()
        assert self.runner is not None
        threading.Thread(target=self._await_health, args=(self.runner,), daemon=True, name="health").start()

    def _await_health(self, runner: RunnerProcess) -> None:
        assert self.facts.port is not None
        # By the secret, another worker that took the port first does not pass for this one.
        headers = {GATEWAY_SECRET_HEADER: self.assignment.gateway_secret or ""}
        if await_health(self.facts.port, lambda: runner is self.runner and self.unhealthy is None, headers=headers):
            self.events.put(lambda: self._serving(runner))

    def _serving(self, runner: RunnerProcess) -> None:
        if runner is self.runner and not self.ready:
            self.become_ready()

    def stop(self) -> None:
        super().stop()
        if self.runner is None:
            self.end()
        else:
            self.runner.terminate()

    def runner_ended(self, runner: RunnerProcess) -> None:
        if self.stopping:
            self.end()
            return
        self._ends = self._ends + 1 if time.monotonic() - self._started < _SHORT_LIFE else 1
        sentence = self.exceeded or f"The worker's process {runner.ending()} while it served."
        if self._ends >= _ENDS:
            self.become_unhealthy(sentence)
            return
        self.logs.tell("error", f"{sentence} It is started again.")
        self.start()
