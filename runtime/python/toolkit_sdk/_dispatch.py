"""Where a call of a declared function goes: to the function itself on its own endpoint, else to the deployed endpoint.

The build's stubs consist of `remote_function`, `remote_class` and `real_attribute`.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar, cast

from ._own_modules import own_module
from ._real_modules import real_attribute
from ._remote_class import remote_class

if TYPE_CHECKING:
    import inspect

__all__ = [
    "RemoteFunction",
    "Target",
    "dispatching",
    "real_attribute",
    "remote_class",
    "remote_function",
    "serve_locally",
    "served_here",
    "target_of",
    "undecorated",
]

P = ParamSpec("P")
R = TypeVar("R")

# Bits of a code object's flags. Using the inspect module instead would triple the time of `import toolkit_sdk`.
_GENERATOR, _COROUTINE, _ASYNC_GENERATOR = 0x20, 0x80, 0x200


class Target(NamedTuple):
    """The deployed function that a call goes to."""

    endpoint: str
    """The endpoint's name as declared."""
    route: tuple[str, str] | None
    """Method and path of a load-balanced route; None for a queue-based endpoint."""


class _LocalEndpoint:
    """The endpoint that this process is a worker of; its functions are called directly."""

    name: str | None = None


def serve_locally(endpoint: str) -> None:
    """Makes this process a worker of the endpoint."""
    _LocalEndpoint.name = endpoint


def served_here(target: Target) -> bool:
    """Whether this process is a worker of the target's endpoint."""
    return _LocalEndpoint.name == target.endpoint


def dispatching(function: Callable[P, R], target: Target) -> Callable[P, R]:
    """Wraps a declared function. Signature, docstring and kind (async, generator) stay the same."""
    if not callable(function):
        if target.route is not None:
            raise TypeError(f"A route decorates a function, not {function!r}.")
        raise TypeError(f"An endpoint decorates a function or a class, not {function!r}.")
    if isinstance(function, type):
        raise TypeError(f"{function.__name__} is a class, but a route runs a function.")
    original = undecorated(function)

    def remotely(*args: object, **kwargs: object) -> Any:
        return call_remote(remote_of(original, target), args, kwargs)

    return of_kind(function, target, lambda _: served_here(target), remotely)


def undecorated(function: Callable[P, R]) -> Callable[P, R]:
    """The user's function, without the decorators of toolkit_sdk."""
    while hasattr(function, "__toolkit_target__"):
        function = cast("Callable[P, R]", function.__wrapped__)  # pyright: ignore[reportFunctionMemberAccess]
    return function


def target_of(function: Callable[..., object]) -> Target | None:
    """The target of a decorated function; None for any other function."""
    return getattr(function, "__toolkit_target__", None)


def of_kind(
    function: Callable[P, R], target: Target, is_local: Callable[[tuple[Any, ...]], bool], remotely: Callable[..., Any]
) -> Callable[P, R]:
    """A wrapper of the same kind as the function, which decides at each call where the call goes.

    Args:
        function: Called if the call is local.
        target: The function's target.
        is_local: Decides by the call's positional arguments.
        remotely: Called otherwise; returns an awaitable for async functions.
    """
    flags = _code_flags(function)
    local: Callable[..., Any] = function

    def plain(*args: Any, **kwargs: Any) -> Any:
        return (local if is_local(args) else remotely)(*args, **kwargs)

    def generator(*args: Any, **kwargs: Any) -> Any:
        yield from plain(*args, **kwargs)

    async def coroutine(*args: Any, **kwargs: Any) -> Any:
        return await plain(*args, **kwargs)

    async def async_generator(*args: Any, **kwargs: Any) -> Any:
        if is_local(args):
            async for value in local(*args, **kwargs):
                yield value
        else:
            for value in await remotely(*args, **kwargs):
                yield value

    by_flag = {_COROUTINE: coroutine, _ASYNC_GENERATOR: async_generator, _GENERATOR: generator}
    wrapper = next((made for flag, made in by_flag.items() if flags & flag), plain)
    made = functools.wraps(function)(wrapper)
    made.__toolkit_target__ = target  # pyright: ignore[reportAttributeAccessIssue]
    return cast("Callable[P, R]", made)


def _code_flags(function: Callable[..., object]) -> int:
    seen: object = function
    while isinstance(seen, functools.partial) or hasattr(seen, "__wrapped__"):
        seen = cast("Any", seen).func if isinstance(seen, functools.partial) else cast("Any", seen).__wrapped__
    return getattr(getattr(seen, "__code__", None), "co_flags", 0)


def remote_of(function: Callable[..., object], target: Target, owner: str | None = None) -> RemoteFunction:
    """What a call over HTTP needs to know about a declared function.

    Args:
        function: The user's function, undecorated.
        target: The function's target.
        owner: For a method, the name of its class; the signature then has no `self`.
    """
    code = getattr(function, "__code__", None)
    signature: inspect.Signature = own_module("inspect").signature(function)
    if owner is not None:
        signature = signature.replace(parameters=list(signature.parameters.values())[1:])
    return RemoteFunction(
        target=target,
        module=function.__module__,
        name=function.__name__ if owner is None else f"{owner}.{function.__name__}",
        signature=signature,
        is_async=bool(_code_flags(function) & (_COROUTINE | _ASYNC_GENERATOR)),
        file=os.path.abspath(code.co_filename) if code else None,
        returns_bytes=_is_bytes(signature.return_annotation),
    )


def _is_bytes(annotation: object) -> bool:
    """Whether a return annotation is `bytes` or `bytes | None`; it is text when the module postpones annotations."""
    return ("bytes" if annotation is bytes else str(annotation)) in _BYTES


_BYTES = ("bytes", "bytes | None", "None | bytes", "Optional[bytes]", "typing.Optional[bytes]")


class RemoteFunction(NamedTuple):
    """What a call over HTTP needs to know about a function."""

    target: Target
    module: str
    name: str
    """`Class.method` for a method."""
    signature: inspect.Signature
    is_async: bool
    file: str | None
    """The declaring file, where the search for the project starts; None on workers, which know their context."""
    returns_bytes: bool
    """Whether the returned text is the value in base64."""


def call_remote(remote: RemoteFunction, args: tuple[object, ...], kwargs: dict[str, object]) -> Any:
    """Calls the deployed function. Returns its value, or a coroutine that returns it for an async function."""
    from . import _calls

    return _calls.call(remote, args, kwargs)


def remote_function(
    *,
    endpoint: str,
    module: str,
    name: str,
    parameters: tuple[tuple[str, str, bool], ...],
    is_async: bool,
    route: tuple[str, str] | None,
    description: str | None,
    returns_bytes: bool = False,
) -> Callable[..., Any]:
    """A stand-in for another endpoint's function, for the build's stubs.

    Args:
        endpoint: The endpoint's name.
        module: The function's module.
        name: The function's name; `Class.method` for a method.
        parameters: Name, kind (`positional-or-keyword` …) and whether it is required, for each parameter.
        is_async: Whether calls are awaitable.
        route: Method and path of a load-balanced route.
        description: First line of the docstring.
        returns_bytes: Whether the return annotation is `bytes` or `bytes | None`.
    """
    target = Target(endpoint, route)

    def remotely(*args: object, **kwargs: object) -> Any:
        remote = RemoteFunction(target, module, name, _signature(parameters), is_async, None, returns_bytes)
        return call_remote(remote, args, kwargs)

    async def awaitable(*args: object, **kwargs: object) -> Any:
        return await remotely(*args, **kwargs)

    stand_in: Callable[..., Any] = awaitable if is_async else remotely
    stand_in.__name__ = name.rpartition(".")[2]
    stand_in.__qualname__ = name
    stand_in.__module__ = module
    stand_in.__doc__ = description
    return stand_in


def _signature(parameters: tuple[tuple[str, str, bool], ...]) -> inspect.Signature:
    inspected = own_module("inspect")
    kinds = {
        "positional-only": inspected.Parameter.POSITIONAL_ONLY,
        "positional-or-keyword": inspected.Parameter.POSITIONAL_OR_KEYWORD,
        "var-positional": inspected.Parameter.VAR_POSITIONAL,
        "keyword-only": inspected.Parameter.KEYWORD_ONLY,
        "var-keyword": inspected.Parameter.VAR_KEYWORD,
    }

    def parameter(name: str, kind: str, required: bool) -> inspect.Parameter:
        variadic = kind.startswith("var-")
        default = inspected.Parameter.empty if required or variadic else None
        return inspected.Parameter(name, kinds[kind], default=default)

    return inspected.Signature([parameter(*each) for each in parameters])
