"""A declared class: real inside its own endpoint's worker; elsewhere its instances stand for the one that runs there.

The class itself stays what it is, so that isinstance, pickling and subclasses work; only how its instances are made and
its one public method decide where they are.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

from ._dispatch import Target, call_remote, of_kind, remote_of, served_here, target_of, undecorated

C = TypeVar("C")


def dispatching_class(declared: type[C], target: Target) -> type[C]:
    """Makes the class an endpoint's.

    Raises:
        TypeError: It does not have exactly one public method, or cannot be made without arguments.
    """
    name = _public_method(declared)
    _refuse_arguments(declared)
    method: Any = declared.__dict__[name]
    plain = undecorated(method)
    served = f"{declared.__qualname__}.{name}"

    def remotely(_: object, *args: object, **kwargs: object) -> Any:
        # The method may have another name where it is written: `predict = _go`.
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
    """The method that is the endpoint's function: what is inherited, private, a property or `close` is none."""
    public = [
        name
        for name, value in vars(declared).items()
        if not name.startswith("_") and name != "close" and _is_method(declared, value)
    ]
    if len(public) == 1:
        if isinstance(vars(declared)[public[0]], (staticmethod, classmethod)):
            raise TypeError(f"{declared.__name__}.{public[0]} must be a plain method, which takes the instance first.")
        return public[0]
    needs = f"The class {declared.__name__} of an endpoint must have exactly one public method"
    if not public:
        raise TypeError(f"{needs}, but has none.")
    raise TypeError(
        f"{needs}, but has {len(public)}: {', '.join(public)}; begin the names of helpers with an underscore."
    )


def _is_method(declared: type[Any], value: object) -> bool:
    """Whether the class's body defines it: a function from elsewhere that stands in an attribute is data."""
    is_method = callable(value) or isinstance(value, (staticmethod, classmethod))
    if isinstance(value, type) or not is_method:
        return False
    place: str = getattr(cast("object", value), "__qualname__", "")
    # What a decorator made has the decorator's place, unless that kept the method's.
    return place.startswith(f"{declared.__qualname__}.") or "<locals>" in place


def _refuse_arguments(declared: type[Any]) -> None:
    needed = [*_required(declared.__new__), *_required(declared.__init__)]
    if needed:
        raise TypeError(
            f"The class {declared.__name__} of an endpoint cannot be made without {needed[0]}, "
            "and its worker makes the instance without arguments."
        )


def _required(make: Any) -> list[str]:
    """The arguments without a default, but for the first; asking the inspect module would triple the import's time."""
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
            raise TypeError(f"{kind.__name__}() takes no arguments: its endpoint's worker makes the instance.")

    return made


class _Undispatched:
    """`Model.__wrapped__`: the class as it runs on its endpoint, for tests and for use in place."""

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
