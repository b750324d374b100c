"""The node's cache: one folder per content, made once by whoever comes first, shared read-only by all workers."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path


class NodeCache:
    """Folders by key under one root."""

    def __init__(self, root: str) -> None:
        self._root = Path(root)

    @property
    def compiled_code(self) -> Path:
        """Where Python keeps compiled modules of this node."""
        return self._root / "pycache"

    def place(self, kind: str, key: str) -> Path:
        """Where the folder of a key is once it is made.

        Raises:
            ValueError: The key is no hex string.
        """
        if not key or not set(key) <= set("0123456789abcdef"):
            raise ValueError(f"{key!r} is no content hash.")
        return self._root / kind / key

    def folder(self, kind: str, key: str, make: Callable[[Path], None]) -> Path:
        """The folder of a key, made by `make` when it is not there yet.

        Two workers that want the same folder wait for one another; a folder appears whole or not at all.

        Args:
            kind: `parts`, `code`, `base` or `launch`.
            key: Identity of the content: lower-case hex.
            make: Fills an empty folder.

        Raises:
            ValueError: The key is no hex string.
        """
        place = self.place(kind, key)
        if place.is_dir():
            return place
        place.parent.mkdir(parents=True, exist_ok=True)
        with _locked(place.with_name(f"{key}.lock")):
            if place.is_dir():
                return place
            for left_over in place.parent.glob(f".{key}-*"):
                shutil.rmtree(left_over, ignore_errors=True)
            growing = Path(tempfile.mkdtemp(prefix=f".{key}-", dir=place.parent))
            try:
                make(growing)
                growing.chmod(0o755)
                growing.rename(place)
            except BaseException:
                shutil.rmtree(growing, ignore_errors=True)
                raise
        return place


@contextmanager
def _locked(path: Path) -> Generator[None, None, None]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
