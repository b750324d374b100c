"""Supervising a load-balanced worker: its server is restarted whenever it ends, until the worker is stopped."""

from __future__ import annotations

import time

import httpx
import pytest

from conftest import StartWorker
from example_routes import APP, ROUTES
from protocol_platform import ProtocolPlatform
from worker_process import SECRET, until


def test_a_server_that_ends_is_restarted(start_routes: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_routes(APP, ROUTES)
    worker.await_report("ready")
    with pytest.raises(httpx.HTTPError):
        worker.get("/dies", headers=SECRET)
    worker.agent.reports.clear()
    worker.await_report("ready")
    assert worker.get("/two", headers=SECRET).json() == "two"
    until(lambda: any("ended with exit code 7" in message for message in worker.messages()))


def test_a_server_that_exceeds_its_memory_is_restarted_and_the_reason_is_logged(start_routes: StartWorker) -> None:
    source = (
        "def run(size: int):\n    import time\n    kept = bytearray(size)\n    time.sleep(5)\n    return len(kept)\n"
    )
    worker = start_routes(source, [("GET", "/run", "run")], memoryBytes=300_000_000)
    worker.await_report("ready")
    with pytest.raises(httpx.HTTPError):
        worker.get("/run", params={"size": 500_000_000}, headers=SECRET)
    deadline = time.monotonic() + 20
    while not any("larger CPU type. It is restarted." in line for line in worker.messages()):
        assert time.monotonic() < deadline, worker.messages()
        time.sleep(0.02)
    while True:
        try:
            answer = worker.get("/ping")
        except httpx.HTTPError:
            assert time.monotonic() < deadline, "the server did not restart"
            time.sleep(0.02)
        else:
            assert answer.status_code == 200
            break


def test_a_stopped_worker_finishes_its_requests_and_leaves_no_process(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    import threading

    worker = start_routes(APP, ROUTES)
    worker.await_report("ready")
    answers: list[httpx.Response] = []
    request = threading.Thread(target=lambda: answers.append(worker.get("/slow", headers=SECRET)))
    request.start()
    while "slow began" not in worker.messages():
        time.sleep(0.01)
    children = worker.children()
    assert worker.stop() == 0
    request.join()
    assert answers[0].json() == "slept"
    for pid in children:
        with pytest.raises(ProcessLookupError):
            import os

            os.kill(pid, 0)
