"""The imports of a zygote: first the modules that each worker needs, later those that user code imports most often."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from contextlib import suppress

# Modules that every worker needs. The first worker waits for them.
_NEEDED = (
    "importlib.util",
    "toolkit_sdk",
    "toolkit_sdk._variables",
    "toolkit_sdk._worker.queue_runner",
)
_NEEDED_BY_ROUTES = (
    "toolkit_sdk._worker.load_balanced_runner",
    "toolkit_sdk._worker.load_balanced_app",
    "toolkit_sdk._worker.http_server",
)
# Modules that user code imports most often. They are imported after the first worker, so that the next ones have them.
_USUAL = (
    "argparse",
    "asyncio",
    "base64",
    "collections",
    "concurrent.futures.thread",
    "contextlib",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "encodings.idna",
    "enum",
    "functools",
    "hashlib",
    "inspect",
    "io",
    "itertools",
    "logging",
    "math",
    "pathlib",
    "queue",
    "random",
    "shutil",
    "sqlite3",
    "statistics",
    "string",
    "subprocess",
    "tempfile",
    "textwrap",
    "threading",
    "time",
    "tomllib",
    "traceback",
    "typing",
    "urllib.parse",
    "urllib.request",
    "uuid",
    "zipfile",
    "toolkit_sdk._calls",
    "toolkit_sdk._class_form",
    "toolkit_sdk._worker.served_instance",
)
# Modules that serving a plain function loads, in addition to those that the request of `warm_up` loads.
_USUAL_OF_ROUTES = (
    "anyio._backends._asyncio",
    "uvicorn.loops.asyncio",
    "uvicorn.loops.auto",
)


def import_needed(*, is_load_balanced: bool) -> None:
    """Imports the modules that the first worker waits for."""
    _import_all((*_NEEDED, *_NEEDED_BY_ROUTES) if is_load_balanced else _NEEDED)


def import_usual(*, is_load_balanced: bool) -> None:
    """Imports more modules, and serves one request if the workers are load-balanced."""
    _import_all(_USUAL)
    if is_load_balanced:
        _import_all(_USUAL_OF_ROUTES)
        with suppress(ImportError):
            from .warm_up import warm_up

            warm_up()


def _import_all(names: Iterable[str]) -> None:
    for name in names:
        # Not every Python has tomllib. A package that the endpoint lacks is reported when its worker needs it.
        with suppress(ImportError):
            importlib.import_module(name)
