"""Supervises a load-balanced worker: restarts the child when it ends. The child reports when it is listening."""

from __future__ import annotations

import time

from .runner_process import RunnerProcess
from .runner_supervisor import RunnerSupervisor

# A child that ends this many times in a row, each time soon after its start, is not restarted.
_ENDS = 3
# Seconds since the start that count as soon.
_SHORT_LIFE = 60.0


class LoadBalancedSupervisor(RunnerSupervisor):
    """Supervises a worker that serves the routes of a load-balanced endpoint."""

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
        sentence = self.exceeded or f"The worker's process {runner.ending()} while serving requests."
        if self._ends >= _ENDS:
            self.become_unhealthy(sentence)
            return
        self.logs.write("error", f"{sentence} It is restarted.")
        self.start()
