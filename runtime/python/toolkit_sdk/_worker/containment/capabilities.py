"""Drops the capabilities with which a process could undo its containment."""

from __future__ import annotations

import ctypes

from .system_calls import capability_call, prctl

_PTRACE = 19
_ADMINISTRATION = 21
_VERSION = 0x20080522
_PR_CAPBSET_DROP = 24
# Words of the data: effective, permitted and inheritable for capabilities 0 to 31, then the same three for the others.
_SETS = 6


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def has_administration() -> bool:
    """Whether this process may mount file systems."""
    return bool(_get()[0] >> _ADMINISTRATION & 1)


def drop_all() -> None:
    """Drops all capabilities, for a user who had none before the user namespace."""
    _set((ctypes.c_uint32 * _SETS)())


def drop_administration() -> None:
    """Leaves root the capabilities that it has in a container: it can neither mount nor inspect other processes."""
    for capability in (_PTRACE, _ADMINISTRATION):
        prctl(_PR_CAPBSET_DROP, capability)
    data = _get()
    for at in range(3):
        data[at] &= ~(1 << _PTRACE | 1 << _ADMINISTRATION)
    _set(data)


def _get() -> ctypes.Array[ctypes.c_uint32]:
    data = (ctypes.c_uint32 * _SETS)()
    capability_call("capget", _Header(_VERSION, 0), data)
    return data


def _set(data: ctypes.Array[ctypes.c_uint32]) -> None:
    capability_call("capset", _Header(_VERSION, 0), data)
