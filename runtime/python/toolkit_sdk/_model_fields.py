"""Pydantic models → their fields as JSON has them, bytes as base64 text; pydantic alone writes UTF-8 or fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

Encode = Callable[[object], Any]


def model_fields(model: Any, encode: Encode) -> Any:
    """The fields, as the model itself dumps them.

    Args:
        model: An instance.
        encode: What JSON has for bytes; any other value as it is.
    """
    encoded = _encoded(model, encode)
    # A text in place of bytes is what pydantic would warn of.
    return encoded.model_dump(mode="json", **({} if encoded is model else {"warnings": False}))


def _encoded(value: Any, encode: Encode) -> Any:
    """The value itself if nothing in it changes, else a copy."""
    if isinstance(value, dict):
        fields = cast("dict[Any, Any]", value)
        changed = {key: _encoded(each, encode) for key, each in fields.items()}
        return changed if any(changed[key] is not fields[key] for key in fields) else fields
    if type(value) in (list, tuple, set, frozenset):
        items = cast("list[Any]", value)
        found = [_encoded(each, encode) for each in items]
        return type(items)(found) if any(new is not old for new, old in zip(found, items, strict=True)) else items
    model = cast("Any", type(cast("object", value)))
    if not hasattr(model, "model_fields"):
        return encode(value)
    if _writes_itself(model):
        return value
    changes: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        if not any(map(_writes_field, field.metadata)):
            given = getattr(value, name, None)
            encoded = _encoded(given, encode)
            if encoded is not given:
                changes[name] = encoded
    return value.model_copy(update=changes) if changes else value


def _writes_field(metadata: object) -> bool:
    """Whether it writes the field from its bytes, as that of Base64Bytes does."""
    return hasattr(metadata, "__get_pydantic_core_schema__") and not type(metadata).__name__.endswith("Validator")


def _writes_itself(model: Any) -> bool:
    """Whether the user's code or settings decide how it is written, or read its fields for that."""
    said = model.__pydantic_decorators__
    return bool(
        said.field_serializers
        or said.model_serializers
        or said.computed_fields
        or "ser_json_bytes" in model.model_config
    )
