"""Posts that wait for one connection: a thread sends them in their order, one by one or many at a time."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from .platform_connection import PlatformConnection
from .worker_thread import start_thread

# Posts that wait; then functions that yield more wait too.
_WAITING = 64
# Bytes of the posts that are sent at a time.
_BYTES = 8_000_000
# How often, and how many seconds apart, a lane looks whether more posts have come that go with the first.
_LOOKS = 2
_PAUSE = 0.001


@dataclass
class Post:
    """What is posted of a job."""

    job: str
    attempt: str | None
    route: str
    """Address, with `$ID` for the job."""
    body: bytes
    stream: bool = False
    """Whether chunks went before this result."""
    last: bool = False
    """Whether the job has left the worker with it."""


class PostLane:
    """See the module."""

    def __init__(
        self,
        name: str,
        connection: PlatformConnection,
        send: Callable[[list[Post], PlatformConnection], None],
        most: int = 1,
        expected: Callable[[], int] = lambda: 1,
    ) -> None:
        """Starts the thread.

        Args:
            name: Of the thread.
            connection: Is the lane's own.
            send: Sends posts; returns when nothing is left to do about them.
            most: How many posts are sent at a time.
            expected: How many are worth a moment's wait.
        """
        self._connection = connection
        self._send = send
        self._most = most
        self._expected = expected
        self._waiting: deque[Post] = deque()
        self._changed = threading.Condition()
        self._is_sending = False
        self._is_closed = False
        self._is_abandoned = False
        start_thread(name, self._run)

    def put(self, post: Post) -> None:
        """Adds a post."""
        with self._changed:
            self._waiting.append(post)
            self._changed.notify_all()

    def await_room(self) -> None:
        """Blocks while many posts wait."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) < _WAITING or self._is_abandoned)

    def flush(self) -> None:
        """Waits until everything is sent, or the lane is abandoned."""
        with self._changed:
            self._changed.wait_for(lambda: not (self._waiting or self._is_sending) or self._is_abandoned)

    def close(self) -> None:
        """Ends the thread when what waits is sent."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def abandon(self) -> None:
        """Ends the thread at once; what waits is lost."""
        self._connection.abort()
        with self._changed:
            self._is_abandoned = True
            self._changed.notify_all()

    def _run(self) -> None:
        while self._await_posts():
            self._send(self._take(), self._connection)
            with self._changed:
                self._is_sending = False
                self._changed.notify_all()
        self._connection.close()

    def _await_posts(self) -> bool:
        """Whether there are posts to send."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed or self._is_abandoned)
        for _ in range(_LOOKS):
            if len(self._waiting) >= self._expected() or self._is_closed or self._is_abandoned:
                break
            time.sleep(_PAUSE)
        return bool(self._waiting) and not self._is_abandoned

    def _take(self) -> list[Post]:
        posts: list[Post] = []
        with self._changed:
            self._is_sending = True
            size = 0
            while self._waiting and len(posts) < self._most and size < _BYTES:
                size += len(self._waiting[0].body)
                posts.append(self._waiting.popleft())
            self._changed.notify_all()
        return posts
