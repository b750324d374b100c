"""Modules of the standard library that are imported late, also where a file of the project has taken their name."""

from __future__ import annotations

import sys
from typing import Any

# Name → the module, of those that the worker has set aside.
kept: dict[str, Any] = {}


def own_module(name: str) -> Any:
    """The standard library's module, dotted when it stands in a package."""
    if name not in kept:
        __import__(name)
        return sys.modules[name]
    return kept[name]
