"""Imports standard library modules on first use. Works even if a file of the project has the same name."""

from __future__ import annotations

import sys
from typing import Any

# Modules that the worker has set aside, by name.
kept: dict[str, Any] = {}


def own_module(name: str) -> Any:
    """The standard library's module of this name, which can be dotted."""
    if name not in kept:
        __import__(name)
        return sys.modules[name]
    return kept[name]
