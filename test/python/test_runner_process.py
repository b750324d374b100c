"""The process that runs the user's functions: how it ends, and what that means for its job."""

from __future__ import annotations

import json

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import is_alive, until


def test_an_exit_of_the_process_fails_its_job_and_the_next_one_runs(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    start_worker("import os\ndef run(die):\n    if die: os._exit(9)\n    return 'alive'\n")
    body = json.loads(platform.run({"die": True})["error"])
    assert body["error_type"] == "WorkerCrashed"
    assert "ended with exit code 9" in body["error_message"]
    assert body["worker_id"] == "worker-1"
    assert platform.run({"die": False}) == {"output": "alive"}


def test_a_crash_in_native_code_requeues_its_job_and_the_next_one_runs(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    start_worker("import ctypes\ndef run(die):\n    if die: ctypes.string_at(0)\n    return 'alive'\n")
    job = platform.submit({"die": True})
    assert platform.run({"die": False}) == {"output": "alive"}
    assert platform.requeued == [(job.id, True)]
    assert "worker lost: SIGSEGV (11) while the function ran" in (job.requeue_error or "")


def test_a_function_that_closes_every_file_fails_its_job(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    start_worker("import os\ndef run(close):\n    if close: os.closerange(3, 200)\n    return 'open'\n")
    assert "ended with exit code 1" in platform.run({"close": True})["error"]
    assert platform.run({"close": False}) == {"output": "open"}


def test_the_process_of_a_function_ends_with_the_agent(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_worker("import re\ndef run():\n    re.match('(a+)+$', 'a' * 40 + 'b')\n")
    worker.await_report("ready")
    platform.submit({})
    until(lambda: len(worker.children()) == 1)
    child = worker.children()[0]
    worker.agent.kill()
    until(lambda: not is_alive(child))


def test_processes_that_a_function_started_end_with_its_process(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
import os, subprocess
def run():
    print(subprocess.Popen(["sleep", "600"]).pid)
    os._exit(1)
"""
    worker = start_worker(source)
    job = platform.submit({})
    assert "ended with exit code 1" in job.result()["error"]
    until(lambda: not is_alive(int(worker.messages(job.id)[0])))
