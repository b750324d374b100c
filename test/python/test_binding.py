"""Binding inputs of jobs to functions: which inputs fit, how values are converted, and what errors say."""

from __future__ import annotations

import dataclasses
import datetime
import enum
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple, NewType, Optional, TypedDict

import pytest
from pydantic import Base64Bytes, BaseModel, Field, field_validator
from toolkit_sdk._worker.binding import ArgumentError, Binder


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Movie(TypedDict):
    title: str
    year: int


class Order(BaseModel):
    item: str
    count: int = 1


Key = NewType("Key", bytes)


@dataclasses.dataclass
class Photo:
    data: bytes
    name: str = ""


class Sound(TypedDict):
    data: bytes


class Pair(NamedTuple):
    name: str
    data: bytes


class Upload(BaseModel):
    data: bytes = Field(alias="content")
    parts: list[bytes] = []
    child: Upload | None = None
    either: Photo | Order | None = None
    encoded: Base64Bytes = b""
    own: bytes = b""

    @field_validator("own", mode="before")
    @classmethod
    def _own(cls, sent: str) -> bytes:
        return sent.encode()


def everything(
    text: str,
    n: int = 1,
    ratio: float = 0.5,
    on: bool = False,
    tags: list[str] | None = None,
    pair: tuple[int, str] = (0, ""),
    many: tuple[int, ...] = (),
    names: set[str] = frozenset(),  # type: ignore[assignment]
    table: dict[str, list[int]] = {},  # noqa: B006
    mode: Literal["fast", "slow"] = "fast",
    color: Color = Color.RED,
    point: Point | None = None,
    movie: Movie | None = None,
    order: Order | None = None,
    day: datetime.date | None = None,
    either: int | str = 0,
    marked: Annotated[int, "mark"] = 0,
    old: Optional[int] = 3,  # noqa: UP045
    free: Any = None,
    bare=None,
    unknown: NotThere = None,  # type: ignore[name-defined]  # noqa: F821
) -> None: ...


def positional(a: int, b: int = 2, /, c: int = 3) -> None: ...
def variadic(a: int, *rest: int, key: str = "k", **more: Any) -> None: ...
def nothing() -> None: ...
def typed(
    text: str,
    n: int = 1,
    point: Point | None = None,
    movie: Movie | None = None,
    order: Order | None = None,
    pair: tuple[int, str] = (0, ""),
    mode: Literal["fast", "slow"] = "fast",
    color: Color = Color.RED,
    either: int | str = 0,
    table: dict[str, list[int]] | None = None,
    on: bool = False,
    tags: list[str] | None = None,
    day: datetime.date | None = None,
) -> None: ...


def binary(
    data: bytes = b"",
    old: Optional[bytes] = None,  # noqa: UP045
    new: bytes | None = None,
    marked: Annotated[bytes, "mark"] = b"",
    array: bytearray = bytearray(),  # noqa: B008
    many: list[bytes] = [],  # noqa: B006
    table: dict[str, bytes] = {},  # noqa: B006
    pair: tuple[str, bytes] = ("", b""),
    each: tuple[bytes, ...] = (),
    some: Sequence[bytes] = (),
    either: bytes | str = b"",
    key: Key = Key(b""),
    named: Pair = Pair("", b""),  # noqa: B008
    photo: Photo | None = None,
    sound: Sound | None = None,
    upload: Upload | None = None,
) -> None: ...


@pytest.mark.parametrize(
    ("name", "sent", "bound"),
    [
        ("data", "//77", b"\xff\xfe\xfb"),
        ("data", "", b""),
        ("old", "YWJj", b"abc"),
        ("old", None, None),
        ("new", "YWJj", b"abc"),
        ("marked", "YWJj", b"abc"),
        ("array", "YWJj", bytearray(b"abc")),
        ("many", ["YQ==", "Yg=="], [b"a", b"b"]),
        ("table", {"k": "YQ=="}, {"k": b"a"}),
        ("pair", ["YQ==", "YQ=="], ("YQ==", b"a")),
        ("each", ["YQ=="], (b"a",)),
        ("some", ["YQ=="], [b"a"]),
        ("either", "YQ==", b"a"),
        ("either", "no bytes", "no bytes"),
        ("key", "YQ==", b"a"),
        ("named", ["YQ==", "YQ=="], ["YQ==", b"a"]),
        ("photo", {"data": "YQ=="}, Photo(b"a")),
        ("sound", {"data": "YQ=="}, {"data": b"a"}),
        ("upload", {"content": "//77"}, Upload(content=b"\xff\xfe\xfb")),
        (
            "upload",
            {"content": "", "child": {"content": "YQ==", "parts": ["Yg=="]}},
            Upload(content=b"", child=Upload(content=b"a", parts=[b"b"])),
        ),
        ("upload", {"content": "", "either": {"data": "YQ=="}}, Upload(content=b"", either=Photo(b"a"))),
        ("upload", {"content": "", "either": {"item": "YQ=="}}, Upload(content=b"", either=Order(item="YQ=="))),
        ("upload", {"content": "", "encoded": "YQ=="}, Upload(content=b"", encoded=b"YQ==")),
        ("upload", {"content": "", "own": "YQ=="}, Upload(content=b"", own="YQ==")),  # pyright: ignore
    ],
)
def test_base64_text_is_bound_as_bytes(name: str, sent: Any, bound: Any) -> None:
    assert Binder(binary).bind({name: sent}) == ([], {name: bound})
    assert type(Binder(binary).bind({name: sent})[1][name]) is type(bound)


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"data": "a b"}, '"data" of binary must be base64 text, not the string "a b".'),
        ({"data": 5}, '"data" of binary must be base64 text, not the number 5.'),
        ({"old": "a"}, '"old" of binary must be base64 text or null, not the string "a".'),
        ({"many": ["YQ==", "YQ"]}, '"many[1]" of binary must be base64 text, not the string "YQ".'),
        ({"table": {"k": None}}, '"table.k" of binary must be base64 text, not null.'),
        ({"some": ["-"]}, '"some[0]" of binary must be base64 text, not the string "-".'),
        ({"named": ["a", "-"]}, '"named[1]" of binary must be base64 text, not the string "-".'),
        ({"photo": {"data": "-"}}, '"photo.data" of binary must be base64 text, not the string "-".'),
        (
            {"upload": {"content": "", "parts": ["-"]}},
            '"upload.parts[0]" of binary must be base64 text, not the string "-".',
        ),
    ],
)
def test_text_that_is_not_base64_is_refused_with_its_path(sent: Any, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Binder(binary).bind(sent)
    assert str(caught.value) == f"The argument {message}"


FITS: list[tuple[Any, dict[str, Any], list[Any], dict[str, Any]]] = [
    (typed, {"text": "a"}, [], {"text": "a"}),
    (typed, {"text": "a", "n": 2.0}, [], {"text": "a", "n": 2}),
    (typed, {"text": "a", "pair": [1, "b"]}, [], {"text": "a", "pair": (1, "b")}),
    (
        typed,
        {"text": "a", "table": {"k": [1, 2]}},
        [],
        {"text": "a", "table": {"k": [1, 2]}},
    ),
    (typed, {"text": "a", "color": "blue"}, [], {"text": "a", "color": Color.BLUE}),
    (typed, {"text": "a", "point": {"x": 1}}, [], {"text": "a", "point": Point(1)}),
    (
        typed,
        {"text": "a", "movie": {"title": "t", "year": 1}},
        [],
        {"text": "a", "movie": {"title": "t", "year": 1}},
    ),
    (
        typed,
        {"text": "a", "order": {"item": "cup"}},
        [],
        {"text": "a", "order": Order(item="cup")},
    ),
    (
        typed,
        {"text": "a", "day": "2024-02-29"},
        [],
        {"text": "a", "day": datetime.date(2024, 2, 29)},
    ),
    (typed, {"text": "a", "either": "x"}, [], {"text": "a", "either": "x"}),
    (typed, {"text": "a", "tags": None}, [], {"text": "a", "tags": None}),
    (
        everything,
        {"text": "t", "unknown": {"any": 1}},
        [],
        {"text": "t", "unknown": {"any": 1}},
    ),
    (positional, {"a": 1, "b": 5, "c": 6}, [1, 5], {"c": 6}),
    (positional, {"a": 1, "c": 6}, [1], {"c": 6}),
    (
        variadic,
        {"a": 1, "rest": [2, 3], "key": "x", "other": 4},
        [1, 2, 3],
        {"key": "x", "other": 4},
    ),
    (variadic, {"a": 1}, [1], {}),
    (nothing, {}, [], {}),
]


@pytest.mark.parametrize(("function", "given", "args", "kwargs"), FITS)
def test_an_input_that_fits_is_bound(
    function: Any, given: dict[str, Any], args: list[Any], kwargs: dict[str, Any]
) -> None:
    assert Binder(function).bind(given) == (args, kwargs)


TROUBLES: list[tuple[Any, Any, str]] = [
    # The annotation of `unknown` cannot be resolved, which does not affect the other parameters.
    (everything, {"text": 5}, 'The argument "text" of everything must be a string, not the number 5.'),
    (typed, [], "The input of typed must be a JSON object with the function's arguments, not a list."),
    (typed, None, "The input of typed must be a JSON object with the function's arguments, not null."),
    (typed, {}, 'typed is missing the argument "text".'),
    (nothing, {"x": 1}, 'nothing has no argument "x"; it takes none.'),
    (typed, {"text": None}, 'The argument "text" of typed must be a string, not null.'),
    (
        typed,
        {"text": "a", "n": True},
        'The argument "n" of typed must be a whole number, not true.',
    ),
    (
        typed,
        {"text": "a", "n": 2.5},
        'The argument "n" of typed must be a whole number, not the number 2.5.',
    ),
    (
        typed,
        {"text": "a", "n": "2"},
        'The argument "n" of typed must be a whole number, not the string "2".',
    ),
    (
        typed,
        {"text": "a", "on": 1},
        'The argument "on" of typed must be true or false, not the number 1.',
    ),
    (
        typed,
        {"text": "a", "tags": ["a", 2]},
        'The argument "tags[1]" of typed must be a string, not the number 2.',
    ),
    (
        typed,
        {"text": "a", "table": {"k": [1, "x"]}},
        'The argument "table.k[1]" of typed must be a whole number, not the string "x".',
    ),
    (
        typed,
        {"text": "a", "pair": [1]},
        'The argument "pair" of typed must be a list of 2, not a list.',
    ),
    (
        typed,
        {"text": "a", "mode": "mid"},
        "The argument \"mode\" of typed must be one of 'fast', 'slow', not the string \"mid\".",
    ),
    (
        typed,
        {"text": "a", "color": "x"},
        "The argument \"color\" of typed must be one of 'red', 'blue', not the string \"x\".",
    ),
    (
        typed,
        {"text": "a", "either": []},
        'The argument "either" of typed must be a whole number or a string, not a list.',
    ),
    (
        positional,
        {"b": 1, "a": "x"},
        'The argument "a" of positional must be a whole number, not the string "x".',
    ),
    (
        variadic,
        {"a": 1, "rest": ["x"]},
        'The argument "rest[0]" of variadic must be a whole number, not the string "x".',
    ),
]


@pytest.mark.parametrize(("function", "given", "message"), TROUBLES)
def test_an_input_that_does_not_fit_is_refused_with_one_sentence(function: Any, given: Any, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Binder(function).bind(given)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("point", {"z": 1}),
        ("movie", {"title": "t"}),
        ("order", {"count": 1}),
        ("day", "tomorrow"),
        ("point", 3),
    ],
)
def test_a_record_that_does_not_fit_is_refused_with_its_argument(field: str, value: Any) -> None:
    with pytest.raises(ArgumentError, match=f'The argument "{field}" of typed must be'):
        Binder(typed).bind({"text": "a", field: value})
