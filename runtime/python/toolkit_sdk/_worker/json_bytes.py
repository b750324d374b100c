"""Makes decoders for types that contain `bytes`: they decode the base64 text in JSON values, and change nothing else.

Pydantic validates the values afterwards.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Union, cast

from toolkit_sdk._values import from_base64

Place = tuple[str | int, ...]
Decoder = Callable[[Any, Place], Any]
"""Takes a JSON value and its place: the keys and indices that lead to it."""

BYTES = (bytes, bytearray)


class NotBase64Error(Exception):
    """A value that should be base64 text, but is not."""

    def __init__(self, place: Place, value: object) -> None:
        super().__init__(place, value)
        self.place = place
        self.value = value


def decode_bytes(kind: Callable[[bytes], Any], value: object, place: Place) -> Any:
    """Decodes base64 text to `bytes` or `bytearray`.

    Raises:
        NotBase64Error: It is not base64 text.
    """
    try:
        return kind(from_base64(cast("str", value)))
    except (TypeError, ValueError):
        raise NotBase64Error(place, value) from None


def decoder_of(annotation: Any, known: dict[Any, Decoder] | None = None) -> Decoder | None:
    """The decoder for values of a type; it raises NotBase64Error. None if the type contains no bytes.

    Args:
        annotation: The type.
        known: Decoders of the records that contain it, because a record can contain itself.
    """
    decoder = functools.partial(decoder_of, known={} if known is None else known)
    if annotation in BYTES:
        return functools.partial(decode_bytes, annotation)
    origin = typing.get_origin(annotation)
    inner = typing.get_args(annotation)
    if origin is Annotated:
        return None if any(map(_reads_input, inner[1:])) else decoder(inner[0])
    if origin in (Union, types.UnionType):
        return _union_decoder([(each, decoder(each)) for each in inner])
    if origin is tuple and Ellipsis not in inner:
        return _tuple_decoder([decoder(each) for each in inner])
    if _is_named_tuple(annotation):
        return _tuple_decoder(
            [decoder(each) for each in typing.get_type_hints(annotation, include_extras=True).values()]
        )
    if origin is None and _is_record(annotation):
        return _record_decoder(annotation, {} if known is None else known)
    if isinstance(origin, type) and inner:
        each = decoder(inner[-1] if issubclass(origin, Mapping) else inner[0])
        return _items_decoder(each) if each and issubclass(origin, Iterable) else None
    return decoder(alias) if (alias := aliased(annotation)) is not None else None


def aliased(annotation: Any) -> Any:
    """The type behind a NewType, a `type` statement, `Required[...]` or the like; None for any other type."""
    inner = typing.get_args(annotation)
    if typing.get_origin(annotation) is not None:
        return inner[0] if inner and not isinstance(typing.get_origin(annotation), type) else None
    return getattr(annotation, "__supertype__", None) or getattr(annotation, "__value__", None)


@functools.cache
def decode_record(record: type[Any]) -> Decoder | None:
    """The decoder for a class, such as a dataclass or a pydantic model. Cached."""
    return decoder_of(record)


def _is_named_tuple(annotation: Any) -> bool:
    return (
        isinstance(annotation, type) and hasattr(cast("Any", annotation), "_fields") and issubclass(annotation, tuple)
    )


def _is_record(annotation: Any) -> bool:
    is_typed = typing.is_typeddict(annotation) or dataclasses.is_dataclass(annotation)
    return isinstance(annotation, type) and (is_typed or hasattr(cast("Any", annotation), "model_fields"))


def _reads_input(metadata: object) -> bool:
    """Whether the metadata processes the value before pydantic, like that of Base64Bytes. It gets the text as sent."""
    is_late = type(metadata).__name__ == "AfterValidator"
    return hasattr(metadata, "__get_pydantic_core_schema__") and not is_late


def _record_decoder(record: type[Any], known: dict[Any, Decoder]) -> Decoder | None:
    if record in known:
        return known[record]
    decoders: dict[str, Decoder] = {}

    def decode(value: Any, place: Place) -> Any:
        if not isinstance(value, dict):
            return value
        fields = cast("dict[str, Any]", value)
        return {name: decoders.get(name, _same)(each, (*place, name)) for name, each in fields.items()}

    known[record] = decode
    for name, kind in _fields_of(record).items():
        field = decoder_of(kind, known)
        if field is not None:
            decoders[name] = field
    return decode if decoders else None


def _same(value: Any, _: Place) -> Any:
    return value


def _fields_of(record: Any) -> dict[str, Any]:
    """The types of a record's fields, by their names in JSON."""
    if not hasattr(record, "model_fields"):
        return typing.get_type_hints(record, include_extras=True)
    validators = record.__pydantic_decorators__.field_validators.values()
    # The user's own validators of these fields get the text as sent.
    own = {name for each in validators if each.info.mode != "after" for name in each.info.fields}
    found: dict[str, Any] = {}
    for name, field in record.model_fields.items():
        if name not in own:
            aliases = getattr(field.validation_alias, "choices", [field.validation_alias])
            kind: Any = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
            found |= {each: kind for each in (name, *aliases) if isinstance(each, str)}
    return found


def _items_decoder(decode: Decoder) -> Decoder:
    def items(value: Any, place: Place) -> Any:
        if isinstance(value, dict):
            fields = cast("dict[str, Any]", value)
            return {key: decode(each, (*place, key)) for key, each in fields.items()}
        if isinstance(value, list):
            return [decode(each, (*place, at)) for at, each in enumerate(cast("list[Any]", value))]
        return value

    return items


def _tuple_decoder(decoders: list[Decoder | None]) -> Decoder | None:
    def items(value: Any, place: Place) -> Any:
        if not isinstance(value, list):
            return cast("object", value)
        given = cast("list[Any]", value)
        found = [(decode or _same)(each, (*place, at)) for at, (decode, each) in enumerate(zip(decoders, given))]  # noqa: B905 (the length is checked later)
        return found + given[len(found) :]

    return items if any(decoders) else None


def _union_decoder(choices: list[tuple[Any, Decoder | None]]) -> Decoder | None:
    """Decodes by the first type that fits."""
    if not any(decode for _, decode in choices):
        return None
    own = [(kind, decode or _same) for kind, decode in choices if kind is not type(None)]

    def first(value: Any, place: Place) -> Any:
        failure: NotBase64Error | None = None
        for kind, decode in own:
            try:
                found = decode(value, place)
            except NotBase64Error as error:
                failure = error
                continue
            if _fits(kind, found):
                return found
        if failure is not None:
            raise failure
        return value

    def decode(value: Any, place: Place) -> Any:
        if value is None and len(own) < len(choices):
            return None
        return own[0][1](value, place) if len(own) == 1 else first(value, place)

    return decode


def _fits(kind: Any, value: object) -> bool:
    from pydantic import PydanticSchemaGenerationError, TypeAdapter, ValidationError

    try:
        TypeAdapter(kind).validate_python(value)
    except ValidationError:
        return False
    except PydanticSchemaGenerationError:  # Pydantic does not know `bytearray`.
        return isinstance(kind, type) and isinstance(value, kind)
    return True
