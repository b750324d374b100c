"""One keep-alive HTTP connection of a worker to its platform, with the standard library."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

# Largest body that is sent in one write with its head, in bytes.
_SMALL = 65_536


class Answer(NamedTuple):
    """An HTTP response, read completely."""

    status: int
    body: bytes


class PlatformConnection:
    """Sends requests one after the other over one connection. Not for two threads at once, except `abort`."""

    def __init__(self, platform: str, token: str) -> None:
        self._platform = platform
        self._address = urlsplit(platform)
        self._token = token
        self._connection: http.client.HTTPConnection | None = None
        self._aborted = threading.Event()

    def request(
        self,
        method: str,
        url: str,
        *,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = 30.0,
    ) -> Answer:
        """Sends one request and reads the response.

        Args:
            method: HTTP method.
            url: Absolute, or relative to the platform.
            body: The request's body.
            headers: Headers in addition to the standard ones.
            timeout: Seconds to wait for the next byte.

        Raises:
            OSError: The platform cannot be reached, or closed the connection.
        """
        response = self.open(method, url, body=body, headers=headers, timeout=timeout)
        try:
            with response:
                data = response.read()
        except http.client.HTTPException as error:
            self.close()
            raise ConnectionError(f"the response to {method} {url} was cut off: {error!r}") from error
        except OSError:
            self.close()
            raise
        return Answer(response.status, data)

    def open(
        self,
        method: str,
        url: str,
        *,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = 30.0,
    ) -> http.client.HTTPResponse:
        """Like `request`, but does not read the response's body.

        Raises:
            OSError: The platform cannot be reached, or closed the connection.
        """
        target = urlsplit(urljoin(f"{self._platform}/", url))
        if target[:2] != self._address[:2]:
            raise ConnectionError(f"{url} is not an address of the platform {self._platform}; the token is not sent.")
        path = target.path + (f"?{target.query}" if target.query else "")
        head = self._head(method, path, body, headers or {})
        content = body or b""
        # In one write, so that the platform wakes up once and not twice. A long body is not copied for that.
        pieces = [head + content] if len(content) <= _SMALL else [head, content]
        # The platform may have closed an idle connection: the request has not arrived then, and is sent again.
        for fresh in (False, True):
            connection = self._connect(timeout, fresh)
            try:
                for piece in pieces:
                    connection.send(piece)
                response = http.client.HTTPResponse(connection.sock, method=method)
                try:
                    response.begin()
                except BaseException:
                    # It would keep the socket open.
                    response.close()
                    raise
            except (http.client.HTTPException, OSError) as error:
                self.close()
                stale = isinstance(error, (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError))
                if fresh or self._aborted.is_set() or not stale:
                    raise error if isinstance(error, OSError) else ConnectionError(repr(error)) from error
            else:
                if response.will_close:
                    self.close()  # The response keeps the socket open until it is read.
                return response
        raise ConnectionError(f"{method} {url} got no response.")

    def _head(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> bytes:
        fields = {
            "Host": self._address.netloc,
            "Accept-Encoding": "identity",
            **({} if body is None else {"Content-Length": str(len(body))}),
            "Authorization": self._token,
            **headers,
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1")

    def _connect(self, timeout: float, fresh: bool) -> http.client.HTTPConnection:
        self._refuse_after_abort()
        if fresh or self._connection is None:
            self.close()
            secure = self._address.scheme == "https"
            kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
            self._connection = kind(self._address.hostname or "", self._address.port, timeout=timeout)
        self._connection.timeout = timeout
        if self._connection.sock is not None:  # pyright: ignore[reportUnnecessaryComparison]
            self._connection.sock.settimeout(timeout)
        else:
            self._connection.connect()
        # An abort before there was a socket has found nothing to shut down.
        self._refuse_after_abort()
        return self._connection

    def _refuse_after_abort(self) -> None:
        if self._aborted.is_set():
            self.close()
            raise ConnectionAbortedError("the worker is stopping")

    def close(self) -> None:
        """Closes the connection; the next request opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def abort(self) -> None:
        """Aborts the current request, from another thread, and refuses further ones."""
        self._aborted.set()
        sock = self._connection.sock if self._connection is not None else None
        if sock is not None:  # pyright: ignore[reportUnnecessaryComparison]
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # The other side has already closed it.
