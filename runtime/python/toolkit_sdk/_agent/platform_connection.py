"""One keep-alive HTTP connection of the worker to its platform, on the standard library."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

# Bytes of a body that is sent together with its head.
_SMALL = 65_536


class Answer(NamedTuple):
    """An HTTP answer, read whole."""

    status: int
    body: bytes


class PlatformConnection:
    """Requests one after the other over one connection. Not for use by two threads at once, except `abort`."""

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
        """Sends one request and reads the answer.

        Args:
            method: HTTP method.
            url: Absolute, or relative to the platform.
            body: What to send.
            headers: Beside the token's.
            timeout: Seconds without a byte.

        Raises:
            OSError: The platform is not reachable or broke off.
        """
        response = self.open(method, url, body=body, headers=headers, timeout=timeout)
        try:
            with response:
                data = response.read()
        except http.client.HTTPException as error:
            self.close()
            raise ConnectionError(f"the answer of {method} {url} broke off: {error!r}") from error
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
        """As `request`, the answer's body still unread.

        Raises:
            OSError: The platform is not reachable or broke off.
        """
        target = urlsplit(urljoin(f"{self._platform}/", url))
        if target[:2] != self._address[:2]:
            raise ConnectionError(f"{url} is not an address of the platform {self._platform}; the token stays here.")
        path = target.path + (f"?{target.query}" if target.query else "")
        head = self._head(method, path, body, headers or {})
        content = body or b""
        # In one write: the platform wakes once, and not for each of the two. A long body is not copied for that.
        pieces = [head + content] if len(content) <= _SMALL else [head, content]
        # A kept connection may have been closed by the platform meanwhile: such a request never arrived.
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
                    self.close()  # The answer keeps the socket until it is read.
                return response
        raise ConnectionError(f"{method} {url} got no answer.")

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
        if self._aborted.is_set():
            raise ConnectionAbortedError("the worker is stopping")
        if fresh or self._connection is None:
            self.close()
            secure = self._address.scheme == "https"
            kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
            self._connection = kind(self._address.hostname or "", self._address.port, timeout=timeout)
        self._connection.timeout = timeout
        if self._connection.sock is not None:  # pyright: ignore[reportUnnecessaryComparison]
            self._connection.sock.settimeout(timeout)
        return self._connection

    def close(self) -> None:
        """Closes the connection; the next request opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def abort(self) -> None:
        """Breaks off the request under way, from another thread, and refuses further ones."""
        self._aborted.set()
        sock = self._connection.sock if self._connection is not None else None
        if sock is not None:  # pyright: ignore[reportUnnecessaryComparison]
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # The other side was faster.
