"""Hides TOOLKIT_HOME from user code before any of it runs: the owner's key, other endpoints' code, the agent's socket.

The launcher of commands imports this package alone, so it must not need the rest of toolkit_sdk.
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
    """What a process may see of a folder. Consists of values that JSON can hold."""

    method: str
    """MOUNT_NAMESPACE, LANDLOCK or NONE."""
    hidden: str
    """TOOLKIT_HOME, as an absolute path without links."""
    readable: list[str]
    """Folders, in TOOLKIT_HOME or elsewhere, that the process can read but not change."""
    writable: list[str]
    """Folders in TOOLKIT_HOME that belong to the process."""


def contain(containment: Containment) -> str:
    """Applies the containment to this process and all that it starts. This cannot be undone.

    Returns:
        The method that was used: not every process may create a mount namespace.

    Raises:
        OSError: The kernel refuses.
    """
    method, hidden = containment.method, containment.hidden
    # The interpreter or its virtual environment may be inside TOOLKIT_HOME.
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
