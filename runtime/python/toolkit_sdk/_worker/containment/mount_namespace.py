"""Enters a mount namespace in which a folder is empty, except for what the process needs."""

from __future__ import annotations

import os

from .capabilities import drop_administration, drop_all, has_administration
from .system_calls import mount, unshare

_NEW_MOUNTS = 0x20000
_NEW_USER = 0x10000000
_READ_ONLY = 1
_REMOUNT = 32
_BIND = 4096
_RECURSIVE = 16384
_SLAVE = 1 << 19
# MS_NOSUID, MS_NODEV and MS_NOEXEC: in a user namespace, a remount must keep them.
_LOCKED = 2 | 4 | 8


def can_enter() -> bool:
    """Whether the kernel probably allows it to this process; only trying shows for certain."""
    # Root must not enter a user namespace: it would lose access to other users' files. A process with threads cannot.
    return has_administration() or (os.geteuid() != 0 and len(os.listdir("/proc/self/task")) == 1)


def enter_mount_namespace(hidden: str, readable: list[str], writable: list[str]) -> None:
    """Enters the namespace. The working directory keeps its path.

    Args:
        hidden: Folder that is empty and read-only afterwards.
        readable: Folders that stay visible and become read-only, also outside the hidden folder.
        writable: Folders that stay visible and unchanged.

    Raises:
        OSError: The kernel refuses.
    """
    working_directory = os.getcwd()
    is_administrator = has_administration()
    if is_administrator:
        unshare(_NEW_MOUNTS)
    else:
        _enter_user_namespace()
    # Later mounts of the machine appear here, but mounts made here do not appear there.
    mount(None, "/", None, _SLAVE | _RECURSIVE)
    folders = {folder: os.open(folder, os.O_PATH | os.O_CLOEXEC) for folder in (*readable, *writable)}
    mount("tmpfs", hidden, "tmpfs", 0, "mode=755,size=64k")
    for folder, descriptor in folders.items():
        os.makedirs(folder, exist_ok=True)
        mount(f"/proc/self/fd/{descriptor}", folder, None, _BIND | _RECURSIVE)
        os.close(descriptor)
    for folder in (*readable, hidden):
        kept = os.statvfs(folder).f_flag & _LOCKED
        mount(None, folder, None, _REMOUNT | _BIND | _READ_ONLY | kept)
    os.chdir(working_directory)
    if is_administrator:
        drop_administration()
    else:
        drop_all()


def _enter_user_namespace() -> None:
    """Enters a user namespace in which this user keeps its id and may mount file systems."""
    user, group = os.geteuid(), os.getegid()
    unshare(_NEW_USER | _NEW_MOUNTS)
    for file, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{file}", "w", encoding="ascii") as table:
            table.write(text)
