"""Messages between the supervisor and the process that runs the user's code, over a socket pair.

A frame is a small JSON header and a payload of bytes. Results are encoded once, in the process that makes them, and
passed on as bytes. One write can contain many frames, and one read receives all that have arrived.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import struct
import threading
from collections.abc import Iterable
from typing import Any, NamedTuple

_LENGTHS = struct.Struct(">II")
# A payload of this many bytes or more is sent in a write of its own, to avoid a copy.
_LARGE = 65_536
# Most bytes of one read.
_READ = 65_536


class Frame(NamedTuple):
    """One message. The header has its `type`."""

    header: dict[str, Any]
    payload: bytes

    @property
    def type(self) -> str:
        """The type of the message."""
        return self.header["type"]


def _head(header: dict[str, Any], payload: int) -> bytes:
    head = json.dumps(header).encode()
    return _LENGTHS.pack(len(head), payload) + head


class FrameLink:
    """One end of the socket pair. Any thread may send; only one thread at a time may receive."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._received = bytearray()
        self._sending = threading.Lock()

    def send(self, kind: str, payload: bytes = b"", **header: object) -> None:
        """Sends a frame. Blocks while the other end does not read.

        Raises:
            OSError: The other end is gone.
        """
        self.send_all([Frame({"type": kind, **header}, payload)])

    def send_all(self, frames: Iterable[Frame]) -> None:
        """Sends frames in order. Blocks while the other end does not read.

        Raises:
            OSError: The other end is gone.
        """
        pieces: list[bytes] = []
        with self._sending:
            for header, payload in frames:
                pieces.append(_head(header, len(payload)))
                if len(payload) < _LARGE:
                    pieces.append(payload)
                else:
                    self._socket.sendall(b"".join(pieces))
                    self._socket.sendall(payload)
                    pieces.clear()
            self._socket.sendall(b"".join(pieces))

    def try_send(self, kind: str, **header: object) -> bool:
        """Sends a frame without a payload, unless that would block. Returns whether it was sent.

        Raises:
            OSError: The other end is gone.
        """
        if not self._sending.acquire(blocking=False):
            return False
        try:
            data = _head({"type": kind, **header}, 0)
            return self._socket.send(data, socket.MSG_DONTWAIT) == len(data)
        except BlockingIOError:
            return False
        finally:
            self._sending.release()

    def receive(self) -> Frame | None:
        """Waits for the next frame. Returns None when the other end is gone."""
        return next(iter(self._receive(1)), None)

    def receive_all(self) -> list[Frame]:
        """Waits for a frame, and returns all that have arrived. The list is empty when the other end is gone."""
        return self._receive(None)

    def _receive(self, most: int | None) -> list[Frame]:
        while not (frames := self._whole_frames(most)):
            try:
                data = self._socket.recv(_READ)
            except OSError:
                return []
            if not data:
                return []
            self._received += data
        return frames

    def _whole_frames(self, most: int | None) -> list[Frame]:
        frames: list[Frame] = []
        start = 0
        with memoryview(self._received) as view:
            while len(view) - start >= _LENGTHS.size and len(frames) != most:
                head_length, payload_length = _LENGTHS.unpack_from(view, start)
                head = start + _LENGTHS.size
                payload = head + head_length
                end = payload + payload_length
                if end > len(view):
                    break
                frames.append(Frame(json.loads(str(view[head:payload], "utf-8")), bytes(view[payload:end])))
                start = end
        del self._received[:start]
        return frames

    def await_end(self) -> None:
        """Waits until the other end is gone, while other threads receive."""
        ended = select.poll()
        ended.register(self._socket, 0)  # poll reports a hang-up even if it is not requested.
        ended.poll()

    def close(self) -> None:
        """Ends the link. The other end receives nothing more."""
        # Suppressed: the other side may already have ended it.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def release(self) -> None:
        """Closes the socket of a link that has ended. Called by the thread that received."""
        self.close()
        with self._sending:
            self._socket.close()
