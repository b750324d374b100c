"""Reads and removes what `log_file` writes, for a platform on another machine."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from .creation_time import creation_time

# Bytes that are read at once.
_MOST = 1_000_000
# Ids become names of files.
_ID = re.compile(r"[\w-]+")
_PIECE = re.compile(r"([^.]+)(?:\.(\d+))?\.log")


@dataclass(frozen=True)
class LogPart:
    """What is read of a log; without bytes where it ends."""

    start: int
    """Bytes of the log before these."""
    since: str
    """ISO 8601: when its piece was made, the time of lines that tell none."""
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
                        return LogPart(max(start, before), _iso(creation_time(file.fileno())), data)
            except OSError:
                continue
        return LogPart(start, _iso(0), b"")

    def note(self, endpoint: str, worker: str, line: str) -> None:
        """Adds a line to a log.

        Raises:
            OSError: It cannot be written.
        """
        pieces = self._pieces(endpoint).get(worker, {})
        piece = pieces[max(pieces)] if pieces else self._folder_of(endpoint) / f"{_id(worker)}.log"
        with piece.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def remove(self, endpoint: str, workers: list[str] | None) -> None:
        """Removes logs.

        Args:
            endpoint: Its id.
            workers: Whose; None: all.
        """
        if workers is None:
            with contextlib.suppress(OSError):
                shutil.rmtree(self._folder_of(endpoint))
            return
        logs = self._pieces(endpoint)
        for worker in workers:
            for piece in logs.get(worker, {}).values():
                with contextlib.suppress(OSError):
                    piece.unlink()

    def keep(self, endpoints: Set[str]) -> None:
        """Removes the logs of all other endpoints."""
        with contextlib.suppress(OSError):  # No worker has run here yet.
            for endpoint in set(os.listdir(self._folder)) - endpoints:
                self.remove(endpoint, None)

    def _folder_of(self, endpoint: str) -> Path:
        return self._folder / _id(endpoint)

    def _pieces(self, endpoint: str) -> dict[str, dict[int, Path]]:
        """Worker → bytes of its log before each piece → the piece."""
        found: dict[str, dict[int, Path]] = {}
        try:
            folder = self._folder_of(endpoint)
            names = os.listdir(folder)
        except OSError:
            return found
        for name in names:
            if match := _PIECE.fullmatch(name):
                found.setdefault(match[1], {})[int(match[2] or 0)] = folder / name
        return found


def _id(text: str) -> str:
    """The id of an endpoint or a worker.

    Raises:
        FileNotFoundError: It is none, and no file has it as its name.
    """
    if not _ID.fullmatch(text):
        raise FileNotFoundError(f"{text!r} is not an id")
    return text


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
