"""Finds out how this machine lets the agent hide TOOLKIT_HOME from user code."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from toolkit_sdk._worker.containment import LANDLOCK, MOUNT_NAMESPACE, NONE, Containment, contain


@dataclass(frozen=True)
class Hiding:
    """How TOOLKIT_HOME is hidden; found out once per agent."""

    method: str
    home: str

    def hides(self, file: str) -> bool:
        """Whether a file is inside the hidden folder. With the method `none`, user code can still read it."""
        return os.path.realpath(file).startswith(f"{self.home}{os.sep}")

    def around(self, readable: Sequence[Path], own: Path) -> Containment:
        """The containment of a worker's processes.

        Args:
            readable: Folders of the node's cache that the worker needs.
            own: The worker's working copy.
        """
        return Containment(self.method, self.home, [str(folder) for folder in readable], [str(own)])


def find_hiding(home: str) -> Hiding:
    """Tries the methods. Call it before this process has threads.

    Each method is tried in a forked process, since it cannot be undone. Trying is the only way to know: some machines
    allow a user namespace and then refuse to mount in it.
    """
    hidden = os.path.realpath(home)
    method = next((each for each in (MOUNT_NAMESPACE, LANDLOCK) if _works(each, hidden)), NONE)
    return Hiding(method, hidden)


def _works(method: str, hidden: str) -> bool:
    with tempfile.TemporaryDirectory(dir=hidden, prefix=".hiding-") as own:
        child = os.fork()
        if child == 0:
            works = False
            try:
                works = _try(Containment(method, hidden, [], [own]))
            finally:
                os._exit(0 if works else 1)
        return os.waitpid(child, 0)[1] == 0


def _try(containment: Containment) -> bool:
    own = containment.writable[0]
    os.chdir(own)
    # Landlock forbids new files next to TOOLKIT_HOME, which breaks programs if temporary files are created there.
    folders = (own, tempfile.gettempdir())
    used = contain(containment)
    for folder in folders:
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    return used == containment.method


if __name__ == "__main__":  # For `toolkit doctor`.
    print(find_hiding(sys.argv[1]).method)
