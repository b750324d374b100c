"""The jobs that a worker holds: how many it takes at once, and what becomes of them if their process crashes."""

from __future__ import annotations

from pathlib import Path

import pytest
from toolkit_sdk._agent.held_jobs import HeldJob, HeldJobs

from conftest import StartWorker
from protocol_platform import Job, ProtocolPlatform
from worker_process import until


def test_a_worker_takes_jobs_one_at_a_time_until_those_that_lost_their_process_are_done() -> None:
    held = HeldJobs(most=4)
    assert held.await_room(lambda: True) == 4
    held.run_alone(["a", "b"])
    assert held.await_room(lambda: True) == 1
    held.add([HeldJob(id="a", attempt=None, timeout=1.0, input=b"{}")])
    assert held.drop(["a"])
    assert held.await_room(lambda: True) == 1
    held.add([HeldJob(id="b", attempt=None, timeout=1.0, input=b"{}")])
    assert held.drop(["b"])
    assert held.await_room(lambda: True) == 4
    assert held.await_room(lambda: None) == 0


def test_leases_of_held_jobs_are_renewed_while_the_function_blocks(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    # The regular expression never ends, and holds the interpreter's lock.
    worker = start_worker("import re\ndef run():\n    re.match('(a+)+$', 'a' * 31 + 'b')\n")
    job = platform.submit({})
    until(lambda: worker.leases().count([job.id]) >= 5)


def test_jobs_of_a_crashed_process_are_requeued_as_retries(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
import os, threading
meeting = threading.Barrier(2)
def run(die):
    if die is None: return "alive"
    meeting.wait(20)
    if die: os._exit(1)
    threading.Event().wait()
"""
    worker = start_worker(source, maxConcurrency=2)
    jobs = [platform.submit({"die": die}) for die in (False, True)]
    assert platform.run({"die": None}) == {"output": "alive"}
    assert [job.posts for job in jobs] == [0, 0]
    until(lambda: sorted(platform.requeued) == sorted((job.id, True) for job in jobs))
    until(lambda: any("it runs again" in message for message in worker.messages(jobs[0].id)))
    until(lambda: worker.leases()[-1:] == [[]])


TOGETHER = """
import os, signal, threading, time
from pathlib import Path
meeting = threading.Barrier(3)
def run(name, tries):
    count = Path(tries, name)
    count.write_text(count.read_text() + "x" if count.exists() else "x")
    if count.read_text() == "x":
        meeting.wait(20)
        if name == "exits": os._exit(1)
    if name == "killed": os.kill(os.getpid(), signal.SIGKILL)
    if count.read_text() == "x":
        threading.Event().wait()
    if name == "exits": os._exit(1)
    time.sleep(0.3)
    return name
"""


def _submit_together(platform: ProtocolPlatform, folder: Path, names: list[str]) -> list[Job]:
    """Jobs that lose their process together, and are requeued."""
    jobs = [platform.submit({"name": name, "tries": str(folder)}) for name in names]
    until(lambda: sorted(platform.requeued) == sorted((job.id, True) for job in jobs))
    return jobs


def _take_again(platform: ProtocolPlatform, jobs: list[Job]) -> None:
    """Puts requeued jobs before all that wait, as a platform does."""
    waiting = [platform.waiting.get() for _ in range(platform.waiting.qsize())]
    for job in jobs:
        job.attempt += 1
    for job in [*jobs, *waiting]:
        platform.waiting.put(job)


def test_when_one_of_several_jobs_crashes_their_process_the_one_at_fault_is_found(
    start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path
) -> None:
    start_worker(TOGETHER, maxConcurrency=3)
    jobs = _submit_together(platform, tmp_path, ["one", "exits", "two"])
    _take_again(platform, jobs)
    assert [jobs[0].result(), jobs[2].result()] == [{"output": "one"}, {"output": "two"}]
    assert "ended with exit code 1" in jobs[1].result()["error"]
    assert len(platform.requeued) == 3


def test_a_job_whose_process_is_killed_each_time_takes_no_other_with_it_again(
    start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path
) -> None:
    start_worker(TOGETHER, maxConcurrency=3)
    one, killed, two = _submit_together(platform, tmp_path, ["one", "killed", "two"])
    _take_again(platform, [killed])
    for times in range(4, 8):
        until(lambda times=times: len(platform.requeued) == times)
        _take_again(platform, [killed] if times < 7 else [killed, one, two])
    assert [one.result(), two.result()] == [{"output": "one"}, {"output": "two"}]
    assert {job for job, _ in platform.requeued[3:]} == {killed.id}


@pytest.mark.parametrize("has_stranger", [False, True])
def test_a_request_for_jobs_from_before_a_crash_does_not_bring_them_together_again(
    start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path, has_stranger: bool
) -> None:
    start_worker(TOGETHER, maxConcurrency=8)
    jobs = _submit_together(platform, tmp_path, ["one", "exits", "two"])
    if has_stranger:
        (tmp_path / "stranger").write_text("x")
        assert platform.run({"name": "stranger", "tries": str(tmp_path)}) == {"output": "stranger"}
    for job in jobs:
        job.attempt += 1
    with platform.waiting.mutex:  # All at once.
        platform.waiting.queue.extend(jobs)
        platform.waiting.not_empty.notify()
    assert [jobs[0].result(), jobs[2].result()] == [{"output": "one"}, {"output": "two"}]
    assert "ended with exit code 1" in jobs[1].result()["error"]
    assert len(platform.requeued) == 3


def test_jobs_run_together_again_once_others_are_taken_than_those_of_a_crash(
    start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path
) -> None:
    start_worker(TOGETHER, maxConcurrency=3)
    _submit_together(platform, tmp_path, ["one", "exits", "two"])
    # Another worker has those jobs. These three reach the barrier only together.
    others = [platform.submit({"name": name, "tries": str(tmp_path)}) for name in ("a", "b", "killed")]
    until(lambda: all((job.id, True) in platform.requeued for job in others))
