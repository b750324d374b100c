"""When a file was made: `os.stat` does not say it on Linux before Python 3.15."""

from __future__ import annotations

import ctypes
import os

_EMPTY_PATH = 0x1000
_BIRTH = 0x800
# Of `struct statx`, and of what is read of it: the mask of what it has, and the time of birth.
_SIZE, _BIRTH_AT = 256, 80


def creation_time(descriptor: int) -> float:
    """Seconds since 1970; the last change's where the file system does not keep it.

    Args:
        descriptor: Of the open file.
    """
    found = ctypes.create_string_buffer(_SIZE)
    statx = getattr(ctypes.CDLL(None), "statx", None)  # From glibc 2.28 on.
    if statx is not None and statx(descriptor, b"", _EMPTY_PATH, _BIRTH, found) == 0:
        mask = ctypes.c_uint32.from_buffer(found).value
        seconds = ctypes.c_int64.from_buffer(found, _BIRTH_AT).value
        nanoseconds = ctypes.c_uint32.from_buffer(found, _BIRTH_AT + 8).value
        if mask & _BIRTH:
            return seconds + nanoseconds / 1e9
    return os.fstat(descriptor).st_mtime
