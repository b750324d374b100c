"""What a killed agent left: its workers end with it, but some of their child processes and their folders remain."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from pathlib import Path

# Looks again while something was found: a process may have started another one meanwhile.
_ROUNDS = 10


def remove_left_overs(work: str) -> None:
    """Ends these processes and removes the folders; there is one agent, and it has no worker yet.

    Args:
        work: It has a folder for each worker that did not come to its end.
    """
    with contextlib.suppress(FileNotFoundError):
        for folder in os.scandir(work):
            # The modules that its processes find are in it, as their environment says.
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
        return False  # It has ended, or belongs to somebody else.
