"""Functions that misbehave: each fails at most its own job, with one sentence as the reason."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from toolkit_sdk._agent.json_members import members, object_members
from toolkit_sdk._agent.taken_jobs import decode_taken
from toolkit_sdk._worker.protocol import ERROR_BYTES

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import until

FINE = "def run(how): return how\n"

# Title, the function's body, and type and message of the job's structured error.
RAISED: list[tuple[str, str, str, str]] = [
    (
        "an exception without a text",
        "class Odd(Exception):\n        def __str__(self): raise ValueError('no')\n    raise Odd()",
        "app.run.<locals>.Odd",
        "<its text cannot be read: ValueError>",
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
def test_any_exception_fails_only_its_job(
    start_worker: StartWorker, platform: ProtocolPlatform, kind: str, body: str, error_type: str, message: str
) -> None:
    if kind == "async def":
        body = body.replace("return run(how)", "return await run(how)")
    start_worker(f"{kind} run(how):\n    if how is None: return 'fine'\n    {body}\n")
    error = json.loads(platform.run({"how": 1})["error"])
    assert error["error_type"] == error_type
    assert error["error_message"].startswith(message)
    assert platform.run({"how": None}) == {"output": "fine"}


# Title, and an exception whose text exceeds the limit of a job's error.
LONG_ERRORS: list[tuple[str, str]] = [
    ("a long text", "ValueError('begin' + 'x' * 2_000_000 + 'end')"),
    ("characters that JSON escapes", "ValueError('begin' + chr(0x1F600) * 200_000 + 'end')"),
    ("many lines", "ValueError('begin' + '\\n' * 500_000 + 'end')"),
    ("a long name", "type('Begin' + chr(0x10400) * 200_000, (Exception,), {})('begin' + chr(1) * 500_000 + 'end')"),
]


@pytest.mark.parametrize("raised", [case[1] for case in LONG_ERRORS], ids=[case[0] for case in LONG_ERRORS])
def test_an_exception_with_a_long_text_keeps_its_type_and_both_ends_of_its_text(
    start_worker: StartWorker, platform: ProtocolPlatform, raised: str
) -> None:
    start_worker(f"def run():\n    raise {raised}\n")
    sent = platform.run({})["error"]
    assert len(json.dumps(sent)) <= ERROR_BYTES
    error = json.loads(sent)
    assert error["error_type"].startswith(("ValueError", "app.Begin"))
    assert error["error_message"].startswith("begin")
    assert error["error_message"].endswith("end")
    assert " characters are left out …" in error["error_message"]
    assert error["error_traceback"].startswith('Traceback (most recent call last):\n  File "app.py", line 2, in run')
    assert error["error_traceback"].endswith("end\n")
    assert error["worker_id"] == "worker-1"


def test_a_function_that_raises_cancelled_error_itself_fails_its_job(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    start_worker("import asyncio\nasync def run(): raise asyncio.CancelledError('own')\n")
    assert json.loads(platform.run({})["error"])["error_type"] == "asyncio.exceptions.CancelledError"


# Title, a value that cannot be converted to JSON, and the beginning of the error.
RESULTS: list[tuple[str, str, str]] = [
    ("a set", "{1, 2}", "output is a set, which cannot be converted to JSON; make it a list."),
    (
        "infinity",
        "[1, float('inf')]",
        "output[1] is Infinity, which cannot be converted to JSON; use None or a string.",
    ),
    (
        "an object",
        "{'a': {'b': type('Thing', (), {})()}}",
        "output.a.b is app.Thing, which cannot be converted to JSON; use strings, numbers, booleans, None, lists and "
        "dicts.",
    ),
    (
        "a key that is not a string",
        "{(1, 2): 3}",
        "the key (1, 2) of output is not a string; keys of JSON objects are strings.",
    ),
    (
        "a cycle",
        "(lambda a: (a.append(a), a)[1])([])",
        "output refers to itself or is nested too deeply to be converted to JSON.",
    ),
    (
        "a list that is nested too deeply",
        "__import__('functools').reduce(lambda inner, _: [inner], range(200_000), 0)",
        "output refers to itself or is nested too deeply to be converted to JSON.",
    ),
    (
        "a coroutine",
        "__import__('asyncio').sleep(1)",
        "output is a coroutine, which cannot be converted to JSON; await it first.",
    ),
    ("a function", "run", "output is a function, which cannot be converted to JSON;"),
    ("a path", "__import__('pathlib').PurePosixPath('a')", "output is pathlib"),
]


@pytest.mark.parametrize(("value", "error"), [case[1:] for case in RESULTS], ids=[case[0] for case in RESULTS])
def test_a_result_that_json_cannot_hold_fails_the_job_with_its_path(
    start_worker: StartWorker, platform: ProtocolPlatform, value: str, error: str
) -> None:
    start_worker(f"def run(bad):\n    return {value} if bad else 'fine'\n")
    assert platform.run({"bad": True})["error"].startswith(error)
    assert platform.run({"bad": False}) == {"output": "fine"}


def test_a_deeply_nested_input_fails_its_job_but_not_the_worker(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    deep: Any = 0
    for _ in range(900):
        deep = [deep]
    start_worker("def run(how): return 'fine'\n", maxConcurrency=2)
    text = json.dumps(deep).replace("[0]", "[" * 100_000 + "0" + "]" * 100_000)
    job = platform.submit({"how": 0})
    # The platform passes on the input as it was sent.
    platform.raw_inputs[job.id] = '{"how":' + text + "}"
    assert job.result() == {"error": "The input is nested too deeply for Python to read."}
    assert platform.run({"how": 1}) == {"output": "fine"}


def test_a_number_with_too_many_digits_fails_its_job_but_not_the_worker(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    start_worker("def run(how): return 'fine'\n", maxConcurrency=2)
    job = platform.submit({"how": 0})
    platform.raw_inputs[job.id] = '{"how":' + "9" * 5_000 + "}"
    assert job.result() == {
        "error": "The input has a number with too many digits for Python to read; send it as a string."
    }
    assert platform.run({"how": 1}) == {"output": "fine"}


def test_json_is_split_only_at_the_outermost_level() -> None:
    deep = "[" * 5000 + "]" * 5000
    text = f'{{"id": "a\\\\\\"b,]", "input": {{"x": {deep}, "y": "}}"}} , "attempt": 2, "empty": {{}} }}'
    assert list(object_members(text)) == ["id", "input", "attempt", "empty"]
    assert object_members(text)["attempt"] == "2"
    assert members('[1, [2, 3], "4,5"]') == ["1", "[2, 3]", '"4,5"']
    assert members("[]") == []
    taken = decode_taken(f'[{{"id":"a","input":{deep}}},{{"id":"b","input":{{}},"attempt":3}}]'.encode())
    assert [(job.id, job.attempt, len(job.input)) for job in taken] == [("a", None, 10_000), ("b", "3", 2)]


def test_a_function_that_exceeds_its_workers_memory_fails_only_its_job(
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
        error = json.loads(platform.run({"how": how})["error"])
        assert error["error_type"] == "MemoryExceeded"
        sentence = "The function used more than the 0.3 GB of memory that its worker has"
        assert error["error_message"] == f"{sentence}. Use less, or declare a larger CPU type."
        assert platform.run({"how": "little"}) == {"output": "little"}


def test_when_several_jobs_exceed_the_memory_together_the_one_at_fault_is_found(
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
    until(lambda: len(platform.requeued) == 2, seconds=20)
    greedy, modest = (platform.submit({"how": how, "together": False}) for how in ("much", "little"))
    assert "more than the 0.3 GB of memory" in greedy.result()["error"]
    assert modest.result() == {"output": "little"}


def test_exceeding_the_memory_at_import_is_a_failed_start(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
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


def test_cancelling_stops_an_endless_generator(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_worker("import itertools\ndef run(end):\n    yield from range(2) if end else itertools.count()\n")
    job = platform.submit({"end": False})
    until(lambda: len(job.chunks) > 100, seconds=20)
    worker.stop_jobs(job.id)
    assert platform.run({"end": True}) == {"output": [0, 1]}
    assert job.posts == 0


def test_cancelling_an_async_function_that_blocks_its_loop_replaces_the_process(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("import time\nasync def run(s):\n    print('begun')\n    time.sleep(s)\n    return s\n")
    job = platform.submit({"s": 3600})
    until(lambda: "begun" in worker.messages(job.id), seconds=20)
    worker.stop_jobs(job.id)
    assert platform.run({"s": 0}) == {"output": 0}


# Title, and what an async function does to the event loop on which its worker's jobs run.
ENDS_OF_LOOP: list[tuple[str, str]] = [
    ("stops it", "loop.stop()"),
    ("stops it from a thread", "await asyncio.to_thread(loop.call_soon_threadsafe, loop.stop)"),
    ("stops and closes it", "threading.Thread(target=close).start(); loop.stop()"),
    ("closes its selector", "loop._selector.close()"),
]


@pytest.mark.parametrize("what", [case[1] for case in ENDS_OF_LOOP], ids=[case[0] for case in ENDS_OF_LOOP])
def test_a_function_that_ends_the_event_loop_fails_its_job_and_the_next_one_runs(
    start_worker: StartWorker, platform: ProtocolPlatform, what: str
) -> None:
    source = f"""
import asyncio, threading, time
async def run(how):
    loop = asyncio.get_running_loop()
    def close():
        while loop.is_running(): time.sleep(0.001)
        loop.close()
    if how:
        {what}
        await asyncio.sleep(600)
    return how
"""
    worker = start_worker(source)
    error = json.loads(platform.run({"how": 1})["error"])
    assert error["error_type"] == "WorkerCrashed"
    assert "The event loop on which this worker runs its jobs has ended" in error["error_traceback"]
    assert platform.run({"how": 0}) == {"output": 0}
    assert worker.stop() == 0


def test_other_jobs_of_an_event_loop_that_a_function_stops_run_again(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
import asyncio
begun = []
async def run(how):
    begun.append(how)
    while how == "stops" and len(begun) < 2: await asyncio.sleep(0.01)
    if how == "stops": asyncio.get_running_loop().stop()
    await asyncio.sleep(600)
"""
    worker = start_worker(source, maxConcurrency=2)
    jobs = [platform.submit({"how": how}) for how in ("stops", "waits")]
    until(lambda: sorted(platform.requeued) == sorted((job.id, True) for job in jobs), seconds=20)
    until(lambda: worker.leases()[-1:] == [[]], seconds=20)


@pytest.mark.parametrize("ends", ["sys.exit(3)", "raise KeyboardInterrupt"])
def test_an_exit_in_a_task_of_a_function_fails_only_the_job_that_awaits_it(
    start_worker: StartWorker, platform: ProtocolPlatform, ends: str
) -> None:
    source = f"""
import asyncio, sys
others = asyncio.Event()
async def ending():
    {ends}
async def run(how):
    if how == "waits":
        await others.wait()
        return how
    try:
        await asyncio.gather(ending())
    finally:
        others.set()
"""
    start_worker(source, maxConcurrency=2)
    waits, exits = (platform.submit({"how": how}) for how in ("waits", "exits"))
    error = json.loads(exits.result()["error"])
    assert error["error_type"] in ("SystemExit", "KeyboardInterrupt")
    assert waits.result() == {"output": "waits"}
    assert platform.requeued == []


def test_a_process_that_has_stopped_reading_is_replaced_even_if_a_large_job_is_being_sent_to_it(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    # The expression never releases the interpreter's lock, so the other job's input cannot be read.
    source = (
        "import re\ndef run(text):\n    if text == 'stuck': re.match('(a+)+$', 'a' * 60 + 'b')\n    return len(text)\n"
    )
    start_worker(source, maxConcurrency=2)
    stuck = platform.submit({"text": "stuck"}, policy={"executionTimeout": 2000})
    time.sleep(0.5)
    large = platform.submit({"text": "x" * 3_000_000})
    assert stuck.result() == {"error": "executionTimeout exceeded"}
    until(lambda: platform.requeued == [(large.id, False)], seconds=20)
    assert platform.run({"text": "after"}) == {"output": 5}


# Title, and what the function does to its process. The next job must still run.
HARMLESS: list[tuple[str, str]] = [
    ("closes stdout and stderr", "sys.stdout.close(); sys.stderr.close(); os.close(1); os.close(2); print('lost')"),
    ("replaces stdout", "sys.stdout = None; sys.stderr = open(os.devnull, 'w')"),
    ("changes the folder", "os.chdir('/')"),
    ("starts a daemon", "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()"),
    ("starts a thread that never ends", "threading.Thread(target=time.sleep, args=(600,)).start()"),
    ("limits the recursion", "sys.setrecursionlimit(60)"),
    ("clears the environment", "os.environ.clear()"),
    ("clears sys.path", "sys.path.clear()"),
    (
        "removes toolkit_sdk from sys.modules",
        "[sys.modules.pop(m) for m in list(sys.modules) if m.startswith('toolkit_sdk')]",
    ),
    ("traces", "sys.settrace(lambda *a: None)"),
    ("switches the collector off", "gc.disable(); gc.freeze()"),
    ("changes the umask", "os.umask(0o777)"),
    ("leaves an exit handler", "atexit.register(time.sleep, 600)"),
    ("writes bytes that start like structured log lines", "sys.stdout.buffer.write(b'\\x1e{}\\n' * 3)"),
    ("prints surrogates", "print('\\ud800 \\x00 \\x1e')"),
]


@pytest.mark.parametrize("what", [case[1] for case in HARMLESS], ids=[case[0] for case in HARMLESS])
def test_the_next_job_runs_whatever_a_function_does_to_its_process(
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


@pytest.mark.parametrize("name", ["json", "queue", "types", "asyncio", "threading", "email", "socket", "io", "logging"])
def test_a_worker_runs_even_if_a_project_file_has_the_name_of_a_standard_module(
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


def test_a_load_balanced_worker_also_runs_if_project_files_have_names_of_standard_modules(
    start_routes: StartWorker,
) -> None:
    files = {f"{name}.py": "VALUE = 1\n" for name in ("json", "queue", "types", "email", "uuid", "socket")}
    source = "def run(n: int):\n    import types\n    return n + types.VALUE\n"
    worker = start_routes(source, [("GET", "/run", "run")], files=files)
    worker.await_report("ready")
    assert worker.get("/run?n=6", headers={"x-toolkit-gateway-secret": "gateway-secret"}).json() == 7


def test_a_failure_caused_by_a_hidden_module_names_the_file(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = "def run(how):\n    import cProfile\n    return cProfile.run('1')\n"
    start_worker(source, {"profile.py": "ONE = 1\n"})
    error = json.loads(platform.run({"how": 1})["error"])
    assert error["error_message"].endswith(
        "The project's profile.py has the same name as Python's own module profile: rename it."
    )


def test_another_failure_that_mentions_a_hidden_module_does_not_name_the_file(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    start_worker("def run(how):\n    raise KeyError('profile')\n", {"profile.py": "ONE = 1\n"})
    error = json.loads(platform.run({"how": 1})["error"])
    assert error["error_message"] == "'profile'"


def test_a_failed_start_caused_by_a_hidden_module_names_the_file(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker("from json import loads\n" + FINE, {"json/__init__.py": ""})
    reason = worker.await_report("unhealthy")["reason"]
    assert reason.startswith("app.py cannot be loaded: ImportError: cannot import name 'loads' from 'json'")
    assert reason.endswith("The project's json/__init__.py has the same name as Python's own module json: rename it.")


def test_a_function_that_sends_a_frame_without_its_fields_ends_its_worker_with_a_reason_in_the_log(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
import gc, time
from toolkit_sdk._worker.frames import FrameLink
def run():
    [link] = [each for each in gc.get_objects() if isinstance(each, FrameLink)]
    link.send("unhealthy", b"")
    time.sleep(600)
"""
    worker = start_worker(source)
    worker.await_report("ready")
    platform.submit({})
    assert worker.await_end() != 0
    assert any('The worker\'s thread "runner" failed; the worker ends:' in message for message in worker.messages())
