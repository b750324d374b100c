"""Supervising a queue-based worker: jobs end at their time limit or when they are cancelled, workers when stopped."""

from __future__ import annotations

import pytest

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import is_alive, until


def test_a_job_that_exceeds_its_time_fails_and_the_worker_continues(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    start_worker(
        "import time\ndef run(s):\n    time.sleep(s)\n    return s\n",
        executionTimeout=600,
    )
    job = platform.submit({"s": 3600}, policy={"executionTimeout": 1000})
    assert job.result() == {"error": "executionTimeout exceeded"}
    assert platform.run({"s": 0}) == {"output": 0}
    assert job.posts == 1


def test_an_async_job_that_exceeds_its_time_does_not_affect_concurrent_jobs(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = "import asyncio, os\nasync def run(s):\n    await asyncio.sleep(s)\n    return os.getpid()\n"
    start_worker(source, maxConcurrency=2)
    first = platform.run({"s": 0})
    late = platform.submit({"s": 3600}, policy={"executionTimeout": 500})
    other = platform.submit({"s": 3})
    assert late.result() == {"error": "executionTimeout exceeded"}
    assert other.result() == first


@pytest.mark.parametrize("kind", ["plain", "async"])
def test_a_cancelled_job_is_stopped_without_a_result(
    start_worker: StartWorker, platform: ProtocolPlatform, kind: str
) -> None:
    source = (
        "import time\ndef run(s):\n    print('begun', flush=True)\n    time.sleep(s)\n    return s\n"
        if kind == "plain"
        else "import asyncio\nasync def run(s):\n    print('begun')\n    await asyncio.sleep(s)\n    return s\n"
    )
    worker = start_worker(source)
    job = platform.submit({"s": 3600})
    until(lambda: "begun" in worker.messages(job.id))
    worker.stop_jobs(job.id)
    assert platform.run({"s": 0}) == {"output": 0}
    assert job.posts == 0


def test_other_jobs_in_the_process_of_a_stopped_job_are_requeued_without_counting_a_retry(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = "import threading\ndef run(n):\n    print('begun')\n    threading.Event().wait()\n"
    worker = start_worker(source, maxConcurrency=2)
    stopped, innocent = (platform.submit({"n": n}) for n in range(2))
    until(lambda: worker.messages().count("begun") == 2)
    worker.stop_jobs(stopped.id)
    until(lambda: platform.requeued == [(innocent.id, False)])
    assert (stopped.posts, innocent.posts) == (0, 0)


def test_a_stopped_worker_finishes_its_job_and_leaves_no_process(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("import time\ndef run():\n    print('begun')\n    time.sleep(1)\n    return 'done'\n")
    job = platform.submit({})
    until(lambda: "begun" in worker.messages(job.id))
    children = worker.children()
    assert children
    assert worker.stop() == 0
    assert job.body == {"output": "done"}
    assert not any(is_alive(pid) for pid in children)


def test_a_worker_that_the_platform_does_not_know_ends_itself(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("def run(): pass")
    worker.await_report("ready")
    platform.unknown_worker = True
    assert worker.await_end(30) == 0
