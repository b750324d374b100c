"""A queue of posts for one connection: a thread sends them in order, one by one or in batches."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from .platform_connection import PlatformConnection
from .worker_thread import start_thread

# `await_room` blocks while at least this many posts are waiting, so that functions stop yielding.
_WAITING = 64
# A batch gets no more posts once its bodies have this many bytes.
_BYTES = 8_000_000
# How often a lane checks for more posts before it sends a batch.
_LOOKS = 2
# Seconds between these checks.
_PAUSE = 0.001


@dataclass
class Post:
    """One request about a job."""

    job: str
    attempt: str | None
    route: str
    """URL, with `$ID` for the job's id."""
    body: bytes
    stream: bool = False
    """Whether chunks were posted before this result."""
    last: bool = False
    """Whether the worker no longer holds the job after this post."""


class PostLane:
    """The queue and its thread."""

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
            name: The thread's name.
            connection: A connection that only this lane uses.
            send: Sends posts. Returns when they need no more work.
            most: The most posts in a batch.
            expected: Returns how many posts a batch should have. The lane waits a moment for that many.
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
        """Blocks while many posts are waiting."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) < _WAITING or self._is_abandoned)

    def flush(self) -> None:
        """Waits until everything is sent, or the lane is abandoned."""
        with self._changed:
            self._changed.wait_for(lambda: not (self._waiting or self._is_sending) or self._is_abandoned)

    def close(self) -> None:
        """Ends the thread once everything is sent."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def abandon(self) -> None:
        """Ends the thread at once. Posts that are still waiting are lost."""
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
        """Waits for posts. Returns False when the thread must end."""
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
