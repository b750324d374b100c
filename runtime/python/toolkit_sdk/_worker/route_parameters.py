"""Makes the signature by which FastAPI binds a route: parameters from the path, then the query or one JSON object."""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping
from copy import copy
from typing import Annotated, Any, Union

from fastapi import BackgroundTasks, Body, Path, Query, Request, Response
from fastapi.params import Body as BodyInfo
from fastapi.params import Depends, Param
from fastapi.params import Path as PathInfo
from fastapi.params import Query as QueryInfo
from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError
from starlette.requests import HTTPConnection

from .annotations import annotations_of
from .json_bytes import NotBase64Error, decoder_of

# Methods whose requests have no body, so that parameters come from the path and the query.
BODILESS = ("GET", "HEAD", "DELETE")
_PATH_PARAMETER = re.compile(r"{([^}:]+)(?::[^}]+)?}")
_SPECIAL = (HTTPConnection, Request, Response, BackgroundTasks)
_FASTAPI = (Depends, Param, BodyInfo)
# Parameters that these bind are in the input schema, where bytes are base64 text. Headers, forms and files are not.
_TEXTS = (PathInfo, QueryInfo, BodyInfo)


def route_signature(function: Callable[..., Any], method: str, path: str) -> inspect.Signature:
    """The signature for FastAPI, in which all parameters are passed by keyword.

    Args:
        function: The user's function.
        method: HTTP method.
        path: The route's path with its `{parameters}`.
    """
    in_path = set(_PATH_PARAMETER.findall(path))
    hints = annotations_of(function, extras=True)
    made: list[inspect.Parameter] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        annotation = hints.get(parameter.name, Any)
        default: Any = parameter.empty if parameter.name in in_path else parameter.default
        is_bound = _is_bound_by_fastapi(annotation, parameter.default)
        markers = (parameter.default, *typing.get_args(annotation))
        if not is_bound or any(type(each) in _TEXTS for each in markers):
            decoded = _with_bytes(annotation)
            if decoded is not annotation and type(default) in _TEXTS:
                # If the default says how to bind, FastAPI ignores the metadata in Annotated.
                default = copy(default)
                default.metadata = [*default.metadata, *typing.get_args(decoded)[1:]]
            annotation = decoded
        if not is_bound:
            source = _source(parameter.name in in_path, method)
            annotation = Annotated[annotation, source]  # pyright: ignore[reportInvalidTypeForm]
        made.append(parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=annotation, default=default))
    return inspect.Signature(made)


def arguments_of(function: Callable[..., Any], given: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """The function's positional and keyword arguments, from those that FastAPI passes by keyword."""
    args: list[Any] = []
    kwargs = dict(given)
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.POSITIONAL_ONLY and parameter.name in kwargs:
            args.append(kwargs.pop(parameter.name))
    return args, kwargs


def _source(in_path: bool, method: str) -> Any:
    if in_path:
        return Path()
    return Query() if method in BODILESS else Body(embed=True)


def _with_bytes(annotation: Any) -> Any:
    """The type, with a validator that decodes base64 text to its bytes."""
    decode = decoder_of(annotation)
    if decode is None:
        return annotation

    def before(value: Any) -> Any:
        try:
            return decode(value, ())
        except NotBase64Error as error:
            raise PydanticCustomError("base64", "Must be base64 text", {"place": error.place}) from None

    return Annotated[_validated(annotation), BeforeValidator(before)]  # pyright: ignore[reportInvalidTypeForm]


_BYTEARRAY: Any = Annotated[bytes, AfterValidator(bytearray)]


def _validated(annotation: Any) -> Any:
    """The type for pydantic and FastAPI, which do not support `bytearray`."""
    if annotation is bytearray:
        return _BYTEARRAY
    origin: Any = typing.get_origin(annotation)
    inner = typing.get_args(annotation)
    kinds = tuple(_validated(each) for each in inner)
    if kinds == inner or origin is Annotated:
        return annotation
    return (Union if origin is types.UnionType else origin)[kinds]


def _is_bound_by_fastapi(annotation: Any, default: Any) -> bool:
    """Whether the declaration itself says how to bind it: Request, Depends(…), Annotated[…, Header()] or the like."""
    if isinstance(default, _FASTAPI):
        return True
    if typing.get_origin(annotation) is Annotated:
        return any(isinstance(each, _FASTAPI) for each in typing.get_args(annotation)[1:])
    # In Python 3.10, list[str] is an instance of `type`.
    is_class = isinstance(annotation, type) and typing.get_origin(annotation) is None
    return is_class and issubclass(annotation, _SPECIAL)
