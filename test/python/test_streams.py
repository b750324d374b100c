"""The platform's connections to workers of this node."""

from __future__ import annotations

import queue
import socket

import pytest
from toolkit_sdk._agent.streams import Streams


@pytest.mark.parametrize("address", ["http://127.0.0.1:99999", "http://127.0.0.1:x", "http://[::", "unix:/none"])
def test_an_address_that_takes_no_connection_fails_its_own_stream_alone(address: str) -> None:
    def dial(_: str | None) -> socket.socket:
        raise AssertionError("The platform is dialled once the worker is reached.")

    failures: queue.Queue[str] = queue.Queue()
    Streams(dial).open("1", address, failures.put)
    assert failures.get(timeout=30) != ""
