"""Values as JSON: errors about what JSON cannot hold name its path and type."""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import json
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, Base64Bytes, BaseModel, computed_field, field_serializer
from toolkit_sdk._values import NotJsonError, from_base64, to_json


class Scalar:
    """Looks like a numpy scalar."""

    __module__ = "numpy"
    __qualname__ = "float32"
    shape = ()

    def tolist(self) -> float:
        return 1.0


class Array(Scalar):
    __module__ = "numpy"
    __qualname__ = "ndarray"
    shape = (3,)


class Model(BaseModel):
    day: datetime.date


class File(BaseModel):
    data: bytes
    parts: list[bytes] = []
    also: dict[str, bytes | None] = {}
    checked: Annotated[bytes, AfterValidator(bytes)] = b""
    one: set[bytes] = set()
    inner: File | None = None
    encoded: Base64Bytes = b""


class Sized(BaseModel):
    """Has a property of its own that reads its bytes."""

    data: bytes

    @computed_field
    @property
    def size(self) -> int:
        return len(self.data)


class Hex(BaseModel):
    data: bytes

    @field_serializer("data")
    def _data(self, data: bytes) -> str:
        return data.hex()


class Level(enum.IntEnum):
    HIGH = 3


PLAIN = {"data": "", "parts": [], "also": {}, "checked": "", "one": [], "inner": None, "encoded": ""}

circle: list[Any] = []
circle.append(circle)

FINE: list[tuple[Any, Any]] = [
    (None, None),
    ({"a": [1, 2.5, True, None, "ü€😀"]}, {"a": [1, 2.5, True, None, "ü€😀"]}),
    ((1, 2), [1, 2]),
    ({1: "a", None: "b"}, {"1": "a", "null": "b"}),
    ("\ud800 lone", "\ud800 lone"),
    (Level.HIGH, 3),
    (collections.OrderedDict(a=1), {"a": 1}),
    (b"\xff\xfe\xfb", "//77"),
    ({"parts": [bytearray(b"abc"), memoryview(b"abcdef")[::2]]}, {"parts": ["YWJj", "YWNl"]}),
    (b"", ""),
    (
        [File(data=b"\xff\xfe\xfb", parts=[b"a"], also={"k": b"b", "n": None}, checked=b"c", one={b"d"})],
        [
            {
                **PLAIN,
                "data": "//77",
                "parts": ["YQ=="],
                "also": {"k": "Yg==", "n": None},
                "checked": "Yw==",
                "one": ["ZA=="],
            }
        ],
    ),
    (File(data=b"", inner=File(data=b"abc")), {**PLAIN, "inner": {**PLAIN, "data": "YWJj"}}),
    (File(data=b"", encoded=b"YWJj"), {**PLAIN, "encoded": "YWJj"}),
    (Sized(data=b"abc"), {"data": "abc", "size": 3}),
    (Hex(data=b"\xff"), {"data": "ff"}),
    (Model(day=datetime.date(2024, 1, 2)), {"day": "2024-01-02"}),
    ([Model(day=datetime.date(2024, 1, 2))], [{"day": "2024-01-02"}]),
]


@pytest.mark.parametrize(("value", "expected"), FINE)
def test_values_that_json_can_hold_are_encoded(value: Any, expected: Any) -> None:
    assert json.loads(to_json(value, "output")) == expected


TROUBLES: list[tuple[Any, str]] = [
    (float("nan"), "output is NaN, which cannot be converted to JSON; use None or a string."),
    ({"a": [1, float("inf")]}, "output.a[1] is Infinity, which"),
    ({"a b": -float("inf")}, "output['a b'] is -Infinity, which"),
    (
        {"scores": [1, 2, 3, Scalar()]},
        "output.scores[3] is numpy.float32, which cannot be converted to JSON; convert it with .item().",
    ),
    (
        [Array()],
        "output[0] is numpy.ndarray, which cannot be converted to JSON; convert it with .tolist().",
    ),
    ({"s": {1}}, "output.s is a set, which cannot be converted to JSON; make it a list."),
    (
        (datetime.datetime(2024, 1, 2),),
        "output[0] is datetime.datetime, which cannot be converted to JSON; convert it with .isoformat().",
    ),
    (
        decimal.Decimal(1),
        "output is decimal.Decimal, which cannot be converted to JSON; use strings, numbers",
    ),
    (Path("x"), "output is pathlib."),
    ({(1, 2): 3}, "the key (1, 2) of output is not a string"),
    ({b"k": 3}, "the key b'k' of output is not a string"),
    ([b"x", {1}], "output[1] is a set, which"),
    (circle, "output refers to itself"),
    (len, "output is a builtin_function_or_method, which"),
]


@pytest.mark.parametrize(("value", "message"), TROUBLES)
def test_a_value_that_json_cannot_hold_is_named(value: Any, message: str) -> None:
    with pytest.raises(NotJsonError) as caught:
        to_json(value, "output")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("data", [b"", b"a", b"ab", b"abc", bytes(range(256))])
def test_bytes_can_be_decoded_from_their_text(data: bytes) -> None:
    assert from_base64(json.loads(to_json(data, "output"))) == data


@pytest.mark.parametrize("text", ["a", "YQ", "YQ=", "YQ==\n", "YW Jj", "_-_-", "YQ==YQ==", "====", "ä"])
def test_text_that_is_not_base64_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not base64 text"):
        from_base64(text)
