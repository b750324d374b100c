"""Loads the user's modules on a worker: by file, under their own names. Dispatch stubs replace the modules of peers."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, cast

from toolkit_sdk._variables import declarations_readable


class LoadError(Exception):
    """The artifact does not have the function or class that the handler names."""


class StubFinder:
    """Finds the dispatch stub instead of a peer's module."""

    def __init__(self, code_root: str, stubs: Mapping[str, str]) -> None:
        self._code_root = code_root
        self._stubs = stubs

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The stub's spec; None for modules without a stub."""
        del path, target
        stub = self._stubs.get(fullname)
        if stub is None:
            return None
        package = os.path.join(self._code_root, *fullname.split("."))
        # With the stub of a package, the package's other modules can still be imported.
        search = [package] if os.path.isdir(package) else None
        return importlib.util.spec_from_file_location(
            fullname,
            os.path.join(self._code_root, stub),
            submodule_search_locations=search,
        )


def install_stubs(code_root: str, stubs: Mapping[str, str]) -> None:
    """Gives the dispatch stubs precedence over other modules with the same names."""
    if stubs:
        sys.meta_path.insert(0, StubFinder(code_root, stubs))  # pyright: ignore[reportArgumentType]


def load_function(code_root: str, module: str, file: str, name: str) -> Callable[..., Any]:
    """Loads the user's function, without the decorators of toolkit_sdk.

    Args:
        code_root: The artifact's root.
        module: Dotted path of the file, which need not be a valid identifier.
        file: The file, relative to the root.
        name: The function's name.

    Raises:
        LoadError: The module has no such function.
        BaseException: Any exception that the module raises when it is loaded.
    """
    from toolkit_sdk._dispatch import undecorated

    function = getattr(load_module(code_root, module, file), name, None)
    if function is None:
        raise LoadError(f"{file} was loaded, but has no function {name!r}.")
    if not callable(function):
        raise LoadError(f"{name!r} in {file} must be a function, not {type(function).__name__}.")
    return undecorated(function)


def load_class(code_root: str, module: str, file: str, name: str) -> type[Any]:
    """Loads the user's class. The name is dotted for a class inside another class.

    Raises:
        LoadError: The module has no such class.
        BaseException: Any exception that the module raises when it is loaded.
    """
    found: Any = load_module(code_root, module, file)
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is None:
        raise LoadError(f"{file} was loaded, but has no class {name!r}.")
    if not isinstance(found, type):
        raise LoadError(f"{name!r} in {file} must be a class, not {type(found).__name__}.")
    return cast("type[Any]", found)


def load_module(code_root: str, module: str, file: str) -> ModuleType:
    """Loads the module of a file of the project, once."""
    known = _loaded.get(file) or sys.modules.get(module)
    at = getattr(known, "__file__", None) or ""
    if known is not None and os.path.realpath(at) == os.path.realpath(os.path.join(code_root, file)):
        return known
    with declarations_readable():
        return _load(code_root, module, file)


# Modules by file. A file called `io.py`, for example, cannot be in sys.modules, where Python's own `io` is.
_loaded: dict[str, ModuleType] = {}


def _load(code_root: str, module: str, file: str) -> ModuleType:
    parent, _, child = module.rpartition(".")
    if parent and os.path.isfile(os.path.join(code_root, *parent.split("."), "__init__.py")):
        importlib.import_module(parent)
    path = os.path.join(code_root, file)
    search = [os.path.dirname(path)] if file.endswith("__init__.py") else None
    spec = importlib.util.spec_from_file_location(module, path, submodule_search_locations=search)
    if spec is None or spec.loader is None:
        raise LoadError(f"{file} cannot be loaded as a module.")
    made = importlib.util.module_from_spec(spec)
    _loaded[file] = made
    is_first = sys.modules.setdefault(module, made) is made
    try:
        spec.loader.exec_module(made)
    except BaseException:
        del _loaded[file]
        if is_first:
            sys.modules.pop(module, None)
        raise
    if parent in sys.modules:
        setattr(sys.modules[parent], child, made)
    return made
