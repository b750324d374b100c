"""Connects the platform to workers of this node, each time the platform asks for it.

One thread moves the bytes of all streams. It buffers at most one piece per direction: a slow reader slows the sender.
"""

from __future__ import annotations

import collections
import contextlib
import resource
import selectors
import socket
import struct
import threading
from typing import Protocol
from urllib.parse import urlsplit

from .platform_dial import Dial, RefusedError

_PIECE = 65_536
# Seconds that a worker may take to accept a connection.
_TIMEOUT = 5.0
# With these, a platform that has vanished is noticed within half a minute.
_KEEPALIVE = ((socket.TCP_KEEPIDLE, 15), (socket.TCP_KEEPINTVL, 5), (socket.TCP_KEEPCNT, 3))
# SO_LINGER with a timeout of 0: closing resets the connection, so that the other side sees that something went wrong.
_RESET = struct.pack("ii", 1, 0)


class Failed(Protocol):
    """Called with the reason why a stream cannot be connected."""

    def __call__(self, reason: str, *, at_node: bool) -> None:
        """`at_node`: the node has no room or cannot reach the platform. Otherwise the worker accepts no connection."""


class Streams:
    """The streams of this node."""

    def __init__(self, dial: Dial) -> None:
        """Prepares. Starts no thread yet.

        Args:
            dial: Connects to the platform.
        """
        self._dial = dial
        # A stream uses two descriptors, and the agent needs half of all descriptors for other things.
        self._room = threading.BoundedSemaphore(max(resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 4, 1))
        self._opened: collections.deque[_Stream] = collections.deque()
        self._waking, self._wake = socket.socketpair()
        self._waking.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._is_moving = False

    def open(self, number: str, address: str | None, failed: Failed) -> None:
        """Connects a worker to the platform, on a thread of its own.

        Args:
            number: The number under which the platform awaits the stream.
            address: Where the worker listens; None while it does not.
            failed: Called if there is no room, or one of the two accepts no connection.
        """
        if address is None:
            failed("The worker is not listening.", at_node=False)
        elif not self._room.acquire(blocking=False):
            failed("The node has no room for more connections.", at_node=True)
        else:
            if not self._is_moving:
                self._is_moving = True
                threading.Thread(target=self._move, daemon=True, name="streams").start()
            connect = threading.Thread(target=self._connect, args=(number, address, failed), daemon=True, name="stream")
            try:
                connect.start()
            except RuntimeError:
                self._room.release()
                failed("The node cannot start a thread.", at_node=True)

    def _connect(self, number: str, address: str, failed: Failed) -> None:
        with contextlib.ExitStack() as opened:
            try:
                worker = opened.enter_context(_connect_worker(address))
            except (OSError, ValueError) as error:
                self._room.release()
                failed(str(error), at_node=False)
                return
            try:
                platform = opened.enter_context(self._dial(number))
                platform.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                for option, value in _KEEPALIVE:
                    platform.setsockopt(socket.IPPROTO_TCP, option, value)
                stream = _Stream(platform, worker)
            except (OSError, RefusedError) as error:
                self._room.release()
                failed(f"The node cannot reach the platform: {error}", at_node=True)
                return
            opened.pop_all()
        self._opened.append(stream)
        self._wake.send(b"\0")

    def _move(self) -> None:
        self._selector.register(self._waking, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                stream: _Stream | None = key.data
                if stream is not None:
                    self._serve(stream)
                    continue
                self._waking.recv(_PIECE)
                while self._opened:
                    self._serve(self._opened.popleft())

    def _serve(self, stream: _Stream) -> None:
        if stream.is_closed:  # The other socket had an event in the same round, which closed it.
            return
        stream.move()
        for end in (stream.platform, stream.worker):
            self._watch(end, stream)
        if stream.is_over:
            stream.close()
            self._room.release()

    def _watch(self, end: socket.socket, stream: _Stream) -> None:
        wanted = 0 if stream.is_over else stream.awaited(end)
        known = self._selector.get_map().get(end)
        if known is None and wanted:
            self._selector.register(end, wanted, stream)
        elif known is not None and not wanted:
            self._selector.unregister(end)
        elif known is not None and known.events != wanted:
            self._selector.modify(end, wanted, stream)


class _Way:
    """One direction of a stream."""

    def __init__(self, source: socket.socket, target: socket.socket) -> None:
        self.source = source
        self.target = target
        self.held = memoryview(b"")
        self.is_ended = False

    def move(self) -> None:
        if not self.held and not self.is_ended:
            try:
                self.held = memoryview(self.source.recv(_PIECE))
            except BlockingIOError:
                return
            if not self.held:
                self.is_ended = True
                self.target.shutdown(socket.SHUT_WR)
        if self.held:
            try:
                self.held = self.held[self.target.send(self.held) :]
            except BlockingIOError:
                return


class _Stream:
    """A connection to the platform, and one to the worker."""

    def __init__(self, platform: socket.socket, worker: socket.socket) -> None:
        self.platform = platform
        self.worker = worker
        self.is_closed = False
        self._is_broken = False
        self._ways = (_Way(platform, worker), _Way(worker, platform))
        for end in (platform, worker):
            end.setblocking(False)

    @property
    def is_over(self) -> bool:
        return self._is_broken or all(way.is_ended for way in self._ways)

    def move(self) -> None:
        try:
            for way in self._ways:
                way.move()
        except OSError:
            self._is_broken = True

    def awaited(self, end: socket.socket) -> int:
        """The events to wait for on one of the two sockets."""
        events = 0
        for way in self._ways:
            if way.source is end and not way.held and not way.is_ended:
                events |= selectors.EVENT_READ
            if way.target is end and way.held:
                events |= selectors.EVENT_WRITE
        return events

    def close(self) -> None:
        self.is_closed = True
        if self._is_broken:
            self.platform.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.platform.close()
        self.worker.close()


def _connect_worker(address: str) -> socket.socket:
    """Connects to `unix:/absolute/path` or `http://HOST:PORT`."""
    if not address.startswith("unix:"):
        url = urlsplit(address)
        connection = socket.create_connection((url.hostname, url.port or 80), timeout=_TIMEOUT)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(_TIMEOUT)
    try:
        connection.connect(address.removeprefix("unix:"))
    except OSError:
        connection.close()
        raise
    return connection
