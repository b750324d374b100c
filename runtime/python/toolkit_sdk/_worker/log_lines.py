"""The lines of a worker's log: one JSON object each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import datetime, timezone

# First byte of a line that the process with the user's code has already turned into an object.
STRUCTURED = b"\x1e"
# Longer lines are split, so that endless output without line breaks does not fill the memory.
LINE_BYTES = 65_536
# Longer than any line with an object: JSON takes up to 12 bytes for a character.
STRUCTURED_BYTES = 13 * LINE_BYTES


def pieces_of(line: str) -> Iterator[str]:
    """The messages that a line is split into; an empty one for an empty line."""
    for start in range(0, len(line) or 1, LINE_BYTES):
        yield line[start : start + LINE_BYTES]


def log_line(worker: str, level: str, message: str, request: str | None) -> bytes:
    """One line of a worker's log, with its newline."""
    time = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    line = {"time": time, "level": level, "worker": worker, "request": request, "message": message}
    return json.dumps(line).encode() + b"\n"


def write_all(descriptor: int, data: bytes) -> None:
    """Writes all bytes."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
