"""The worker's id as /proc shows it: in the environment with which a process began, which a fork keeps.

The platform finds by it what an ended worker has left. A zygote is started with a value that is written over later.
"""

from __future__ import annotations

import ctypes
import os

from .protocol import WORKER_VARIABLE


class ProcessMark:
    """Where the value stands; made before anything else changes the environment."""

    def __init__(self) -> None:
        getenv = ctypes.CDLL(None).getenv
        getenv.restype = ctypes.c_void_p
        self._place: int | None = getenv(WORKER_VARIABLE.encode())
        self._length = len(os.environ.get(WORKER_VARIABLE, ""))

    def write(self, worker: str) -> None:
        """Shows the id; the rest of the value becomes empty entries."""
        if self._place is not None:
            ctypes.memmove(self._place, worker.encode()[: self._length].ljust(self._length, b"\0"), self._length)
