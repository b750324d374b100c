"""The zygotes of this node: one for each set of workers that can share one."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from .spawner import Child, Spawner
from .zygote import WorkerStart, Zygote, ZygoteError, ZygoteKey

# Seconds after which a zygote that has started no worker is ended.
_IDLE = 600.0
# A zygote that has ended or hangs is replaced once.
_TRIES = 2


class Zygotes:
    """Starts each zygote on its first use."""

    def __init__(self, spawner: Spawner) -> None:
        self._spawner = spawner
        self._lock = threading.Lock()
        self._zygotes: dict[ZygoteKey, Zygote] = {}

    def start_worker(self, key: ZygoteKey, start: WorkerStart, descriptors: Sequence[int]) -> Child:
        """Makes a worker's process.

        Args:
            key: What the worker shares with others.
            start: What the process needs to become the worker.
            descriptors: Its standard output, standard error and link.

        Raises:
            OSError: It cannot be started.
        """
        failures = 0
        while True:
            zygote = self._zygote(key)
            try:
                child = zygote.start_worker(start, descriptors)
            except ZygoteError:
                zygote.kill()
                failures += 1
                if failures == _TRIES:
                    raise
                continue
            if child is not None:
                return child

    def end_idle(self, seconds: float = _IDLE) -> None:
        """Ends the zygotes that have started no worker for this long."""
        now = time.monotonic()
        with self._lock:
            for key, zygote in list(self._zygotes.items()):
                if now - zygote.used_at > seconds or not zygote.is_usable:
                    del self._zygotes[key]
                    zygote.end()

    def _zygote(self, key: ZygoteKey) -> Zygote:
        with self._lock:
            zygote = self._zygotes.get(key)
            if zygote is None or not zygote.is_usable:
                zygote = self._zygotes[key] = Zygote(key, self._spawner)
            return zygote
