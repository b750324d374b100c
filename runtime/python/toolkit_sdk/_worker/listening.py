"""The socket at which a load-balanced worker's process takes requests.

It lies in the worker's own folder, where no other user of the machine connects; a port of the loopback interface takes
its place where its path is too long for a socket.
"""

from __future__ import annotations

import contextlib
import os
import socket

# Bytes that every system takes.
_LONGEST_PATH = 100


def listen(path: str) -> socket.socket:
    """Creates the socket. Call it before the process is contained, which hides the path from user code.

    Args:
        path: Where it is to lie; what an ended process of this worker has left there goes.
    """
    if len(os.fsencode(path)) > _LONGEST_PATH:
        return socket.create_server(("127.0.0.1", 0))
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    os.chmod(path, 0o600)
    return listener


def address_of(listener: socket.socket) -> str:
    """Where the gateway connects."""
    name = listener.getsockname()
    return f"unix:{name}" if listener.family == socket.AF_UNIX else f"http://{name[0]}:{name[1]}"
