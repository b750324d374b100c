"""A cgroup (v2) for each process with user code and all that it starts, if the machine lets the agent create cgroups.

The kernel then enforces the memory limit, and can kill all processes of a cgroup at once. Without cgroups, `memory`
watches the use of memory.
"""

from __future__ import annotations

import itertools
import os
import time
from contextlib import suppress
from pathlib import Path

_NAME = "toolkit-agent-"
# The agent's own cgroup, next to those of its workers: their parent must not contain processes, since it gives
# controllers to its children.
_AGENT = "agent"
# Counts the events that this cgroup's own limit has caused.
_EVENTS = "memory.events.local"
# Seconds that killed processes get to leave their cgroup.
_LEAVE_SECONDS = 5.0


class Cgroup:
    """The cgroup of one process and all that it starts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def entrance(self) -> Path:
        """A process that writes 0 to this file enters the cgroup."""
        return self._folder / "cgroup.procs"

    def add(self, pid: int) -> None:
        """Moves a process into the cgroup. Does nothing if the process has ended."""
        with suppress(ProcessLookupError):
            self.entrance.write_text(str(pid))

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has killed processes because of this cgroup's limit, not because the machine ran out."""
        events = dict(line.split() for line in (self._folder / _EVENTS).read_text().splitlines())
        return int(events["oom"]) > 0 and int(events["oom_kill"]) > 0

    def kill(self) -> None:
        """Kills all its processes at once."""
        with suppress(OSError):  # Since Linux 5.14.
            (self._folder / "cgroup.kill").write_text("1")

    def remove(self) -> None:
        """Kills the processes that are left in it, and removes it."""
        self.kill()
        deadline = time.monotonic() + _LEAVE_SECONDS
        while True:
            with suppress(OSError):
                self._folder.rmdir()
            if not self._folder.exists() or time.monotonic() > deadline:
                return
            time.sleep(0.01)


class Cgroups:
    """The cgroups of the agent's workers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count()

    def make(self, memory: int | None) -> Cgroup:
        """Creates a cgroup.

        Args:
            memory: Bytes that its processes may use together; None for no limit.

        Raises:
            OSError: It cannot be created.
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
        """Kills the processes in them, and removes them with the agent's own cgroup."""
        for folder in [each for each in self._folder.iterdir() if each.is_dir()]:
            Cgroup(folder).remove()
        with suppress(OSError):
            self._folder.rmdir()


def enter_cgroup() -> Cgroups | None:
    """Moves this process into a cgroup of its own, next to which others can be created; None if that is not allowed."""
    own = _own_cgroup()
    if own is None:
        return None
    # Below the current cgroup; next to it if that has other processes, such as those of the same login or service.
    for parent in (own, own.parent):
        _remove_leftovers(parent)
        folder = parent / f"{_NAME}{os.getpid()}"
        try:
            _share_memory(parent)
            (folder / _AGENT).mkdir(parents=True)
            Cgroup(folder / _AGENT).add(os.getpid())
            _share_memory(folder)
            (folder / _AGENT / _EVENTS).stat()  # Since Linux 5.2.
        except OSError:
            # Moves back instead of killing what is in it: this process may be in it.
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


def _remove_leftovers(parent: Path) -> None:
    """Removes the cgroups that killed agents have left, and kills the user code in them."""
    with suppress(OSError):
        for folder in parent.glob(f"{_NAME}*"):
            is_running = os.path.exists(f"/proc/{folder.name.removeprefix(_NAME)}")
            if not is_running and _becomes_empty(folder / _AGENT):
                Cgroups(folder).remove()


def _becomes_empty(agent: Path) -> bool:
    """Whether all processes leave the cgroup of an agent within a few seconds.

    An agent of another container may be invisible here, but it stays in its cgroup. The zygotes of a killed agent leave
    theirs a moment after it.
    """
    deadline = time.monotonic() + _LEAVE_SECONDS
    while (agent / "cgroup.procs").read_text():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _is_allowed() -> bool:
    """Tries to create a cgroup in a forked process, which leaves it when it ends."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        groups = enter_cgroup()
        os.write(writing, b"1" if groups is not None else b"0")
        os._exit(0)
    os.waitpid(child, 0)
    own = _own_cgroup()
    for parent in () if own is None else (own, own.parent):
        _remove_leftovers(parent)
    return os.read(reading, 1) == b"1"


if __name__ == "__main__":  # For `toolkit doctor`.
    print("cgroup" if _is_allowed() else "watched")
