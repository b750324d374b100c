"""Removes folders from the node's cache that no worker of any agent has used for a week."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from .node_cache import locked, remove

# Seconds without use after which a folder is removed. Agents record uses every hour.
_UNUSED = 7 * 24 * 3600.0


def prune(root: Path, unused: float = _UNUSED) -> None:
    """Removes unused folders. Those that cannot be removed are left for the next call.

    Args:
        root: The cache's root folder.
        unused: Seconds without use after which a folder is removed.
    """
    before = time.time() - unused
    for lock in root.glob("*/*.lock"):
        # Another agent may be removing, making or using the folder right now.
        with suppress(OSError):
            if lock.stat().st_mtime < before:
                _remove_unless_used(lock.with_suffix(""), before)


def _remove_unless_used(folder: Path, before: float) -> None:
    with locked(folder, wait=False) as lock:
        if os.fstat(lock).st_mtime < before:
            remove(folder)
