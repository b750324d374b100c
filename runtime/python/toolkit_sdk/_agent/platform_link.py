"""The agent's connection to its platform: JSON frames in both directions, and a new connection whenever one breaks."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from typing import Any, BinaryIO

from .frames import encode_frame, read_frame
from .platform_dial import Dial

# Seconds between attempts to connect.
_PAUSE = 0.1
# 10 s: a platform that accepts no bytes for this long counts as gone.
_SEND_TIMEOUT = struct.pack("ll", 10, 0)

Message = dict[str, Any]


class PlatformLink:
    """Sends a hello on each new connection, then all messages. Without a connection, messages are dropped."""

    def __init__(self, dial: Dial, hello: Callable[[], Message], on_order: Callable[[Message], None]) -> None:
        """Prepares the link. Connects to nothing yet.

        Args:
            dial: Connects to the platform.
            hello: Makes the first message, with everything that the platform must know.
            on_order: Called with each message from the platform, one at a time.
        """
        self._dial = dial
        self._hello = hello
        self._on_order = on_order
        self._sending = threading.Lock()
        self._socket: socket.socket | None = None
        self._heard = time.monotonic()

    def silent_for(self) -> float:
        """Seconds since the last message from the platform."""
        return time.monotonic() - self._heard

    def send(self, message: Message) -> None:
        """Sends a message, or drops it if there is no connection. Callable from any thread."""
        with self._sending:
            self._send(message)

    def run(self) -> None:
        """Connects and reads messages until the platform refuses the agent.

        Raises:
            RefusedError: The platform refused; the message is its reason.
        """
        while True:
            with contextlib.suppress(OSError), self._dial(None) as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _SEND_TIMEOUT)
                # Under the lock, so that a report made now is either in the hello or sent after it.
                with self._sending:
                    self._socket = connection
                    self._send(self._hello())
                self._listen(connection.makefile("rb"))
            with self._sending:
                self._socket = None
            time.sleep(_PAUSE)

    def _send(self, message: Message) -> None:
        if self._socket is None:
            return
        try:
            self._socket.sendall(encode_frame(message))
        except OSError:
            # This also ends `_listen`, so that `run` connects again.
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket = None

    def _listen(self, incoming: BinaryIO) -> None:
        while (data := read_frame(incoming)) is not None:
            self._heard = time.monotonic()
            self._on_order(json.loads(data))
