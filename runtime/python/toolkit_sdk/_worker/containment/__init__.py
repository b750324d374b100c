"""Hides TOOLKIT_HOME from user code, before any of it runs: the owner's key, other endpoints' code, the agent's socket.

Also imported alone, by the launcher of commands: it needs nothing of toolkit_sdk.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from .landlock import restrict_files
from .mount_namespace import can_enter, enter_mount_namespace

MOUNT_NAMESPACE = "mount namespace"
LANDLOCK = "landlock"
NONE = "none"


@dataclass(frozen=True)
class Containment:
    """What a process may see of a folder, as JSON can hold it."""

    method: str
    """One of the above."""
    hidden: str
    """TOOLKIT_HOME, absolute, without links."""
    readable: list[str]
    """Folders, in it or elsewhere, that the process cannot change."""
    writable: list[str]
    """Folders in it that are the process's own."""


def contain(containment: Containment) -> str:
    """Applies it to this process and all that it starts; for ever.

    Returns:
        The method that was used: not every process may have a mount namespace.

    Raises:
        OSError: The kernel refuses.
    """
    method, hidden = containment.method, containment.hidden
    # An interpreter may be installed in it, or be that of a virtual environment there.
    interpreter = {sys.base_prefix, os.path.dirname(os.path.dirname(sys.executable))}
    readable = [*containment.readable, *(path for path in interpreter if path.startswith(hidden + os.sep))]
    if method == MOUNT_NAMESPACE and can_enter():
        enter_mount_namespace(hidden, readable, containment.writable)
        return MOUNT_NAMESPACE
    if method == NONE:
        return NONE
    try:
        restrict_files(hidden, readable, containment.writable)
    except OSError:
        if method == LANDLOCK:
            raise
        return NONE
    return LANDLOCK
