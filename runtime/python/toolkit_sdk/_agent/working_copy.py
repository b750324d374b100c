"""Copies code from the node's cache to a worker's own folder, which its code may write to.

`toolkit dev` sends the files that a save changed as a part of their own, so the code can consist of several layers.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence, Set
from pathlib import Path

# File in a layer: a JSON list of the files of lower layers that this layer removes.
_REMOVED = Path("_toolkit", "removed.json")
_COMPILED = "__pycache__"


def working_copy(layers: Sequence[Path], folder: Path, left_out: str = "") -> None:
    """Makes a copy of the files. Files are never linked, so that workers do not see what another worker writes.

    Args:
        layers: Folders with code, which never change. A file in a later layer replaces that in an earlier one.
        folder: Folder of the copy. Its former content is removed.
        left_out: Name of a top-level entry that is not copied.

    Raises:
        ValueError: A layer removes something outside the folder.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # Files in all parts have the same time, so byte code would look current for a module that a later layer replaces.
    unwanted = {left_out} if len(layers) == 1 else {left_out, _COMPILED}
    for layer in layers:
        _remove_all(layer / _REMOVED, folder)
        _copy_folder(str(layer), str(folder), unwanted)
    (folder / _REMOVED).unlink(missing_ok=True)


def _remove_all(listed: Path, folder: Path) -> None:
    if listed.is_file():
        for name in json.loads(listed.read_text("utf-8")):
            _remove(str(name), folder)


def _remove(name: str, target: Path) -> None:
    relative = Path(name)
    if relative.is_absolute() or ".." in relative.parts:
        raise ValueError(f"{name!r} is not a path inside the project.")
    path = target / relative
    path.unlink(missing_ok=True)
    # Empty folders are removed too: Python would still import them as packages.
    for folder in path.parents:
        if folder == target or not folder.is_dir() or any(folder.iterdir()):
            return
        folder.rmdir()


def _copy_folder(source: str, target: str, left_out: Set[str]) -> None:
    with os.scandir(source) as entries:
        for entry in entries:
            if entry.name in left_out:
                continue
            path = os.path.join(target, entry.name)
            if entry.is_dir():
                _make_folder(path)
                _copy_folder(entry.path, path, left_out & {_COMPILED})
            # A folder of byte code also has temporary files, while the agent compiles.
            elif not source.endswith(_COMPILED) or entry.name.endswith(".pyc"):
                _copy_file(entry, path)


def _make_folder(path: str) -> None:
    if os.path.isfile(path):
        os.unlink(path)
    os.makedirs(path, exist_ok=True)


def _copy_file(entry: os.DirEntry[str], path: str) -> None:
    # A file may replace a file or an empty folder, but not a folder that still has files.
    if os.path.isdir(path):
        os.rmdir(path)
    shutil.copyfile(entry.path, path)
    found = entry.stat()
    os.chmod(path, found.st_mode | 0o200)
    # Python uses byte code only if the file has the time that the byte code was compiled for.
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
