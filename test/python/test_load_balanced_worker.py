"""The load-balanced worker over real HTTP, with requests like those of the gateway."""

from __future__ import annotations

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from toolkit_sdk._worker.listening import address_of, listen

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import until

SECRET = {"x-toolkit-gateway-secret": "gateway-secret"}

APP = """
import os
from typing import Annotated
from fastapi import Body, Header, HTTPException, Request, Response
from pydantic import BaseModel
from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu5c-4-8")

class Order(BaseModel):
    item: str
    count: int = 1

@api.post("/single")
def single(text: str):
    return {"text": text}

@api.post("/typed")
def typed(count: int, ratio: float = 0.5, tags: list[str] = []):
    print("counting", count)
    return [count, ratio, tags]

@api.get("/items/{item}")
def item(item: int, q: str | None = None, tags: list[str] = []):
    return {"item": item, "q": q, "tags": tags}

@api.delete("/items/{item}")
async def remove(item: str, force: bool = False):
    return {"removed": item, "force": force}

@api.post("/order")
def order(order: Order):
    return order

@api.get("/headers")
def headers(request: Request, x_mark: Annotated[str, Header()] = "none"):
    return {"secret": request.headers.get("x-toolkit-gateway-secret"), "mark": x_mark, "path": request.url.path}

@api.get("/fail")
def fail():
    raise ValueError("no such thing")

@api.get("/cancelled")
async def cancelled():
    import asyncio

    task = asyncio.create_task(asyncio.sleep(60))
    task.cancel()
    await task

@api.get("/exits")
def exits():
    raise SystemExit(3)

@api.get("/nan")
def nan():
    return {"scores": [1.0, float("nan")]}

@api.get("/teapot")
def teapot():
    raise HTTPException(418, "short and stout")

@api.get("/dies")
def dies():
    os._exit(7)

@api.get("/slow")
def slow():
    import time
    print("slow began")
    time.sleep(1)
    return "slept"

class Upload(BaseModel):
    data: bytes
    name: str = ""

@api.post("/upload")
def upload(data: bytes, parts: list[bytes] = [], more: "dict[str, bytes] | None" = None, array: bytearray = b""):
    return [data[::-1], parts, more, type(array).__name__]

@api.post("/upload/model")
async def upload_model(
    upload: Upload | None = None,
    marked: Annotated[bytes, Body()] = b"",
    given: bytes = Body(b"none"),
    x_raw: Annotated[bytes, Header()] = b"",
):
    assert (given, x_raw) in ((b"none", b""), (b"a", b"no base64"))
    return {"data": upload and upload.data, "marked": marked, "upload": upload}

@api.get("/bytes/{key}")
def key(key: bytes, q: bytes | None = None, tags: list[bytes] = [], array: bytearray | None = None):
    return {"key": key, "types": [type(each).__name__ for each in (key, q, *tags, array)], "length": len(key)}

@api.get("/raw")
def raw():
    return Response(b"\\xff\\xfe", media_type="application/octet-stream")

@api.get("/one")
def one(): return two()

@api.get("/two")
def two(): return "two"
"""
ROUTES = [
    ("POST", "/single", "single"),
    ("POST", "/typed", "typed"),
    ("GET", "/items/{item}", "item"),
    ("DELETE", "/items/{item}", "remove"),
    ("POST", "/order", "order"),
    ("GET", "/headers", "headers"),
    ("GET", "/fail", "fail"),
    ("GET", "/cancelled", "cancelled"),
    ("GET", "/exits", "exits"),
    ("GET", "/nan", "nan"),
    ("GET", "/teapot", "teapot"),
    ("GET", "/dies", "dies"),
    ("GET", "/slow", "slow"),
    ("POST", "/upload", "upload"),
    ("POST", "/upload/model", "upload_model"),
    ("GET", "/bytes/{key}", "key"),
    ("GET", "/raw", "raw"),
    ("GET", "/one", "one"),
    ("GET", "/two", "two"),
]

# Method, path, what is sent, expected status, expected body or a part of it.
ANSWERS: list[tuple[str, str, dict[str, Any], int, Any]] = [
    ("POST", "/single", {"json": {"text": "hello"}}, 200, {"text": "hello"}),
    (
        "POST",
        "/single",
        {"content": b'{"text": "no content type"}'},
        200,
        {"text": "no content type"},
    ),
    (
        "POST",
        "/single",
        {"json": "hello"},
        422,
        {
            "code": "VALIDATION_ERROR",
            "field": None,
            "error": "The body must be a JSON object of parameters: it is something else.",
        },
    ),
    (
        "POST",
        "/single",
        {"json": {}},
        422,
        {"code": "VALIDATION_ERROR", "field": "text"},
    ),
    (
        "POST",
        "/single",
        {"content": b"{"},
        422,
        {"code": "VALIDATION_ERROR", "field": None},
    ),
    ("POST", "/typed", {"json": {"count": 3}}, 200, [3, 0.5, []]),
    (
        "POST",
        "/typed",
        {"json": {"count": 3, "ratio": 1, "tags": ["a"]}},
        200,
        [3, 1.0, ["a"]],
    ),
    (
        "POST",
        "/typed",
        {"json": {"count": "many"}},
        422,
        {"code": "VALIDATION_ERROR", "field": "count"},
    ),
    (
        "POST",
        "/typed",
        {"json": {"count": 1, "tags": ["a", 2]}},
        422,
        {"field": "tags.1"},
    ),
    (
        "GET",
        "/items/7?q=x&tags=a&tags=b",
        {},
        200,
        {"item": 7, "q": "x", "tags": ["a", "b"]},
    ),
    ("GET", "/items/seven", {}, 422, {"code": "VALIDATION_ERROR", "field": "item"}),
    ("DELETE", "/items/seven?force=true", {}, 200, {"removed": "seven", "force": True}),
    (
        "POST",
        "/order",
        {"json": {"order": {"item": "cup"}}},
        200,
        {"item": "cup", "count": 1},
    ),
    (
        "POST",
        "/order",
        {"json": {"order": {"item": "cup", "count": "x"}}},
        422,
        {"field": "order.count"},
    ),
    (
        "GET",
        "/headers",
        {"headers": {"x-mark": "here"}},
        200,
        {"secret": None, "mark": "here", "path": "/headers"},
    ),
    (
        "GET",
        "/fail",
        {},
        500,
        {
            "error": "ValueError: no such thing",
            "code": "FUNCTION_ERROR",
            "request_id": "req-1",
        },
    ),
    ("GET", "/cancelled", {}, 500, {"code": "FUNCTION_ERROR"}),
    ("GET", "/exits", {}, 500, {"code": "FUNCTION_ERROR"}),
    (
        "GET",
        "/nan",
        {},
        500,
        {"error": "output.scores[1] is NaN, which cannot be converted to JSON; use None or a string."},
    ),
    ("GET", "/teapot", {}, 418, {"error": "short and stout"}),
    ("GET", "/missing", {}, 404, {"code": "ROUTE_NOT_FOUND"}),
    ("GET", "/single", {}, 405, {"code": "METHOD_NOT_ALLOWED"}),
    ("GET", "/docs", {}, 404, {"code": "ROUTE_NOT_FOUND"}),
    ("GET", "/redoc", {}, 404, {"code": "ROUTE_NOT_FOUND"}),
    ("GET", "/openapi.json", {}, 404, {"code": "ROUTE_NOT_FOUND"}),
    (
        "POST",
        "/upload",
        {"json": {"data": "//77", "parts": ["YQ=="], "more": {"k": "Yg=="}, "array": "YQ=="}},
        200,
        ["+/7/", ["YQ=="], {"k": "Yg=="}, "bytearray"],
    ),
    (
        "POST",
        "/upload",
        {"json": {"data": "a b"}},
        422,
        {"error": 'The parameter "data" is invalid: must be base64 text.', "field": "data", "code": "VALIDATION_ERROR"},
    ),
    ("POST", "/upload", {"json": {"data": 5}}, 422, {"field": "data"}),
    ("POST", "/upload", {"json": {"data": "", "parts": ["YQ==", "YQ"]}}, 422, {"field": "parts.1"}),
    ("POST", "/upload", {"json": {"data": "", "more": {"k": "-"}}}, 422, {"field": "more.k"}),
    (
        "POST",
        "/upload/model",
        {
            "json": {"upload": {"data": "//77"}, "marked": "YQ==", "given": "YQ=="},
            "headers": {"x-raw": "no base64"},
        },
        200,
        {"data": "//77", "marked": "YQ==", "upload": {"data": "//77", "name": ""}},
    ),
    ("POST", "/upload/model", {"json": {}}, 200, {"data": None, "marked": "", "upload": None}),
    ("POST", "/upload/model", {"json": {"upload": {"data": "-"}}}, 422, {"field": "upload.data"}),
    ("POST", "/upload/model", {"json": {"upload": {}}}, 422, {"field": "data"}),
    (
        "GET",
        "/bytes/YWJj?q=%2F%2F77&tags=YQ%3D%3D&tags=Yg%3D%3D&array=YQ%3D%3D",
        {},
        200,
        {"key": "YWJj", "types": ["bytes", "bytes", "bytes", "bytes", "bytearray"], "length": 3},
    ),
    ("GET", "/bytes/a", {}, 422, {"field": "key"}),
    ("GET", "/bytes/YWJj?tags=-", {}, 422, {"field": "tags.0"}),
    ("GET", "/one", {}, 200, "two"),
]


def test_routes_bind_parameters_and_answer_in_the_toolkits_formats(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_routes(APP, ROUTES)
    worker.await_report("ready")
    with worker.client() as client:
        for method, path, sent, status, expected in ANSWERS:
            headers = {**SECRET, "x-request-id": "req-1", **sent.pop("headers", {})}
            answer = client.request(method, path, headers=headers, **sent)
            seen = f"{method} {path}: {answer.status_code} {answer.text}"
            assert answer.status_code == status, seen
            body = answer.json()
            if isinstance(expected, dict) and isinstance(body, dict) and status >= 400:
                assert {key: body.get(key) for key in expected} == expected, seen
            else:
                assert body == expected, seen
        assert client.get("/raw", headers=SECRET).content == b"\xff\xfe"
    assert "counting 3" in worker.messages("req-1")
    assert '  File "app.py", line 41, in fail' in worker.messages("req-1")
    assert not any("toolkit_sdk" in message for message in worker.messages("req-1"))


def test_only_health_requests_are_answered_without_the_gateways_secret(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_routes(APP, ROUTES)
    worker.await_report("ready")
    assert worker.get("/ping").status_code == 200
    for headers in ({}, {"x-toolkit-gateway-secret": "guess"}):
        answer = worker.get("/two", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")


BODIES = """
from typing import Annotated
from urllib.parse import parse_qs
from fastapi import Body, Depends, Request
from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu5c-4-8")

@api.post("/echo")
def echo(a: object = None, b: int = 0):
    print("called")
    return {"a": a, "b": b}

@api.post("/needs/{c}")
def needs(c: str, a: int):
    return a

@api.post("/marked")
def marked(a: Annotated[int, Body()] = 0, b: Annotated[int, Body()] = 0):
    return [a, b]

def sender(request: Request):
    return request.headers.get("x-sender", "")

@api.post("/depends")
def depends(sender: Annotated[str, Depends(sender)], a: int = 0):
    return [sender, a]

@api.post("/nothing")
def nothing():
    return "fine"

@api.post("/raw")
async def raw(request: Request):
    return (await request.body()).decode("latin-1")

@api.post("/form")
async def form(request: Request, a: int = 0):
    return [parse_qs((await request.body()).decode()), a]

@api.post("/json")
async def json(request: Request, a: int = 0):
    return [await request.json(), a]

@api.post("/text")
def text(body: Annotated[str, Body(media_type="text/plain")]):
    return body

@api.post("/list")
def items(items: Annotated[list[int], Body()]):
    return items
"""
BODY_ROUTES = [
    ("POST", "/echo", "echo"),
    ("POST", "/needs/{c}", "needs"),
    ("POST", "/marked", "marked"),
    ("POST", "/depends", "depends"),
    ("POST", "/nothing", "nothing"),
    ("POST", "/raw", "raw"),
    ("POST", "/form", "form"),
    ("POST", "/json", "json"),
    ("POST", "/text", "text"),
    ("POST", "/list", "items"),
]


def test_a_body_of_parameters_that_is_not_declared_as_json_is_refused_as_under_dev(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_routes(BODIES, BODY_ROUTES)
    with worker.client(headers=SECRET) as client:
        for path in ("/echo", "/needs/1", "/marked", "/depends"):
            for kind in (
                "application/x-www-form-urlencoded",
                "text/plain",
                "multipart/form-data; boundary=a",
                "",
                "json",
            ):
                answer = client.post(path, content=b'{"a": 1}', headers={"content-type": kind})
                assert (answer.status_code, answer.json()) == (
                    415,
                    {
                        "error": "The body of this request is not declared as JSON.",
                        "code": "UNSUPPORTED_MEDIA_TYPE",
                        "hint": 'Send the header "Content-Type: application/json".',
                    },
                ), (path, kind)
        assert "called" not in worker.messages()
        for kind in ("application/json; charset=utf-8", "Application/JSON", "application/vnd.api+json"):
            assert client.post("/echo", content=b'{"b": 1}', headers={"content-type": kind}).json() == {
                "a": None,
                "b": 1,
            }
        assert client.post("/echo", content=b'{"b": 1}').json() == {"a": None, "b": 1}
        assert client.post("/echo", headers={"content-type": "text/plain"}).json() == {"a": None, "b": 0}


def test_a_function_that_reads_its_body_itself_gets_every_type(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_routes(BODIES, BODY_ROUTES)
    answers: list[tuple[str, str, bytes, Any]] = [
        ("/raw", "text/plain", b"\xff{", "\xff{"),
        ("/raw", "application/json", b"{", "{"),
        ("/nothing", "text/plain", b"{", "fine"),
        ("/form", "application/x-www-form-urlencoded", b"x=1&y=2", [{"x": ["1"], "y": ["2"]}, 0]),
        ("/json", "application/json", b'{"a": 1}', [{"a": 1}, 1]),
        ("/text", "text/plain", b"some text", "some text"),
        ("/list", "application/json", b"[1, 2]", [1, 2]),
    ]
    with worker.client(headers=SECRET) as client:
        for path, kind, content, expected in answers:
            answer = client.post(path, content=content, headers={"content-type": kind})
            assert (answer.status_code, answer.json()) == (200, expected), path
        wrong = client.post("/list", json=[1, "x"]).json()
        assert wrong["error"].startswith('The parameter "1" is invalid:')


_SOMETHING_ELSE = "The body must be a JSON object of parameters: it is something else."
UNREADABLE: list[tuple[bytes, int, str]] = [
    (b"null", 422, _SOMETHING_ELSE),
    (b"[]", 422, _SOMETHING_ELSE),
    (b'"text"', 422, _SOMETHING_ELSE),
    (b'{"a": 1,}', 422, "The body must be a JSON object of parameters: it is not JSON ("),
    (b'{"a": nan}', 422, "The body must be a JSON object of parameters: it is not JSON ("),
    (b'{"a": NaN}', 400, "The body is not JSON."),
    (b'{"a": [-Infinity]}', 400, "The body is not JSON."),
    (b'{"a": "\xff"}', 400, "The body is not UTF-8."),
    (b'{"a": "\xed\xa0\x80"}', 400, "The body is not UTF-8."),
    ('{"a": 1}'.encode("utf-16"), 400, "The body is not UTF-8."),
    (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", 400, "The body is nested too deeply for Python to read."),
    (
        b'{"a": ' + b"9" * 5_000 + b"}",
        400,
        "The body has a number with too many digits for Python to read; send it as a string.",
    ),
]


def test_a_body_that_cannot_be_read_is_answered_with_the_reason(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_routes(BODIES, BODY_ROUTES)
    with worker.client(headers=SECRET) as client:
        for content, status, error in UNREADABLE:
            answer = client.post("/echo", content=content)
            assert answer.status_code == status, content[:20]
            assert answer.json()["error"].startswith(error), content[:20]
            assert answer.json()["code"] == ("BAD_REQUEST" if status == 400 else "VALIDATION_ERROR")
        assert "called" not in worker.messages()
        assert client.post("/echo", content=b'\xef\xbb\xbf{"a": "NaN"}').json() == {"a": "NaN", "b": 0}


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


def test_a_server_that_exceeds_its_memory_is_restarted_and_the_reason_is_logged(start_routes: StartWorker) -> None:
    source = (
        "def run(size: int):\n    import time\n    kept = bytearray(size)\n    time.sleep(5)\n    return len(kept)\n"
    )
    worker = start_routes(source, [("GET", "/run", "run")], memoryBytes=300_000_000)
    worker.await_report("ready")
    with pytest.raises(httpx.HTTPError):
        worker.get("/run", params={"size": 500_000_000}, headers=SECRET)
    deadline = time.monotonic() + 20
    while not any("larger CPU instance. It is restarted." in line for line in worker.messages()):
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


def test_a_server_that_ends_is_restarted(start_routes: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_routes(APP, ROUTES)
    worker.await_report("ready")
    with pytest.raises(httpx.HTTPError):
        worker.get("/dies", headers=SECRET)
    worker.agent.reports.clear()
    worker.await_report("ready")
    assert worker.get("/two", headers=SECRET).json() == "two"
    until(lambda: any("ended with exit code 7" in message for message in worker.messages()))


@pytest.mark.parametrize(
    ("ends", "sentence"),
    [
        ("loop.stop()", "The event loop on which this worker serves its requests has ended;"),
        ("loop.create_task(leave())", "The event loop on which this worker serves its requests has ended;"),
        ("loop._selector.close()", "I/O operation on closed"),
    ],
)
def test_a_server_whose_event_loop_a_function_ends_is_restarted(
    start_routes: StartWorker, platform: ProtocolPlatform, ends: str, sentence: str
) -> None:
    source = f"""
import asyncio, sys, time

async def leave():
    sys.exit(3)

def blocks():
    print("blocks")
    time.sleep(600)

async def two():
    return "two"

async def end():
    loop = asyncio.get_running_loop()
    {ends}
    await asyncio.sleep(600)
"""
    worker = start_routes(source, [("GET", "/blocks", "blocks"), ("GET", "/end", "end"), ("GET", "/two", "two")])
    worker.await_report("ready")
    with worker.client(headers=SECRET, timeout=60) as client, ThreadPoolExecutor(2) as threads:
        blocked = threads.submit(client.get, "/blocks")
        until(lambda: "blocks" in worker.messages())
        worker.agent.reports.clear()
        ending = threads.submit(client.get, "/end")
        worker.await_report("ready")
        for each in (blocked, ending):
            assert isinstance(each.exception(), httpx.RemoteProtocolError) or each.result().status_code == 500
    assert worker.get("/two", headers=SECRET).json() == "two"
    assert any(sentence in message for message in worker.messages())


SLOW = """
import asyncio
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

def stubborn(seconds: float):
    time.sleep(seconds)

def ended():
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


@pytest.mark.parametrize(
    ("method", "path", "hint"),
    [
        (
            "POST",
            "/single?text=a",
            "Send the function's parameters as fields of one JSON object, except those in the path.",
        ),
        ("GET", "/items/none", "Send the function's parameters in the path and the query."),
    ],
)
def test_invalid_parameters_are_answered_with_where_they_belong(
    start_routes: StartWorker, platform: ProtocolPlatform, method: str, path: str, hint: str
) -> None:
    worker = start_routes(APP, ROUTES)
    with worker.client() as client:
        answer = client.request(method, path, headers={**SECRET, "content-type": "application/json"})
        assert (answer.status_code, answer.json()["hint"]) == (422, hint)


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


def test_a_worker_listens_in_its_own_folder_where_only_its_user_can_connect(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_routes(SEEN, [("GET", "/seen", "seen")])
    path = Path(worker.address.removeprefix("unix:"))
    assert "worker-1" in path.parts
    assert path.stat().st_mode & 0o777 == 0o600
    worker.stop()
    assert not path.exists()


def test_the_first_request_of_a_later_worker_loads_no_modules(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    source = "import sys\nloaded = set(sys.modules)\ndef since():\n    return sorted(set(sys.modules) - loaded)\n"
    worker = start_routes(source, [("GET", "/since", "since")])
    worker.await_report("ready")
    worker.stop()
    worker.agent.reports.clear()
    worker.order_again()
    assert worker.get("/since", headers=SECRET).json() == []


def test_a_worker_listens_on_a_port_if_the_path_of_its_socket_is_too_long(tmp_path: Path) -> None:
    for name, beginning in (("short", "unix:/"), ("long" * 25, "http://127.0.0.1:")):
        with listen(str(tmp_path / name)) as listener:
            listener.listen()
            address = address_of(listener)
            assert address.startswith(beginning)
            with socket.socket(listener.family) as client:
                client.connect(listener.getsockname())


def test_a_route_sees_the_client_that_the_gateway_names(start_routes: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_routes(SEEN, [("GET", "/seen", "seen")])
    headers = {**SECRET, "x-forwarded-for": "192.0.2.7"}
    assert worker.get("/seen", headers=headers).json() == "192.0.2.7"


SEEN = """
from fastapi import Request

def seen(request: Request):
    return request.client and request.client.host
"""


def test_health_requests_with_another_secret_are_refused(start_routes: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_routes("def one(): pass\n", [("GET", "/one", "one")])
    assert worker.get("/ping", headers=SECRET).status_code == 200
    assert worker.get("/ping", headers={"x-toolkit-gateway-secret": "of another"}).status_code == 403
