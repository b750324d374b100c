"""Binds a job's input to the function's arguments by name, and converts the values to their annotated types.

If the input does not fit, one sentence says what is wrong.
"""

from __future__ import annotations

import dataclasses
import datetime
import enum
import inspect
import types
import typing
from collections.abc import Callable, Mapping, Set
from typing import Any, Literal, Union, cast

from .annotations import annotations_of
from .json_bytes import BYTES, NotBase64Error, Place, aliased, decode_bytes, decode_record, decoder_of


class ArgumentError(Exception):
    """An input that does not fit the function; the message is the complete reason."""


class _MismatchError(Exception):
    """A value that does not fit its annotation: `expected` at `place`."""

    def __init__(self, place: str, expected: str, value: object) -> None:
        super().__init__(place, expected, value)
        self.place = place
        self.expected = expected
        self.value = value


class Binder:
    """Binds inputs to one function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._name = getattr(function, "__name__", "function")
        self._parameters = list(inspect.signature(function).parameters.values())
        self._is_variadic = any(each.kind is each.VAR_POSITIONAL for each in self._parameters)
        self._annotations = annotations_of(function, extras=False)

    def bind(self, given: Any) -> tuple[list[Any], dict[str, Any]]:
        """Positional and keyword arguments for a job's input.

        Raises:
            ArgumentError: An argument is missing, unknown or of the wrong type.
        """
        if not isinstance(given, dict):
            raise ArgumentError(
                f"The input of {self._name} must be a JSON object with the function's arguments, not {_text(given)}."
            )
        rest = dict(cast("dict[str, Any]", given))
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        skipped = False
        for parameter in self._parameters:
            if parameter.kind is parameter.VAR_KEYWORD:
                continue
            if parameter.name not in rest:
                if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL:
                    raise ArgumentError(f'{self._name} is missing the argument "{parameter.name}".')
                skipped = True
                continue
            value = self._converted(parameter, rest.pop(parameter.name))
            if parameter.kind is parameter.VAR_POSITIONAL:
                if skipped and value:
                    raise self._incomplete(parameter)
                args += value
            elif parameter.kind is parameter.POSITIONAL_ONLY and not skipped:
                args.append(value)
            elif parameter.kind is parameter.POSITIONAL_ONLY:
                raise self._incomplete(parameter)
            elif self._followed_by_variadic(parameter) and not skipped:
                args.append(value)
            else:
                kwargs[parameter.name] = value
        self._take_rest(rest, kwargs)
        return args, kwargs

    def _incomplete(self, parameter: inspect.Parameter) -> ArgumentError:
        return ArgumentError(
            f'The argument "{parameter.name}" of {self._name} can be given only together with all arguments before it.'
        )

    def _followed_by_variadic(self, parameter: inspect.Parameter) -> bool:
        return self._is_variadic and parameter.kind is parameter.POSITIONAL_OR_KEYWORD

    def _take_rest(self, rest: dict[str, Any], kwargs: dict[str, Any]) -> None:
        if not rest:
            return
        if any(each.kind is each.VAR_KEYWORD for each in self._parameters):
            kwargs.update(rest)
            return
        names = ", ".join(each.name for each in self._parameters)
        takes = f"it takes: {names}" if names else "it takes none"
        raise ArgumentError(f'{self._name} has no argument "{next(iter(rest))}"; {takes}.')

    def _converted(self, parameter: inspect.Parameter, value: Any) -> Any:
        annotation = self._annotations.get(parameter.name, Any)
        if parameter.kind is parameter.VAR_POSITIONAL:
            annotation = list[annotation]
        if value is None and parameter.default is None:
            return None
        try:
            return _convert(annotation, value, "")
        except _MismatchError as error:
            raise ArgumentError(
                f'The argument "{parameter.name}{error.place}" of {self._name} must be {error.expected}, '
                f"not {_text(error.value)}."
            ) from None


def _text(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, str):
        return f'the string "{value if len(value) <= 40 else value[:40] + "…"}"'
    return "a list" if isinstance(value, list) else "an object"


def _convert(annotation: Any, value: Any, place: str) -> Any:
    origin = typing.get_origin(annotation)
    if annotation in _SCALARS:
        return _scalar(annotation, value, place)
    if annotation in (list, tuple, set, frozenset) or origin in (list, tuple, set, frozenset):
        return _collection(annotation, origin or annotation, value, place)
    if annotation in BYTES:
        return _decoded(lambda value, here: decode_bytes(annotation, value, here), value, place)
    if annotation is dict or origin in (dict, Mapping):
        return _mapping(annotation, value, place)
    if origin in (Union, types.UnionType):
        return _union(annotation, value, place)
    if origin is Literal:
        choices = typing.get_args(annotation)
        for choice in choices:
            if type(choice) is type(value) and choice == value:
                return value
        raise _MismatchError(place, f"one of {', '.join(map(repr, choices))}", value)
    if origin is typing.Annotated:
        return _convert(typing.get_args(annotation)[0], value, place)
    # In Python 3.10, list[str] is an instance of `type`.
    if origin is None and isinstance(annotation, type):
        return _instance(annotation, value, place)
    concrete = _concrete(annotation, origin)
    # Of other types, only those that contain bytes are converted: the function could not use the base64 text.
    return value if concrete is None or decoder_of(concrete) is None else _convert(concrete, value, place)


def _concrete(annotation: Any, origin: Any) -> Any:
    """The built-in collection type for an abstract one, such as Sequence, or the type behind an alias."""
    inner = typing.get_args(annotation)
    if not isinstance(origin, type) or not inner:
        return aliased(annotation)
    if issubclass(origin, Mapping):
        return dict[inner]  # pyright: ignore[reportInvalidTypeArguments]
    return (set if issubclass(origin, Set) else list)[inner[0]]


def _decoded(decode: Callable[[Any, Place], Any], value: Any, place: str) -> Any:
    try:
        return decode(value, ())
    except NotBase64Error as error:
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.place)
        raise _MismatchError(place + "".join(steps), "base64 text", error.value) from None


def _scalar(annotation: Any, value: Any, place: str) -> Any:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if annotation is int and number and float(value).is_integer():
        return int(value)
    if annotation is float and number:
        return float(value)
    fits = (
        (annotation is str and isinstance(value, str))
        or (annotation is bool and isinstance(value, bool))
        or (annotation is type(None) and value is None)
    )
    if fits:
        return value
    raise _MismatchError(place, _SCALARS[annotation], value)


_SCALARS: dict[Any, str] = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}
_SCALARS[type(None)] = "null"


def _collection(annotation: Any, kind: Any, value: Any, place: str) -> Any:
    if not isinstance(value, list):
        raise _MismatchError(place, "a list", value)
    items = cast("list[Any]", value)
    inner = typing.get_args(annotation)
    if kind is tuple and inner and inner[-1] is not Ellipsis:
        if len(items) != len(inner):
            raise _MismatchError(place, f"a list of {len(inner)}", items)
        return tuple(
            _convert(each, item, f"{place}[{index}]")
            for index, (each, item) in enumerate(zip(inner, items, strict=True))
        )
    each = inner[0] if inner else Any
    converted = [_convert(each, item, f"{place}[{index}]") for index, item in enumerate(items)]
    return cast("Any", kind)(converted)


def _mapping(annotation: Any, value: Any, place: str) -> Any:
    if not isinstance(value, dict):
        raise _MismatchError(place, "an object", value)
    inner = typing.get_args(annotation)
    each = inner[1] if len(inner) == 2 else Any
    return {key: _convert(each, item, f"{place}.{key}") for key, item in cast("dict[str, Any]", value).items()}


def _union(annotation: Any, value: Any, place: str) -> Any:
    failures: list[_MismatchError] = []
    for choice in typing.get_args(annotation):
        try:
            return _convert(choice, value, place)
        except _MismatchError as error:
            failures.append(error)
    deepest = max(failures, key=lambda error: len(error.place))
    if len(deepest.place) > len(place):
        raise deepest  # The value fits one choice, except for a part of it.
    expected = dict.fromkeys(error.expected for error in failures)
    raise _MismatchError(place, " or ".join(expected), value)


def _instance(annotation: type[Any], value: Any, place: str) -> Any:
    name = annotation.__name__
    shape: Any = annotation
    if issubclass(annotation, enum.Enum):
        try:
            return annotation(value)
        except ValueError:
            choices = ", ".join(repr(member.value) for member in shape)
            raise _MismatchError(place, f"one of {choices}", value) from None
    if issubclass(annotation, (datetime.datetime, datetime.date, datetime.time)):
        try:
            return annotation.fromisoformat(value)
        except (ValueError, TypeError):
            raise _MismatchError(place, f"an ISO 8601 {name}", value) from None
    if typing.is_typeddict(shape) or dataclasses.is_dataclass(shape):
        return _record(shape, value, place)
    decode = decode_record(annotation)
    given = value if decode is None else _decoded(decode, value, place)
    if hasattr(shape, "model_validate"):
        try:
            return shape.model_validate(given)
        except ValueError as error:
            raise _MismatchError(place, f"a {name} ({_first_line_of(error)})", value) from None
    return given


def _first_line_of(error: ValueError) -> str:
    errors = getattr(error, "errors", None)
    if errors is None:
        return str(error)
    first = errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}" if first["loc"] else first["msg"]


def _record(annotation: Any, value: Any, place: str) -> Any:
    if not isinstance(value, dict):
        raise _MismatchError(place, f"an object ({annotation.__name__})", value)
    hints = typing.get_type_hints(annotation)
    fields = cast("dict[str, Any]", value)
    given = {key: _convert(hints.get(key, Any), item, f"{place}.{key}") for key, item in fields.items()}
    if typing.is_typeddict(annotation):
        missing = [key for key in annotation.__required_keys__ if key not in given]
        if missing:
            raise _MismatchError(place, f'an object with "{min(missing)}"', fields)
        return given
    try:
        return annotation(**given)
    except TypeError as error:
        raise _MismatchError(place, f"a {annotation.__name__} ({error})", fields) from None
