"""The routes of a load-balanced endpoint on FastAPI, behind the gate."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
from collections.abc import Callable
from typing import Annotated, Any, cast, get_args, get_origin

from fastapi import FastAPI, Request
from fastapi.exceptions import FastAPIError, RequestValidationError
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from toolkit_sdk._values import NotJsonError, to_json

from .failures import exception_message, exception_reason, user_traceback
from .gate import AsgiApp, Gate, error_response
from .loading import LoadError
from .output_capture import OutputCapture, current_request
from .protocol import RESULT_BYTES
from .route_body import BodyRoute, UnreadableBodyError
from .route_parameters import BODILESS, arguments_of, route_signature
from .runner_setup import RunnerSetup

# Error codes of the toolkit for the HTTP statuses of a user's HTTPException.
_CODES = {
    400: "BAD_REQUEST",
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    409: "CONFLICT",
    413: "PAYLOAD_TOO_LARGE",
    415: "UNSUPPORTED_MEDIA_TYPE",
    422: "VALIDATION_ERROR",
    429: "RATE_LIMITED",
}


class LoadBalancedApp:
    """Collects the routes of one endpoint."""

    def __init__(self, setup: RunnerSetup, capture: OutputCapture) -> None:
        self._setup = setup
        self._capture = capture
        # Requests whose plain functions run in threads, which cannot be stopped from outside.
        self._in_threads: set[str | None] = set()
        self._app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
        self._app.router.route_class = BodyRoute
        self._app.add_exception_handler(RequestValidationError, _invalid)
        self._app.add_exception_handler(UnreadableBodyError, _unreadable_body)
        self._app.add_exception_handler(HTTPException, _refused)
        # What fails before or after a function is called, such as a dependency or a stream.
        self._app.add_exception_handler(Exception, self._failed_outside)

    def add_route(self, method: str, path: str, function: Callable[..., Any]) -> None:
        """Serves the function at a method and path."""
        served = self._async_route(function) if inspect.iscoroutinefunction(function) else self._plain_route(function)
        signature = route_signature(function, method, path)
        served.__signature__ = signature  # pyright: ignore[reportFunctionMemberAccess]
        methods = ["GET", "HEAD"] if method == "GET" else [method]
        try:
            self._app.add_api_route(path, served, methods=methods, response_model=None)
        except FastAPIError as error:
            raise LoadError(_unreadable(signature, f"{function.__name__} ({method} {path})")) from error

    def finished(self) -> AsgiApp:
        """The application to serve."""
        return Gate(self._app, self._setup, self._capture, goes_on=self._in_threads.__contains__)

    def _plain_route(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def served(**given: Any) -> Response:
            args, kwargs = arguments_of(function, given)
            request = current_request.get()
            self._in_threads.add(request)
            try:
                return _response(function(*args, **kwargs))
            except HTTPException:
                raise
            except BaseException as error:
                return self._failed(error)
            finally:
                self._in_threads.discard(request)

        return served

    def _async_route(self, function: Callable[..., Any]) -> Callable[..., Any]:
        async def served(**given: Any) -> Response:
            args, kwargs = arguments_of(function, given)
            try:
                return _response(await function(*args, **kwargs))
            except HTTPException:
                raise
            except asyncio.CancelledError as error:
                if _is_cancelled():
                    raise
                # The function awaited something else that was cancelled.
                return self._failed(error)
            except (Exception, SystemExit, KeyboardInterrupt) as error:
                return self._failed(error)

        return served

    async def _failed_outside(self, request: Request, error: Exception) -> Response:
        return self._failed(error)

    def _failed(self, error: BaseException) -> Response:
        request = current_request.get()
        if isinstance(error, _ResultError):
            message = str(error)
            self._capture.error(message, request)
            return error_response(500, message, "FUNCTION_ERROR", request_id=request)
        frames = user_traceback(error, self._setup.code_root)
        self._capture.error(frames, request)
        kind = json.loads(exception_reason(error, self._setup.code_root))["error_type"]
        message = f"{kind}: {exception_message(error)}"
        more = {"traceback": frames} if self._setup.live else {}
        return error_response(500, message, "FUNCTION_ERROR", request_id=request, **more)


def _is_cancelled() -> bool:
    """Whether the request itself is cancelled, by its execution_timeout or the end of the worker.

    Before Python 3.11 this cannot be determined, and the request counts as cancelled.
    """
    task = asyncio.current_task()
    return sys.version_info < (3, 11) or (task is not None and task.cancelling() > 0)


def _unreadable(signature: inspect.Signature, function: str) -> str:
    """The sentence about the first parameter whose type cannot be read from a request."""
    for name, parameter in signature.parameters.items():
        kind = get_args(parameter.annotation)[0] if get_origin(parameter.annotation) is Annotated else None
        try:
            TypeAdapter(parameter.annotation)
        except PydanticSchemaGenerationError:
            return (
                f'The parameter "{name}" of {function} has the type {_type_text(kind or parameter.annotation)}, which '
                "cannot be read from a request; use str, int, float, bool, list, dict or a pydantic model."
            )
    return f"The parameters of {function} cannot be read from a request."


def _type_text(kind: Any) -> str:
    return getattr(kind, "__name__", None) or str(kind)


class _ResultError(Exception):
    """A result that cannot be sent."""


def _response(result: Any) -> Response:
    if isinstance(result, Response):
        return result
    try:
        data = to_json(result, "output")
    except NotJsonError as error:
        raise _ResultError(str(error)) from None
    if len(data) > _RESPONSE_BYTES:
        raise _ResultError(f"output is {len(data):,} bytes; the limit is {_RESPONSE_BYTES:,}.")
    return Response(data, media_type="application/json")


# Requests and responses of load-balanced endpoints are limited to 30 MB.
_RESPONSE_BYTES = RESULT_BYTES * 3 // 2


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    sent_as = request.headers.get("content-type", "").partition(";")[0]
    hint = "Send the function's parameters in the path and the query."
    if request.method not in BODILESS:
        hint = "Send the function's parameters as fields of one JSON object, except those in the path."
    if request.method not in BODILESS and "json" not in sent_as:
        hint = f'The body was sent as {sent_as}; send it with the header "Content-Type: application/json".'
    fields = [_field(each) for each in error.errors()]
    first, trouble = fields[0]
    if not first:
        message = f"The body must be a JSON object with the function's parameters: {trouble}."
    else:
        message = f'The parameter "{first}" is invalid: {trouble}.'
    return error_response(
        422,
        message,
        "VALIDATION_ERROR",
        hint=hint,
        field=first or None,
        errors=[{"field": field or None, "message": trouble} for field, trouble in fields],
    )


def _field(error: dict[str, Any]) -> tuple[str, str]:
    """A field, such as `items.0.name`, and what is wrong with it. Leaves out `body`, `query` etc. before the field."""
    if error["type"] == "json_invalid":
        return "", f"it is not JSON ({error.get('ctx', {}).get('error', error['msg'])})"
    if error["type"] == "missing" and len(error["loc"]) > 1:
        return str(error["loc"][-1]), "it is missing"
    message = str(error["msg"])
    place = (*error["loc"][1:], *error.get("ctx", {}).get("place", ()))
    return ".".join(map(str, place)), message[:1].lower() + message[1:]


async def _unreadable_body(request: Request, error: Exception) -> Response:
    assert isinstance(error, UnreadableBodyError)
    return error.response


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, "FUNCTION_ERROR")
    hint = None
    detail = cast("object", error.detail)  # The user's code can pass any value.
    if error.status_code in (404, 405) and error.detail in ("Not Found", "Method Not Allowed"):
        code = "ROUTE_NOT_FOUND" if error.status_code == 404 else code
        detail = f"No route {request.method} {request.url.path}."
        hint = _near_route(request) or 'Run "toolkit list" to see the routes of each endpoint.'
    message = detail if isinstance(detail, str) else json.dumps(detail)
    response = error_response(error.status_code, message, code, hint=hint)
    for name, value in (error.headers or {}).items():
        response.headers[name] = value
    return response


def _near_route(request: Request) -> str | None:
    routes: list[APIRoute] = request.app.routes
    known = [(method, route.path) for route in routes for method in route.methods or () if method != "HEAD"]
    likeness = {route: _likeness(request.url.path, route[1]) + (route[0] == request.method) / 10 for route in known}
    near = max(likeness, key=likeness.__getitem__, default=None)
    return None if near is None or likeness[near] < _ALIKE else f"Did you mean {' '.join(near)}?"


# From 0 to 1; a route with the method of the request gets a tenth more.
_ALIKE = 0.7


def _likeness(path: str, route: str) -> float:
    """How alike the least alike segments of a path and a route are. A parameter is like any segment."""
    import difflib

    segments, wanted = path.strip("/").split("/"), route.strip("/").split("/")
    if len(segments) != len(wanted):
        return 0
    alike = [
        1.0 if each.startswith("{") else difflib.SequenceMatcher(None, given, each).ratio()
        for given, each in zip(segments, wanted, strict=True)
    ]
    return min(alike)
