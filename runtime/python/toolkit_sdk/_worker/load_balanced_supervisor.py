"""Supervises a load-balanced worker: watches the child's health route, replaces the child when it ends."""

from __future__ import annotations

import http.client
import threading
import time

from .runner_process import RunnerProcess
from .supervisor import Supervisor

# Seconds between looks at a starting child's health route.
_POLL = 0.01
# A child that ends this many times in a row, each time within so many seconds of its start, is not started again.
_ENDS = 3
_SHORT_LIFE = 60.0


class LoadBalancedSupervisor(Supervisor):
    """See the module."""

    _ends = 0
    _started = 0.0

    def start_runner(self) -> None:
        super().start_runner()
        self._started = time.monotonic()
        assert self.runner is not None
        threading.Thread(target=self._await_health, args=(self.runner,), daemon=True, name="health").start()

    def _await_health(self, runner: RunnerProcess) -> None:
        pause = threading.Event()
        while runner is self.runner and self.unhealthy is None:
            if self._is_healthy():
                self.events.put(lambda: self._serving(runner))
                return
            pause.wait(_POLL)

    def _is_healthy(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.facts.port, timeout=5)
        try:
            connection.request("GET", "/ping")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

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
        sentence = f"The worker's process {runner.ending()} while it served."
        if self._ends >= _ENDS:
            self.become_unhealthy(sentence)
            return
        self.logs.tell("error", f"{sentence} It is started again.")
        self.start_runner()
