"""A worker's log on disk: a series of pieces, of which the last two are kept, so that the log stays within its limit.

The first piece is `<worker>.log`, each later one `<worker>.<bytes of the log before it>.log`. So a reader can continue
at a position in the log even after earlier pieces were removed.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

from toolkit_sdk._worker.log_lines import write_all

from .protocol import LOG_BYTES

_PIECE_BYTES = LOG_BYTES // 2


class LogFile:
    """The log of one worker, for writing."""

    def __init__(self, file: Path) -> None:
        """Opens the log.

        Args:
            file: The first piece. The file and its folder are created if they do not exist.

        Raises:
            OSError: It cannot be opened.
        """
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._first = file
        self._writing = threading.Lock()
        self._torn = False
        self._start = 0
        self._piece = file
        self._older: Path | None = None
        self._descriptor = _open(file)

    def write(self, data: bytes) -> None:
        """Adds whole lines. They are lost if the disk is full, and after `close`."""
        with self._writing:
            if self._descriptor < 0:
                return
            try:
                if os.fstat(self._descriptor).st_size + len(data) > _PIECE_BYTES:
                    self._begin_piece()
                write_all(self._descriptor, b"\n" + data if self._torn else data)
                self._torn = False
            except OSError:
                self._torn = True

    def close(self) -> None:
        """Closes the log. Later lines are lost."""
        with self._writing:
            os.close(self._descriptor)
            self._descriptor = -1

    def _begin_piece(self) -> None:
        if self._older is not None:
            self._older.unlink(missing_ok=True)
            self._older = None
        start = self._start + os.fstat(self._descriptor).st_size
        piece = self._first.with_name(f"{self._first.stem}.{start}.log")
        descriptor = _open(piece)
        os.close(self._descriptor)
        self._older, self._piece, self._start, self._descriptor = self._piece, piece, start, descriptor


def _open(file: Path) -> int:
    return os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
