"""When a file was created. On Linux, `os.stat` does not report it before Python 3.15."""

from __future__ import annotations

import ctypes
import os

_EMPTY_PATH = 0x1000
_BIRTH = 0x800
# Size of `struct statx`, and the offset of the creation time in it. The mask of its valid fields is at offset 0.
_SIZE, _BIRTH_AT = 256, 80


def creation_time(descriptor: int) -> float:
    """Seconds since 1970. If the file system does not store the creation time, this is the time of the last change.

    Args:
        descriptor: The open file's descriptor.
    """
    found = ctypes.create_string_buffer(_SIZE)
    statx = getattr(ctypes.CDLL(None), "statx", None)  # Since glibc 2.28.
    if statx is not None and statx(descriptor, b"", _EMPTY_PATH, _BIRTH, found) == 0:
        mask = ctypes.c_uint32.from_buffer(found).value
        seconds = ctypes.c_int64.from_buffer(found, _BIRTH_AT).value
        nanoseconds = ctypes.c_uint32.from_buffer(found, _BIRTH_AT + 8).value
        if mask & _BIRTH:
            return seconds + nanoseconds / 1e9
    return os.fstat(descriptor).st_mtime
