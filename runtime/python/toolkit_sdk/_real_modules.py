"""Loads the real module behind a dispatch stub, on first use of an attribute that is not an endpoint function."""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING, Any

from ._own_modules import own_module

if TYPE_CHECKING:
    from types import ModuleType

_real_modules: dict[str, ModuleType] = {}
_real_lock = threading.RLock()


def real_attribute(module: str, file: str, name: str) -> Any:
    """An attribute of the real module behind a stub.

    Args:
        module: The stubbed module's name.
        file: The real module's file, relative to the artifact's root.
        name: The attribute's name.

    Raises:
        AttributeError: The real module has no such attribute either.
    """
    if name.startswith("__") and name.endswith("__") and name != "__all__":
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    with _real_lock:
        real = _real_modules.get(module) or _load_real(module, file)
    return getattr(real, name)


def _load_real(module: str, file: str) -> ModuleType:
    from ._manifest import code_root
    from ._variables import declarations_readable

    util = own_module("importlib.util")
    path = os.path.join(code_root(), file)
    search = [os.path.dirname(path)] if path.endswith("__init__.py") else None
    spec = util.spec_from_file_location(module, path, submodule_search_locations=search)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} cannot be loaded as the module {module}.", name=module, path=path)
    real: ModuleType = util.module_from_spec(spec)
    _real_modules[module] = real
    try:
        with declarations_readable():
            spec.loader.exec_module(real)
    except BaseException:
        del _real_modules[module]
        raise
    sys.modules.setdefault(module, real)
    return real
