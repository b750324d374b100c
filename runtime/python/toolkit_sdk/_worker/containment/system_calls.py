"""Linux system calls that Python has no functions for."""

from __future__ import annotations

import ctypes
import os

_libc = ctypes.CDLL(None, use_errno=True)


def checked(result: int, what: str) -> int:
    """Returns the result of a call, if it succeeded.

    Raises:
        OSError: The call failed.
    """
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    """Moves this process into new namespaces."""
    checked(_libc.unshare(flags), "unshare")


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    """Mounts a file system, or changes a mount."""
    encoded = [None if text is None else os.fsencode(text) for text in (source, target, kind, options)]
    done = _libc.mount(encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), encoded[3])
    checked(done, f"mount of {target}")


def prctl(option: int, value: int) -> None:
    """Changes an attribute of this process."""
    checked(_libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0), "prctl")


def call(number: int, *arguments: object) -> int:
    """Makes a system call by its number."""
    return checked(_libc.syscall(ctypes.c_long(number), *arguments), f"system call {number}")


def capability_call(name: str, header: ctypes.Structure, data: ctypes.Array[ctypes.c_uint32]) -> None:
    """Calls `capget` or `capset`."""
    checked(getattr(_libc, name)(ctypes.byref(header), data), name)
