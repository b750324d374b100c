"""Removes what a killed agent has left: its workers end with it, but their folders and some child processes remain."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from pathlib import Path

# Maximum number of searches. Each search is repeated because a process may have started another one in the meantime.
_ROUNDS = 10


def remove_leftovers(work: str) -> None:
    """Kills these processes and removes the folders. Call it while no other agent runs and this one has no worker.

    Args:
        work: The folder with one folder for each worker that has not ended.
    """
    with contextlib.suppress(FileNotFoundError):
        for folder in os.scandir(work):
            # The environment of the worker's processes has the path of its modules, which are in the folder.
            _kill_marked(f"{folder.path}/".encode())
            shutil.rmtree(folder.path, ignore_errors=True)


def _kill_marked(mark: bytes) -> None:
    for _ in range(_ROUNDS):
        found = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if _is_marked(pid, mark)]
        if not found:
            return
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def _is_marked(pid: int, mark: bytes) -> bool:
    try:
        return mark in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False  # It has ended, or belongs to another user.
