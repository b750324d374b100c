"""What `progress` shows of running jobs: real worker processes and a platform that implements the protocol."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import toolkit_sdk

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import until


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """A pipe. A job that reads it waits until the test writes to it."""
    path = tmp_path / "gate"
    os.mkfifo(path)
    return path


KINDS: list[tuple[str, str]] = [
    ("a plain function", "def run(gate):\n    progress({'done': 1})\n    open(gate).read()\n    return 1\n"),
    ("an async function", "async def run(gate):\n    progress({'done': 1})\n    open(gate).read()\n    return 1\n"),
    ("a generator", "def run(gate):\n    progress({'done': 1})\n    open(gate).read()\n    yield 1\n"),
    ("an async generator", "async def run(gate):\n    progress({'done': 1})\n    open(gate).read()\n    yield 1\n"),
    (
        "a method",
        "class run:\n    def work(self, gate):\n        progress({'done': 1})\n"
        "        open(gate).read()\n        return 1\n",
    ),
    (
        "a thread",
        "import threading\ndef run(gate):\n    threading.Thread(target=progress, args=({'done': 1},)).start()\n"
        "    open(gate).read()\n    return 1\n",
    ),
    (
        "a pool of threads",
        "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor()\nasync def run(gate):\n"
        "    pool.submit(progress, {'done': 1}).result()\n    open(gate).read()\n    return 1\n",
    ),
]


@pytest.mark.parametrize(
    ("source", "function"),
    [(text, "run.work" if "class" in text else "run") for _, text in KINDS],
    ids=[name for name, _ in KINDS],
)
def test_a_value_is_sent_while_the_job_runs(
    start_worker: StartWorker, platform: ProtocolPlatform, gate: Path, source: str, function: str
) -> None:
    start_worker(f"from toolkit_sdk import progress\n{source}", function=function)
    job = platform.submit({"gate": str(gate)})
    until(lambda: job.progress == [{"done": 1}])
    gate.write_text("")
    assert job.result()["output"] in (1, [1])
    assert job.posts == 1


def test_at_most_four_values_per_second_are_sent_and_the_last_one_always(
    start_worker: StartWorker, platform: ProtocolPlatform, gate: Path
) -> None:
    source = """
import time
from toolkit_sdk import progress
def run(gate):
    begun = time.monotonic()
    for i in range(1000): progress(i)
    open(gate).read()
    return time.monotonic() - begun
"""
    start_worker(source)
    job = platform.submit({"gate": str(gate)})
    until(lambda: job.progress[-1:] == [999])
    gate.write_text("")
    seconds = job.result()["output"]
    assert len(job.progress) <= seconds * 4 + 1
    assert job.progress == sorted(job.progress)


def test_nothing_is_sent_after_the_end_of_a_job(
    start_worker: StartWorker, platform: ProtocolPlatform, gate: Path
) -> None:
    source = """
import asyncio
from toolkit_sdk import progress
async def keep_on():
    while True:
        progress("late")
        await asyncio.sleep(0.01)
task = None
async def run(gate):
    global task
    if gate is None:
        task = asyncio.create_task(keep_on())
        for i in range(10): progress(i)
        return "ended"
    progress("one")
    await asyncio.sleep(0.01)
    progress("two")
    await asyncio.to_thread(lambda: open(gate).read())
"""
    start_worker(source)
    first = platform.submit({"gate": None})
    assert first.result() == {"output": "ended"}
    second = platform.submit({"gate": str(gate)})
    until(lambda: second.progress[-1:] == ["two"])
    gate.write_text("")
    second.result()
    assert first.late_progress == []
    assert "late" not in first.progress + second.progress


def test_concurrent_jobs_show_their_own_values(
    start_worker: StartWorker, platform: ProtocolPlatform, gate: Path
) -> None:
    source = """
import asyncio, contextvars, threading
from toolkit_sdk import progress
async def run(n, gate):
    await asyncio.to_thread(progress, f"{n} by to_thread")
    threading.Thread(target=contextvars.copy_context().run, args=(progress, f"{n} by copy_context")).start()
    await asyncio.to_thread(lambda: open(gate).read())
"""
    start_worker(source, maxConcurrency=2)
    gates = [gate, gate.with_name("other")]
    os.mkfifo(gates[1])
    jobs = [platform.submit({"n": n, "gate": str(gates[n])}) for n in range(2)]
    until(lambda: all(job.progress[-1:] == [f"{n} by copy_context"] for n, job in enumerate(jobs)))
    for n, job in enumerate(jobs):
        gates[n].write_text("")
        job.result()
        assert all(value.startswith(f"{n} ") for value in job.progress)


def test_a_value_from_a_thread_whose_job_is_unknown_causes_one_warning(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
import threading
from toolkit_sdk import progress
meeting = threading.Barrier(2)
def run():
    meeting.wait(20)
    for _ in range(3):
        thread = threading.Thread(target=progress, args=("whose",))
        thread.start()
        thread.join()
    meeting.wait(20)
"""
    worker = start_worker(source, maxConcurrency=2)
    jobs = [platform.submit({}) for _ in range(2)]
    for job in jobs:
        assert job.result() == {"output": None}
        assert job.progress == []
    assert worker.stop() == 0
    warnings = [line for line in worker.log_lines() if line["level"] == "warning"]
    assert [line["message"] for line in warnings] == [
        "progress() was called in a thread while several jobs are running, so its job is unknown and the value is not "
        "shown. Start the thread with asyncio.to_thread or contextvars.copy_context().run."
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("{'a', 'b'}", "progress is a set, which cannot be converted to JSON; make it a list."),
        (
            "{'loss': [0.5, float('nan')]}",
            "progress.loss[1] is NaN, which cannot be converted to JSON; use None or a string.",
        ),
        (
            "object()",
            "progress is an object, which cannot be converted to JSON; use strings, numbers, booleans, None, lists and "
            "dicts.",
        ),
    ],
    ids=["a set", "NaN", "an object"],
)
def test_a_value_that_json_cannot_hold_is_a_type_error(
    start_worker: StartWorker, platform: ProtocolPlatform, value: str, message: str
) -> None:
    start_worker(
        "from toolkit_sdk import progress\n"
        f"def run():\n    try: progress({value})\n    except TypeError as error: return str(error)\n"
    )
    assert platform.run({}) == {"output": message}


def test_bytes_are_base64_text(start_worker: StartWorker, platform: ProtocolPlatform, gate: Path) -> None:
    start_worker(
        "from toolkit_sdk import progress\ndef run(gate):\n    progress({'preview': b'abc'})\n    open(gate).read()\n"
    )
    job = platform.submit({"gate": str(gate)})
    until(lambda: job.progress == [{"preview": "YWJj"}])
    gate.write_text("")
    job.result()


def test_values_that_are_too_large_cause_one_warning_and_the_others_are_shown(
    start_worker: StartWorker, platform: ProtocolPlatform, gate: Path
) -> None:
    source = """
from toolkit_sdk import progress
def run(gate):
    progress("small")
    for _ in range(3): progress("x" * 1_000_000)
    open(gate).read()
    return "done"
"""
    worker = start_worker(source)
    job = platform.submit({"gate": str(gate)})
    until(lambda: job.progress == ["small"])
    gate.write_text("")
    assert job.result() == {"output": "done"}
    assert worker.stop() == 0
    lines = [line for line in worker.log_lines() if line["level"] == "warning" and line["request"] == job.id]
    assert [line["message"] for line in lines] == [
        "progress is 1,000,002 bytes and is not shown; the limit is 1,000,000."
    ]


def test_if_the_platform_is_slow_only_the_last_of_several_values_is_posted(
    start_worker: StartWorker, platform: ProtocolPlatform, gate: Path
) -> None:
    source = """
import time
from toolkit_sdk import progress
def run(gate):
    progress("first")
    open(gate).read()
    for i in range(8):
        progress(i)
        time.sleep(0.25)
    progress("last")
    print("all reported")
    open(gate).read()
"""
    worker = start_worker(source)
    platform.hold_progress.clear()
    job = platform.submit({"gate": str(gate)})
    until(lambda: job.progress == ["first"])
    gate.write_text("")
    until(lambda: "all reported" in worker.log.read_text())
    platform.hold_progress.set()
    until(lambda: job.progress[-1] == "last")
    gate.write_text("")
    job.result()
    # Besides the first: at most one value that was already being posted, and the last one.
    assert len(job.progress) <= 3


def test_a_forked_child_shows_nothing(start_worker: StartWorker, platform: ProtocolPlatform, gate: Path) -> None:
    source = """
import os
from toolkit_sdk import progress
def run(gate):
    progress("before")
    if (child := os.fork()) == 0:
        progress("child")
        os._exit(7)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    progress("parent")
    open(gate).read()
    return ended
"""
    start_worker(source)
    job = platform.submit({"gate": str(gate)})
    until(lambda: job.progress[-1:] == ["parent"])
    gate.write_text("")
    assert job.result() == {"output": 7}
    assert "child" not in job.progress


def test_outside_of_a_job_it_does_nothing(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    toolkit_sdk.progress(object())
    start_worker("from toolkit_sdk import progress\nprogress(object())\ndef run(): return 'served'\n")
    assert platform.run({}) == {"output": "served"}


def test_in_a_route_it_does_nothing(start_routes: StartWorker, platform: ProtocolPlatform) -> None:
    source = "from toolkit_sdk import progress\ndef answer() -> str:\n    progress(object())\n    return 'served'\n"
    worker = start_routes(source, [("GET", "/answer", "answer")])
    worker.await_report("ready")
    assert worker.get("/answer", headers={"x-toolkit-gateway-secret": "gateway-secret"}).json() == "served"
