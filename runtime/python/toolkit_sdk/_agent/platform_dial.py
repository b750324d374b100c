"""How the agent reaches its platform: a socket of this machine, or a tunnel through the platform's port."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from .handshake import shake_hands
from .protocol import AGENT_TUNNEL, STREAM_HEADER

# Seconds for the answer of a platform.
_TIMEOUT = 10.0
_LONGEST_ANSWER = 10_000

# Connects for the agent, or for the stream of this number; raises OSError while nobody answers.
Dial = Callable[[str | None], socket.socket]


class RefusedError(Exception):
    """The platform does not want this agent; the message is the one sentence that says why."""


def dial_of(platform: str, token: str) -> Dial:
    """How a platform is dialled.

    Args:
        platform: `unix:/absolute/path` or `http://HOST:PORT`.
        token: The file with the secret.

    Raises:
        RefusedError: The address is neither, or the file cannot be read.
    """
    if platform.startswith("unix:"):
        return lambda _: _dial_socket(platform.removeprefix("unix:"), token)
    address = urlsplit(platform)
    if address.scheme != "http" or address.hostname is None:
        raise RefusedError(f"An agent dials unix:/PATH or http://HOST:PORT, not {platform}.")
    try:
        secret = Path(token).read_text(encoding="ascii").strip()
    except OSError as error:
        raise RefusedError(f"The token cannot be read from {token}: {error.strerror}.") from error
    place = (address.hostname, address.port or 80)
    return lambda stream: _dial_tunnel(place, address.netloc, secret, token, stream)


def _dial_socket(path: str, token: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    try:
        # The path of a socket may have 107 bytes, and this one any number.
        folder = os.open(os.path.dirname(path), os.O_PATH | os.O_CLOEXEC)
        try:
            connection.connect(f"/proc/self/fd/{folder}/{os.path.basename(path)}")
        finally:
            os.close(folder)
        connection.settimeout(_TIMEOUT)
        # Read each time: a platform whose store was removed has another one.
        shake_hands(connection, Path(token).read_text(encoding="ascii").strip())
        connection.settimeout(None)
    except BaseException:
        connection.close()
        raise
    return connection


def _dial_tunnel(place: tuple[str, int], host: str, secret: str, file: str, stream: str | None) -> socket.socket:
    connection = socket.create_connection(place, timeout=_TIMEOUT)
    try:
        number = "" if stream is None else f"{STREAM_HEADER}: {stream}\r\n"
        head = f"CONNECT {AGENT_TUNNEL} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {secret}\r\n{number}\r\n"
        connection.sendall(head.encode("ascii"))
        status = _status(connection)
        if status == 401:
            raise RefusedError(f"The platform at {host} does not accept the token in {file}.")
        if status == 403:
            raise RefusedError(
                f"The platform does not have the host name in http://{host}: dial the address that "
                f"`toolkit platform status` prints, or start the platform with this one as its option `advertise`."
            )
        if status != 200:
            raise ConnectionError(f"the platform at {host} answered {status}")
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        connection.close()
        raise
    return connection


def _status(connection: socket.socket) -> int:
    """Of an answer that has no body, or one that nobody reads."""
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        # One by one: what follows the head is the first frame's.
        byte = connection.recv(1)
        if not byte or len(answer) > _LONGEST_ANSWER:
            raise ConnectionError("the platform broke off")
        answer += byte
    _, _, rest = answer.partition(b" ")
    if not rest[:3].isdigit():
        raise ConnectionError("what answered is not a platform")
    return int(rest[:3])
