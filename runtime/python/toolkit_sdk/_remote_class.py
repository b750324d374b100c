"""A class of another endpoint, as the build's stubs hold it: made without arguments, its one method runs there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


class _RemoteClass(type):
    """Its classes have the attributes of the real class, which is loaded when one is asked for."""

    def __getattr__(cls, name: str) -> Any:
        # The stub's own fallback gives what the real module holds under the class's name.
        real_attribute: Callable[[str], Any] | None = getattr(sys.modules.get(cls.__module__), "__getattr__", None)
        if name.startswith("__") or real_attribute is None:
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        outermost, *inner = cls.__qualname__.split(".")
        found = real_attribute(outermost)
        for part in inner:
            found = getattr(found, part)
        return getattr(found, name)


def remote_class(name: str, method: Callable[..., Any]) -> type[Any]:
    """A stand-in for another endpoint's class.

    Args:
        name: The class's name, dotted when it stands in another class.
        method: What `remote_function` made of its one public method.
    """
    fields = {
        "__module__": method.__module__,
        "__qualname__": name,
        "__doc__": f"The class {name} of another endpoint: its method {method.__name__} runs there.",
        method.__name__: staticmethod(method),
    }
    return _RemoteClass(name.rpartition(".")[2], (), fields)
