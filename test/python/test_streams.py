"""Streams: the platform's connections to workers of this node."""

from __future__ import annotations

import queue
import socket
from pathlib import Path

import pytest
from toolkit_sdk._agent.streams import Streams


@pytest.mark.parametrize("address", ["http://127.0.0.1:99999", "http://127.0.0.1:x", "http://[::", "unix:/none"])
def test_an_address_that_accepts_no_connection_fails_only_its_own_stream(address: str) -> None:
    def dial(_: str | None) -> socket.socket:
        raise AssertionError("The platform must not be dialled before the worker is connected.")

    failures: queue.Queue[bool] = queue.Queue()
    Streams(dial).open("1", address, lambda _, *, at_node: failures.put(at_node))
    assert failures.get(timeout=30) is False


def test_a_failed_dial_of_the_platform_is_reported_differently_from_a_worker_that_accepts_no_connection(
    tmp_path: Path,
) -> None:
    def dial(_: str | None) -> socket.socket:
        raise ConnectionRefusedError(111, "Connection refused")

    failures: queue.Queue[tuple[str, bool]] = queue.Queue()

    def failed(reason: str, *, at_node: bool) -> None:
        failures.put((reason, at_node))

    with socket.socket(socket.AF_UNIX) as worker:
        worker.bind(str(tmp_path / "w"))
        worker.listen()
        Streams(dial).open("1", f"unix:{tmp_path}/w", failed)
        dialled = failures.get(timeout=30)
    Streams(dial).open("2", f"unix:{tmp_path}/w", failed)
    assert dialled == ("The node cannot reach the platform: [Errno 111] Connection refused", True)
    assert failures.get(timeout=30) == ("[Errno 111] Connection refused", False)
