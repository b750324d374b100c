"""Everything that a worker prints → one JSON object a line in its log file."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path

from toolkit_sdk._worker.log_lines import LINE_BYTES, STRUCTURED, log_line

from .log_file import LogFile
from .worker_thread import start_thread

# Lines told with the report of a failed start.
KEPT_LINES = 50


class LogRelay:
    """The agent's own lines on a worker, and those of the process that runs the user's code."""

    def __init__(self, worker: str, file: Path, running: Callable[[], str | None]) -> None:
        """Opens the log.

        Args:
            worker: Its id, which stands in each line.
            file: Its first piece.
            running: The job that lines without a job of their own belong to.

        Raises:
            OSError: The file cannot be opened.
        """
        self._worker = worker
        self._running = running
        self._file = LogFile(file)
        self._last: deque[tuple[str | None, str]] = deque(maxlen=KEPT_LINES)

    def tell(self, level: str, message: str, request: str | None = None) -> None:
        """Writes a line of the agent's own."""
        self._file.write(log_line(self._worker, level, message, request))

    def last_lines(self, request: str | None = None) -> list[str]:
        """The last messages of the process that runs the user's code.

        Args:
            request: Leaves out what other jobs printed: it is none of this one's caller's business.
        """
        return [message for owner, message in list(self._last) if request is None or owner in (request, None)]

    def follow(self, descriptor: int, level: str) -> threading.Thread:
        """Relays a pipe until its end, which closes it.

        Args:
            descriptor: The pipe's reading end.
            level: Level of lines that come unstructured, such as the interpreter's last words.
        """
        return start_thread(f"logs-{level}", lambda: self._follow(descriptor, level))

    def close(self) -> None:
        """What comes later is lost."""
        self._file.close()

    def _follow(self, descriptor: int, level: str) -> None:
        rest = b""
        with open(descriptor, "rb", buffering=0) as pipe:
            while chunk := pipe.read(LINE_BYTES):
                *lines, rest = (rest + chunk).split(b"\n")
                if len(rest) >= 2 * LINE_BYTES:
                    lines.append(rest)
                    rest = b""
                if lines:
                    self._file.write(b"".join(self._line(line, level) for line in lines))
        if rest:
            self._file.write(self._line(rest, level))

    def _line(self, line: bytes, level: str) -> bytes:
        if line.startswith(STRUCTURED):
            try:
                told = json.loads(line[1:])
                self._last.append((told["request"], told["message"]))
            except (ValueError, KeyError, TypeError):
                line = line[1:]  # The user's own bytes happened to begin so.
            else:
                return line[1:] + b"\n"
        message = line.decode("utf-8", "replace").rstrip("\r")
        if not message:
            return b""
        request = self._running()
        self._last.append((request, message))
        return log_line(self._worker, level, message, request)
