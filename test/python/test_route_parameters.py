"""Parameters of routes, over real HTTP: from the path, the query, the headers and the body."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import StartWorker
from example_routes import APP, ROUTES
from protocol_platform import ProtocolPlatform
from worker_process import SECRET

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
            "error": "The body must be a JSON object with the function's parameters.",
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
