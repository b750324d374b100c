"""Results that are posted in batches: each is accepted or refused by itself, and none is lost."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from conftest import StartWorker
from protocol_platform import Job, ProtocolPlatform
from worker_process import Worker, until

# All jobs end at the same time, as soon as `of` jobs are running.
TOGETHER = """
import asyncio
running = 0
meeting = asyncio.Event()
async def run(n, of):
    global running
    running += 1
    if running == of: meeting.set()
    await meeting.wait()
    if n == 3: raise ValueError("three")
    return n
"""


def _submit(platform: ProtocolPlatform, count: int) -> list[Job]:
    return [platform.submit({"n": n, "of": count}) for n in range(count)]


def _unanswered(start_worker: StartWorker, platform: ProtocolPlatform, count: int) -> tuple[Worker, list[Job]]:
    """A worker whose jobs have ended together, and whose first batch the platform has read but not answered."""
    worker = start_worker(TOGETHER, maxConcurrency=count)
    platform.hold_batches.clear()
    jobs = _submit(platform, count)
    until(lambda: len(platform.batches) == 1)
    return worker, jobs


def _batched(platform: ProtocolPlatform) -> list[str]:
    return [job for batch in platform.batches for job in batch]


def _assert_results(jobs: list[Job]) -> None:
    for n, job in enumerate(jobs):
        if n == 3:
            assert "three" in job.result()["error"]
        else:
            assert job.result() == {"output": n}


def test_results_of_many_jobs_are_posted_in_few_requests(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    worker, jobs = _unanswered(start_worker, platform, 40)
    platform.hold_batches.set()
    _assert_results(jobs)
    assert all(job.posts == 1 for job in jobs)
    assert sorted(_batched(platform)) == sorted(job.id for job in jobs)
    assert len(platform.batches) < 10
    until(lambda: worker.leases()[-1:] == [[]])


def test_a_refused_result_does_not_affect_the_others_in_its_batch(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(TOGETHER, maxConcurrency=10)
    worker.await_report("ready")
    # In time: the results are posted only after the last job was taken.
    first = platform.submit({"n": 7, "of": 10})
    platform.refused_jobs.add(first.id)
    jobs = _submit(platform, 9)
    _assert_results(jobs)
    until(lambda: "The platform did not accept the result (status 409: not yours)." in worker.messages(first.id))
    assert first.body is None
    # The worker no longer holds the refused job either.
    until(lambda: worker.leases()[-1:] == [[]])


@pytest.mark.parametrize("status", [400, 404, 413])
def test_results_of_a_refused_batch_are_posted_alone(
    start_worker: StartWorker, platform: ProtocolPlatform, status: int
) -> None:
    platform.batch_refusal = status
    worker = start_worker(TOGETHER, maxConcurrency=10)
    jobs = _submit(platform, 10)
    _assert_results(jobs)
    assert platform.batches == []
    assert all(job.posts == 1 for job in jobs)
    until(lambda: worker.leases()[-1:] == [[]])


def test_a_batch_is_posted_again_when_the_platform_is_back(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker, jobs = _unanswered(start_worker, platform, 10)
    platform.go_away()
    platform.hold_batches.set()
    platform.come_back()
    _assert_results(jobs)
    until(lambda: worker.leases()[-1:] == [[]])
    assert set(_batched(platform)) == {job.id for job in jobs}


def test_a_large_result_is_posted_alone(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    start_worker("async def run(size): return 'x' * size\n", maxConcurrency=4)
    jobs = [platform.submit({"size": size}) for size in (70_000, 10, 9_000_000, 11)]
    assert [len(job.result()["output"]) for job in jobs] == [70_000, 10, 9_000_000, 11]
    assert sorted(_batched(platform)) == sorted([jobs[1].id, jobs[3].id])


def test_a_stopped_worker_posts_waiting_results_before_it_ends(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker, jobs = _unanswered(start_worker, platform, 10)
    worker.agent.order("stop", worker="worker-1", grace=20_000)
    platform.hold_batches.set()
    assert worker.await_end() == 0
    _assert_results(jobs)


def test_workers_that_are_killed_while_they_post_leave_no_threads(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("import time\ndef run():\n    print('begun')\n    time.sleep(60)\n")
    after: list[int] = []
    for _ in range(3):
        job = platform.submit({})
        until(lambda job=job: "begun" in worker.messages(job.id))
        platform.go_away()
        for child in worker.children():
            os.kill(child, signal.SIGKILL)
        until(lambda job=job: "it runs again" in " ".join(worker.messages(job.id)))
        # The worker tries to requeue the job until it is killed.
        worker.agent.order("stop", worker="worker-1", grace=500)
        assert worker.await_end() == -signal.SIGKILL
        until(lambda: not after or _threads(worker) <= after[0])
        time.sleep(0 if after else 1)
        after.append(_threads(worker))
        platform.come_back()
        worker.order_again()


def _threads(worker: Worker) -> int:
    return len(list(Path(f"/proc/{worker.agent.process.pid}/task").iterdir()))
