"""Functions that do what no function should: each costs its own job at most, and is told in one sentence."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from toolkit_sdk._agent.json_members import members, object_members
from toolkit_sdk._agent.taken_jobs import decode_taken

from conftest import StartWorker
from protocol_platform import ProtocolPlatform

FINE = "def run(how): return how\n"

# What the function does → what the job's structured error says.
RAISED: list[tuple[str, str, str, str]] = [
    (
        "an exception without a text",
        "class Odd(Exception):\n        def __str__(self): raise ValueError('no')\n    raise Odd()",
        "app.run.<locals>.Odd",
        "<its text cannot be had: ValueError>",
    ),
    ("KeyboardInterrupt", "raise KeyboardInterrupt()", "KeyboardInterrupt", ""),
    ("GeneratorExit", "raise GeneratorExit('odd')", "GeneratorExit", "odd"),
    (
        "an exception that cannot be pickled",
        "error = OSError('held'); error.lock = __import__('threading').Lock(); raise error",
        "OSError",
        "held",
    ),
    ("exit()", "exit('bye')", "SystemExit", "The function called sys.exit('bye')."),
    ("endless recursion", "return run(how)", "RecursionError", "maximum recursion depth exceeded"),
    ("MemoryError", "raise MemoryError('none left')", "MemoryError", "none left"),
]


@pytest.mark.parametrize("kind", ["def", "async def"])
@pytest.mark.parametrize(("body", "error_type", "message"), [c[1:] for c in RAISED], ids=[c[0] for c in RAISED])
def test_whatever_is_raised_fails_the_job_alone(
    start_worker: StartWorker, platform: ProtocolPlatform, kind: str, body: str, error_type: str, message: str
) -> None:
    if kind == "async def":
        body = body.replace("return run(how)", "return await run(how)")
    start_worker(f"{kind} run(how):\n    if how is None: return 'fine'\n    {body}\n")
    told = json.loads(platform.run({"how": 1})["error"])
    assert told["error_type"] == error_type
    assert told["error_message"].startswith(message)
    assert platform.run({"how": None}) == {"output": "fine"}


def test_a_cancellation_of_the_functions_own_fails_the_job(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    start_worker("import asyncio\nasync def run(): raise asyncio.CancelledError('own')\n")
    assert json.loads(platform.run({})["error"])["error_type"] == "asyncio.exceptions.CancelledError"


# What is no JSON → the whole error.
RESULTS: list[tuple[str, str, str]] = [
    ("a set", "{1, 2}", "output is a set, which JSON cannot hold; make it a list."),
    ("infinity", "[1, float('inf')]", "output[1] is Infinity, which JSON cannot hold; use None or a string."),
    (
        "an object",
        "{'a': {'b': type('Thing', (), {})()}}",
        "output.a.b is app.Thing, which JSON cannot hold; use strings, numbers, booleans, None, lists and dicts.",
    ),
    (
        "a key that is not a string",
        "{(1, 2): 3}",
        "the key (1, 2) of output is no string; keys of JSON objects are strings.",
    ),
    (
        "a cycle",
        "(lambda a: (a.append(a), a)[1])([])",
        "output refers to itself or is nested too deeply, which JSON cannot hold.",
    ),
    (
        "a list of a depth without end",
        "__import__('functools').reduce(lambda inner, _: [inner], range(200_000), 0)",
        "output refers to itself or is nested too deeply, which JSON cannot hold.",
    ),
    ("a coroutine", "__import__('asyncio').sleep(1)", "output is a coroutine, which JSON cannot hold; await it first."),
    ("a function", "run", "output is a function, which JSON cannot hold;"),
    ("a path", "__import__('pathlib').PurePosixPath('a')", "output is pathlib"),
]


@pytest.mark.parametrize(("value", "error"), [case[1:] for case in RESULTS], ids=[case[0] for case in RESULTS])
def test_what_is_no_json_fails_the_job_with_its_place(
    start_worker: StartWorker, platform: ProtocolPlatform, value: str, error: str
) -> None:
    start_worker(f"def run(bad):\n    return {value} if bad else 'fine'\n")
    assert platform.run({"bad": True})["error"].startswith(error)
    assert platform.run({"bad": False}) == {"output": "fine"}


def test_a_deep_input_fails_its_job_and_not_the_worker(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    deep: Any = 0
    for _ in range(900):
        deep = [deep]
    start_worker("def run(how): return 'fine'\n", maxConcurrency=2)
    text = json.dumps(deep).replace("[0]", "[" * 100_000 + "0" + "]" * 100_000)
    job = platform.submit({"how": 0})
    # The platform hands the input on as it came.
    platform.raw_inputs[job.id] = '{"how":' + text + "}"
    assert job.result() == {"error": "The input is nested too deeply for Python to read."}
    assert platform.run({"how": 1}) == {"output": "fine"}


def test_a_number_of_too_many_digits_fails_its_job_and_not_the_worker(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    start_worker("def run(how): return 'fine'\n", maxConcurrency=2)
    job = platform.submit({"how": 0})
    platform.raw_inputs[job.id] = '{"how":' + "9" * 5_000 + "}"
    assert job.result() == {
        "error": "The input has a number of too many digits for Python to read; send it as a string."
    }
    assert platform.run({"how": 1}) == {"output": "fine"}


def test_members_are_cut_at_the_outermost_level_only() -> None:
    deep = "[" * 5000 + "]" * 5000
    text = f'{{"id": "a\\\\\\"b,]", "input": {{"x": {deep}, "y": "}}"}} , "attempt": 2, "empty": {{}} }}'
    assert list(object_members(text)) == ["id", "input", "attempt", "empty"]
    assert object_members(text)["attempt"] == "2"
    assert members('[1, [2, 3], "4,5"]') == ["1", "[2, 3]", '"4,5"']
    assert members("[]") == []
    taken = decode_taken(f'[{{"id":"a","input":{deep}}},{{"id":"b","input":{{}},"attempt":3}}]'.encode())
    assert [(job.id, job.attempt, len(job.input)) for job in taken] == [("a", None, 10_000), ("b", "3", 2)]


def test_a_function_that_uses_more_memory_than_its_worker_has_fails_alone(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
import subprocess, sys, time
def run(how):
    if how == "itself": kept = bytearray(400_000_000)
    if how == "child": subprocess.run([sys.executable, "-c", "a = bytearray(400_000_000); import time; time.sleep(60)"])
    if how != "little": time.sleep(60)
    return how
"""
    start_worker(source, memoryBytes=300_000_000)
    for how in ("itself", "child"):
        told = json.loads(platform.run({"how": how})["error"])
        assert told["error_type"] == "MemoryExceeded"
        sentence = "The function used more than the 0.3 GB of memory that its worker has"
        assert told["error_message"] == f"{sentence}; use less or declare a larger cpu form."
        assert platform.run({"how": "little"}) == {"output": "little"}


def test_after_too_much_memory_among_several_the_one_at_fault_is_found(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
import threading, time
def run(how, together):
    if how == "much":
        time.sleep(0.5)
        kept = bytearray(400_000_000)
    if together or how == "much": threading.Event().wait()
    return how
"""
    start_worker(source, memoryBytes=300_000_000, maxConcurrency=2)
    for how in ("much", "little"):
        platform.submit({"how": how, "together": True})
    _until(lambda: len(platform.given_back) == 2)
    greedy, modest = (platform.submit({"how": how, "together": False}) for how in ("much", "little"))
    assert "more than the 0.3 GB of memory" in greedy.result()["error"]
    assert modest.result() == {"output": "little"}


def test_too_much_memory_at_the_start_is_a_failed_start(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_worker(
        "import time\nkept = bytearray(400_000_000)\ntime.sleep(60)\n" + FINE, memoryBytes=300_000_000
    )
    assert "more than the 0.3 GB of memory" in worker.await_report("unhealthy")["reason"]


def test_a_generator_that_forks_yields_once(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    start_worker(
        "import os, time\ndef run():\n    yield 1\n    os.fork()\n    yield 2\n    time.sleep(0.3)\n    yield 3\n"
    )
    job = platform.submit({})
    assert job.result() == {"output": [1, 2, 3]}
    time.sleep(0.3)
    assert (job.chunks, job.posts) == ([1, 2, 3], 1)


def test_a_generator_without_an_end_is_ended_by_its_cancellation(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("import itertools\ndef run(end):\n    yield from range(2) if end else itertools.count()\n")
    job = platform.submit({"end": False})
    _until(lambda: len(job.chunks) > 100)
    worker.stop_jobs(job.id)
    assert platform.run({"end": True}) == {"output": [0, 1]}
    assert job.posts == 0


def test_an_async_function_that_blocks_its_loop_is_replaced_when_it_is_cancelled(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("import time\nasync def run(s):\n    print('begun')\n    time.sleep(s)\n    return s\n")
    job = platform.submit({"s": 3600})
    _until(lambda: "begun" in worker.messages(job.id))
    worker.stop_jobs(job.id)
    assert platform.run({"s": 0}) == {"output": 0}


def test_a_process_that_reads_nothing_more_is_replaced_though_a_large_job_waits_for_it(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    # The expression never lets go of the interpreter, so the other job's input is stuck on its way.
    source = (
        "import re\ndef run(text):\n    if text == 'stuck': re.match('(a+)+$', 'a' * 60 + 'b')\n    return len(text)\n"
    )
    start_worker(source, maxConcurrency=2)
    stuck = platform.submit({"text": "stuck"}, policy={"executionTimeout": 2000})
    time.sleep(0.5)
    large = platform.submit({"text": "x" * 3_000_000})
    assert stuck.result() == {"error": "executionTimeout exceeded"}
    _until(lambda: platform.given_back == [(large.id, False)])
    assert platform.run({"text": "after"}) == {"output": 5}


# What the function does to its process → it does not keep the next job from running.
HARMLESS: list[tuple[str, str]] = [
    ("closes stdout and stderr", "sys.stdout.close(); sys.stderr.close(); os.close(1); os.close(2); print('lost')"),
    ("replaces stdout", "sys.stdout = None; sys.stderr = open(os.devnull, 'w')"),
    ("changes the folder", "os.chdir('/')"),
    ("starts a daemon", "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()"),
    ("starts a thread without an end", "threading.Thread(target=time.sleep, args=(600,)).start()"),
    ("limits the recursion", "sys.setrecursionlimit(60)"),
    ("clears the environment", "os.environ.clear()"),
    ("clears sys.path", "sys.path.clear()"),
    ("empties sys.modules of ours", "[sys.modules.pop(m) for m in list(sys.modules) if m.startswith('toolkit_sdk')]"),
    ("traces", "sys.settrace(lambda *a: None)"),
    ("switches the collector off", "gc.disable(); gc.freeze()"),
    ("changes the umask", "os.umask(0o777)"),
    ("leaves an exit handler", "atexit.register(time.sleep, 600)"),
    ("writes bytes that begin like ours", "sys.stdout.buffer.write(b'\\x1e{}\\n' * 3)"),
    ("prints surrogates", "print('\\ud800 \\x00 \\x1e')"),
]


@pytest.mark.parametrize("what", [case[1] for case in HARMLESS], ids=[case[0] for case in HARMLESS])
def test_what_a_function_does_to_its_process_costs_no_other_job(
    start_worker: StartWorker, platform: ProtocolPlatform, what: str
) -> None:
    imports = "import atexit, gc, os, sys, threading, time"
    worker = start_worker(f"{imports}\ndef run(how):\n    if how: {what}\n    return how\n")
    assert "output" in platform.run({"how": 1}) or "lost" in what
    for _ in range(2):
        assert platform.run({"how": 0}) == {"output": 0}
    assert worker.stop() == 0


def test_signal_handlers_of_a_module_do_not_keep_its_worker_from_stopping(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("import signal\nfor s in (2, 15): signal.signal(s, signal.SIG_IGN)\n" + FINE)
    assert platform.run({"how": 1}) == {"output": 1}
    assert worker.stop() == 0


# A file of the project with the name of a standard module → endpoint's module and its function.
@pytest.mark.parametrize("name", ["json", "queue", "types", "asyncio", "threading", "email", "socket", "io", "logging"])
def test_a_project_file_with_the_name_of_a_standard_module_is_no_trouble_for_the_worker(
    start_worker: StartWorker, platform: ProtocolPlatform, name: str
) -> None:
    start_worker("async def run(how):\n    import asyncio\n    return how\n", {f"{name}.py": "VALUE = 1\n"})
    assert platform.run({"how": 1}) == {"output": 1}


@pytest.mark.parametrize("name", ["queue", "json", "io", "profile"])
def test_an_endpoint_in_a_file_with_the_name_of_a_standard_module_is_served(
    start_worker: StartWorker, platform: ProtocolPlatform, name: str
) -> None:
    from worker_process import queue_handler

    handler = queue_handler("endpoint", (name, f"{name}.py", "run"))
    start_worker(FINE, {f"{name}.py": FINE, "_toolkit/handlers/endpoint.py": handler})
    assert platform.run({"how": 1}) == {"output": 1}


def test_a_load_balanced_worker_steps_aside_too(start_routes: StartWorker) -> None:
    files = {f"{name}.py": "VALUE = 1\n" for name in ("json", "queue", "types", "email", "uuid", "socket")}
    source = "def run(n: int):\n    import types\n    return n + types.VALUE\n"
    worker = start_routes(source, [("GET", "/run", "run")], files=files)
    worker.await_report("ready")
    assert worker.get("/run?n=6", headers={"x-toolkit-gateway-secret": "gateway-secret"}).json() == 7


def test_a_failure_by_a_hidden_module_names_the_file(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    source = "def run(how):\n    import cProfile\n    return cProfile.run('1')\n"
    start_worker(source, {"profile.py": "ONE = 1\n"})
    told = json.loads(platform.run({"how": 1})["error"])
    assert told["error_message"].endswith(
        "The project's profile.py has the name of Python's own module profile: rename it."
    )


def test_a_start_that_fails_by_a_hidden_module_names_the_file(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("from json import loads\n" + FINE, {"json/__init__.py": ""})
    reason = worker.await_report("unhealthy")["reason"]
    assert reason.startswith("app.py cannot be loaded: ImportError: cannot import name 'loads' from 'json'")
    assert reason.endswith("The project's json/__init__.py has the name of Python's own module json: rename it.")


def _until(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
