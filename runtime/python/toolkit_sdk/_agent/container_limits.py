"""Reads what a container may use of its machine: the limits of the cgroups (v1 and v2) that this process is in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

# Version 2 has one hierarchy for all controllers, and does not name them.
_UNIFIED = ""
_UNLIMITED = ("max", "-1")


def limited_cores(proc: Path = Path("/proc/self")) -> float | None:
    """How many processors' time this process may use; None without a limit.

    Args:
        proc: The process's folder in /proc.
    """
    limits = (_cores(folder) for folder in _cgroups(proc, "cpu"))
    return min((cores for cores in limits if cores is not None), default=None)


def limited_memory(proc: Path = Path("/proc/self")) -> int | None:
    """Bytes of memory that this process may use; None without a limit.

    Args:
        proc: The process's folder in /proc.
    """
    limits = (
        _read(folder, "memory.max") or _read(folder, "memory.limit_in_bytes") for folder in _cgroups(proc, "memory")
    )
    return min((int(limit) for limit in limits if limit and limit not in _UNLIMITED), default=None)


def _cores(cgroup: Path) -> float | None:
    of_both = _read(cgroup, "cpu.max") or f"{_read(cgroup, 'cpu.cfs_quota_us')} {_read(cgroup, 'cpu.cfs_period_us')}"
    quota, _, period = of_both.partition(" ")
    return None if not quota or quota in _UNLIMITED else int(quota) / int(period)


def _read(cgroup: Path, name: str) -> str:
    """The file's text; empty if it does not exist, as in the root cgroup, which has no limits."""
    with suppress(OSError):
        return (cgroup / name).read_text().strip()
    return ""


def _cgroups(proc: Path, controller: str) -> Iterator[Path]:
    """The cgroups of a process that have the controller, its own first. Each one limits those below it."""
    with suppress(OSError):  # A kernel without cgroups.
        own = dict(_memberships((proc / "cgroup").read_text()))
        for mount, root, controllers in _mounts((proc / "mountinfo").read_text()):
            for name in {_UNIFIED, controller} & own.keys() & set(controllers):
                path = PurePosixPath(own[name])
                # The path may lead through folders that the container cannot see.
                below = path.relative_to(root) if path.is_relative_to(root) else PurePosixPath()
                for part in (below, *below.parents):
                    yield mount / part


def _memberships(text: str) -> Iterator[tuple[str, str]]:
    """Each controller with the path of the process's cgroup."""
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            yield controller, path


def _mounts(text: str) -> Iterator[tuple[Path, str, list[str]]]:
    """Each mount of cgroups: its folder, the path that is mounted there, and its controllers."""
    for fields in map(str.split, text.splitlines()):
        kind = fields[fields.index("-") + 1]
        if kind in ("cgroup", "cgroup2"):
            yield Path(fields[4]), fields[3], fields[-1].split(",") if kind == "cgroup" else [_UNIFIED]
