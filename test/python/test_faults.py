"""Kills and absences: no job is lost, no process is left, no result is sent for somebody else."""

from __future__ import annotations

import os
import random
import signal
import time

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


def test_yields_arrive_once_and_in_order_though_the_platform_goes_away(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    start_worker("import time\ndef run(n):\n    for i in range(n):\n        yield i\n        time.sleep(0.02)\n")
    job = platform.submit({"n": 100})
    until(lambda: len(job.chunks) > 10)
    platform.go_away()
    time.sleep(1)
    platform.come_back()
    assert job.result() == {"output": list(range(100))}
    # A chunk whose answer was lost may come twice; none is missing and none comes before another.
    assert sorted(set(job.chunks)) == list(range(100))
    assert job.chunks == sorted(job.chunks)


def test_a_worker_starts_while_the_platform_is_away(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    platform.go_away()
    start_worker(SLOW)
    time.sleep(1)
    platform.come_back()
    assert platform.run({"n": 1}) == {"output": 1}


def test_a_killed_runner_costs_its_job_only(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_worker(SLOW)
    platform.await_report("ready")
    moments = random.Random(4)
    killed = 0
    for number in range(8):
        before = set(worker.children())
        jobs = [platform.submit({"n": n}) for n in range(3)]
        time.sleep(moments.uniform(0, 0.2))
        for child in worker.children():
            os.kill(child, signal.SIGKILL)
        for n, job in enumerate(jobs):
            body = job.result()
            assert body == {"output": n} or "was ended by signal SIGKILL (9)" in body["error"], (number, body)
            killed += "error" in body
        assert [job.posts for job in jobs] == [1, 1, 1]
        until(lambda before=before: not any(is_alive(pid) for pid in before))
    assert killed <= 8


def test_a_killed_worker_leaves_no_process_and_loses_no_job(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(SLOW)
    moments = random.Random(5)
    for _ in range(4):
        jobs = [platform.submit({"n": n}) for n in range(3)]
        time.sleep(moments.uniform(0, 0.8))
        children = worker.children()
        worker.process.send_signal(signal.SIGKILL)
        worker.process.wait()
        until(lambda children=children: not any(is_alive(pid) for pid in children))
        taken = [job for job in jobs if job.body is None and job not in list(platform.waiting.queue)]
        assert len(taken) <= 1
        for job in taken:
            _take_again(platform, job)
        worker.start_again()
        assert [job.result() for job in jobs] == [{"output": n} for n in range(3)]


def _take_again(platform: ProtocolPlatform, job: Job) -> None:
    """What a platform does when the lease has lapsed."""
    job.attempt += 1
    platform.waiting.put(job)
