"""Code parts, one laid over the other → one folder. `toolkit dev` sends what a save changed as a part of its own."""

from __future__ import annotations

import json
import os
from pathlib import Path

# In a part: a JSON list of files of the parts below that are gone.
_REMOVED = Path("_toolkit", "removed.json")
_COMPILED = "__pycache__"


def overlay(layers: list[Path], target: Path) -> None:
    """Fills an empty folder with the files of the layers; of a file in two of them the later one counts.

    Files are hard links, since layers never change.

    Raises:
        ValueError: A layer removes something outside of the folder.
    """
    for layer in layers:
        removed = layer / _REMOVED
        if removed.is_file():
            for name in json.loads(removed.read_text("utf-8")):
                _remove(name, target)
        _link_all(layer, target)
    (target / _REMOVED).unlink(missing_ok=True)


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


def _link_all(layer: Path, target: Path) -> None:
    for folder, folders, files in os.walk(layer):
        if _COMPILED in folders:
            folders.remove(_COMPILED)  # Would keep a folder whose modules are removed.
        inside = target / Path(folder).relative_to(layer)
        for name in folders:
            _make_way(inside / name, is_folder=True)
            (inside / name).mkdir(exist_ok=True)
        for name in files:
            _make_way(inside / name, is_folder=False)
            os.link(Path(folder, name), inside / name)


def _make_way(place: Path, *, is_folder: bool) -> None:
    """A file may take the place of a file, never of a folder that still has files."""
    if place.is_dir() and not is_folder:
        place.rmdir()
    elif place.is_file():
        place.unlink()
