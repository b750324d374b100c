"""A mount namespace in which a folder is empty but for what its process needs."""

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
# No set-uid programs, no devices, no programs: a user namespace may not take them off a mount.
_LOCKED = 2 | 4 | 8


def can_enter() -> bool:
    """Whether the kernel allows it to this process, as far as can be known without trying."""
    # In a user namespace root would lose the files of others, and a process with threads gets none.
    return has_administration() or (os.geteuid() != 0 and len(os.listdir("/proc/self/task")) == 1)


def enter_mount_namespace(hidden: str, readable: list[str], writable: list[str]) -> None:
    """Enters it; the working directory stays, by its path.

    Args:
        hidden: Is empty and read-only afterwards.
        readable: Folders that stay, read-only; elsewhere they become read-only too.
        writable: Folders that stay as they are.

    Raises:
        OSError: The kernel refuses.
    """
    working_directory = os.getcwd()
    is_administrator = has_administration()
    if is_administrator:
        unshare(_NEW_MOUNTS)
    else:
        _enter_user_namespace()
    # What the machine mounts later is seen here; nothing from here is seen there.
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
    """Enters a user namespace in which this user keeps its id, and may mount."""
    user, group = os.geteuid(), os.getegid()
    unshare(_NEW_USER | _NEW_MOUNTS)
    for file, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{file}", "w", encoding="ascii") as table:
            table.write(text)
