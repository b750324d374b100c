"""Running the jobs of a queue-based endpoint: plain functions and generators in threads, async ones on a loop."""

from __future__ import annotations

import json

import pytest

from conftest import StartWorker
from protocol_platform import ProtocolPlatform


def test_a_job_gets_the_functions_result(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_worker("def run(text: str, times: int = 2):\n    return {'text': text * times}\n")
    job = platform.submit({"text": "ab"})
    assert job.result() == {"output": {"text": "abab"}}
    assert job.is_stream == "false"
    assert job.posts == 1
    # The result does not come the same way as the states.
    worker.await_report("ready")
    assert worker.states() == ["starting", "importing", "ready"]


def test_an_async_function_runs_jobs_concurrently(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    source = """
import asyncio
together = asyncio.Semaphore(0)
waiting = 0
async def run(n: int):
    global waiting
    waiting += 1
    if waiting == 3:
        for _ in range(3): together.release()
    await together.acquire()
    return n
"""
    start_worker(source, maxConcurrency=3)
    jobs = [platform.submit({"n": n}) for n in range(3)]
    assert [job.result() for job in jobs] == [{"output": n} for n in range(3)]


def test_a_plain_function_runs_jobs_concurrently_in_threads(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = "import threading\nmeeting = threading.Barrier(3)\ndef run(n):\n    meeting.wait(20)\n    return n\n"
    start_worker(source, maxConcurrency=3)
    jobs = [platform.submit({"n": n}) for n in range(3)]
    assert [job.result() for job in jobs] == [{"output": n} for n in range(3)]


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_yields_are_streamed_in_order_and_form_the_output(
    start_worker: StartWorker, platform: ProtocolPlatform, kind: str
) -> None:
    start_worker(f"{kind} run(n):\n    for i in range(n):\n        yield {{'i': i}}\n")
    job = platform.submit({"n": 200})
    assert job.result() == {"output": [{"i": i} for i in range(200)]}
    assert job.chunks == [{"i": i} for i in range(200)]
    assert job.is_stream == "true"


def test_sys_exit_fails_the_job_but_not_the_worker(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    start_worker("import sys, os\ndef run(n):\n    if n: sys.exit(n)\n    return os.getpid()\n")
    before = platform.run({"n": 0})
    assert "sys.exit(4)" in json.loads(platform.run({"n": 4})["error"])["error_message"]
    assert platform.run({"n": 0}) == before


def test_a_forked_child_cannot_answer_the_job(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    source = "import os\ndef run():\n    if os.fork() == 0: return 'child'\n    os.wait()\n    return 'parent'\n"
    start_worker(source.replace("os.wait()", "import time; time.sleep(0.5)"))
    assert platform.run({}) == {"output": "parent"}
