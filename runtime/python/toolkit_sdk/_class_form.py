"""A declared class: real inside a worker of its own endpoint; elsewhere its instances stand in for the remote one.

The class object itself is kept, so that isinstance, pickling and subclasses work. Only its constructor and its one
public method check where they run.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

from ._dispatch import Target, call_remote, of_kind, remote_of, served_here, target_of, undecorated

C = TypeVar("C")


def dispatching_class(declared: type[C], target: Target) -> type[C]:
    """Makes the class serve the target's endpoint; elsewhere its instances stand in for the remote one.

    Raises:
        TypeError: It does not have exactly one public method, or its constructor requires arguments.
    """
    name = _public_method(declared)
    _refuse_arguments(declared)
    method: Any = declared.__dict__[name]
    plain = undecorated(method)
    served = f"{declared.__qualname__}.{name}"

    def remotely(_: object, *args: object, **kwargs: object) -> Any:
        # The method may be defined under another name: `predict = _go`.
        return call_remote(remote_of(plain, target, declared.__qualname__)._replace(name=served), args, kwargs)

    def is_local(args: tuple[Any, ...]) -> bool:
        return not args or not _is_remote(cast("type[Any]", type(args[0])))

    made: Any = declared
    dispatching = of_kind(method, target, is_local, remotely)
    dispatching.__name__, dispatching.__qualname__ = name, served
    setattr(declared, name, dispatching)
    made.__init__ = _initializer(made.__init__)
    made.__toolkit_target__ = target
    made.__wrapped__ = _Undispatched()
    return declared


def _public_method(declared: type[Any]) -> str:
    """The endpoint's function. Inherited and private methods, properties and `close` do not count as public methods."""
    public = [
        name
        for name, value in vars(declared).items()
        if not name.startswith("_") and name != "close" and _is_method(declared, value)
    ]
    if len(public) == 1:
        if isinstance(vars(declared)[public[0]], (staticmethod, classmethod)):
            raise TypeError(
                f"{declared.__name__}.{public[0]} is a static or class method, "
                f"but an endpoint calls a method of an instance: write def {public[0]}(self, ...)."
            )
        return public[0]
    if not public:
        raise TypeError(
            f"The class {declared.__name__} has no public method of its own, so its endpoint has nothing to serve: add "
            "a method whose name does not begin with an underscore."
        )
    raise TypeError(
        f"The class {declared.__name__} has {len(public)} public methods ({', '.join(public)}), but its endpoint "
        "serves exactly one: prefix the names of the others with an underscore."
    )


def _is_method(declared: type[Any], value: object) -> bool:
    """Whether the class's body defines it. A function from elsewhere that is kept in an attribute is data."""
    is_method = callable(value) or isinstance(value, (staticmethod, classmethod))
    if isinstance(value, type) or not is_method:
        return False
    qualified: str = getattr(cast("object", value), "__qualname__", "")
    # What a decorator returns has a name inside the decorator, unless the decorator kept the method's name.
    return qualified.startswith(f"{declared.__qualname__}.") or "<locals>" in qualified


def _refuse_arguments(declared: type[Any]) -> None:
    needed = [*_required(declared.__new__), *_required(declared.__init__)]
    if needed:
        raise TypeError(
            f"The class {declared.__name__} requires the argument {needed[0]}, but a worker creates its instance "
            "without arguments."
        )


def _required(make: Any) -> list[str]:
    """The parameters without a default, except the first. Using the inspect module would triple the import time."""
    code = getattr(make, "__code__", None)
    if code is None:
        return []
    names: tuple[str, ...] = code.co_varnames
    count: int = code.co_argcount
    keywords = names[count : count + code.co_kwonlyargcount]
    return [
        *names[1 : count - len(make.__defaults__ or ())],
        *(name for name in keywords if name not in (make.__kwdefaults__ or {})),
    ]


def _is_remote(kind: type[Any]) -> bool:
    target = target_of(kind)
    return target is not None and not served_here(target)


def _initializer(initialize: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(initialize)
    def made(self: object, *args: object, **kwargs: object) -> None:
        kind = type(self)
        if not _is_remote(kind):
            initialize(self, *args, **kwargs)
        elif args or kwargs:
            raise TypeError(
                f"{kind.__name__}() takes no arguments, because a worker of its endpoint creates the real instance."
            )

    return made


class _Undispatched:
    """`Model.__wrapped__`: the class as it runs on its endpoint, for tests and for local use."""

    def __init__(self) -> None:
        self._made: dict[type[Any], type[Any]] = {}
        self._lock = threading.Lock()

    def __get__(self, instance: object, owner: type[Any]) -> type[Any]:
        if instance is not None or target_of(owner) is None:
            raise AttributeError("__wrapped__")
        with self._lock:
            if owner not in self._made:
                fields = {"__module__": owner.__module__, "__doc__": owner.__doc__, "__toolkit_target__": None}
                metaclass: Any = type(owner)
                self._made[owner] = metaclass(owner.__name__, (owner,), fields)
            return self._made[owner]
