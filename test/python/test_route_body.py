"""Bodies of requests to routes: which are read, and which are refused and why."""

from __future__ import annotations

from typing import Any

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import SECRET

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
                        "error": "The Content-Type of this request is not application/json.",
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


_NOT_AN_OBJECT = "The body must be a JSON object with the function's parameters."
UNREADABLE: list[tuple[bytes, int, str]] = [
    (b"null", 422, _NOT_AN_OBJECT),
    (b"[]", 422, _NOT_AN_OBJECT),
    (b'"text"', 422, _NOT_AN_OBJECT),
    (b'{"a": 1,}', 422, "The body must be a JSON object with the function's parameters: it is not JSON ("),
    (b'{"a": nan}', 422, "The body must be a JSON object with the function's parameters: it is not JSON ("),
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
