"""Splits JSON text into its outermost members, for inputs that Python's decoder refuses, such as very deep ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

# Matches strings as a whole, so that brackets inside them are skipped.
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]')


def members(text: str) -> list[str]:
    """The elements of an array, or the `"name": value` texts of an object.

    Args:
        text: Valid JSON. A value that is neither array nor object has no members.
    """
    return [text[start:end].strip() for start, end in _spans(text) if text[start:end].strip()]


def object_members(text: str) -> dict[str, str]:
    """The text of each value, by name."""
    found: dict[str, str] = {}
    for member in members(text):
        name = _TOKENS.match(member)
        if name is not None:
            found[json.loads(name[0])] = member[name.end() :].lstrip().removeprefix(":").strip()
    return found


def _spans(text: str) -> Iterator[tuple[int, int]]:
    depth = 0
    start = 0
    for token in _TOKENS.finditer(text):
        mark = token[0]
        if mark in ("[", "{"):
            depth += 1
            if depth == 1:
                start = token.end()
        elif mark in ("]", "}"):
            depth -= 1
            if depth == 0:
                yield start, token.start()
        elif mark == "," and depth == 1:
            yield start, token.start()
            start = token.end()
