"""Handles files of the project that hide a standard library module, because they have the same name.

They must not break the worker: it imports what it needs before the project's folder is on the path. The user's code
then finds the same modules as in any Python program.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from toolkit_sdk._own_modules import kept

# Modules that every interpreter imports before a program's first line, so that no file can hide them.
_ALWAYS_LOADED = {"abc", "codecs", "encodings", "genericpath", "io", "ntpath", "os", "posixpath", "site", "stat"}
# Modules that look themselves up by name while they run. If the worker needs one, a project's file cannot hide it.
_NEVER_SET_ASIDE = {"asyncio", "importlib"}
# Modules that the worker imports only when it needs them, unless a file of the project hides a module.
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
    """The file that hides each module, relative to the artifact's root, by the module's name."""

    files: dict[str, str] = {}  # noqa: RUF012 (replaced, never changed)


def step_aside(code_root: str, folders: Sequence[str], needed: Sequence[str]) -> None:
    """Makes the worker independent of the project's files, which are not on the path yet.

    Args:
        code_root: The artifact's root.
        folders: Folders that are put on the path next.
        needed: Modules that this worker will import later, in addition to those of every worker.
    """
    found = {name: file for folder in folders for name, file in _hiding(folder)}
    _Hidden.files = {name: os.path.relpath(file, code_root) for name, file in found.items()}
    if not found:
        return
    for name in (*_LATER, *needed):
        # Suppressed: a package that the artifact lacks is reported when it is needed.
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
    """The sentence about the file that probably caused the error by hiding a module; None if there is none."""
    if not isinstance(error, (ImportError, AttributeError)):
        return None
    message = str(error)
    for name, file in _Hidden.files.items():
        if f"'{name}'" in message or f"'{name}." in message:
            return f"The project's {file} has the same name as Python's own module {name}: rename it."
    return None
