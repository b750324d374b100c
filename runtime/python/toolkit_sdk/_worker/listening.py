"""The socket where a load-balanced worker's process receives requests.

It is in the worker's own folder, so that other users of the machine cannot connect. If its path would be too long for a
socket, the worker listens on a port of the loopback interface instead.
"""

from __future__ import annotations

import contextlib
import os
import socket

# Bytes of a socket's path that every system supports.
_LONGEST_PATH = 100


def listen(path: str) -> socket.socket:
    """Creates the socket. Call it before the process is contained, because user code cannot see the path afterwards.

    Args:
        path: Path of the socket. One that an ended process of this worker has left there is removed.
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
    """The address that the gateway connects to."""
    name = listener.getsockname()
    return f"unix:{name}" if listener.family == socket.AF_UNIX else f"http://{name[0]}:{name[1]}"
