"""A cgroup (v2) for each process with user code and all that it starts, where the machine lets the agent make cgroups.

The kernel then keeps the limit on memory, and ends all of it at once. Elsewhere memory is watched.
"""

from __future__ import annotations

import itertools
import os
import time
from contextlib import suppress
from pathlib import Path

_NAME = "toolkit-agent-"
# The agent's own place: a cgroup with child controllers may not contain processes.
_AGENT = "agent"
# Counts what this cgroup's own limit has caused.
_EVENTS = "memory.events.local"
# Seconds in which killed processes leave their cgroup.
_LEAVE_SECONDS = 5.0


class Cgroup:
    """One process, and all that it starts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def entrance(self) -> Path:
        """A process that writes 0 into this file is in the cgroup."""
        return self._folder / "cgroup.procs"

    def add(self, pid: int) -> None:
        """Moves a process into it; one that has ended is left."""
        with suppress(ProcessLookupError):
            self.entrance.write_text(str(pid))

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has ended processes for this cgroup's limit, not for lack of memory in the machine."""
        events = dict(line.split() for line in (self._folder / _EVENTS).read_text().splitlines())
        return int(events["oom"]) > 0 and int(events["oom_kill"]) > 0

    def kill(self) -> None:
        """Ends all its processes at once."""
        with suppress(OSError):  # From Linux 5.14 on.
            (self._folder / "cgroup.kill").write_text("1")

    def remove(self) -> None:
        """Ends what is left in it, and removes it."""
        self.kill()
        deadline = time.monotonic() + _LEAVE_SECONDS
        while True:
            with suppress(OSError):
                self._folder.rmdir()
            if not self._folder.exists() or time.monotonic() > deadline:
                return
            time.sleep(0.01)


class Cgroups:
    """Those below the agent's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count()

    def make(self, memory: int | None) -> Cgroup:
        """A new one.

        Args:
            memory: Bytes that its processes may use together; None for no limit.

        Raises:
            OSError: It cannot be made.
        """
        folder = self._folder / str(next(self._numbers))
        folder.mkdir()
        (folder / "memory.oom.group").write_text("1")
        if memory is not None:
            (folder / "memory.max").write_text(str(memory))
            with suppress(FileNotFoundError):  # A machine without swap.
                (folder / "memory.swap.max").write_text("0")
        return Cgroup(folder)

    def remove(self) -> None:
        """Ends what runs in them, and removes them with the agent's own."""
        for folder in [each for each in self._folder.iterdir() if each.is_dir()]:
            Cgroup(folder).remove()
        with suppress(OSError):
            self._folder.rmdir()


def enter_cgroup() -> Cgroups | None:
    """Moves this process into its own cgroup, beside which others can be created; None where it may not."""
    own = _own_cgroup()
    if own is None:
        return None
    # Beside its own, where the login or the service that it was started in has other processes.
    for parent in (own, own.parent):
        _remove_left_overs(parent)
        folder = parent / f"{_NAME}{os.getpid()}"
        try:
            _share_memory(parent)
            (folder / _AGENT).mkdir(parents=True)
            Cgroup(folder / _AGENT).add(os.getpid())
            _share_memory(folder)
            (folder / _AGENT / _EVENTS).stat()  # From Linux 5.2 on.
        except OSError:
            # Not killed but left: this process may be in it.
            with suppress(OSError):
                Cgroup(own).add(os.getpid())
            for made in (folder / _AGENT, folder):
                with suppress(OSError):
                    made.rmdir()
        else:
            return Cgroups(folder)
    return None


def _own_cgroup() -> Path | None:
    with suppress(OSError):  # A kernel without cgroups.
        with open("/proc/self/cgroup", encoding="utf-8") as file:
            own = next((line[3:].strip() for line in file if line.startswith("0::")), None)
        with open("/proc/self/mountinfo", encoding="utf-8") as file:
            mounts = [line.split() for line in file]
        for fields in mounts:
            if own is not None and fields[fields.index("-") + 1] == "cgroup2" and fields[3] == "/":
                return Path(fields[4] + own)
    return None


def _share_memory(folder: Path) -> None:
    control = folder / "cgroup.subtree_control"
    if "memory" not in control.read_text().split():
        control.write_text("+memory")


def _remove_left_overs(parent: Path) -> None:
    """What agents that were killed have left, and user code with them."""
    with suppress(OSError):
        for folder in parent.glob(f"{_NAME}*"):
            is_running = os.path.exists(f"/proc/{folder.name.removeprefix(_NAME)}")
            # Processes of another container may not be seen here, but their cgroup is not empty.
            if not is_running and not (folder / _AGENT / "cgroup.procs").read_text():
                Cgroups(folder).remove()


def _is_allowed() -> bool:
    """Tries it in a process of its own, which has left the cgroup once it has ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        groups = enter_cgroup()
        os.write(writing, b"1" if groups is not None else b"0")
        os._exit(0)
    os.waitpid(child, 0)
    own = _own_cgroup()
    for parent in () if own is None else (own, own.parent):
        _remove_left_overs(parent)
    return os.read(reading, 1) == b"1"


if __name__ == "__main__":  # For `toolkit doctor`.
    print("cgroup" if _is_allowed() else "watched")
