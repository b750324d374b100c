"""Removes from the node's cache what no worker of any agent has used for a week."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from .node_cache import locked, remove

# Seconds without a use after which a folder is removed. Agents note uses every hour.
_UNUSED = 7 * 24 * 3600.0


def prune(root: Path, unused: float = _UNUSED) -> None:
    """Removes folders; what cannot be removed is tried again the next time.

    Args:
        root: The cache's.
        unused: Seconds since their last use.
    """
    before = time.time() - unused
    for lock in root.glob("*/*.lock"):
        # Another agent may be quicker, or make or use the folder right now.
        with suppress(OSError):
            if lock.stat().st_mtime < before:
                _remove_unless_used(lock.with_suffix(""), before)


def _remove_unless_used(place: Path, before: float) -> None:
    with locked(place, wait=False) as lock:
        if os.fstat(lock).st_mtime < before:
            remove(place)
