"""How many files the agent may have open, and how many those that it starts."""

from __future__ import annotations

import contextlib
import resource

# Room for some ten thousand connections.
_MOST = 65_536


def raise_limit() -> int:
    """Lets this process open as many files as the system allows it; returns the former limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST if hard == resource.RLIM_INFINITY else min(hard, _MOST)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return soft


def lower_limit(pid: int, soft: int) -> None:
    """Gives a process a limit, with what it starts from now on: code that calls select() fails above 1024 files."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # It has ended, or become another user's.
        _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
