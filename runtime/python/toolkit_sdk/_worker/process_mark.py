"""Sets the worker's id that /proc shows in a process's initial environment, which forked processes inherit.

The platform uses it to find the processes that an ended worker has left. A zygote starts with a placeholder, which each
worker overwrites in memory.
"""

from __future__ import annotations

import ctypes
import os

from .protocol import WORKER_VARIABLE


class ProcessMark:
    """The memory that holds the value. Create it before anything else changes the environment."""

    def __init__(self) -> None:
        getenv = ctypes.CDLL(None).getenv
        getenv.restype = ctypes.c_void_p
        self._address: int | None = getenv(WORKER_VARIABLE.encode())
        self._length = len(os.environ.get(WORKER_VARIABLE, ""))

    def write(self, worker: str) -> None:
        """Writes the id. The rest of the placeholder becomes empty entries."""
        if self._address is not None:
            ctypes.memmove(self._address, worker.encode()[: self._length].ljust(self._length, b"\0"), self._length)
