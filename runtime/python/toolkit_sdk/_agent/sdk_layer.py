"""Copies an artifact's toolkit_sdk to the node's cache by content, so that builds with the same one share zygotes."""

from __future__ import annotations

import functools
import hashlib
import shutil
from pathlib import Path

from .node_cache import NodeCache

PACKAGE = "toolkit_sdk"


def sdk_layer(code: Path, cache: NodeCache) -> Path:
    """The folder to put on the path.

    Args:
        code: Folder with the artifact's code. It never changes.
        cache: The node's cache.

    Raises:
        FileNotFoundError: The artifact has no toolkit_sdk.
    """
    package = code / PACKAGE
    return cache.folder("sdk", _digest(package), lambda folder: _copy(package, folder))


def _copy(package: Path, folder: Path) -> None:
    shutil.copytree(package, folder / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))


@functools.lru_cache(maxsize=256)
def _digest(package: Path) -> str:
    digest = hashlib.sha256()
    files = sorted(package.rglob("*.py"))
    if not files:
        raise FileNotFoundError(f"The artifact has no {PACKAGE}.")
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.relative_to(package).as_posix()}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()
