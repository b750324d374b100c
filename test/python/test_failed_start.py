"""Workers that cannot start or load their functions: they report why, and their jobs fail with the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import until


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


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            "import not_there\n",
            "app.py cannot be loaded: ModuleNotFoundError: No module named 'not_there'",
        ),
        (
            "class Table: pass\ndef two(n: int, table: Table): pass\n",
            'The parameter "table" of two (GET /two) has the type Table, which cannot be read from a request;',
        ),
        ("def other(): pass\n", "app.py was loaded, but has no function 'two'."),
    ],
)
def test_a_worker_that_cannot_load_reports_why(
    start_routes: StartWorker, platform: ProtocolPlatform, source: str, reason: str
) -> None:
    worker = start_routes(source, [("GET", "/two", "two")])
    report = worker.await_report("unhealthy")
    assert report["reason"].startswith(reason)
    assert worker.is_running


@pytest.mark.parametrize("kind", ["queue-based", "load-balanced"])
def test_a_worker_that_is_stopped_while_it_loads_its_function_ends(
    start_worker: StartWorker, start_routes: StartWorker, kind: str
) -> None:
    source = "import time\nprint('loading', flush=True)\ntime.sleep(600)\ndef run(): pass\n"
    worker = start_worker(source) if kind == "queue-based" else start_routes(source, [("GET", "/", "run")])
    until(lambda: "loading" in worker.messages())
    assert worker.stop(grace=600) == 0
