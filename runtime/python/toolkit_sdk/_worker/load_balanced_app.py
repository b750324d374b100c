"""The routes of a load-balanced endpoint on FastAPI, behind the gate."""

from __future__ import annotations

import inspect
import json
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
from .route_parameters import BODILESS, arguments_of, route_signature
from .runner_setup import RunnerSetup

# HTTP statuses that a user's HTTPException may carry → codes of the toolkit's closed table.
_CODES = {
    400: "BAD_REQUEST",
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    409: "CONFLICT",
    413: "PAYLOAD_TOO_LARGE",
    422: "VALIDATION_ERROR",
    429: "RATE_LIMITED",
}


class LoadBalancedApp:
    """Collects the routes of one endpoint."""

    def __init__(self, setup: RunnerSetup, capture: OutputCapture) -> None:
        self._setup = setup
        self._capture = capture
        # Requests whose plain functions run in threads: nothing ends those from outside.
        self._in_threads: set[str | None] = set()
        self._app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
        self._app.add_exception_handler(RequestValidationError, _invalid)
        self._app.add_exception_handler(HTTPException, _refused)

    def add_route(self, method: str, path: str, function: Callable[..., Any]) -> None:
        """Serves the function at method and path."""
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
            except (Exception, SystemExit, KeyboardInterrupt) as error:
                return self._failed(error)

        return served

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


def _unreadable(signature: inspect.Signature, function: str) -> str:
    """One sentence that names the first parameter whose type no request can be read into."""
    for name, parameter in signature.parameters.items():
        kind = get_args(parameter.annotation)[0] if get_origin(parameter.annotation) is Annotated else None
        try:
            TypeAdapter(parameter.annotation)
        except PydanticSchemaGenerationError:
            return (
                f'The parameter "{name}" of {function} is annotated {_type_text(kind or parameter.annotation)}, which '
                "no request can be read into; use str, int, float, bool, list, dict or a pydantic model."
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
        raise _ResultError(f"output has {len(data):,} bytes; a response may have {_RESPONSE_BYTES:,}.")
    return Response(data, media_type="application/json")


# 30 MB each way on load-balanced endpoints.
_RESPONSE_BYTES = RESULT_BYTES * 3 // 2


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    sent_as = request.headers.get("content-type", "").partition(";")[0]
    hint = "Send the function's parameters as fields of one JSON object, or in path and query."
    if request.method not in BODILESS and "json" not in sent_as:
        hint = f'The body was sent as {sent_as}; send it with the header "Content-Type: application/json".'
    fields = [_field(each) for each in error.errors()]
    first, trouble = fields[0]
    if first and error.errors()[0]["loc"][0] == "body" and not isinstance(error.body, (dict, type(None))):
        first, trouble = "", "it is none"
    if not first:
        message = f"The body must be a JSON object of parameters: {trouble}."
    else:
        message = f'The parameter "{first}" is wrong: {trouble}.'
    return error_response(
        422,
        message,
        "VALIDATION_ERROR",
        hint=hint,
        field=first or None,
        errors=[{"field": field or None, "message": told} for field, told in fields],
    )


def _field(error: dict[str, Any]) -> tuple[str, str]:
    """`items.0.name` and what is wrong with it. The first part of the place is body, query, path, header or cookie."""
    if error["type"] == "json_invalid":
        return "", f"it is no JSON ({error.get('ctx', {}).get('error', error['msg'])})"
    if error["type"] == "missing" and len(error["loc"]) > 1:
        return str(error["loc"][-1]), "it is missing"
    told = str(error["msg"])
    place = (*error["loc"][1:], *error.get("ctx", {}).get("place", ()))
    return ".".join(map(str, place)), told[:1].lower() + told[1:]


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, "FUNCTION_ERROR")
    hint = None
    detail = cast("object", error.detail)  # Users may give any value.
    if error.status_code in (404, 405) and error.detail in ("Not Found", "Method Not Allowed"):
        code = "ROUTE_NOT_FOUND" if error.status_code == 404 else code
        detail = f"No route {request.method} {request.url.path}."
        hint = _near_route(request) or "`toolkit list` shows the routes of each endpoint."
    message = detail if isinstance(detail, str) else json.dumps(detail)
    response = error_response(error.status_code, message, code, hint=hint)
    for name, value in (error.headers or {}).items():
        response.headers[name] = value
    return response


def _near_route(request: Request) -> str | None:
    import difflib

    routes: list[APIRoute] = request.app.routes
    known = [f"{method} {route.path}" for route in routes for method in route.methods or () if method != "HEAD"]
    near = difflib.get_close_matches(f"{request.method} {request.url.path}", known, 1)
    return f"Did you mean {near[0]}?" if near else None
