"""What all workers of this agent share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .byte_code import ByteCode
from .cgroups import Cgroups
from .hiding import Hiding
from .spawner import Spawner
from .zygotes import Zygotes


@dataclass(frozen=True)
class Machine:
    """Folders and services of the node that all of its workers use."""

    logs: Path
    work: Path
    """Has one folder for each worker."""
    cache: Path
    """The node's cache."""
    hiding: Hiding
    """How TOOLKIT_HOME is hidden from processes with user code."""
    cgroups: Cgroups | None
    """Makes a cgroup for each process with user code; None if the machine does not allow it."""
    spawner: Spawner
    """Starts programs, such as a worker's command."""
    zygotes: Zygotes
    """Start the processes that run functions."""
    byte_code: ByteCode
