"""Supervises a load-balanced worker: replaces the child when it ends. The child tells itself when it listens."""

from __future__ import annotations

import time

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
        self._started = time.monotonic()
        super().start()

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
