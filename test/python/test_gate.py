"""The gate before the routes of a load-balanced endpoint: secret, health requests and time limits."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from conftest import StartWorker
from example_routes import APP, ROUTES
from protocol_platform import ProtocolPlatform
from worker_process import SECRET, until


def test_only_health_requests_are_answered_without_the_gateways_secret(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_routes(APP, ROUTES)
    worker.await_report("ready")
    assert worker.get("/ping").status_code == 200
    for headers in ({}, {"x-toolkit-gateway-secret": "guess"}):
        answer = worker.get("/two", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")


def test_health_requests_with_another_secret_are_refused(start_routes: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_routes("def one(): pass\n", [("GET", "/one", "one")])
    assert worker.get("/ping", headers=SECRET).status_code == 200
    assert worker.get("/ping", headers={"x-toolkit-gateway-secret": "of another"}).status_code == 403


HOLDING = """
import pathlib, time
from fastapi import Request

def hold(request: Request, file: str):
    pathlib.Path(f"{file}-{id(request)}").touch()
    while not pathlib.Path(file).exists():
        time.sleep(0.01)
    return [name for name in request.headers if name.startswith("x-toolkit")]
"""


def test_a_health_request_waits_only_for_the_request_whose_number_it_names(
    start_routes: StartWorker, platform: ProtocolPlatform, tmp_path: Path
) -> None:
    worker = start_routes(HOLDING, [("GET", "/hold", "hold")])
    worker.await_report("ready")
    gate = tmp_path / "gate"

    def hold(headers: dict[str, str]) -> httpx.Response:
        return worker.get("/hold", params={"file": str(gate)}, headers={**SECRET, **headers})

    def ping(headers: dict[str, str]) -> httpx.Response:
        return worker.get("/ping", headers={**SECRET, **headers})

    with ThreadPoolExecutor(3) as threads:
        held = [threads.submit(hold, headers) for headers in ({}, {"x-toolkit-request-number": "7"})]
        until(lambda: len(list(tmp_path.glob("gate-*"))) == len(held))
        awaited = threads.submit(ping, {"x-toolkit-awaited-request": "7"})
        assert ping({}).status_code == 200
        assert ping({"x-toolkit-awaited-request": "8"}).status_code == 200
        assert not any(each.done() for each in (awaited, *held))
        gate.touch()
        assert (awaited.result().status_code, "x-toolkit-blocked" in awaited.result().headers) == (200, False)
        assert [each.result().json() for each in held] == [[], []]


SLOW = """
import asyncio
import gc
import time
from pathlib import Path
from fastapi.responses import StreamingResponse

ends = []

async def patient():
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError:
        ends.append("cancelled")
        raise

class Careless(BaseException):
    pass

async def careless():
    try:
        await asyncio.sleep(30)
    finally:
        raise Careless

def stubborn(seconds: float):
    time.sleep(seconds)

def ended():
    gc.collect()  # asyncio logs the error of a task that nobody asked for when the task is freed.
    return ends

def streams():
    def pieces():
        for piece in range(3):
            time.sleep(0.3)
            yield str(piece)
    return StreamingResponse(pieces())
"""
SLOW_ROUTES = [
    ("GET", "/patient", "patient"),
    ("GET", "/careless", "careless"),
    ("GET", "/stubborn", "stubborn"),
    ("GET", "/ended", "ended"),
    ("GET", "/streams", "streams"),
]


def test_an_async_function_that_exceeds_its_time_is_cancelled_and_answered_with_504(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_routes(SLOW, SLOW_ROUTES, executionTimeout=0.5)
    worker.await_report("ready")
    late = worker.get("/patient", headers={**SECRET, "x-request-id": "late"})
    assert late.status_code == 504
    assert (late.json()["code"], late.json()["request_id"]) == ("FUNCTION_TIMEOUT", "late")
    assert "x-toolkit-blocked" not in late.headers
    assert worker.get("/ended", headers=SECRET).json() == ["cancelled"]
    until(lambda: any("within its execution_timeout of 0.5 s" in line for line in worker.messages()))


def test_an_async_function_that_fails_while_it_is_cancelled_adds_nothing_to_the_log(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_routes(SLOW, SLOW_ROUTES, executionTimeout=0.5)
    worker.await_report("ready")
    assert worker.get("/careless", headers={**SECRET, "x-request-id": "late"}).status_code == 504
    assert worker.get("/ended", headers=SECRET).json() == []
    assert worker.stop() == 0
    late = [line for line in worker.messages() if "execution_timeout" in line or "Task" in line]
    assert late == ["The function did not respond within its execution_timeout of 0.5 s."]


def test_a_plain_function_that_exceeds_its_time_marks_its_worker_as_blocked(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_routes(SLOW, SLOW_ROUTES, executionTimeout=2)
    worker.await_report("ready")
    # The time limit also covers the start of the thread.
    late = worker.get("/stubborn", params={"seconds": 6}, headers=SECRET)
    assert (late.status_code, late.headers["x-toolkit-blocked"]) == (504, "1")
    assert worker.get("/ended", headers=SECRET).json() == []


def test_the_time_limit_applies_until_the_first_byte_of_an_answer(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_routes(SLOW, SLOW_ROUTES, executionTimeout=0.5)
    worker.await_report("ready")
    assert worker.get("/streams", headers=SECRET).text == "012"
