"""Why a job or a request failed: the reason names the exception, and shows only the user's own frames and lines."""

from __future__ import annotations

import json

import pytest

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import SECRET, until


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


def test_the_reason_of_a_crash_does_not_contain_the_output_of_other_jobs(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    start_worker("import os\ndef run(word, die):\n    print(word)\n    if die: os._exit(1)\n")
    platform.run({"word": "private", "die": False})
    error = json.loads(platform.run({"word": "own", "die": True})["error"])
    assert error["error_traceback"] == "own"


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_any_exception_fails_only_its_request(start_routes: StartWorker, kind: str) -> None:
    source = f"""
class Textless(Exception):
    def __str__(self): raise RuntimeError("none")
RAISED = {{"exit": SystemExit(3), "interrupt": KeyboardInterrupt(), "textless": Textless(), "x": RecursionError("x")}}
{kind} run(how: str):
    if how in RAISED: raise RAISED[how]
    return how
"""
    worker = start_routes(source, [("GET", "/run", "run")])
    worker.await_report("ready")
    errors = {
        "exit": "SystemExit: The function called sys.exit(3).",
        "interrupt": "KeyboardInterrupt: ",
        "textless": "app.Textless: <its text cannot be read: RuntimeError>",
        "x": "RecursionError: x",
    }
    with worker.client(headers=SECRET) as client:
        for how, error in errors.items():
            answer = client.get("/run", params={"how": how})
            assert (answer.status_code, answer.json()["error"]) == (500, error)
            assert client.get("/run", params={"how": "fine"}).json() == "fine"
