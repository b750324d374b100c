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
    """See the module."""

    logs: Path
    work: Path
    """Each worker has a folder in it."""
    cache: Path
    """The node's."""
    hiding: Hiding
    """How processes with user code are kept from TOOLKIT_HOME."""
    cgroups: Cgroups | None
    """One for each process with user code; None where the machine does not allow it."""
    spawner: Spawner
    """Starts programs, such as the command of a worker."""
    zygotes: Zygotes
    """Start the processes with functions."""
    byte_code: ByteCode
