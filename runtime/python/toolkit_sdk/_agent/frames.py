"""Messages on the agent's connection: the length in four bytes, big-endian, then JSON."""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

from .protocol import LARGEST_FRAME

_LENGTH = struct.Struct(">I")


def encode_frame(message: dict[str, Any]) -> bytes:
    """The frame of a message."""
    data = json.dumps(message).encode()
    return _LENGTH.pack(len(data)) + data


def read_frame(incoming: BinaryIO) -> bytes | None:
    """The body of the next frame; None if the stream ends first or the frame is too large."""
    head = incoming.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > LARGEST_FRAME:
        return None
    data = incoming.read(length)
    return data if len(data) == length else None
