"""Messages between the supervisor and the process that runs the user's code, over a socket pair.

A frame is a small JSON header and a payload of bytes: results are encoded once, where they arise, and pass through.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from typing import Any, NamedTuple

_LENGTHS = struct.Struct(">II")


class Frame(NamedTuple):
    """One message. The header's `type` says what it is."""

    header: dict[str, Any]
    payload: bytes

    @property
    def type(self) -> str:
        """What the message is."""
        return self.header["type"]


def _head(kind: str, payload: int, header: dict[str, object]) -> bytes:
    head = json.dumps({"type": kind, **header}).encode()
    return _LENGTHS.pack(len(head), payload) + head


class FrameLink:
    """One end of the socket pair; any thread may send, one receives."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._incoming = sock.makefile("rb")
        self._sending = threading.Lock()

    def send(self, kind: str, payload: bytes = b"", **header: object) -> None:
        """Sends a frame; blocks while the other end does not read.

        Raises:
            OSError: The other end is gone.
        """
        data = _head(kind, len(payload), header)
        with self._sending:
            if len(payload) < 65_536:
                self._socket.sendall(data + payload)
            else:
                self._socket.sendall(data)
                self._socket.sendall(payload)

    def try_send(self, kind: str, **header: object) -> bool:
        """Sends a frame without a payload, unless that would block because the other end does not read.

        Raises:
            OSError: The other end is gone.
        """
        if not self._sending.acquire(blocking=False):
            return False
        try:
            data = _head(kind, 0, header)
            return self._socket.send(data, socket.MSG_DONTWAIT) == len(data)
        except BlockingIOError:
            return False
        finally:
            self._sending.release()

    def receive(self) -> Frame | None:
        """The next frame; None when the other end is gone."""
        try:
            lengths = self._incoming.read(_LENGTHS.size)
            if len(lengths) < _LENGTHS.size:
                return None
            head_length, payload_length = _LENGTHS.unpack(lengths)
            head = self._incoming.read(head_length)
            payload = self._incoming.read(payload_length)
        except (OSError, ValueError):
            return None
        if len(head) < head_length or len(payload) < payload_length:
            return None
        return Frame(json.loads(head), payload)

    def close(self) -> None:
        """Ends the link; the other end receives None."""
        # The other side may have been faster.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
