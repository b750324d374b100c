"""The frames between the platform and its agents."""

from __future__ import annotations

import io

import pytest
from toolkit_sdk._agent.frames import encode_frame, read_frame
from toolkit_sdk._agent.protocol import LARGEST_FRAME


def test_a_frame_is_read_as_it_was_written() -> None:
    stream = io.BytesIO(encode_frame({"type": "a"}) + encode_frame({"type": "é"}))
    assert [read_frame(stream), read_frame(stream)] == [b'{"type": "a"}', b'{"type": "\\u00e9"}']


@pytest.mark.parametrize("left", [0, 3, 4, 10])
def test_a_frame_that_is_cut_off_is_none(left: int) -> None:
    assert read_frame(io.BytesIO(encode_frame({"type": "a"})[:left])) is None


@pytest.mark.parametrize(("length", "is_read"), [(LARGEST_FRAME, True), (LARGEST_FRAME + 1, False)])
def test_a_frame_can_have_the_largest_size_and_no_more(length: int, is_read: bool) -> None:
    stream = io.BytesIO(length.to_bytes(4, "big") + bytes(length))
    assert (read_frame(stream) is not None) == is_read
