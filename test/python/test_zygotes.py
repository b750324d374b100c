"""Zygotes: workers that share a Python, packages and environment are forked from one process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from agent_link import PACKAGE
from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import Worker, is_alive, part_of, until

WHO = """
import os, random, sys, time
def run():
    time.sleep(0.5)
    parent = open(f"/proc/{os.getppid()}/cmdline").read()
    return [os.getpid(), os.environ["RUNPOD_POD_ID"], random.random(), hash("a"), "toolkit_sdk._agent" in parent]
"""


def order_second(worker: Worker, **env: str) -> None:
    """Orders a second worker from the same agent, and waits until it is ready."""
    order: dict[str, Any] = worker.order()
    order["worker"] = "worker-2"
    order["environment"] = {**order["environment"], "RUNPOD_POD_ID": "worker-2"}
    order["assignment"] = {**order["assignment"], "env": {**order["assignment"]["env"], **env}}
    worker.agent.reports.clear()
    worker.agent.order("start", order=order)
    # A zygote that hangs while it imports is noticed after 30 s.
    worker.agent.await_report("ready", 60)


def outputs(platform: ProtocolPlatform) -> list[list[Any]]:
    """The outputs of two jobs that run at the same time, ordered by worker."""
    jobs = [platform.submit({}) for _ in range(2)]
    return sorted((job.result()["output"] for job in jobs), key=lambda output: output[1])


def test_workers_of_one_kind_come_from_one_zygote_but_have_their_own_id_and_random_numbers(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(WHO)
    worker.await_report("ready")
    order_second(worker)
    first, second = outputs(platform)
    assert len(worker.agent.zygotes()) == 1
    assert first[0] != second[0]
    assert [first[1], second[1]] == ["worker-1", "worker-2"]
    assert first[2] != second[2]
    # They share the hash seed, because they share the zygote.
    assert first[3] == second[3]
    assert [first[4], second[4]] == [True, True]
    # The platform uses this to find the processes that a worker has left.
    for pid, worker_id, *_ in (first, second):
        begun_with = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        assert f"RUNPOD_POD_ID={worker_id}".encode() in begun_with


def test_the_first_worker_does_not_wait_for_usual_modules_and_the_next_one_has_them(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
import os, sys, time
def run():
    time.sleep(0.5)
    return ["sqlite3" in sys.modules, os.environ["RUNPOD_POD_ID"]]
"""
    worker = start_worker(source)
    worker.await_report("ready")
    order_second(worker)
    assert outputs(platform) == [[False, "worker-1"], [True, "worker-2"]]


def test_a_zygote_keeps_no_descriptors_of_its_workers(start_worker: StartWorker) -> None:
    worker = start_worker(WHO)
    worker.await_report("ready")
    [zygote] = worker.agent.zygotes()
    order_second(worker)
    held = len(os.listdir(f"/proc/{zygote}/fd"))
    worker.agent.order("start", order={**worker.order(), "worker": "worker-3"})
    until(lambda: "worker-3" in [report["worker"] for report in worker.agent.reports_of("ready")])
    assert len(os.listdir(f"/proc/{zygote}/fd")) == held


def test_a_variable_that_the_interpreter_reads_when_it_starts_takes_effect(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(WHO)
    worker.await_report("ready")
    order_second(worker, PYTHONHASHSEED="7")
    _, second = outputs(platform)
    expected = subprocess.check_output(
        [sys.executable, "-c", "print(hash('a'))"], env={**os.environ, "PYTHONHASHSEED": "7"}
    )
    assert second[3] == int(expected)
    assert len(worker.agent.zygotes()) == 2


def test_a_package_that_starts_a_thread_when_python_starts_works(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    line = "import threading, time; threading.Thread(target=time.sleep, args=(600,), name='of-package').start()"
    dependencies = part_of({"_toolkit/dependencies/all/watching.pth": line + "\n"}, end=False)
    source = """
import os, threading
def run(die):
    if die: os._exit(3)
    return [os.getpid(), "of-package" in [thread.name for thread in threading.enumerate()]]
"""
    worker = start_worker(source, dependencies=dependencies)
    first = platform.run({"die": False})["output"]
    assert first[1]
    assert "error" in platform.run({"die": True})
    second = platform.run({"die": False})["output"]
    assert second[1]
    assert first[0] != second[0]
    assert worker.stop() == 0
    until(lambda: not any(is_alive(pid) for pid in (first[0], second[0])))


def test_workers_that_wait_for_a_zygote_are_started_by_another_one_when_it_ends(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(WHO)
    worker.await_report("ready")
    order_second(worker)
    [zygote] = worker.agent.zygotes()
    # All wait for this one. The first one notices that it hangs, and kills it.
    os.kill(zygote, signal.SIGSTOP)
    others = [f"worker-{number}" for number in range(3, 7)]
    worker.agent.reports.clear()
    for other in others:
        worker.agent.order("start", order={**worker.order(), "worker": other})
    until(lambda: not is_alive(zygote), 60)
    until(lambda: len(worker.agent.reports_of("ready") + worker.agent.reports_of("unhealthy")) == len(others))
    assert sorted(report["worker"] for report in worker.agent.reports_of("ready")) == others


def test_a_zygote_that_is_killed_or_hangs_is_replaced_and_its_workers_keep_running(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(WHO)
    worker.await_report("ready")
    for number in (signal.SIGKILL, signal.SIGSTOP):
        [zygote] = worker.agent.zygotes()
        os.kill(zygote, number)
        order_second(worker)
        first, second = outputs(platform)
        assert [first[1], second[1]] == ["worker-1", "worker-2"]
        until(lambda zygote=zygote: not is_alive(zygote))
        worker.agent.ended.clear()
        worker.agent.order("stop", worker="worker-2", grace=5000)
        assert worker.agent.await_end("worker-2") == 0


def test_a_python_that_cannot_start_is_reported_and_its_output_is_logged(start_worker: StartWorker) -> None:
    worker = start_worker(WHO, env={"PYTHONHOME": "/nowhere"})
    reason = worker.await_report("unhealthy")["reason"]
    assert reason.startswith("The worker's process cannot be started: it ended with exit code 1 while it started.")
    assert any("No module named 'encodings'" in message for message in worker.messages())


def test_an_idle_zygote_ends_but_its_workers_keep_running(tmp_path: Path) -> None:
    handler = tmp_path / "handler.py"
    handler.write_text("import time\nprint('here', flush=True)\ntime.sleep(600)\n")
    script = f"""
import os, threading, sys
from pathlib import Path
from toolkit_sdk._agent.spawner import Spawner
from toolkit_sdk._agent.zygote import WorkerStart, ZygoteKey
from toolkit_sdk._agent.zygotes import Zygotes
spawner = Spawner(1024)
zygotes = Zygotes(spawner)
key = ZygoteKey(sys.executable, "queue", Path({str(PACKAGE)!r}), (), (("PATH", os.environ["PATH"]),))
def work():
    out, its_out = os.pipe()
    child = zygotes.start_worker(key, WorkerStart(Path({str(handler)!r}), Path("/"), {{}}), [its_out, its_out, its_out])
    try:
        assert os.read(out, 100) == b"here\\n"
        [zygote] = [pid for pid in children() if pid != child.pid]
        zygotes.end_idle(600)
        assert zygote in children()
        zygotes.end_idle(0)
        while zygote in children(): pass
        assert child.wait(0.2) is None
    finally:
        child.kill()
        child.wait()
    os._exit(0)
def children():
    return [int(pid) for pid in open(f"/proc/self/task/{{os.getpid()}}/children").read().split()]
def run():
    try: work()
    finally: os._exit(1)
threading.Thread(target=run).start()
spawner.run()
"""
    subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(PACKAGE)}, check=True, timeout=60
    )


def test_a_start_that_is_killed_repeatedly_is_retried_until_it_succeeds(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("import time\ntime.sleep(1)\ndef run():\n    return 'ran'\n")
    killed: set[int] = set()

    def kill() -> bool:
        for pid in worker.agent.children():
            killed.add(pid)
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return len(killed) >= 6

    until(kill)
    assert platform.run({}) == {"output": "ran"}
