"""A route's function → the signature that FastAPI binds by: path, then query or fields of the one JSON object."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from fastapi import BackgroundTasks, Body, Path, Query, Request, Response
from fastapi.params import Body as BodyInfo
from fastapi.params import Depends, Param
from starlette.requests import HTTPConnection

from .annotations import annotations_of

# Methods whose parameters come from path and query, for their requests have no body.
BODILESS = ("GET", "HEAD", "DELETE")
_PATH_PARAMETER = re.compile(r"{([^}:]+)(?::[^}]+)?}")
_SPECIAL = (HTTPConnection, Request, Response, BackgroundTasks)
_FASTAPI = (Depends, Param, BodyInfo)


def route_signature(function: Callable[..., Any], method: str, path: str) -> inspect.Signature:
    """The signature to give to FastAPI; every parameter by keyword.

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
        if not _is_bound_by_fastapi(annotation, parameter.default):
            place = _place(parameter.name in in_path, method)
            annotation = Annotated[annotation, place]  # pyright: ignore[reportInvalidTypeForm]
        default = parameter.empty if parameter.name in in_path else parameter.default
        made.append(parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=annotation, default=default))
    return inspect.Signature(made)


def arguments_of(function: Callable[..., Any], given: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """What FastAPI bound by keyword → positional and keyword arguments of the function."""
    args: list[Any] = []
    kwargs = dict(given)
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.POSITIONAL_ONLY and parameter.name in kwargs:
            args.append(kwargs.pop(parameter.name))
    return args, kwargs


def _place(in_path: bool, method: str) -> Any:
    if in_path:
        return Path()
    return Query() if method in BODILESS else Body(embed=True)


def _is_bound_by_fastapi(annotation: Any, default: Any) -> bool:
    """Whether the user said how to bind it: Request, Depends(…), Annotated[…, Header()] and their like."""
    if isinstance(default, _FASTAPI):
        return True
    if typing.get_origin(annotation) is Annotated:
        return any(isinstance(each, _FASTAPI) for each in typing.get_args(annotation)[1:])
    # In Python 3.10 list[str] passes for a class.
    is_class = isinstance(annotation, type) and typing.get_origin(annotation) is None
    return is_class and issubclass(annotation, _SPECIAL)
