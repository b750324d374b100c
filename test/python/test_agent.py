"""The node agent: its connection to the platform, its limits, and the processes of its workers."""

from __future__ import annotations

import json
import resource
from pathlib import Path

from agent_link import SECRET, AgentLink
from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import is_alive, until

SLOW = "import time\ndef run(s):\n    print('begun')\n    time.sleep(s)\n    return s\n"


def test_a_second_agent_of_a_node_ends_at_once(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_worker(SLOW)
    worker.await_report("ready")
    assert worker.agent.start_second().wait(20) == 0
    assert platform.run({"s": 0}) == {"output": 0}


def test_a_server_in_place_of_the_platform_without_its_secret_gets_no_hello_and_cannot_send_orders(
    tmp_path: Path,
) -> None:
    link = AgentLink(tmp_path, tmp_path / "cache")
    try:
        until(lambda: len(link.hellos) == 1)
        link.go_away()
        link.secret = "a-guess"
        link.come_back()
        until(lambda: link.refusals > 2)
        assert len(link.hellos) == 1
        assert link.process.poll() is None
        link.secret = SECRET
        until(lambda: len(link.hellos) == 2)
    finally:
        link.close()


def test_a_broken_connection_is_dialled_again_and_the_job_continues(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(SLOW)
    job = platform.submit({"s": 1})
    until(lambda: "begun" in worker.messages(job.id))
    worker.agent.break_connection()
    until(lambda: len(worker.agent.hellos) == 2)
    workers = worker.agent.hellos[1]["workers"]
    assert [(each["worker"], each["state"]) for each in workers] == [("worker-1", "ready")]
    assert job.result() == {"output": 1}
    assert worker.stop() == 0


def test_the_agent_raises_its_limit_of_open_files_and_its_workers_keep_the_former_limit(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))
    try:
        worker = start_worker("import resource\ndef run(): return resource.getrlimit(resource.RLIMIT_NOFILE)\n")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert platform.run({}) == {"output": [512, hard]}
    agent_soft, _ = resource.prlimit(worker.agent.process.pid, resource.RLIMIT_NOFILE)
    assert agent_soft == min(hard, 65_536)


def test_a_state_that_changes_while_the_platform_is_away_is_in_the_next_hello(
    start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path
) -> None:
    source = "import os, time\nwhile not os.path.exists(os.environ['GO']): time.sleep(0.01)\ndef run(): return 1\n"
    go = tmp_path / "go"
    worker = start_worker(source, env={"GO": str(go)})
    worker.await_report("importing")
    worker.agent.go_away()
    go.touch()
    assert platform.run({}) == {"output": 1}
    worker.agent.come_back()
    until(lambda: len(worker.agent.hellos) == 2)
    assert [each["state"] for each in worker.agent.hellos[1]["workers"]] == ["ready"]


def test_an_invalid_environment_variable_fails_only_its_own_worker(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(SLOW)
    worker.await_report("ready")
    order = worker.order()
    order["assignment"] = {**order["assignment"], "env": {"BROKEN": "a\0b"}}
    worker.agent.order("start", order={**order, "worker": "worker-2"})
    report = worker.await_report("unhealthy")
    assert (report["worker"], report["reason"]) == (
        "worker-2",
        "The worker's process cannot be started: embedded null byte.",
    )
    # It has the same URLs as the other worker, so it would take jobs and fail them.
    worker.agent.order("stop", worker="worker-2", grace=0)
    worker.agent.await_end("worker-2")
    assert platform.run({"s": 0}) == {"output": 0}


def test_an_agent_keeps_no_threads_and_no_descriptors_of_ended_workers(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(SLOW)
    assert platform.run({"s": 0}) == {"output": 0}
    assert worker.stop() == 0
    folder = Path(f"/proc/{worker.agent.process.pid}")

    def count(what: str) -> int:
        return len(list((folder / what).iterdir()))

    # The threads main, link, leases, cache and byte code.
    until(lambda: count("task") <= 5)
    # Counted now, because the agent may be compiling byte code.
    before = count("fd")
    for _ in range(3):
        worker.order_again()
        assert platform.run({"s": 0}) == {"output": 0}
        assert worker.stop(grace=600) == 0
    worker.order_again()
    job = platform.submit({"s": 600})
    until(lambda: "begun" in worker.messages(job.id))
    worker.agent.order("stop", worker="worker-1", grace=100)
    assert worker.await_end() == -9
    until(lambda: count("task") <= 5)
    until(lambda: count("fd") <= before)


def test_processes_that_a_function_starts_end_with_it_whatever_their_session_and_environment(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
import os, subprocess
def run(die):
    if die: os._exit(3)
    inner = "import subprocess as s; print(s.Popen(['sleep', '600'], env={}, start_new_session=True, stdout=-3).pid)"
    outer = subprocess.Popen(["sleep", "600"], env={}, start_new_session=True, stdout=-3, stderr=-3)
    done = subprocess.run(["python3", "-c", inner], env={"PATH": os.environ["PATH"]}, stdout=-1, start_new_session=True)
    return [outer.pid, int(done.stdout)]
"""
    worker = start_worker(source)
    left = platform.run({"die": False})["output"]
    assert [is_alive(pid) for pid in left] == [True, True]
    assert json.loads(platform.run({"die": True})["error"])["error_type"] == "WorkerCrashed"
    until(lambda: not any(is_alive(pid) for pid in left))
    left = platform.run({"die": False})["output"]
    assert worker.stop() == 0
    assert [is_alive(pid) for pid in left] == [False, False]


def test_the_next_agent_kills_processes_that_workers_of_a_killed_agent_started(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = "import subprocess\ndef run(): return subprocess.Popen(['sleep', '600'], start_new_session=True).pid\n"
    worker = start_worker(source)
    left = platform.run({})["output"]
    worker.agent.kill()
    assert is_alive(left)
    assert [folder.name for folder in worker.agent.work.iterdir()] == ["worker-1"]
    following = worker.agent.start_second()
    try:
        until(lambda: not is_alive(left))
        until(lambda: not list(worker.agent.work.iterdir()))
    finally:
        following.kill()
        following.wait()


def test_long_lines_in_a_report_are_cut_so_that_a_hello_with_many_workers_fits_into_one_frame(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("print('x' * 60_000)\nraise ValueError('y' * 60_000)\n")
    report = worker.await_report("unhealthy")
    assert "x" * 1_000 in "".join(report["lines"])
    assert max(map(len, [report["reason"], *report["lines"]])) == 2_000
