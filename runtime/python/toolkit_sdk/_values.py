"""Converts Python values to JSON bytes, strictly: errors name the path of the value, such as `output.scores[3]`.

Bytes are base64 text in JSON.
"""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Iterator
from typing import cast

from ._model_fields import model_fields


class NotJsonError(ValueError):
    """A value that cannot be converted to JSON; the message names its path and type."""


def to_json(value: object, place: str) -> bytes:
    """The value as UTF-8 JSON. Tuples become arrays, bytes become base64 text, and pydantic models become objects.

    Args:
        value: The value to encode.
        place: Name of the value in messages, such as `output`.

    Raises:
        NotJsonError: Some part of it cannot be converted to JSON, such as NaN or an infinity.
    """
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise NotJsonError(_explain(value, place, error)) from None
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Lone surrogates are legal in Python strings, but in JSON only as escapes.
        return json.dumps(value, allow_nan=False, separators=(",", ":"), default=_replacement).encode()


def from_base64(text: str) -> bytes:
    """Decodes base64 text.

    Raises:
        ValueError: It is not base64 text in the standard alphabet and with padding.
    """
    # Python has strict decoding of its own only since 3.11.
    if len(text) % 4 or not _BASE64.fullmatch(text):
        raise ValueError("not base64 text")
    return binascii.a2b_base64(text)


_BASE64 = re.compile("[A-Za-z0-9+/]*={0,2}")


def _replacement(value: object) -> object:
    if _has(value, "model_dump"):
        return model_fields(value, _base64)
    if not isinstance(value, _BYTES):
        raise TypeError(type_name(value))
    return _base64(cast("object", value))


def _base64(value: object) -> object:
    """The base64 text of bytes; any other value unchanged."""
    if not isinstance(value, _BYTES):
        return value
    return binascii.b2a_base64(bytes(cast("bytes", value)), newline=False).decode()


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_replacement)
_BYTES = (bytes, bytearray, memoryview)


def _explain(value: object, place: str, error: Exception) -> str:
    if isinstance(error, RecursionError) or "Circular" in str(error):
        return f"{place} refers to itself or is nested too deeply to be converted to JSON."
    for found, part in _parts(value, place):
        trouble = _trouble(part)
        if trouble is not None:
            return f"{found} is {trouble}"
    return f"{place} cannot be converted to JSON: {error}."


def _parts(value: object, place: str) -> Iterator[tuple[str, object]]:
    """Every part of the value with its path, and every key that cannot be converted to JSON."""
    yield place, value
    if isinstance(value, dict):
        for key, part in cast("dict[object, object]", value).items():
            if not isinstance(key, (str, int, float, bool, type(None))):
                yield f"the key {key!r} of {place}", key if _trouble(key) else _BadKey()
            yield from _parts(part, f"{place}.{key}" if str(key).isidentifier() else f"{place}[{key!r}]")
    elif isinstance(value, (list, tuple)):
        for index, part in enumerate(cast("list[object]", value)):
            yield from _parts(part, f"{place}[{index}]")


class _BadKey:
    """Stands for a key that is valid as a value, such as a tuple."""


def _trouble(value: object) -> str | None:
    if isinstance(value, _BadKey):
        return "not a string; keys of JSON objects are strings."
    if value is None or isinstance(value, (str, bool, int, dict, list, tuple, *_BYTES)) or _has(value, "model_dump"):
        return None
    if isinstance(value, float):
        finite = value == value and value not in (float("inf"), float("-inf"))  # noqa: PLR0124 (NaN does not equal itself)
        return None if finite else f"{_float_name(value)}, which cannot be converted to JSON; use None or a string."
    return f"{_with_article(type_name(value))}, which cannot be converted to JSON; {_remedy(value)}."


def _float_name(value: float) -> str:
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"  # noqa: PLR0124


def _with_article(name: str) -> str:
    return name if "." in name else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def type_name(value: object) -> str:
    """The name of a value's type as users write it: `set`, `numpy.float32`."""
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _has(value: object, attribute: str) -> bool:
    return hasattr(type(value), attribute)


def _remedy(value: object) -> str:
    if _has(value, "tolist"):
        return "convert it with .tolist()" if getattr(value, "shape", ()) else "convert it with .item()"
    if isinstance(value, (set, frozenset)):
        return "make it a list"
    if _has(value, "isoformat"):
        return "convert it with .isoformat()"
    if _has(value, "__await__"):
        return "await it first"
    return "use strings, numbers, booleans, None, lists and dicts"
