"""Stand-ins for other endpoints' classes, for the build's stubs: no arguments, and the one method runs remotely."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


class _RemoteClass(type):
    """Gives its classes the attributes of the real class, which is loaded on the first use of one."""

    def __getattr__(cls, name: str) -> Any:
        # The stub module's own fallback returns the real class by its name.
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
        name: The class's name; dotted for a class inside another class.
        method: The stand-in for its one public method, from `remote_function`.
    """
    fields = {
        "__module__": method.__module__,
        "__qualname__": name,
        "__doc__": f"The class {name} of another endpoint: its method {method.__name__} runs there.",
        method.__name__: staticmethod(method),
    }
    return _RemoteClass(name.rpartition(".")[2], (), fields)
