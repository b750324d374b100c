"""Files of the project that are named like a module of the standard library, and so hide it, as in any program.

The worker itself must not stumble over them: it imports what it needs before the project's folder is on the path, and
then lets the user's code find what it would find without a worker.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from toolkit_sdk._own_modules import kept

# What every interpreter has imported before a program's first line: nothing can hide it.
_ALWAYS_LOADED = {"abc", "codecs", "encodings", "genericpath", "io", "ntpath", "os", "posixpath", "site", "stat"}
# What looks itself up by its name while it runs: where the worker needs it, the project cannot have it.
_NEVER_SET_ASIDE = {"asyncio", "importlib"}
# What the worker imports only when it needs it; without anything hidden that is cheaper.
_LATER = (
    "_strptime",
    "asyncio",
    "concurrent.futures.thread",
    "encodings.idna",
    "importlib.util",
    "inspect",
    "tokenize",
    "tomllib",
    "traceback",
    "uuid",
    "httpx",
    "toolkit_sdk._calls",
    "toolkit_sdk._class_form",
    "toolkit_sdk._worker.served_instance",
)


class _Hidden:
    """Name of each hidden module → the file that hides it, relative to the artifact's root."""

    files: dict[str, str] = {}  # noqa: RUF012 (replaced, never changed)


def step_aside(code_root: str, folders: Sequence[str], needed: Sequence[str]) -> None:
    """Makes the worker independent of the project's files, which are not on the path yet.

    Args:
        code_root: The artifact's root.
        folders: What is put on the path next.
        needed: Modules that the worker will import later, beside those of every worker.
    """
    found = {name: file for folder in folders for name, file in _hiding(folder)}
    _Hidden.files = {name: os.path.relpath(file, code_root) for name, file in found.items()}
    if not found:
        return
    for name in (*_LATER, *needed):
        # What is not shipped is told when it is missed.
        with suppress(ImportError):
            importlib.import_module(name)
    for name in list(sys.modules):
        if name.partition(".")[0] in found.keys() - _NEVER_SET_ASIDE:
            kept[name] = sys.modules.pop(name)


def _hiding(folder: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for entry in os.scandir(folder):
        name, suffix = os.path.splitext(entry.name)
        if name not in sys.stdlib_module_names or name in _ALWAYS_LOADED or name in sys.builtin_module_names:
            continue
        package = os.path.join(entry.path, "__init__.py")
        if suffix == ".py":
            found.append((name, entry.path))
        elif not suffix and os.path.isfile(package):
            found.append((name, package))
    return found


def hiding_sentence(error: BaseException) -> str | None:
    """Names the file that is the likely reason of the error; None when none is."""
    if not isinstance(error, (ImportError, AttributeError)):
        return None
    told = str(error)
    for name, file in _Hidden.files.items():
        if f"'{name}'" in told or f"'{name}." in told:
            return f"The project's {file} has the name of Python's own module {name}: rename it."
    return None
