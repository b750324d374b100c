"""The queue of posts for one connection: its order, its batches, and its end."""

from __future__ import annotations

import threading

from toolkit_sdk._agent.platform_connection import PlatformConnection
from toolkit_sdk._agent.post_lane import Post, PostLane


class Sent:
    """A lane whose sender notes each batch, and waits until it may go on."""

    def __init__(self, most: int) -> None:
        self.batches: list[list[str]] = []
        self.goes_on = threading.Event()
        self.began = threading.Event()
        connection = PlatformConnection("http://127.0.0.1:1", "a token")
        self.lane = PostLane("lane", connection, self._send, most)

    def _send(self, posts: list[Post], _: PlatformConnection) -> None:
        self.batches.append([post.job for post in posts])
        self.began.set()
        assert self.goes_on.wait(30)

    def put(self, *jobs: str, size: int = 1) -> None:
        for job in jobs:
            self.lane.put(Post(job, None, "", b"x" * size))

    def block(self) -> None:
        """Begins a batch with one post. Later ones wait behind it."""
        self.put("first")
        assert self.began.wait(30)

    def finish(self) -> None:
        self.goes_on.set()
        self.lane.flush()


def test_posts_are_sent_in_order_in_batches_of_at_most_so_many() -> None:
    sent = Sent(most=3)
    sent.block()
    sent.put("a", "b", "c", "d")
    sent.finish()
    assert sent.batches == [["first"], ["a", "b", "c"], ["d"]]
    sent.lane.close()


def test_a_batch_gets_no_more_posts_once_it_has_8_mb() -> None:
    sent = Sent(most=10)
    sent.block()
    sent.put("a", "b", "c", size=4_000_000)
    sent.finish()
    assert sent.batches == [["first"], ["a", "b"], ["c"]]
    sent.lane.close()


def test_posts_that_wait_when_a_lane_is_abandoned_are_lost() -> None:
    sent = Sent(most=1)
    sent.block()
    sent.put("a")
    sent.lane.abandon()
    sent.finish()
    assert sent.batches == [["first"]]


def test_a_function_that_yields_waits_while_64_posts_are_waiting() -> None:
    sent = Sent(most=100)
    sent.block()
    sent.put(*(str(number) for number in range(63)))
    sent.lane.await_room()
    sent.put("one more")
    waited = threading.Thread(target=sent.lane.await_room)
    waited.start()
    waited.join(0.2)
    assert waited.is_alive()
    sent.goes_on.set()
    waited.join(30)
    assert not waited.is_alive()
    sent.lane.close()
