"""Landlock rules that allow all files except those in one folder.

Landlock rules can only allow, so there is a rule for everything next to the path of the folder. Files that are created
later in a folder on that path, such as the user's home folder, cannot be opened. Names can be listed everywhere.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterator

from .system_calls import call, prctl

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38

_EXECUTE, _WRITE, _READ, _LIST, _TRUNCATE = 1, 2, 4, 8, 1 << 14
# The first version of Landlock forbids moving files between folders, whatever the rules are.
_OLDEST_VERSION = 2
_RIGHTS = {2: (1 << 14) - 1, 3: (1 << 15) - 1}
# The rights that a rule can grant for something that is not a folder.
_OF_FILES = _EXECUTE | _WRITE | _READ | _TRUNCATE


class _Ruleset(ctypes.Structure):
    _fields_ = (("handled", ctypes.c_uint64),)


class _Rule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def restrict_files(hidden: str, readable: list[str], writable: list[str]) -> None:
    """Applies the rules to this thread and all that it starts.

    Args:
        hidden: Folder whose files can be neither read nor written.
        readable: Folders in it whose files can be read.
        writable: Folders in it that can be used as before.

    Raises:
        OSError: The kernel has no Landlock, or too old a version.
    """
    version = call(_CREATE, None, ctypes.c_size_t(0), _VERSION)
    if version < _OLDEST_VERSION:
        raise OSError(f"Landlock {version} is too old")
    handled = _RIGHTS[min(version, max(_RIGHTS))] & ~_LIST
    ruleset = call(_CREATE, ctypes.byref(_Ruleset(handled)), ctypes.c_size_t(8), 0)
    try:
        for path in (*_next_to(hidden), *writable):
            _allow(ruleset, path, handled)
        for path in readable:
            _allow(ruleset, path, handled & (_READ | _EXECUTE))
        prctl(_PR_SET_NO_NEW_PRIVS, 1)
        call(_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)


def _next_to(hidden: str) -> Iterator[str]:
    """The paths of everything that is neither the folder nor on the path to it."""
    way = hidden
    while way != os.sep:
        above = os.path.dirname(way)
        for name in os.listdir(above):
            path = os.path.join(above, name)
            if path != way:
                yield path
        way = above


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return  # It no longer exists, or this process cannot open it anyway.
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISLNK(mode):
            return  # The rules for the link's target apply.
        allowed = rights if stat.S_ISDIR(mode) else rights & _OF_FILES
        call(_ADD, ruleset, _PATH_BENEATH, ctypes.byref(_Rule(allowed, descriptor)), 0)
    finally:
        os.close(descriptor)
