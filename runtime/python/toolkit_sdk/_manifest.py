"""Reads the artifact's manifest on a worker: which endpoint serves a peer's function."""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path
from typing import Any, cast

# Set by the worker for the process that runs the user's code.
CODE_ROOT_VARIABLE = "TOOLKIT_CODE_ROOT"


def code_root() -> str:
    """The artifact's root on this worker.

    Raises:
        RuntimeError: This process is not a worker.
    """
    root = os.environ.get(CODE_ROOT_VARIABLE)
    if root is None:
        raise RuntimeError("This module is a stub that the build generated. It can be used only on a worker.")
    return root


def endpoint_of(module: str, name: str, declared: str) -> str:
    """The endpoint that serves the function according to the manifest.

    If the manifest does not list the function, or outside workers, where there is no manifest, this is the declared
    name.
    """
    root = os.environ.get(CODE_ROOT_VARIABLE)
    if root is None:
        return declared
    serving = functions_of_manifest(root).get((module, name), ())
    return declared if declared in serving or not serving else serving[0]


@functools.lru_cache(maxsize=1)
def functions_of_manifest(root: str) -> dict[tuple[str, str], tuple[str, ...]]:
    """(module, function or `Class.method`) → the endpoints that serve it, from toolkit_manifest.json."""
    text = (Path(root) / "toolkit_manifest.json").read_text(encoding="utf-8")
    resources = cast("dict[str, dict[str, Any]]", json.loads(text)["resources"])
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for endpoint, resource in resources.items():
        for function in resource["functions"]:
            owner = function.get("class")
            name = function["name"] if owner is None else f"{owner}.{function['name']}"
            key = (function["module"], name)
            found[key] = (*found.get(key, ()), endpoint)
    return found
