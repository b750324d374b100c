"""Fetching the parts of a build: they are checked, resumed, unpacked once per node, and aborted by a stop."""

from __future__ import annotations

from pathlib import Path

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import until


def test_a_damaged_part_is_refused(start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path) -> None:
    platform_parts = platform.parts
    worker = start_worker("def run(): pass")
    del platform_parts
    report = worker.await_report("ready")
    assert report["reason"] is None
    worker.stop()
    content = next(iter(platform.parts))
    data = bytearray(platform.parts[content])
    data[100] ^= 1
    platform.parts[content] = bytes(data)
    again = worker.start_again(cache=tmp_path / "other cache")
    try:
        assert "its sha256 does not match" in worker.await_report("unhealthy")["reason"]
        assert not any((tmp_path / "other cache" / "parts").glob("[0-9a-f]*[0-9a-f]"))
    finally:
        again.kill()


def test_a_broken_transfer_is_resumed_where_it_ended(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    platform.break_part_after = 5000
    start_worker("def run(): return 1")
    assert platform.run({}) == {"output": 1}
    assert [wanted for _, wanted in platform.part_requests] == [None, "bytes=5000-"]


def test_parts_are_unpacked_once_per_node(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_worker("def run(): return 1")
    assert platform.run({}) == {"output": 1}
    worker.stop()
    again = worker.start_again()
    try:
        assert platform.run({}) == {"output": 1}
        assert len(platform.part_requests) == 1
    finally:
        again.kill()


def test_a_stop_during_preparation_ends_the_worker_at_once(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    platform.hold_parts.clear()
    worker = start_worker("def run(): pass")
    until(lambda: bool(platform.part_requests))
    assert worker.stop() == 0
    assert not platform.hold_parts.is_set()
    platform.hold_parts.set()
