"""Reads the types of a function's parameters, except those that cannot be resolved on a worker."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any


def annotations_of(function: Callable[..., Any], *, extras: bool) -> dict[str, Any]:
    """The types by parameter (and `return`), without those that refer to names that only a type checker imports.

    Args:
        function: The user's function, wrapped or not.
        extras: Whether to keep `Annotated[...]`.
    """
    target = inspect.unwrap(function)
    with suppress(Exception):
        return typing.get_type_hints(target, include_extras=extras)
    # Resolves them one by one, so that one that fails does not affect the others.
    found: dict[str, Any] = {}
    for name, annotation in _written(target).items():
        alone = SimpleNamespace(__annotations__={name: annotation})
        with suppress(Exception):
            found |= typing.get_type_hints(alone, getattr(target, "__globals__", {}), include_extras=extras)
    return found


def _written(target: Any) -> dict[str, Any]:
    if sys.version_info >= (3, 14):  # Annotations are evaluated lazily.
        import annotationlib

        return annotationlib.get_annotations(target, format=annotationlib.Format.FORWARDREF)
    return getattr(target, "__annotations__", {})
