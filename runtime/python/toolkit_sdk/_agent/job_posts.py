"""Posts results, chunks and progress to the platform: in order within a job, and retried while the platform is away."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from functools import partial
from urllib.parse import quote
from zlib import crc32

from .log_relay import LogRelay
from .platform_connection import Answer, PlatformConnection
from .post_lane import Post, PostLane
from .protocol import ATTEMPT_HEADER, ORPHAN_TIMEOUT, RESULT_BATCH, RESULT_TYPE, WorkerOrder

# Largest result that is posted in a batch, in bytes.
_SMALL = 65_536
# Statuses with which a whole batch is refused; each result is then posted alone. 404: the route does not exist.
_BATCH_REFUSED = (400, 404, 413)


class JobPosts:
    """Posts on a few threads, which start when they are needed.

    Small results go in batches. Everything else a job posts, and a result that must come after it, goes one by one over
    a lane. All posts of one job use the same lane.
    """

    def __init__(
        self,
        order: WorkerOrder,
        logs: LogRelay,
        threads: int,
        held: Callable[[], int],
        on_done: Callable[[list[str]], None],
    ) -> None:
        """Prepares the lanes. Opens no connection yet.

        Args:
            order: Has the URLs.
            logs: The log for results that the platform refuses.
            threads: Number of lanes for single posts.
            held: Returns how many jobs the worker holds.
            on_done: Called with the jobs whose results were posted.
        """
        self._order = order
        self._stream_route = order.url("RUNPOD_WEBHOOK_POST_STREAM")
        self._output_route = order.url("RUNPOD_WEBHOOK_POST_OUTPUT")
        self._batch_url = self._output_route.replace("/job-done/", "/job-done-batch/", 1).replace("/$ID", "", 1)
        self._logs = logs
        self._threads = threads
        self._held = held
        self._on_done = on_done
        self._abandoned = threading.Event()
        self._lanes: dict[int | None, PostLane] = {}
        """Lanes by hash of the job id. The key None is the lane for batches of results."""
        self._opening = threading.Lock()
        self._progress: dict[str, Post] = {}
        """The progress that is waiting to be posted, by job."""
        self._replacing = threading.Lock()

    def chunk(self, job: str, attempt: str | None, body: bytes) -> None:
        """Posts one yield of a generator. Blocks while many posts are waiting."""
        lane = self._lane_of(job)
        lane.await_room()
        lane.put(Post(job, attempt, self._stream_route, body))

    def progress(self, job: str, attempt: str | None, body: bytes) -> None:
        """Posts the progress of a running job. A newer value replaces one that is still waiting."""
        with self._replacing:
            if job in self._progress:
                self._progress[job].body = body
                return
            post = Post(job, attempt, self._output_route, body)
            self._progress[job] = post
        self._lane_of(job).put(post)

    def done(
        self, job: str, attempt: str | None, body: bytes, *, stream: bool, follows: bool, keep: bool = False
    ) -> None:
        """Posts a job's result.

        Args:
            job: The job's id.
            attempt: The attempt that was taken.
            body: `{"output": …}` or `{"error": …}`.
            stream: Whether the output was already posted as chunks.
            follows: Whether chunks or progress were posted before.
            keep: Whether the job stays held, because its function is still running.
        """
        post = Post(job, attempt, self._output_route, body, stream, last=not keep)
        alone = stream or follows or len(body) > _SMALL
        (self._lane_of(job) if alone else self._lane(None)).put(post)

    def requeue(self, job: str, attempt: str | None, *, counted: bool, error: str | None) -> None:
        """Requeues a job that ended without a result, so that it runs again.

        Args:
            job: The job's id.
            attempt: The attempt that was taken.
            counted: Whether this counts as one of the job's retries, because the job itself may be the cause.
            error: The error if the job has no retry left; None for the platform's default.
        """
        body = json.dumps({"status": "IN_QUEUE", "counted": counted, "error": error}).encode()
        self._lane_of(job).put(Post(job, attempt, self._output_route, body))

    def flush(self) -> None:
        """Waits until everything is posted or abandoned."""
        # The lane for batches comes first: it passes the results of a refused batch on to the other lanes.
        for number in (None, *range(self._threads)):
            lane = self._lanes.get(number)
            if lane is not None:
                lane.flush()

    def close(self) -> None:
        """Ends the threads once everything is posted."""
        for lane in self._open_lanes():
            lane.close()

    def abandon(self) -> None:
        """Ends the threads at once. Posts that are still waiting are lost."""
        self._abandoned.set()
        for lane in self._open_lanes():
            lane.abandon()

    def _open_lanes(self) -> list[PostLane]:
        with self._opening:
            return list(self._lanes.values())

    def _lane_of(self, job: str) -> PostLane:
        return self._lane(crc32(job.encode()) % self._threads)

    def _lane(self, number: int | None) -> PostLane:
        with self._opening:
            lane = self._lanes.get(number)
            if lane is None:
                connection = PlatformConnection(self._order.platform, self._order.token)
                if number is None:
                    lane = PostLane("results", connection, self._send_results, RESULT_BATCH, lambda: self._held() // 2)
                else:
                    lane = PostLane(f"posts-{number}", connection, self._send_alone)
                self._lanes[number] = lane
                if self._abandoned.is_set():
                    lane.abandon()
            return lane

    def _send_alone(self, posts: list[Post], connection: PlatformConnection) -> None:
        for post in posts:
            with self._replacing:
                if self._progress.get(post.job) is post:
                    del self._progress[post.job]
            url = post.route.replace("$ID", quote(post.job, safe=""))
            url += f"{'&' if '?' in url else '?'}isStream={'true' if post.stream else 'false'}"
            headers = {"Content-Type": RESULT_TYPE}
            if post.attempt is not None:
                headers[ATTEMPT_HEADER] = post.attempt
            answer = self._answer(partial(connection.request, "POST", url, body=post.body, headers=headers))
            if isinstance(answer, str) or answer.status >= 400:
                self._log_refusal(post.job, _refusal(answer))
        self._drop(posts)

    def _send_results(self, posts: list[Post], connection: PlatformConnection) -> None:
        body = b'{"results":[' + b",".join(map(_batched, posts)) + b"]}"
        headers = {"Content-Type": "application/json"}
        answer = self._answer(partial(connection.request, "POST", self._batch_url, body=body, headers=headers))
        if isinstance(answer, Answer) and answer.status in _BATCH_REFUSED:
            for post in posts:
                self._lane_of(post.job).put(post)
            return
        if isinstance(answer, str) or answer.status >= 400:
            for post in posts:
                self._log_refusal(post.job, _refusal(answer))
        else:
            for post, result in zip(posts, json.loads(answer.body)["results"], strict=True):
                if result["status"] >= 400:
                    self._log_refusal(post.job, f"status {result['status']}: {result['error']}")
        self._drop(posts)

    def _answer(self, request: Callable[[], Answer]) -> Answer | str:
        """Retries until the response is final. Returns the last response or the reason why there is none."""
        deadline = time.monotonic() + ORPHAN_TIMEOUT
        answer: Answer | str = "no response"
        while time.monotonic() < deadline and not self._abandoned.is_set():
            try:
                answer = request()
            except OSError as error:
                answer = str(error)
            else:
                if answer.status < 500 and answer.status != 429:
                    return answer
            self._abandoned.wait(0.5)
        return answer

    def _log_refusal(self, job: str, refusal: str) -> None:
        self._logs.write("warning", f"The platform did not accept the result ({refusal}).", job)

    def _drop(self, posts: list[Post]) -> None:
        self._on_done([post.job for post in posts if post.last])


def _refusal(answer: Answer | str) -> str:
    if isinstance(answer, str):
        return answer
    return f"status {answer.status}: {answer.body[:200].decode('utf-8', 'replace')}"


def _batched(post: Post) -> bytes:
    """The result, with the fields that URL and header hold if it is posted alone. ResultBatch requires the id first."""
    attempt = "" if post.attempt is None else f'"attempt":{post.attempt},'
    return f'{{"id":{json.dumps(post.job)},{attempt}'.encode() + post.body[1:]
