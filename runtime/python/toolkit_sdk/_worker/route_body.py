"""Reads the JSON body of a route. Refuses one that cannot be read, so that no function runs with defaults instead."""

from __future__ import annotations

import codecs
import functools
import json
from collections.abc import Callable, Coroutine
from email.message import Message
from typing import Any, NoReturn, cast

from fastapi import Request
from fastapi.params import Form
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import Response

from .gate import Receive, Scope, error_response


class UnreadableBodyError(HTTPException):
    """A body that cannot be read, with the response to its request.

    It is an HTTPException because FastAPI turns all others that occur while it reads a body into one of its own.
    """

    def __init__(self, response: Response) -> None:
        super().__init__(response.status_code)
        self.response = response


class BodyRoute(APIRoute):
    """A route that reads its body with `BodyRequest`, unless it has none or the body is a form."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Makes the function that handles a request; overrides FastAPI's method."""
        answer = super().get_route_handler()
        if self.body_field is None or isinstance(self.body_field.field_info, Form):
            return answer
        # Otherwise the whole body is the value of one parameter.
        is_object: bool = getattr(self, "_embed_body_fields", False)
        # A function that gets the request can read a body of another type itself.
        needs_json = is_object and self.dependant.request_param_name is None

        async def read(request: Request) -> Response:
            sent = BodyRequest(request.scope, request.receive, is_object=is_object, needs_json=needs_json)
            return await answer(sent)

        return read


class BodyRequest(Request):
    """A request that refuses a body it cannot read."""

    _value: Any

    def __init__(self, scope: Scope, receive: Receive, *, is_object: bool, needs_json: bool) -> None:
        """Prepares the request.

        Args:
            scope: The request.
            receive: Receives its body.
            is_object: Whether the body must be a JSON object.
            needs_json: Whether a body of another type is refused.
        """
        super().__init__(scope, receive)
        self._is_object = is_object
        self._needs_json = needs_json

    async def body(self) -> bytes:
        """The bytes of the body; overrides Starlette's method."""
        data = await super().body()
        if data and self._needs_json and not _is_json(self.headers.get("content-type", "")):
            raise UnreadableBodyError(_not_declared_as_json())
        return data

    async def json(self) -> Any:
        """The value of the body; overrides Starlette's method."""
        if not hasattr(self, "_value"):
            value = _value_of(await self.body())
            if self._is_object and not isinstance(value, dict):
                raise UnreadableBodyError(_not_an_object())
            self._value = value
        return self._value


@functools.lru_cache(maxsize=64)
def _is_json(content_type: str) -> bool:
    """Whether FastAPI reads bodies of this type as JSON."""
    message = Message()
    message["content-type"] = content_type
    main, _, sub = message.get_content_type().partition("/")
    return main == "application" and (sub == "json" or sub.endswith("+json"))


class _NotFiniteError(ValueError):
    """NaN or an infinity, which Python reads although JSON does not have them."""


def _refuse_constant(name: str) -> NoReturn:
    raise _NotFiniteError(name)


_DECODER = json.JSONDecoder(parse_constant=cast("Any", _refuse_constant))


def _value_of(data: bytes) -> Any:
    try:
        return _DECODER.decode(data.removeprefix(codecs.BOM_UTF8).decode())
    except json.JSONDecodeError:
        raise  # FastAPI reports it with its place.
    except (ValueError, RecursionError) as error:
        raise UnreadableBodyError(_refusal_of(error)) from None


def _not_declared_as_json() -> Response:
    return error_response(
        415,
        "The Content-Type of this request is not application/json.",
        "UNSUPPORTED_MEDIA_TYPE",
        hint='Send the header "Content-Type: application/json".',
    )


def _not_an_object() -> Response:
    return error_response(
        422,
        "The body must be a JSON object with the function's parameters.",
        "VALIDATION_ERROR",
        hint="Send the function's parameters as fields of one JSON object, except those in the path.",
        field=None,
        errors=[{"field": None, "message": "it is not a JSON object"}],
    )


def _refusal_of(error: Exception) -> Response:
    if isinstance(error, UnicodeDecodeError):
        return error_response(400, "The body is not UTF-8.", "BAD_REQUEST", hint="Send the JSON as UTF-8.")
    if isinstance(error, _NotFiniteError):
        return error_response(
            400,
            "The body is not JSON.",
            "BAD_REQUEST",
            hint="JSON has no NaN and no Infinity; send null or a string instead.",
        )
    if isinstance(error, RecursionError):
        message = "The body is nested too deeply for Python to read."
    else:
        message = "The body has a number with too many digits for Python to read; send it as a string."
    return error_response(400, message, "BAD_REQUEST", hint=None)
