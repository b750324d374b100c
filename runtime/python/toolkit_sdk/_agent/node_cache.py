"""The node's cache: one folder per content, made once by the first worker that needs it, shared read-only by all.

Next to each folder is its lock file. The lock file's modification time is the time of the folder's last use, which
`cache_pruning` reads.
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
    """Folders by key under one root, as one worker sees them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._used: set[Path] = set()

    def path(self, kind: str, key: str) -> Path:
        """The path of a key's folder, which may not exist yet.

        Raises:
            ValueError: The key is not a hex string.
        """
        if not key or not set(key) <= set("0123456789abcdef"):
            raise ValueError(f"{key!r} is not a content hash.")
        return self._root / kind / key

    def folder(self, kind: str, key: str, make: Callable[[Path], None]) -> Path:
        """The folder of a key. If it does not exist, `make` fills it.

        Two workers that need the same folder wait for each other. A folder appears complete or not at all.

        Args:
            kind: `parts`, `sdk`, `base` or `launch`.
            key: Identity of the content: lower-case hex.
            make: Fills an empty folder.

        Raises:
            ValueError: The key is not a hex string.
        """
        folder = self.path(kind, key)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder) as lock:
            os.utime(lock)
            self._used.add(folder)
            if not folder.is_dir():
                with suppress(OSError):
                    remove_leftovers(folder)
                _fill(folder, make)
        return folder

    def keep(self) -> None:
        """Records that the folders which this worker has used are still in use."""
        for folder in list(self._used):
            with locked(folder) as lock:
                os.utime(lock)


@contextmanager
def locked(folder: Path, *, wait: bool = True) -> Generator[int, None, None]:
    """Holds a folder's lock. Yields the descriptor of the lock file.

    Args:
        folder: The folder, which need not exist.
        wait: Whether to wait while another process or thread holds the lock.

    Raises:
        BlockingIOError: The lock is held elsewhere, and `wait` is False.
    """
    path = _lock_of(folder)
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The lock file is removed with its folder, so the path may have another file by now, or none.
            if _is_at(descriptor, path):
                yield descriptor
                return
        finally:
            os.close(descriptor)


def remove(folder: Path) -> None:
    """Removes a folder that is locked, and its lock file.

    Raises:
        OSError: Something cannot be removed.
    """
    remove_leftovers(folder)
    if folder.is_dir():
        # Renamed first: if the agent is killed while it removes files, no incomplete folder has the real name.
        doomed = folder.with_name(f".{folder.name}-removed")
        folder.rename(doomed)
        shutil.rmtree(doomed)
    _lock_of(folder).unlink()


def remove_leftovers(folder: Path) -> None:
    """Removes what killed agents have left of a folder that is locked: partly made, partly removed or partly fetched.

    Raises:
        OSError: Something cannot be removed.
    """
    for leftover in folder.parent.glob(f".{folder.name}-*"):
        if leftover.is_dir():
            shutil.rmtree(leftover)
        else:
            leftover.unlink()


def _lock_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _fill(folder: Path, make: Callable[[Path], None]) -> None:
    growing = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        make(growing)
        growing.chmod(0o755)
        growing.rename(folder)
    except BaseException:
        shutil.rmtree(growing, ignore_errors=True)
        raise
