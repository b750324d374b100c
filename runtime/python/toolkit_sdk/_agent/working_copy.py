"""Code in the node's cache → a worker's own copy of it, which its code may write to."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_COMPILED = "__pycache__"


def working_copy(code: Path, folder: Path, left_out: str | None = None) -> None:
    """Copies files, never as links: what one worker writes is no other worker's.

    Args:
        code: Never changes.
        folder: Where the copy is made, in place of what is there.
        left_out: Name of an entry that is not copied.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    _copy_folder(str(code), str(folder), left_out)


def _copy_folder(source: str, target: str, left_out: str | None = None) -> None:
    os.mkdir(target)
    with os.scandir(source) as entries:
        for entry in entries:
            if entry.name == left_out:
                continue
            place = os.path.join(target, entry.name)
            if entry.is_dir():
                _copy_folder(entry.path, place)
            # Beside them are files that are just being written.
            elif not source.endswith(_COMPILED) or entry.name.endswith(".pyc"):
                _copy_file(entry, place)


def _copy_file(entry: os.DirEntry[str], target: str) -> None:
    shutil.copyfile(entry.path, target)
    found = entry.stat()
    os.chmod(target, found.st_mode | 0o200)
    # Compiled code is that of a file with this time.
    os.utime(target, ns=(found.st_atime_ns, found.st_mtime_ns))
