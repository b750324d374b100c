"""Relays everything that a worker prints to its log file, one JSON object per line."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path

from toolkit_sdk._worker.log_lines import LINE_BYTES, STRUCTURED, STRUCTURED_BYTES, log_line

from .log_file import LogFile
from .worker_thread import start_thread

# Lines that are sent with the report of a failed start.
KEPT_LINES = 50


class LogRelay:
    """Writes a worker's log: the agent's own lines, and those of the process that runs the user's code."""

    def __init__(self, worker: str, file: Path, running: Callable[[], str | None]) -> None:
        """Opens the log.

        Args:
            worker: The worker's id, which each line contains.
            file: The first piece of the log.
            running: Returns the job that lines without a job belong to.

        Raises:
            OSError: The file cannot be opened.
        """
        self._worker = worker
        self._running = running
        self._file = LogFile(file)
        self._last: deque[tuple[str | None, str]] = deque(maxlen=KEPT_LINES)

    def write(self, level: str, message: str, request: str | None = None) -> None:
        """Writes a line of the agent's own."""
        self._file.write(log_line(self._worker, level, message, request))

    def last_lines(self, request: str | None = None) -> list[str]:
        """The last messages of the process that runs the user's code.

        Args:
            request: A job. Lines of other jobs are left out, because this job's caller must not see them.
        """
        return [message for owner, message in list(self._last) if request is None or owner in (request, None)]

    def follow(self, descriptor: int, level: str) -> threading.Thread:
        """Relays a pipe until its end, then closes it.

        Args:
            descriptor: The pipe's reading end.
            level: Level of unstructured lines, such as those of a crashing interpreter.
        """
        return start_thread(f"logs-{level}", lambda: self._follow(descriptor, level))

    def close(self) -> None:
        """Closes the log. Later lines are lost."""
        self._file.close()

    def _follow(self, descriptor: int, level: str) -> None:
        rest = b""
        with open(descriptor, "rb", buffering=0) as pipe:
            while chunk := pipe.read(LINE_BYTES):
                *lines, rest = (rest + chunk).split(b"\n")
                if len(rest) >= (STRUCTURED_BYTES if rest.startswith(STRUCTURED) else 2 * LINE_BYTES):
                    lines.append(rest)
                    rest = b""
                if lines:
                    self._file.write(b"".join(self._line(line, level) for line in lines))
        if rest:
            self._file.write(self._line(rest, level))

    def _line(self, line: bytes, level: str) -> bytes:
        if line.startswith(STRUCTURED):
            try:
                entry = json.loads(line[1:])
                self._last.append((entry["request"], entry["message"]))
            except (ValueError, KeyError, TypeError):
                line = line[1:]  # The user's own output happened to start with this byte.
            else:
                return line[1:] + b"\n"
        message = line.decode("utf-8", "replace").rstrip("\r")
        if not message:
            return b""
        request = self._running()
        self._last.append((request, message))
        return log_line(self._worker, level, message, request)
