"""Limits on open files: as many as possible for the agent, the former limit for the processes that it starts."""

from __future__ import annotations

import contextlib
import resource

# Room for some ten thousand connections.
_MOST = 65_536


def raise_limit() -> int:
    """Lets this process open as many files as the system allows. Returns the former limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST if hard == resource.RLIM_INFINITY else min(hard, _MOST)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return soft


def lower_limit(pid: int, soft: int) -> None:
    """Sets the limit of a process and of all that it starts later. Code that calls select() fails above 1024 files."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # It has ended, or runs as another user.
        _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
