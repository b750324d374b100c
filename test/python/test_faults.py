"""Kills and outages: no job is lost, no process is left, and no result is sent for another job."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import time
from pathlib import Path

from conftest import StartWorker
from protocol_platform import Job, ProtocolPlatform
from worker_process import is_alive, until

SLOW = "import time\ndef run(n):\n    time.sleep(0.05)\n    return n\n"


def test_a_result_is_sent_again_until_the_platform_is_back(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("import time\ndef run(n):\n    print('begun')\n    time.sleep(0.5)\n    return n\n")
    job = platform.submit({"n": 7})
    until(lambda: "begun" in worker.messages())
    platform.go_away()
    time.sleep(2)
    assert job.body is None
    platform.come_back()
    assert job.result() == {"output": 7}
    assert platform.run({"n": 8}) == {"output": 8}


def test_yields_arrive_in_order_even_if_the_platform_goes_away(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    start_worker("import time\ndef run(n):\n    for i in range(n):\n        yield i\n        time.sleep(0.02)\n")
    job = platform.submit({"n": 100})
    until(lambda: len(job.chunks) > 10)
    platform.go_away()
    time.sleep(1)
    platform.come_back()
    assert job.result() == {"output": list(range(100))}
    # A chunk whose answer was lost may arrive twice, but none is missing and the order is kept.
    assert sorted(set(job.chunks)) == list(range(100))
    assert job.chunks == sorted(job.chunks)


def test_a_worker_starts_while_the_platform_is_away(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    platform.go_away()
    start_worker(SLOW)
    time.sleep(1)
    platform.come_back()
    assert platform.run({"n": 1}) == {"output": 1}


def test_the_job_of_a_killed_process_is_requeued_with_the_reason(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("import time\ndef run(n):\n    print('begun')\n    time.sleep(n)\n    return n\n")
    job = platform.submit({"n": 600})
    until(lambda: "begun" in worker.messages(job.id))
    for child in worker.children():
        os.kill(child, signal.SIGKILL)
    until(lambda: platform.requeued == [(job.id, True)])
    reason = json.loads(job.requeue_error or "")
    assert reason["error_type"] == "WorkerLost"
    assert re.fullmatch(r"worker lost: SIGKILL \(9\) while the function ran, \d+ MB in use", reason["error_message"])
    assert reason["error_traceback"] == "begun"
    assert platform.run({"n": 0}) == {"output": 0}


def test_killed_processes_lose_no_job(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_worker(SLOW)
    worker.await_report("ready")
    moments = random.Random(4)
    for _ in range(8):
        before = set(worker.children())
        jobs = [platform.submit({"n": n}) for n in range(3)]
        requeued = len(platform.requeued)
        time.sleep(moments.uniform(0, 0.2))
        for child in worker.children():
            os.kill(child, signal.SIGKILL)
        until(lambda jobs=jobs, n=requeued: _run_again(platform, n) and _answered(jobs) == 3)
        assert [job.result() for job in jobs] == [{"output": n} for n in range(3)]
        until(lambda before=before: not any(is_alive(pid) for pid in before))


def _answered(jobs: list[Job]) -> int:
    return sum(job.body is not None for job in jobs)


def test_a_start_that_is_killed_is_retried(
    start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path
) -> None:
    source = """
import os, signal
starts = os.environ["STARTS"]
with open(starts, "a") as file:
    file.write("x")
if os.path.getsize(starts) < 3:
    os.kill(os.getpid(), signal.SIGKILL)
def run(): return os.path.getsize(starts)
"""
    worker = start_worker(source, env={"STARTS": str(tmp_path / "starts")})
    assert platform.run({}) == {"output": 3}
    # The result does not come the same way as the states.
    worker.await_report("ready")
    assert worker.states() == ["starting", "importing", "ready"]


def test_a_killed_worker_leaves_no_process_and_loses_no_job(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(SLOW)
    moments = random.Random(5)
    for _ in range(4):
        jobs = [platform.submit({"n": n}) for n in range(3)]
        time.sleep(moments.uniform(0, 0.8))
        children = worker.children()
        worker.agent.kill()
        until(lambda children=children: not any(is_alive(pid) for pid in children))
        taken = [job for job in jobs if job.body is None and job not in list(platform.waiting.queue)]
        assert len(taken) <= 1
        for job in taken:
            _take_again(platform, job)
        worker.start_again()
        assert [job.result() for job in jobs] == [{"output": n} for n in range(3)]


def _run_again(platform: ProtocolPlatform, since: int) -> bool:
    """Runs requeued jobs again. A job comes twice if the next process is killed too, before its end is noticed."""
    for lost, counted in platform.requeued[since:]:
        job = platform.jobs[lost]
        times = sum(each == lost for each, _ in platform.requeued)
        assert counted
        if job.attempt == times:
            _take_again(platform, job)
    return True


def _take_again(platform: ProtocolPlatform, job: Job) -> None:
    """Does what a platform does when a lease has expired."""
    job.attempt += 1
    platform.waiting.put(job)
