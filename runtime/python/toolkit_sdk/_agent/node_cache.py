"""The node's cache: one folder per content, made once by whoever comes first, shared read-only by all workers.

Beside each folder is its lock file, whose time is that of the folder's last use, so that `cache_pruning` knows what
nobody needs any more.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path


class NodeCache:
    """Folders by key under one root, as one worker uses them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._used: set[Path] = set()

    def place(self, kind: str, key: str) -> Path:
        """Where the folder of a key is once it is made.

        Raises:
            ValueError: The key is no hex string.
        """
        if not key or not set(key) <= set("0123456789abcdef"):
            raise ValueError(f"{key!r} is not a content hash.")
        return self._root / kind / key

    def folder(self, kind: str, key: str, make: Callable[[Path], None]) -> Path:
        """The folder of a key, made by `make` when it is not there yet.

        Two workers that want the same folder wait for one another; a folder appears whole or not at all.

        Args:
            kind: `parts`, `sdk`, `base` or `launch`.
            key: Identity of the content: lower-case hex.
            make: Fills an empty folder.

        Raises:
            ValueError: The key is no hex string.
        """
        place = self.place(kind, key)
        place.parent.mkdir(parents=True, exist_ok=True)
        with locked(place) as lock:
            os.utime(lock)
            self._used.add(place)
            if not place.is_dir():
                with suppress(OSError):
                    remove_left_overs(place)
                _fill(place, make)
        return place

    def keep(self) -> None:
        """Says that the folders are still in use."""
        for place in list(self._used):
            with locked(place) as lock:
                os.utime(lock)


@contextmanager
def locked(place: Path, *, wait: bool = True) -> Generator[int, None, None]:
    """Holds a folder's lock; gives the descriptor of its file.

    Args:
        place: The folder, which need not be there.
        wait: Whether to wait for who has it.

    Raises:
        BlockingIOError: Somebody else has it, and nobody waits.
    """
    path = _lock_of(place)
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The file goes with its folder: by now another one may have its name, or none.
            if _is_at(descriptor, path):
                yield descriptor
                return
        finally:
            os.close(descriptor)


def remove(place: Path) -> None:
    """Removes a folder that is locked, and its lock file.

    Raises:
        OSError: Something cannot be removed.
    """
    remove_left_overs(place)
    if place.is_dir():
        # An agent that is killed from here on leaves no half folder that counts as whole.
        doomed = place.with_name(f".{place.name}-removed")
        place.rename(doomed)
        shutil.rmtree(doomed)
    _lock_of(place).unlink()


def remove_left_overs(place: Path) -> None:
    """Removes what killed agents have left of a folder that is locked: half made, half removed or half fetched.

    Raises:
        OSError: Something cannot be removed.
    """
    for left_over in place.parent.glob(f".{place.name}-*"):
        if left_over.is_dir():
            shutil.rmtree(left_over)
        else:
            left_over.unlink()


def _lock_of(place: Path) -> Path:
    return place.with_name(f"{place.name}.lock")


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _fill(place: Path, make: Callable[[Path], None]) -> None:
    growing = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    try:
        make(growing)
        growing.chmod(0o755)
        growing.rename(place)
    except BaseException:
        shutil.rmtree(growing, ignore_errors=True)
        raise
