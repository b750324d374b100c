"""Watches how much memory the processes with user code use, and enforces the worker's limit where there is no cgroup.

The limit is not on address space, because libraries reserve far more of that than they use.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable

from .worker_thread import start_thread

# Seconds between checks.
_PAUSE = 0.25
# The same when more than half of the limit is used: a fast function fills gigabytes in a second.
_SHORT_PAUSE = 0.05
_PAGE = os.sysconf("SC_PAGE_SIZE")


class MemoryWatch:
    """Watches one process and its descendants until they are gone."""

    def __init__(self, pid: int, allowed: int | None, on_exceeded: Callable[[], None]) -> None:
        """Starts the thread.

        Args:
            pid: The process.
            allowed: The limit in bytes; None for no limit.
            on_exceeded: Called once, on the watching thread.
        """
        self._pid = pid
        self._allowed = allowed
        self._on_exceeded = on_exceeded
        self.used = 0
        """Bytes in use at the last check."""
        self._ended = threading.Event()
        start_thread("memory", self._watch)

    def end(self) -> None:
        """Stops watching; called when the process has ended."""
        self._ended.set()

    def _watch(self) -> None:
        allowed = self._allowed or math.inf
        while True:
            pids = _descendants(self._pid)
            used = sum(map(_resident, pids))
            # This counts pages that forked processes share once for each of them. The exact count costs more, so it is
            # made only when this one exceeds the limit.
            if used > allowed:
                used = sum(map(_proportional, pids))
            if used == 0:
                return  # It has ended.
            self.used = used
            if self._allowed is not None and used > self._allowed:
                self._on_exceeded()
                return
            if self._ended.wait(_SHORT_PAUSE if self.used > allowed / 2 else _PAUSE):
                return


def memory_exceeded(subject: str, allowed: int | None) -> str:
    """The message about a process that was killed for its use of memory.

    Args:
        subject: What ran in the process, such as `The function`.
        allowed: The limit in bytes.
    """
    size = f"{(allowed or 0) / 1e9:.2f}".rstrip("0").rstrip(".")
    return (
        f"{subject} used more than the {size} GB of memory that its worker has. Use less, or declare a larger CPU type."
    )


def _descendants(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        found += _children(each)
    return found


def _children(pid: int) -> list[int]:
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []  # It has ended.
    children = (_read(f"/proc/{pid}/task/{task}/children") for task in tasks)
    return [int(child) for listed in children for child in listed.split()]


def _resident(pid: int) -> int:
    fields = _read(f"/proc/{pid}/statm").split()
    return int(fields[1]) * _PAGE if fields else 0


def _proportional(pid: int) -> int:
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return _resident(pid)


def _read(path: str) -> str:
    """The file's text; empty when its process has ended."""
    try:
        with open(path, encoding="ascii") as file:
            return file.read()
    except OSError:
        return ""
