"""Connects to the platform: by a socket on this machine, or by a tunnel through the platform's port."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from .handshake import shake_hands
from .protocol import AGENT_TUNNEL, STREAM_HEADER

# Seconds that the platform may take to respond.
_TIMEOUT = 10.0
_LONGEST_ANSWER = 10_000

# Connects for the agent (None), or for the stream with this number. Raises OSError while the platform does not respond.
Dial = Callable[[str | None], socket.socket]


class RefusedError(Exception):
    """The agent cannot work for this platform; the message is one sentence that says why."""


def dial_of(platform: str, token: str) -> Dial:
    """The function that dials a platform.

    Args:
        platform: `unix:/absolute/path` or `http://HOST:PORT`.
        token: The file with the secret.

    Raises:
        RefusedError: The address has another form, or the file cannot be read.
    """
    if platform.startswith("unix:"):
        return lambda _: _dial_socket(platform.removeprefix("unix:"), token)
    address = urlsplit(platform)
    if address.scheme != "http" or address.hostname is None:
        raise RefusedError(f"The platform's address must be unix:/PATH or http://HOST:PORT, not {platform}.")
    try:
        secret = Path(token).read_text(encoding="ascii").strip()
    except OSError as error:
        raise RefusedError(f"The token cannot be read from {token}: {error.strerror}.") from error
    target = (address.hostname, address.port or 80)
    return lambda stream: _dial_tunnel(target, address.netloc, secret, token, stream)


def _dial_socket(path: str, token: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    try:
        # The path of a socket must not be longer than 107 bytes, but this one can be. So it is opened by its folder.
        folder = os.open(os.path.dirname(path), os.O_PATH | os.O_CLOEXEC)
        try:
            connection.connect(f"/proc/self/fd/{folder}/{os.path.basename(path)}")
        finally:
            os.close(folder)
        connection.settimeout(_TIMEOUT)
        # Read each time: the secret changes when the platform's store is removed.
        shake_hands(connection, Path(token).read_text(encoding="ascii").strip())
        connection.settimeout(None)
    except BaseException:
        connection.close()
        raise
    return connection


def _dial_tunnel(target: tuple[str, int], host: str, secret: str, file: str, stream: str | None) -> socket.socket:
    connection = socket.create_connection(target, timeout=_TIMEOUT)
    try:
        number = "" if stream is None else f"{STREAM_HEADER}: {stream}\r\n"
        head = f"CONNECT {AGENT_TUNNEL} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {secret}\r\n{number}\r\n"
        connection.sendall(head.encode("ascii"))
        status = _status(connection)
        if status == 401:
            raise RefusedError(f"The platform at {host} does not accept the token in {file}.")
        if status == 403:
            raise RefusedError(
                f'The platform does not serve the host name in http://{host}: use the address that "toolkit platform '
                'status" prints, or set the platform\'s option "advertise" to this address.'
            )
        if status != 200:
            raise ConnectionError(f"the platform at {host} returned {status}")
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        connection.close()
        raise
    return connection


def _status(connection: socket.socket) -> int:
    """Reads the head of the response, and returns its status."""
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        # Byte by byte, because the bytes after the head belong to the first frame.
        byte = connection.recv(1)
        if not byte or len(answer) > _LONGEST_ANSWER:
            raise ConnectionError("the platform closed the connection")
        answer += byte
    _, _, rest = answer.partition(b" ")
    if not rest[:3].isdigit():
        raise ConnectionError("the other side is not a platform")
    return int(rest[:3])
