"""What a zygote imports: first what each worker needs, after its first worker what user code imports most often."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from contextlib import suppress

# What every worker needs; the first one waits for it.
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
# What user code imports most often; the second one has it, too.
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
# What serving a plain function loads beside what the served request of `warm_up` does.
_USUAL_OF_ROUTES = (
    "anyio._backends._asyncio",
    "uvicorn.loops.asyncio",
    "uvicorn.loops.auto",
)


def import_needed(*, is_load_balanced: bool) -> None:
    """Imports what the first worker waits for."""
    _import_all((*_NEEDED, *_NEEDED_BY_ROUTES) if is_load_balanced else _NEEDED)


def import_usual(*, is_load_balanced: bool) -> None:
    """Imports more, and serves a request where workers will."""
    _import_all(_USUAL)
    if is_load_balanced:
        _import_all(_USUAL_OF_ROUTES)
        with suppress(ImportError):
            from .warm_up import warm_up

            warm_up()


def _import_all(names: Iterable[str]) -> None:
    for name in names:
        # tomllib is not in every Python; what an endpoint does not ship is told when its worker misses it.
        with suppress(ImportError):
            importlib.import_module(name)
