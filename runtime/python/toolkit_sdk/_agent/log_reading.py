"""Reads and removes what `log_file` writes, for a platform on another machine."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

# Bytes that are read at once.
_MOST = 1_000_000
_PIECE = re.compile(r"([^.]+)(?:\.(\d+))?\.log")


@dataclass(frozen=True)
class LogPart:
    """What is read of a log; without bytes where it ends."""

    start: int
    """Bytes of the log before these."""
    since: str
    """ISO 8601: when its piece was written to for the last time."""
    data: bytes


class WorkerLogs:
    """The logs of this node. Skips files that were removed meanwhile or cannot be read."""

    def __init__(self, folder: Path) -> None:
        """Of the folders of the endpoints in a folder."""
        self._folder = folder

    def written(self, endpoint: str) -> dict[str, int]:
        """Workers of an endpoint with a log, and when it was written to: milliseconds since 1970."""
        told: dict[str, int] = {}
        for worker, pieces in self._pieces(endpoint).items():
            try:
                told[worker] = int(pieces[max(pieces)].stat().st_mtime * 1000)
            except OSError:
                continue
        return told

    def read(self, endpoint: str, worker: str, start: int) -> LogPart:
        """A part of a log.

        Args:
            endpoint: Its id.
            worker: Its id.
            start: Bytes of the log before the part; it begins later where these are gone.
        """
        for before, piece in sorted(self._pieces(endpoint).get(worker, {}).items()):
            try:
                with piece.open("rb") as file:
                    file.seek(max(0, start - before))
                    if data := file.read(_MOST):
                        return LogPart(max(start, before), _time(os.fstat(file.fileno())), data)
            except OSError:
                continue
        return LogPart(start, _time(None), b"")

    def note(self, endpoint: str, worker: str, line: str) -> None:
        """Adds a line to a log.

        Raises:
            OSError: It cannot be written.
        """
        pieces = self._pieces(endpoint).get(worker, {})
        piece = pieces[max(pieces)] if pieces else self._folder / endpoint / f"{worker}.log"
        with piece.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def remove(self, endpoint: str, workers: list[str] | None) -> None:
        """Removes logs.

        Args:
            endpoint: Its id.
            workers: Whose; None: all.
        """
        if workers is None:
            shutil.rmtree(self._folder / endpoint, ignore_errors=True)
            return
        logs = self._pieces(endpoint)
        for worker in workers:
            for piece in logs.get(worker, {}).values():
                with contextlib.suppress(OSError):
                    piece.unlink()

    def _pieces(self, endpoint: str) -> dict[str, dict[int, Path]]:
        """Worker → bytes of its log before each piece → the piece."""
        found: dict[str, dict[int, Path]] = {}
        try:
            names = os.listdir(self._folder / endpoint)
        except OSError:
            return found
        for name in names:
            if match := _PIECE.fullmatch(name):
                found.setdefault(match[1], {})[int(match[2] or 0)] = self._folder / endpoint / name
        return found


def _time(status: os.stat_result | None) -> str:
    seconds = 0 if status is None else status.st_mtime
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
