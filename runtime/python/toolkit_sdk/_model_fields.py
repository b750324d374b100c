"""Dumps pydantic models with bytes as base64 text. Pydantic itself writes bytes as UTF-8 text, or fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

Encode = Callable[[object], Any]


def model_fields(model: Any, encode: Encode) -> Any:
    """The fields as the model itself dumps them, with bytes encoded.

    Args:
        model: An instance.
        encode: Returns the text for bytes, and any other value unchanged.
    """
    encoded = _encoded(model, encode)
    # Pydantic would warn about text in place of bytes.
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
    """Whether the metadata itself serializes the field, as that of Base64Bytes does."""
    return hasattr(metadata, "__get_pydantic_core_schema__") and not type(metadata).__name__.endswith("Validator")


def _writes_itself(model: Any) -> bool:
    """Whether the user's code or settings serialize the model, or read its fields to do so."""
    decorators = model.__pydantic_decorators__
    return bool(
        decorators.field_serializers
        or decorators.model_serializers
        or decorators.computed_fields
        or "ser_json_bytes" in model.model_config
    )
