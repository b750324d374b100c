"""Everything that a worker prints → one JSON object a line on its standard output, as the platform keeps it."""

from __future__ import annotations

import json
import os
import threading
from collections import deque
from collections.abc import Callable
from datetime import datetime, timezone

# First byte of a line that the process with the user's code has already made an object of.
STRUCTURED = b"\x1e"
# A longer line is cut into several, so that a print without an end costs no memory.
LINE_BYTES = 65_536
# Lines told with the report of a failed start.
KEPT_LINES = 50


def log_line(worker: str, level: str, message: str, request: str | None) -> bytes:
    """One line of a worker's log, with its newline."""
    time = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    line = {"time": time, "level": level, "worker": worker, "request": request, "message": message}
    return json.dumps(line).encode() + b"\n"


def write_all(descriptor: int, data: bytes) -> None:
    """Writes the bytes whole."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


class LogRelay:
    """The supervisor's end: its own lines, and those of the process that runs the user's code."""

    def __init__(self, worker: str, running: Callable[[], str | None], descriptor: int = 1) -> None:
        self._worker = worker
        self._running = running
        self._descriptor = descriptor
        self._last: deque[tuple[str | None, str]] = deque(maxlen=KEPT_LINES)
        self._writing = threading.Lock()
        self._torn = False

    def tell(self, level: str, message: str, request: str | None = None) -> None:
        """Writes a line of the supervisor's own."""
        self._write(log_line(self._worker, level, message, request))

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
        thread = threading.Thread(target=self._follow, args=(descriptor, level), daemon=True, name=f"logs-{level}")
        thread.start()
        return thread

    def _follow(self, descriptor: int, level: str) -> None:
        rest = b""
        with open(descriptor, "rb", buffering=0) as pipe:
            while chunk := pipe.read(LINE_BYTES):
                *lines, rest = (rest + chunk).split(b"\n")
                if len(rest) >= 2 * LINE_BYTES:
                    lines.append(rest)
                    rest = b""
                if lines:
                    self._write(b"".join(self._line(line, level) for line in lines))
        if rest:
            self._write(self._line(rest, level))

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

    def _write(self, data: bytes) -> None:
        with self._writing:
            try:
                write_all(self._descriptor, b"\n" + data if self._torn else data)
                self._torn = False
            except OSError:
                # A full disk: the lines are lost, and the functions that print them go on.
                self._torn = True
