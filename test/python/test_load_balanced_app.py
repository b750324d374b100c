"""The responses of a load-balanced endpoint to unknown routes, and to exceptions outside of its functions."""

from __future__ import annotations

import httpx
import pytest

from conftest import StartWorker
from example_routes import APP
from protocol_platform import ProtocolPlatform
from worker_process import SECRET, until


@pytest.mark.parametrize(
    ("method", "path", "hint"),
    [
        ("GET", "/items/3/", "Did you mean GET /items/{item}?"),
        ("PUT", "/items/3", "Did you mean GET /items/{item}?"),
        ("POST", "/sinlge", "Did you mean POST /single?"),
        ("GET", "/sixteen/letters", 'Run "toolkit list" to see the routes of each endpoint.'),
        ("GET", "/other", 'Run "toolkit list" to see the routes of each endpoint.'),
    ],
)
def test_an_unknown_route_names_the_one_that_was_meant(
    start_routes: StartWorker, platform: ProtocolPlatform, method: str, path: str, hint: str
) -> None:
    routes = [("GET", "/items/{item}", "item"), ("POST", "/single", "single"), ("GET", "/two", "two")]
    worker = start_routes(APP, routes)
    with worker.client() as client:
        assert client.request(method, path, headers=SECRET).json()["hint"] == hint


FAILING = """
from typing import Annotated
from fastapi import Depends
from fastapi.responses import StreamingResponse

def account():
    raise KeyError("account")

def depends(name: Annotated[str, Depends(account)]):
    return name

def streams():
    def pieces():
        yield "begun"
        raise ValueError("no more")
    return StreamingResponse(pieces())
"""
FAILING_ROUTES = [("GET", "/depends", "depends"), ("GET", "/streams", "streams")]


@pytest.mark.parametrize("timeout", [None, 60])
def test_a_stream_that_fails_breaks_off_and_logs_only_the_users_frames(
    start_routes: StartWorker, platform: ProtocolPlatform, timeout: int | None
) -> None:
    worker = start_routes(FAILING, FAILING_ROUTES, executionTimeout=timeout)
    worker.await_report("ready")
    with pytest.raises(httpx.RemoteProtocolError):
        worker.get("/streams", headers={**SECRET, "x-request-id": "broken"})
    until(lambda: any("ValueError: no more" in line for line in worker.messages("broken")))
    frames = "\n".join(worker.messages("broken"))
    assert frames.startswith("Traceback (most recent call last):")
    assert "in pieces" in frames
    assert frames.count("  File ") == 1
    assert not any("ASGI" in line or "starlette" in line for line in worker.messages())


@pytest.mark.parametrize("timeout", [None, 60])
def test_an_exception_before_a_function_is_answered_like_one_in_it(
    start_routes: StartWorker, platform: ProtocolPlatform, timeout: int | None
) -> None:
    worker = start_routes(FAILING, FAILING_ROUTES, executionTimeout=timeout)
    worker.await_report("ready")
    answer = worker.get("/depends", headers={**SECRET, "x-request-id": "depends"})
    assert (answer.status_code, answer.json()["code"]) == (500, "FUNCTION_ERROR")
    assert (answer.json()["error"], answer.json()["request_id"]) == ("KeyError: 'account'", "depends")
    until(lambda: any("KeyError: 'account'" in line for line in worker.messages("depends")))
    assert "\n".join(worker.messages()).count("Traceback") == 1
