"""The agent's connection to its platform: dialled again whenever it ends; frames of JSON both ways."""

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
# 10 s: a platform that takes no bytes for so long counts as gone.
_SEND_TIMEOUT = struct.pack("ll", 10, 0)

Message = dict[str, Any]


class PlatformLink:
    """Says hello first on every connection, then what is reported; what is said while there is none is not kept."""

    def __init__(self, dial: Dial, hello: Callable[[], Message], on_order: Callable[[Message], None]) -> None:
        """Prepares it.

        Args:
            dial: Connects to the platform.
            hello: Makes the first message: all that the platform has to know.
            on_order: Called with each message of the platform, one at a time.
        """
        self._dial = dial
        self._hello = hello
        self._on_order = on_order
        self._sending = threading.Lock()
        self._socket: socket.socket | None = None
        self._heard = time.monotonic()

    def silent_for(self) -> float:
        """Seconds since the platform last said anything."""
        return time.monotonic() - self._heard

    def say(self, message: Message) -> None:
        """Sends a message, unless there is no connection; from any thread."""
        with self._sending:
            self._send(message)

    def run(self) -> None:
        """Connects and listens, until the platform refuses it.

        Raises:
            RefusedError: With the platform's reason.
        """
        while True:
            with contextlib.suppress(OSError), self._dial(None) as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _SEND_TIMEOUT)
                # In one step with what is reported meanwhile: that is part of the hello, or comes after it.
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
            # Ends the listening, too, which connects again.
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket = None

    def _listen(self, incoming: BinaryIO) -> None:
        while (data := read_frame(incoming)) is not None:
            self._heard = time.monotonic()
            self._on_order(json.loads(data))
