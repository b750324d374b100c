"""Turns a call of a declared function into a request to its endpoint, and the response into a value or an exception."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Generator
from contextlib import suppress
from typing import Any, cast
from urllib.parse import quote

from ._context import AppContext, app_context
from ._dispatch import RemoteFunction
from ._http import Answer, BrokenError, Flow, OutOfTimeError, Pause, Request, UnreachableError, run, run_async
from ._lookup import Location, Locations, key_rejected
from ._manifest import endpoint_of
from ._values import NotJsonError, from_base64, to_json
from .errors import CallError, CallTimeoutError, RemoteError

# Seconds after which a call times out: longer than most functions take, shorter than most proxies allow.
REQUEST_TIMEOUT = 60.0
_TERMINAL = ("COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT")
_BODILESS = ("GET", "HEAD", "DELETE")

locations = Locations()


def call(remote: RemoteFunction, args: tuple[object, ...], kwargs: dict[str, object]) -> Any:
    """Calls the deployed function. Returns its value, or a coroutine that returns it for an async function.

    Raises:
        TypeError: The arguments do not match the function's signature.
        CallError: The endpoint cannot be reached, or did not answer.
        RemoteError: The function failed.
    """
    flow = call_flow(remote, arguments_by_name(remote, args, kwargs))
    return run_async(flow) if remote.is_async else run(flow)


def arguments_by_name(remote: RemoteFunction, args: tuple[object, ...], kwargs: dict[str, object]) -> dict[str, object]:
    """The arguments by parameter name. Defaults are not filled in: the function itself does that.

    Raises:
        TypeError: They do not match the function's signature; the message is Python's own.
    """
    try:
        bound = remote.signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{remote.name}() {error}") from None
    named = dict(bound.arguments)
    for parameter in remote.signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            named.update(named.pop(parameter.name, {}))
    return named


def call_flow(remote: RemoteFunction, arguments: dict[str, object], found: Locations = locations) -> Flow:
    """The steps of a call, which `_http` runs."""
    deadline = time.monotonic() + REQUEST_TIMEOUT
    name = endpoint_of(remote.module, remote.name, remote.target.endpoint)
    context = app_context(name, remote.file)
    location, kept = yield from found.find(context, name, REQUEST_TIMEOUT)
    send = _send_to_queue if remote.target.route is None else _send_to_route
    try:
        answer = yield from send(remote, context, location, arguments, deadline)
    except UnreachableError as error:
        if not kept:
            raise _no_answer(name, location, error) from error
        answer = None
    if kept and (answer is None or answer.status == 404):
        # The endpoint may have moved since it was looked up: look it up again.
        location, _ = yield from found.find(context, name, deadline - time.monotonic(), fresh=True)
        try:
            answer = yield from send(remote, context, location, arguments, deadline)
        except UnreachableError as error:
            raise _no_answer(name, location, error) from error
    assert answer is not None
    if answer.status == 401:
        raise key_rejected(context)
    if remote.target.route is not None:
        result = _route_result(remote, answer)
    else:
        result = yield from _job_result(name, context, location, answer, deadline)
    return _bytes(name, result) if remote.returns_bytes else result


def _bytes(name: str, result: object) -> object:
    if not isinstance(result, str):
        return result
    try:
        return from_base64(result)
    except ValueError:
        raise CallError(
            f'The function of the endpoint "{name}" has the annotation "-> bytes", but the endpoint returned text that '
            "is not base64."
        ) from None


def _send_to_queue(
    remote: RemoteFunction, context: AppContext, location: Location, arguments: dict[str, object], deadline: float
) -> Generator[Request, Answer, Answer]:
    name = remote.target.endpoint
    if location.kind != "queue":
        raise CallError(
            f'The endpoint "{name}" is deployed as load-balanced but declared as queue-based.', "Deploy again."
        )
    wait = max(1.0, deadline - time.monotonic())
    body = b'{"input":' + _encoded(arguments) + b"}"
    url = f"{location.url}/runsync?wait={int(wait * 1000)}"
    try:
        return (yield Request("POST", url, wait + 5, context.key, body))
    except OutOfTimeError as error:
        raise _out_of_time(name, location, None) from error
    except BrokenError as error:
        raise _no_answer(name, location, error) from error


def _send_to_route(
    remote: RemoteFunction, context: AppContext, location: Location, arguments: dict[str, object], deadline: float
) -> Generator[Request, Answer, Answer]:
    name = remote.target.endpoint
    assert remote.target.route is not None
    if location.kind != "load-balanced":
        raise CallError(
            f'The endpoint "{name}" is deployed as queue-based but declared as load-balanced.', "Deploy again."
        )
    method, path = remote.target.route
    rest = dict(arguments)
    path = re.sub(r"{([^}:]+)(:[^}]+)?}", lambda part: _path_value(part, rest), path)
    body: bytes | None = None
    query: list[tuple[str, str]] = []
    if method in _BODILESS:
        query = [pair for key, value in rest.items() for pair in _query_pairs(key, value)]
    else:
        body = _encoded(rest)
    timeout = deadline - time.monotonic()
    try:
        return (yield Request(method, location.url + path, timeout, context.key, body, query))
    except OutOfTimeError as error:
        raise _out_of_time(name, location, None) from error
    except BrokenError as error:
        raise _no_answer(name, location, error) from error


def _path_value(part: re.Match[str], rest: dict[str, object]) -> str:
    name = part[1].strip()
    if name not in rest:
        raise TypeError(f'The route needs the argument "{name}" for its path.')
    return quote(_text(name, rest.pop(name)), safe="/" if part[2] == ":path" else "")


def _query_pairs(name: str, value: object) -> list[tuple[str, str]]:
    if value is None:
        return []
    if isinstance(value, (list, tuple, set, frozenset)):
        return [(name, _text(name, each)) for each in cast("list[object]", value)]
    return [(name, _text(name, value))]


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    encoded = _encoded_value(name, value).decode()
    if encoded[0] in "[{":
        raise TypeError(f'The argument "{name}" is part of the URL and must be a string, number or boolean.')
    return json.loads(encoded) if encoded[0] == '"' else encoded


def _encoded(arguments: dict[str, object]) -> bytes:
    pairs = (json.dumps(name).encode() + b":" + _encoded_value(name, value) for name, value in arguments.items())
    return b"{" + b",".join(pairs) + b"}"


def _encoded_value(name: str, value: object) -> bytes:
    try:
        return to_json(value, name)
    except NotJsonError as error:
        raise TypeError(f"Cannot send the arguments: {error}") from None


def _job_result(
    name: str, context: AppContext, location: Location, answer: Answer, deadline: float
) -> Generator[Request | Pause, Answer, Any]:
    """Polls the job until it has ended or the deadline has passed."""
    body = _decoded(name, answer)
    pause = 0.1
    while answer.status >= 400 or body.get("status") not in _TERMINAL:
        if answer.status >= 400:
            raise _refused(name, answer, body)
        job = str(body.get("id"))
        if time.monotonic() + pause >= deadline:
            raise _out_of_time(name, location, job)
        yield Pause(pause)
        pause = min(pause * 1.5, 2.0)
        url = f"{location.url}/status/{quote(job, safe='')}"
        try:
            answer = yield Request("GET", url, deadline - time.monotonic(), context.key)
        except OutOfTimeError as error:
            raise _out_of_time(name, location, job) from error
        except (UnreachableError, BrokenError):
            continue  # The platform may be restarting: retry until the deadline.
        body = _decoded(name, answer)
    if body["status"] == "COMPLETED":
        return body.get("output")
    raise _job_failure(name, body)


def _job_failure(name: str, body: dict[str, Any]) -> RemoteError:
    error = str(body.get("error") or f"The job ended with the status {body['status']}.")
    try:
        reason = json.loads(error)
        return RemoteError(
            reason["error_type"], reason["error_message"], reason["error_traceback"], name, body.get("id")
        )
    except (ValueError, KeyError, TypeError):
        return RemoteError(str(body["status"]), error, "", name, body.get("id"))


def _route_result(remote: RemoteFunction, answer: Answer) -> Any:
    name = remote.target.endpoint
    if answer.status < 400:
        if "json" in answer.headers.get("content-type", "") and answer.body:
            return json.loads(answer.body)
        if remote.returns_bytes:
            return answer.body
        return answer.body.decode("utf-8", "replace") or None
    body = _decoded(name, answer)
    request = body.get("request_id") or answer.headers.get("x-request-id")
    if body.get("code") == "FUNCTION_ERROR":
        kind, colon, message = str(body.get("error")).partition(": ")
        known = colon and kind.replace(".", "_").isidentifier()
        raise RemoteError(
            kind if known else "FunctionError", message if known else str(body["error"]), "", name, request
        )
    if answer.status == 422:
        raise RemoteError("ValidationError", str(body.get("error")), "", name, request)
    raise _refused(name, answer, body)


def _decoded(name: str, answer: Answer) -> dict[str, Any]:
    body: Any = None
    with suppress(ValueError):
        body = json.loads(answer.body)
    if isinstance(body, dict):
        return cast("dict[str, Any]", body)
    if answer.status >= 400:
        return {"error": f"status {answer.status}"}
    raise CallError(f'The endpoint "{name}" returned something other than a JSON object.')


def _refused(name: str, answer: Answer, body: dict[str, Any]) -> CallError:
    hint = body.get("hint")
    return CallError(f'The endpoint "{name}" returned {answer.status}: {body.get("error")}', hint if hint else None)


def _no_answer(name: str, location: Location, error: Exception) -> CallError:
    if isinstance(error, BrokenError):
        return CallError(
            f'The connection to the endpoint "{name}" at {location.url} failed: {error}. The request may have been '
            "processed."
        )
    return CallError(
        f'The endpoint "{name}" cannot be reached at {location.url} ({error}).',
        'If its platform is not running, run "toolkit platform start".',
    )


def _out_of_time(name: str, location: Location, job: str | None) -> CallTimeoutError:
    # A retry would start a second job while the first one continues.
    hint = "Wait and retry."
    if job is not None:
        hint = f"The job {job} continues: get its result with GET {location.url}/status/{job}."
    return CallTimeoutError(
        f'The endpoint "{name}" did not respond within {REQUEST_TIMEOUT:.0f} s; its worker may still be provisioning.',
        hint,
        job_id=job,
    )
