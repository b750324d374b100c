"""Code in the node's cache → a worker's own copy of it, which its code may write to.

`toolkit dev` sends what a save changed as a part of its own, so code may be layers, one laid over the other.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence, Set
from pathlib import Path

# In a layer: a JSON list of files of the layers below that are gone.
_REMOVED = Path("_toolkit", "removed.json")
_COMPILED = "__pycache__"


def working_copy(layers: Sequence[Path], folder: Path, left_out: str = "") -> None:
    """Copies files, never as links: what one worker writes is no other worker's.

    Args:
        layers: Never change; of a file in two of them the later one counts.
        folder: Where the copy is made, in place of what is there.
        left_out: Name of an entry at the top of a layer that is not copied.

    Raises:
        ValueError: A layer removes something outside of the folder.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # Byte code would look current to a module of a later layer: files of all parts have one time.
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
        raise ValueError(f"{name!r} is not a path inside of the project.")
    place = target / relative
    place.unlink(missing_ok=True)
    # An empty folder would still be a package.
    for folder in place.parents:
        if folder == target or not folder.is_dir() or any(folder.iterdir()):
            return
        folder.rmdir()


def _copy_folder(source: str, target: str, left_out: Set[str]) -> None:
    with os.scandir(source) as entries:
        for entry in entries:
            if entry.name in left_out:
                continue
            place = os.path.join(target, entry.name)
            if entry.is_dir():
                _make_folder(place)
                _copy_folder(entry.path, place, left_out & {_COMPILED})
            # Beside them are files that are just being written.
            elif not source.endswith(_COMPILED) or entry.name.endswith(".pyc"):
                _copy_file(entry, place)


def _make_folder(place: str) -> None:
    if os.path.isfile(place):
        os.unlink(place)
    os.makedirs(place, exist_ok=True)


def _copy_file(entry: os.DirEntry[str], place: str) -> None:
    # A file may take the place of a file, never of a folder that still has files.
    if os.path.isdir(place):
        os.rmdir(place)
    shutil.copyfile(entry.path, place)
    found = entry.stat()
    os.chmod(place, found.st_mode | 0o200)
    # Compiled code is that of a file with this time.
    os.utime(place, ns=(found.st_atime_ns, found.st_mtime_ns))
