"""The queue-based worker with a platform that implements the protocol: real processes, real HTTP."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from toolkit_sdk._agent.protocol import LOG_BYTES
from toolkit_sdk._worker.log_lines import LINE_BYTES

from conftest import StartWorker
from protocol_platform import Job, ProtocolPlatform
from worker_process import is_alive, part_of, until


def test_a_job_gets_the_functions_result(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_worker("def run(text: str, times: int = 2):\n    return {'text': text * times}\n")
    job = platform.submit({"text": "ab"})
    assert job.result() == {"output": {"text": "abab"}}
    assert job.is_stream == "false"
    assert job.posts == 1
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


BYTES: list[tuple[str, str, Any, Any]] = [
    ("a result", "def run(data: bytes): return {'type': type(data).__name__, 'back': data[::-1]}", "//77", "+/7/"),
    (
        "string annotations",
        "from __future__ import annotations\nfrom typing import Optional\n"
        "async def run(data: Optional[bytes]): return {'type': type(data).__name__, 'back': bytearray(data)}",
        "//77",
        "//77",
    ),
]


@pytest.mark.parametrize(("source", "sent", "back"), [case[1:] for case in BYTES], ids=[case[0] for case in BYTES])
def test_bytes_are_base64_text(
    start_worker: StartWorker, platform: ProtocolPlatform, source: str, sent: str, back: str
) -> None:
    start_worker(source)
    assert platform.run({"data": sent}) == {"output": {"type": "bytes", "back": back}}


def test_yielded_bytes_are_base64_text(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    start_worker("def run(data: bytes):\n    yield data\n    yield [memoryview(data)]\n")
    job = platform.submit({"data": "YWJj"})
    assert job.result() == {"output": ["YWJj", ["YWJj"]]}
    assert job.chunks == ["YWJj", ["YWJj"]]


FAILURES: list[tuple[str, str, Any, str]] = [
    (
        "a missing argument",
        "def run(text: str): pass",
        {},
        'run is missing the argument "text".',
    ),
    (
        "an unknown argument",
        "def run(text=''): pass",
        {"txt": 1},
        'run has no argument "txt"; it takes: text.',
    ),
    (
        "a mistyped argument",
        "def run(text: str): pass",
        {"text": 3},
        'The argument "text" of run must be a string, not the number 3.',
    ),
    (
        "a result with NaN",
        "def run(): return {'a': [float('nan')]}",
        {},
        "output.a[0] is NaN, which cannot be converted to JSON; use None or a string.",
    ),
    (
        "text that is not base64",
        "def run(image: bytes): pass",
        {"image": "a b"},
        'The argument "image" of run must be base64 text, not the string "a b".',
    ),
    (
        "a result over 20 MB",
        "def run(): return 'x' * 20_000_001",
        {},
        "output is 20,000,003 bytes; the limit is 20,000,000.",
    ),
    (
        "yields over 20 MB",
        "def run():\n    for i in range(30): yield 'x' * 1_000_000",
        {},
        "All yielded values together exceed the limit of 20,000,000 bytes.",
    ),
]


@pytest.mark.parametrize(
    ("source", "input", "error"),
    [case[1:] for case in FAILURES],
    ids=[case[0] for case in FAILURES],
)
def test_a_job_fails_with_one_sentence(
    start_worker: StartWorker,
    platform: ProtocolPlatform,
    source: str,
    input: Any,
    error: str,
) -> None:
    start_worker(source)
    assert platform.run(input) == {"error": error}
    assert platform.run(input) == {"error": error}


def test_an_exception_is_reported_with_only_the_users_frames(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    files = {"lib/__init__.py": "", "lib/deep.py": "def dig(x):\n    return 1 / x\n"}
    worker = start_worker("def run(x):\n    from lib.deep import dig\n    return dig(x)\n", files)
    job = platform.submit({"x": 0})
    error = json.loads(job.result()["error"])
    assert error["error_type"] == "ZeroDivisionError"
    assert error["error_message"] == "division by zero"
    frames = [line for line in error["error_traceback"].splitlines() if line.startswith("  File")]
    assert frames == [
        '  File "app.py", line 3, in run',
        '  File "lib/deep.py", line 2, in dig',
    ]
    assert error["worker_id"] == error["hostname"] == "worker-1"
    assert error["runtime_version"].startswith("Python 3.")
    until(lambda: '  File "app.py", line 3, in run' in worker.messages(job.id))


def test_the_error_about_a_missing_package_names_its_distribution_and_the_remedy(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    start_worker("def run():\n    import yaml\n")
    error = json.loads(platform.run({})["error"])
    assert error["error_type"] == "ModuleNotFoundError"
    assert "'pyyaml'" in error["error_message"]
    assert error["error_message"].endswith("declare it in dependencies and import it inside the function body.")


def test_sys_exit_fails_the_job_but_not_the_worker(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    start_worker("import sys, os\ndef run(n):\n    if n: sys.exit(n)\n    return os.getpid()\n")
    before = platform.run({"n": 0})
    assert "sys.exit(4)" in json.loads(platform.run({"n": 4})["error"])["error_message"]
    assert platform.run({"n": 0}) == before


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


def test_leases_of_held_jobs_are_renewed_while_the_function_blocks(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    # The regular expression never ends, and holds the interpreter's lock.
    worker = start_worker("import re\ndef run():\n    re.match('(a+)+$', 'a' * 31 + 'b')\n")
    job = platform.submit({})
    until(lambda: worker.leases().count([job.id]) >= 5)


def test_a_worker_that_cannot_load_keeps_running_and_fails_jobs_with_the_reason(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("print('about to fail')\nimport not_there\ndef run(): pass\n")
    report = worker.await_report("unhealthy")
    assert report["reason"].startswith("app.py cannot be loaded: ModuleNotFoundError: No module named 'not_there'")
    assert "about to fail" in report["lines"]
    assert any('File "app.py", line 2' in line for line in report["lines"])
    for _ in range(2):
        error = json.loads(platform.run({})["error"])
        assert error["error_type"] == "ModuleNotFoundError"
    assert worker.is_running
    assert worker.stop() == 0


def test_variables_that_a_declaration_reads_at_deploy_do_not_prevent_its_file_from_loading(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
import os
from toolkit_sdk import Endpoint

@Endpoint(name="other", env={"TOKEN": os.environ["DEPLOY_TOKEN"]})
def other(): pass

@Endpoint(name="endpoint", env={"OWN": os.environ["OWN"]})
def run():
    import peer
    return [os.environ["OWN"], os.environ.get("DEPLOY_TOKEN", "not set"), peer.SIZE]
"""
    stub = "from toolkit_sdk._dispatch import real_attribute\n"
    stub += "def __getattr__(name): return real_attribute(__name__, 'peer.py', name)\n"
    start_worker(
        source,
        {"peer.py": "import os\nREAD = os.environ['DEPLOY_TOKEN']\nSIZE = 7\n", "_toolkit/stubs/peer.py": stub},
        stubs={"peer": "_toolkit/stubs/peer.py"},
        variables=("DEPLOY_TOKEN", "OWN"),
        env={"OWN": "mine"},
    )
    assert platform.run({}) == {"output": ["mine", "not set", 7]}


def test_packages_under_src_are_found_by_workers_and_their_children(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
import subprocess, sys
from package import SIZE

def run():
    child = subprocess.run([sys.executable, "-c", "import package; print(package.SIZE)"], capture_output=True)
    return [SIZE, int(child.stdout)]
"""
    start_worker(source, {"src/package/__init__.py": "SIZE = 7\n"})
    assert platform.run({}) == {"output": [7, 7]}


CANNOT_START: list[tuple[str, str, dict[str, Any], str]] = [
    (
        "exit at import",
        "import os; os._exit(5)",
        {},
        "ended with exit code 5 before the function was loaded.",
    ),
    ("sys.exit at import", "import sys; sys.exit(5)", {}, "SystemExit"),
    ("a syntax error", "def run(:\n", {}, "SyntaxError"),
    (
        "no such function",
        "def other(): pass",
        {},
        "app.py was loaded, but has no function 'run'.",
    ),
    (
        "another Python",
        "def run(): pass",
        {"python": "3.2"},
        "The build is for Python 3.2",
    ),
    (
        "a missing handler",
        "def run(): pass",
        {"handler": "_toolkit/handlers/x.py"},
        "The artifact has no handler",
    ),
]


@pytest.mark.parametrize(
    ("source", "assignment", "reason"),
    [case[1:] for case in CANNOT_START],
    ids=[case[0] for case in CANNOT_START],
)
def test_every_failed_start_is_reported(
    start_worker: StartWorker,
    platform: ProtocolPlatform,
    source: str,
    assignment: dict[str, Any],
    reason: str,
) -> None:
    worker = start_worker(source, **assignment)
    assert reason in worker.await_report("unhealthy")["reason"]
    assert reason in platform.run({})["error"]


def test_a_damaged_part_is_refused(start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path) -> None:
    platform_parts = platform.parts
    worker = start_worker("def run(): pass")
    del platform_parts
    report = worker.await_report("ready")
    assert report["reason"] is None
    worker.stop()
    content = next(iter(platform.parts))
    data = bytearray(platform.parts[content])
    data[100] ^= 1
    platform.parts[content] = bytes(data)
    again = worker.start_again(cache=tmp_path / "other cache")
    try:
        assert "its sha256 does not match" in worker.await_report("unhealthy")["reason"]
        assert not any((tmp_path / "other cache" / "parts").glob("[0-9a-f]*[0-9a-f]"))
    finally:
        again.kill()


def test_a_broken_transfer_is_resumed_where_it_ended(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    platform.break_part_after = 5000
    start_worker("def run(): return 1")
    assert platform.run({}) == {"output": 1}
    assert [wanted for _, wanted in platform.part_requests] == [None, "bytes=5000-"]


def test_parts_are_unpacked_once_per_node(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_worker("def run(): return 1")
    assert platform.run({}) == {"output": 1}
    worker.stop()
    again = worker.start_again()
    try:
        assert platform.run({}) == {"output": 1}
        assert len(platform.part_requests) == 1
    finally:
        again.kill()


def test_prints_become_log_lines_of_their_job(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    source = """
import logging, subprocess, sys, threading
def run():
    print("one\\ntwo")
    print("to stderr", file=sys.stderr)
    sys.stdout.buffer.write(b"bytes\\n")
    logging.warning("careful")
    thread = threading.Thread(target=print, args=("from a thread",)); thread.start(); thread.join()
    subprocess.run(["echo", "from a child"])
    print("no end", end="")
"""
    worker = start_worker(source)
    job = platform.submit({})
    job.result()
    expected = {
        "one",
        "two",
        "no end",
        "to stderr",
        "bytes",
        "from a thread",
        "from a child",
        "WARNING:root:careful",
    }
    until(lambda: expected - {"bytes", "from a child"} <= set(worker.messages(job.id)))
    until(lambda: expected <= set(worker.messages()))
    levels = {line["message"]: line["level"] for line in worker.log_lines()}
    assert (levels["one"], levels["to stderr"]) == ("info", "warning")
    assert all(line["worker"] == "worker-1" and line["time"].endswith("Z") for line in worker.log_lines())


def test_huge_prints_neither_block_nor_fill_memory(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    source = """
import resource
def run():
    for _ in range(200):
        print("x" * 100_000)
    print("y" * 5_000_000, end="")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
"""
    worker = start_worker(source)
    peak = platform.run({})["output"]
    assert peak < 200_000
    status = Path(f"/proc/{worker.agent.process.pid}/status").read_text()
    assert int(status.split("VmHWM:")[1].split()[0]) < 100_000
    kept = sum(piece.stat().st_size for piece in worker.log.parent.iterdir())
    assert LOG_BYTES / 2 < kept <= LOG_BYTES


def test_long_text_without_a_line_end_is_logged_in_pieces_that_lose_nothing(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    text = "".join(chr(97 + at % 26) * 1000 for at in range(2_000))
    source = """
import sys
def run(text):
    print("begun", end="")
    sys.stdout.write(text)
    sys.stdout.write("Z\\n")
"""
    worker = start_worker(source)
    job = platform.submit({"text": text})
    job.result()
    until(lambda: "".join(worker.messages(job.id)) == f"begun{text}Z")
    assert {len(piece) for piece in worker.messages(job.id)[:-1]} == {LINE_BYTES}


@pytest.mark.parametrize("character", ["é", "\U0001f600", "\x01"])
def test_long_lines_of_characters_that_json_escapes_are_logged_in_pieces_that_lose_nothing(
    start_worker: StartWorker, platform: ProtocolPlatform, character: str
) -> None:
    printed, raised = character * 100_000, character * 30_000
    worker = start_worker("def run(printed, raised):\n    print(printed)\n    raise ValueError(raised)\n")
    job = platform.submit({"printed": printed, "raised": raised})
    job.result()
    until(lambda: "".join(worker.messages(job.id)).endswith(f"ValueError: {raised}"))
    info = [line["message"] for line in worker.log_lines() if line["level"] == "info"]
    assert "".join(info) == printed


def test_the_function_sees_its_environment_but_no_secrets_of_the_worker(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    environment = {
        "TOOLKIT_APP": "shop",
        "TOOLKIT_ENV": "staging",
        "MODE": "fast",
        "PLATFORM_API_KEY": "scoped",
    }
    source = """
import os, sys
def run():
    everything = "\\0".join(sys.argv) + open(f"/proc/{os.getpid()}/environ").read() + repr(dict(os.environ))
    return {"env": dict(os.environ), "leaks": "worker-token" in everything, "cwd": os.listdir()}
"""
    start_worker(source, {"data.txt": "here"}, env=environment)
    output = platform.run({})["output"]
    assert {name: output["env"].get(name) for name in environment} == environment
    assert not output["leaks"]
    assert not [name for name in output["env"] if name.startswith(("RUNPOD_WEBHOOK", "TOOLKIT_WORKER"))]
    assert {"app.py", "data.txt"} <= set(output["cwd"])


def test_dependencies_are_found_but_not_the_machines_own_packages(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    dependencies = part_of(
        {
            "_toolkit/dependencies/all/shipped/__init__.py": "VALUE = 'shipped'",
            "_toolkit/dependencies/all/extra.pth": "more",
            "_toolkit/dependencies/all/more/by_pth.py": "VALUE = 'pth'",
        },
        end=False,
    )
    source = """
import subprocess, sys
def run():
    import shipped, by_pth
    child = subprocess.run([sys.executable, "-c", "import shipped; print(shipped.VALUE)"], stdout=-1, text=True)
    try:
        import pytest
    except ModuleNotFoundError as error:
        return [shipped.VALUE, by_pth.VALUE, child.stdout.strip(), "pytest" in str(error)]
"""
    start_worker(source, dependencies=dependencies)
    assert platform.run({}) == {"output": ["shipped", "pth", "shipped", True]}


def test_scripts_of_packages_are_on_path_and_run_the_endpoints_python(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    script = "#!/usr/bin/env python3\nimport os, sys, shipped\nprint(shipped.VALUE, os.path.realpath(sys.executable))\n"
    dependencies = part_of(
        {
            "_toolkit/dependencies/all/shipped/__init__.py": "VALUE = 'shipped'",
            "_toolkit/dependencies/all/bin/shipped-command": script,
        },
        end=False,
    )
    source = """
import os, subprocess, sys
def run():
    child = subprocess.run(["shipped-command"], stdout=-1, text=True, check=True)
    value, executable = child.stdout.split()
    return [value, executable == os.path.realpath(sys.executable)]
"""
    start_worker(source, dependencies=dependencies)
    assert platform.run({}) == {"output": ["shipped", True]}


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


def test_the_process_of_a_function_ends_with_the_agent(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_worker("import re\ndef run():\n    re.match('(a+)+$', 'a' * 40 + 'b')\n")
    worker.await_report("ready")
    platform.submit({})
    until(lambda: len(worker.children()) == 1)
    child = worker.children()[0]
    worker.agent.kill()
    until(lambda: not is_alive(child))


def test_a_worker_that_the_platform_does_not_know_ends_itself(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("def run(): pass")
    worker.await_report("ready")
    platform.unknown_worker = True
    assert worker.await_end(30) == 0


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


def test_the_reason_of_a_crash_does_not_contain_the_output_of_other_jobs(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    start_worker("import os\ndef run(word, die):\n    print(word)\n    if die: os._exit(1)\n")
    platform.run({"word": "private", "die": False})
    error = json.loads(platform.run({"word": "own", "die": True})["error"])
    assert error["error_traceback"] == "own"


def test_a_function_that_closes_every_file_fails_its_job(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    start_worker("import os\ndef run(close):\n    if close: os.closerange(3, 200)\n    return 'open'\n")
    assert "ended with exit code 1" in platform.run({"close": True})["error"]
    assert platform.run({"close": False}) == {"output": "open"}


def test_a_stop_during_preparation_ends_the_worker_at_once(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    platform.hold_parts.clear()
    worker = start_worker("def run(): pass")
    until(lambda: bool(platform.part_requests))
    assert worker.stop() == 0
    assert not platform.hold_parts.is_set()
    platform.hold_parts.set()


def test_a_forked_child_cannot_answer_the_job(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    source = "import os\ndef run():\n    if os.fork() == 0: return 'child'\n    os.wait()\n    return 'parent'\n"
    start_worker(source.replace("os.wait()", "import time; time.sleep(0.5)"))
    assert platform.run({}) == {"output": "parent"}


def test_a_peers_function_is_called_over_http_and_other_names_come_from_the_real_module(
    start_worker: StartWorker, platform: ProtocolPlatform, packages: bytes
) -> None:
    manifest = {
        "resources": {
            "sentiment": {
                "functions": [
                    {
                        "name": "score",
                        "module": "peer",
                        "file": "peer.py",
                        "async": False,
                    }
                ]
            }
        },
        "routes": {},
        "handlers": {},
    }
    stub = """
from toolkit_sdk._dispatch import real_attribute, remote_function
score = remote_function(endpoint="sentiment", module="peer", name="score",
    parameters=(("text", "positional-or-keyword", True),), is_async=False, route=None, description="Scores.")
def __getattr__(name):
    return real_attribute(__name__, "peer.py", name)
"""
    files = {
        "peer.py": "LIMIT = 7\ndef score(text): raise AssertionError('local')\n",
        "_toolkit/stubs/peer.py": stub,
        "toolkit_manifest.json": json.dumps(manifest),
    }
    source = """
import os
from toolkit_sdk import Endpoint
@Endpoint(name="other")
def other(n: int): raise AssertionError("local")
@Endpoint(name="endpoint")
def run(text):
    from peer import LIMIT, score
    return [score(text), LIMIT, score.__doc__, other(3)]
"""

    def peers(handler: Any, body: bytes) -> tuple[int, Any] | None:
        if not handler.path.startswith("/v2/peer-"):
            return None
        given = json.loads(body)["input"]
        return 200, {
            "id": "sync-1",
            "status": "COMPLETED",
            "output": {"from": handler.path.split("/")[2], **given},
        }

    platform.route = peers
    for name in ("sentiment", "other"):
        location = {
            "id": f"peer-{name}",
            "kind": "queue",
            "url": f"{platform.url}/v2/peer-{name}",
        }
        platform.endpoints[f"shop/production/{name}"] = location
    start_worker(source, files, stubs={"peer": "_toolkit/stubs/peer.py"}, dependencies=packages)
    expected = [
        {"from": "peer-sentiment", "text": "fine"},
        7,
        "Scores.",
        {"from": "peer-other", "n": 3},
    ]
    for _ in range(2):
        assert platform.run({"text": "fine"}) == {"output": expected}
    assert len(platform.lookups) == 2  # One for each peer; then they are cached.


def test_a_base_layer_is_installed_once_per_node(
    start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path
) -> None:
    installer = tmp_path / "uv"
    # Stands in for uv: records its arguments and installs one module into --target.
    installer.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n'
        'while [ "$1" != "--target" ]; do shift; done\necho "VALUE = 41" > "$2/numpy.py"\n'
    )
    installer.chmod(0o755)
    options = {
        "baseLayer": ["numpy==2.0.0"],
        "uv": str(installer),
    }
    worker = start_worker("def run():\n    import numpy\n    return numpy.VALUE + 1\n", **options)
    assert platform.run({}) == {"output": 42}
    worker.stop()
    again = worker.start_again()
    try:
        assert platform.run({}) == {"output": 42}
    finally:
        again.kill()
    calls = (tmp_path / "calls").read_text().splitlines()
    assert len(calls) == 1
    assert "--no-deps" in calls[0]
    assert calls[0].endswith("numpy==2.0.0")


def test_a_base_layer_comes_from_the_builds_index_and_the_function_does_not_see_its_settings(
    start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path
) -> None:
    installer = tmp_path / "uv"
    installer.write_text(f'#!/bin/sh\nenv > {tmp_path}/env\necho "$@" > {tmp_path}/arguments\n')
    installer.chmod(0o755)
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://key@index.test/simple\nextra-index-url =\n  https://a.test\n  https://b.test\n"
        "proxy = http://pip-proxy.test\nno-index = yes\n[install]\nfind-links = /one /two\n"
    )
    start_worker(
        "def run():\n    import os\n    return dict(os.environ)\n",
        baseLayer=["numpy==2.0.0"],
        uv=str(installer),
        environment={
            "PIP_CONFIG_FILE": str(tmp_path / "pip.conf"),
            "PIP_CERT": "/certificates.pem",
            "UV_INSECURE_HOST": "c.test",
            "HTTPS_PROXY": "http://proxy.test",
        },
    )
    seen = platform.run({})["output"]
    uv = dict(line.split("=", 1) for line in (tmp_path / "env").read_text().splitlines() if "=" in line)
    assert uv["UV_DEFAULT_INDEX"] == "https://key@index.test/simple"
    assert uv["UV_INDEX"] == "https://a.test https://b.test"
    assert uv["UV_FIND_LINKS"] == "/one,/two"
    assert uv["UV_INSECURE_HOST"] == "c.test"
    assert uv["SSL_CERT_FILE"] == "/certificates.pem"
    assert "ALL_PROXY" not in uv
    assert "--no-index" in (tmp_path / "arguments").read_text()
    assert seen["HTTPS_PROXY"] == "http://proxy.test"
    assert [name for name in seen if name.startswith(("PIP_", "UV_"))] == []


@pytest.mark.parametrize(("provider", "expected"), [(None, "subprocess"), ("disabled", None)])
def test_a_base_layer_uses_an_installed_keyring_unless_it_is_turned_off(
    start_worker: StartWorker,
    platform: ProtocolPlatform,
    tmp_path: Path,
    provider: str | None,
    expected: str | None,
) -> None:
    programs = {"uv": f"env > {tmp_path}/env", "keyring": ""}
    for name, command in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{command}\n")
        (tmp_path / name).chmod(0o755)
    chosen = {} if provider is None else {"PIP_KEYRING_PROVIDER": provider}
    start_worker(
        "def run():\n    return 1\n",
        baseLayer=["numpy==2.0.0"],
        uv=str(tmp_path / "uv"),
        environment={"PATH": f"{tmp_path}:{os.environ['PATH']}", **chosen},
    )
    assert platform.run({}) == {"output": 1}
    uv = dict(line.split("=", 1) for line in (tmp_path / "env").read_text().splitlines() if "=" in line)
    assert uv.get("UV_KEYRING_PROVIDER") == expected


def test_a_base_layer_that_cannot_be_installed_is_reported(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(
        "def run(): pass",
        baseLayer=["numpy==0.0.0.1"],
        uv="/bin/false",
    )
    assert "The base layer (numpy==0.0.0.1) could not be installed" in worker.await_report("unhealthy")["reason"]
