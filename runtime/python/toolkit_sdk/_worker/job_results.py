"""Encodes what a function returns or yields as the bytes to post, or says in one sentence why that is impossible."""

from __future__ import annotations

import inspect
import os
from typing import Any

from toolkit_sdk._values import NotJsonError, to_json

from .frames import FrameLink
from .protocol import RESULT_BYTES


class ResultError(Exception):
    """A result that cannot be sent; the message is the complete reason."""


def output_of(value: Any) -> bytes:
    """The body to post for the value that a function returned.

    Raises:
        ResultError: It cannot be converted to JSON, or it is too large.
    """
    if inspect.isgenerator(value):
        raise ResultError("The function returned a generator. Use yield in the function itself, or return a list.")
    return b'{"output":' + _encode(value, "output") + b"}"


def _encode(value: Any, place: str) -> bytes:
    try:
        data = to_json(value, place)
    except NotJsonError as error:
        raise ResultError(str(error)) from None
    if len(data) > RESULT_BYTES:
        raise ResultError(f"{place} is {len(data):,} bytes; the limit is {RESULT_BYTES:,}.")
    return data


class Chunks:
    """The yields of one generator. Each is sent at once; the list of all of them is the job's output."""

    def __init__(self, link: FrameLink, job: str, process: int) -> None:
        self._link = link
        self._job = job
        self._process = process
        self._encoded: list[bytes] = []
        self._size = 0

    def add(self, value: Any) -> None:
        """Sends one yield.

        Raises:
            ResultError: It cannot be converted to JSON, or all yields together are too large.
        """
        end_fork(self._process)
        data = _encode(value, f"output[{len(self._encoded)}]")
        self._size += len(data) + 1
        if self._size > RESULT_BYTES:
            raise ResultError(f"All yielded values together exceed the limit of {RESULT_BYTES:,} bytes.")
        self._encoded.append(data)
        self._link.send("chunk", b'{"output":' + data + b"}", id=self._job)

    def output(self) -> bytes:
        """The closing body: the list of all yields."""
        return b'{"output":[' + b",".join(self._encoded) + b"]}"


def end_fork(process: int) -> None:
    """Ends a child process that the function forked and that returned from it: only the original may respond."""
    if os.getpid() != process:
        os._exit(0)
