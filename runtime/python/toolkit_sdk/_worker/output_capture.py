"""Turns prints of the user's code into log lines that name their job or request."""

from __future__ import annotations

import contextlib
import contextvars
import fcntl
import io
import os
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager

from .log_lines import LINE_BYTES, STRUCTURED, log_line, pieces_of, write_all

# The lowest number for the descriptor of log lines: the user's code may close low descriptors, or reuse them.
_LINES_FROM = 200
# The job or request that the running code belongs to.
current_request: contextvars.ContextVar[str | None] = contextvars.ContextVar("current_request", default=None)


class LineWriter(io.TextIOBase):
    """A text stream that writes each whole line as an object to a pipe."""

    def __init__(
        self,
        worker: str,
        level: str,
        descriptor: int,
        *,
        running: Callable[[], str | None],
        lock: AbstractContextManager[object],
        lines: int,
    ) -> None:
        self._lines = lines
        self._worker = worker
        self._level = level
        self._descriptor = descriptor
        self._running = running
        self._rests: dict[str | None, str] = {}
        self._lock = lock
        # For bytes. The supervisor turns these lines into objects.
        self.buffer = os.fdopen(descriptor, "wb", buffering=0, closefd=False)

    encoding = "utf-8"  # pyright: ignore[reportIncompatibleVariableOverride, reportAssignmentType]
    errors = "backslashreplace"  # pyright: ignore[reportIncompatibleVariableOverride, reportAssignmentType]

    def writable(self) -> bool:
        """Always True."""
        return True

    def isatty(self) -> bool:
        """Always False."""
        return False

    def fileno(self) -> int:
        """The pipe, for child processes."""
        return self._descriptor

    def write(self, text: str, /) -> int:
        """Writes the whole lines in the text. Keeps the rest until its line ends."""
        request = current_request.get() or self._running()
        with self._lock:
            *lines, rest = (self._rests.pop(request, "") + text).split("\n")
            full = len(rest) - len(rest) % LINE_BYTES
            if full:
                lines.append(rest[:full])
                rest = rest[full:]
            if rest:
                self._rests[request] = rest
            self._write_lines(lines, request)
        return len(text)

    def end_request(self, request: str) -> None:
        """Writes the last line of a finished job or request, if it has no line end."""
        with self._lock:
            rest = self._rests.pop(request, "")
            if rest:
                self._write_lines([rest], request)

    def flush(self) -> None:
        """Does nothing: whole lines are written at once."""

    def _write_lines(self, lines: list[str], request: str | None) -> None:
        for line in lines:
            for each in pieces_of(line):
                if piece := each.rstrip("\r"):
                    write_all(self._lines, STRUCTURED + log_line(self._worker, self._level, piece, request))


class OutputCapture:
    """Captures standard output and error of this process as log lines."""

    def __init__(self, worker: str, running: Callable[[], str | None]) -> None:
        self._worker = worker
        # One lock and one pipe for both, so that lines stay whole and in order.
        self._lock = threading.RLock()
        self._lines = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, _LINES_FROM)
        self._out = LineWriter(worker, "info", 1, running=running, lock=self._lock, lines=self._lines)
        self._err = LineWriter(worker, "warning", 2, running=running, lock=self._lock, lines=self._lines)

    def install(self) -> None:
        """Replaces sys.stdout and sys.stderr."""
        sys.stdout = self._out
        sys.stderr = self._err

    def close(self) -> None:
        """Closes its descriptor. Only for a capture that was not installed."""
        os.close(self._lines)

    def end_request(self, request: str) -> None:
        """Writes what is left of a job or request that prints nothing more."""
        self._out.end_request(request)
        self._err.end_request(request)

    def error(self, message: str, request: str | None = None) -> None:
        """Writes lines of level error, such as a traceback."""
        self._write("error", message, request)

    def warning(self, message: str, request: str | None = None) -> None:
        """Writes lines of level warning."""
        self._write("warning", message, request)

    def _write(self, level: str, message: str, request: str | None) -> None:
        with self._lock:
            for line in (piece for each in message.splitlines() for piece in pieces_of(each)):
                # Suppressed: if the pipe is broken, the job's response must still be sent.
                with contextlib.suppress(OSError):
                    write_all(self._lines, STRUCTURED + log_line(self._worker, level, line, request))
