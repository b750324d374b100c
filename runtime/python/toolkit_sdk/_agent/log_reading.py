"""Reads and removes the logs that `log_file` writes, for a platform on another machine."""

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

# Most bytes that are read at once.
_MOST = 1_000_000
# Ids are used as file names.
_ID = re.compile(r"[\w-]+")
_PIECE = re.compile(r"([^.]+)(?:\.(\d+))?\.log")


@dataclass(frozen=True)
class LogPart:
    """A part of a log; empty at the log's end."""

    start: int
    """Bytes of the log before this part."""
    since: str
    """When the part's piece was created, in ISO 8601. Serves as the time of lines without one."""
    data: bytes


class WorkerLogs:
    """The logs of this node. Skips files that were removed in the meantime or cannot be read."""

    def __init__(self, folder: Path) -> None:
        """Takes the folder that has a folder of logs for each endpoint."""
        self._folder = folder

    def written(self, endpoint: str) -> dict[str, int]:
        """When each log of an endpoint's workers was last written to, by worker, in milliseconds since 1970."""
        times: dict[str, int] = {}
        for worker, pieces in self._pieces(endpoint).items():
            try:
                times[worker] = int(pieces[max(pieces)].stat().st_mtime * 1000)
            except OSError:
                continue
        return times

    def read(self, endpoint: str, worker: str, start: int) -> LogPart:
        """Reads a part of a log.

        Args:
            endpoint: The endpoint's id.
            worker: The worker's id.
            start: Position in the log. The part starts later if the bytes there were removed.
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
            endpoint: The endpoint's id.
            workers: Ids of the workers; None for all.
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
        """The pieces of each worker's log, by the bytes of the log before them."""
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
    """Checks the id of an endpoint or a worker.

    Raises:
        FileNotFoundError: It is not an id, so no file has this name.
    """
    if not _ID.fullmatch(text):
        raise FileNotFoundError(f"{text!r} is not an id")
    return text


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
