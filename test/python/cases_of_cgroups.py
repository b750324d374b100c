"""Tests that must run as root on a machine with cgroups: `test_cgroups.py` runs them on a virtual machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from agent_link import PACKAGE
from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import is_alive, until

LIMIT = 100_000_000
_ROOT = Path("/sys/fs/cgroup")
# Seconds. The machine is slow because it is emulated.
SLOW = 120
MUCH = """
import os, subprocess, sys, time
def run(how):
    if how == "itself": kept = b"1" * 300_000_000
    if how == "child": subprocess.run([sys.executable, "-c", "a = b'1' * 300_000_000"])
    if how == "killed": os.kill(os.getpid(), 9)
    return os.getpid()
"""


def groups() -> list[Path]:
    """The cgroups of processes with user code."""
    return [path for path in _ROOT.glob("toolkit-agent-*/*") if path.is_dir() and path.name != "agent"]


def test_a_function_that_exceeds_its_workers_memory_fails_at_once_and_the_next_job_runs(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(MUCH, memoryBytes=LIMIT)
    worker.agent.await_report("ready", SLOW)
    for how in ("itself", "child"):
        error = json.loads(platform.submit({"how": how}).result(SLOW)["error"])
        assert error["error_type"] == "MemoryExceeded"
        assert error["error_message"].startswith(
            "The function used more than the 0.1 GB of memory that its worker has."
        )
        pid = platform.submit({"how": "little"}).result(SLOW)["output"]
        # Each process has a cgroup of its own, which is removed when the process ends.
        [group] = groups()
        assert str(pid) in (group / "cgroup.procs").read_text().split()
    assert platform.requeued == []
    # A signal that is unrelated to the limit is not the job's fault.
    platform.submit({"how": "killed"})
    until(lambda: len(platform.requeued) == 1, SLOW)
    worker.stop()
    until(lambda: groups() == [], SLOW)


def test_a_command_that_exceeds_its_workers_memory_is_killed(start_command: StartWorker) -> None:
    command = [sys.executable, "-c", "a = b'1' * 300_000_000; import time; time.sleep(60)"]
    worker = start_command(command, {}, memoryBytes=LIMIT)
    assert worker.agent.await_report("unhealthy", SLOW)["reason"] == (
        "The command used more than the 0.1 GB of memory that its worker has. Use less, or declare a larger CPU type."
    )
    worker.await_end(SLOW)
    until(lambda: groups() == [], SLOW)


def test_the_next_agent_kills_and_removes_what_a_killed_agent_has_left(start_worker: StartWorker) -> None:
    worker = start_worker(MUCH)
    worker.agent.await_report("ready", SLOW)
    [child] = worker.children()
    [group] = groups()
    # A process is found by its cgroup, even if it changes its session and its parents.
    left = os.fork()
    if left == 0:
        (group / "cgroup.procs").write_text("0")
        signal.pause()
        os._exit(0)
    until(lambda: str(left) in (group / "cgroup.procs").read_text().split())
    # Like a zygote on a busy machine: it ends a moment after its agent.
    agent = worker.agent.process.pid
    late = os.fork()
    if late == 0:
        (group.parent / "agent" / "cgroup.procs").write_text("0")
        until(lambda: not is_alive(agent), SLOW)
        time.sleep(4)
        os._exit(0)
    until(lambda: str(late) in (group.parent / "agent" / "cgroup.procs").read_text().split())
    worker.start_again()
    os.waitpid(late, 0)
    assert os.waitpid(left, 0)[1] == signal.SIGKILL
    until(lambda: not is_alive(child))
    worker.agent.await_report("ready", SLOW)
    assert len(groups()) == 1
    assert not group.exists()


def test_a_user_with_a_delegated_cgroup_creates_cgroups_next_to_its_own() -> None:
    _ROOT.joinpath("cgroup.subtree_control").write_text("+memory")
    session = _ROOT / "session"
    login = session / "login"
    login.mkdir(parents=True)
    (session / "cgroup.subtree_control").write_text("+memory")
    for path in (session, *session.iterdir(), *login.iterdir()):
        os.chown(path, 65534, 65534)

    # A cgroup that contains other processes cannot give the memory controller to its children.
    launcher = f"""
import os, sys
with open({str(login / "cgroup.procs")!r}, "w") as procs: procs.write("0")
os.setuid(65534)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
    inside = [sys.executable, "-c", launcher]
    neighbour = subprocess.Popen([*inside, "-c", "import time; time.sleep(600)"])
    try:
        found = subprocess.check_output(
            [*inside, "-m", "toolkit_sdk._agent.cgroups"], env={"PYTHONPATH": str(PACKAGE)}, text=True
        )
    finally:
        neighbour.kill()
        neighbour.wait()
    assert found == "cgroup\n"
    assert [path.name for path in session.iterdir() if path.is_dir()] == ["login"]
