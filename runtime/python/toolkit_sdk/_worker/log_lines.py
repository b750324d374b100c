"""The lines of a worker's log: one JSON object each."""

from __future__ import annotations

import json
import os
from datetime import datetime, timezone

# First byte of a line that the process with the user's code has already turned into an object.
STRUCTURED = b"\x1e"
# Longer lines are split, so that endless output without line breaks does not fill the memory.
LINE_BYTES = 65_536


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
