"""A user's function → the types of its parameters, as far as they can be had on a worker."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any


def annotations_of(function: Callable[..., Any], *, extras: bool) -> dict[str, Any]:
    """Parameter (and `return`) → its type; those that name what only a type checker imports are left out.

    Args:
        function: As the user wrote it, or wrapped.
        extras: Keeps `Annotated[...]` whole.
    """
    target = inspect.unwrap(function)
    with suppress(Exception):
        return typing.get_type_hints(target, include_extras=extras)
    # One that cannot be had must not cost the others.
    found: dict[str, Any] = {}
    for name, annotation in _written(target).items():
        alone = SimpleNamespace(__annotations__={name: annotation})
        with suppress(Exception):
            found |= typing.get_type_hints(alone, getattr(target, "__globals__", {}), include_extras=extras)
    return found


def _written(target: Any) -> dict[str, Any]:
    if sys.version_info >= (3, 14):  # Annotations are evaluated when they are asked for.
        import annotationlib

        return annotationlib.get_annotations(target, format=annotationlib.Format.FORWARDREF)
    return getattr(target, "__annotations__", {})
