"""The node's cache keeps what workers use, and loses what nobody has used for a week."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest
from toolkit_sdk._agent.cache_pruning import prune
from toolkit_sdk._agent.node_cache import NodeCache, locked

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import until

KEY = "ab12"
EIGHT_DAYS = 8 * 24 * 3600


def made(root: Path, kind: str = "parts") -> Path:
    return NodeCache(root).folder(kind, KEY, lambda folder: (folder / "file").write_text("content") and None)


def age(place: Path) -> None:
    then = time.time() - EIGHT_DAYS
    os.utime(place.with_name(f"{place.name}.lock"), (then, then))


def test_what_nobody_has_used_for_a_week_is_removed_with_what_killed_agents_left(tmp_path: Path) -> None:
    place, recent = made(tmp_path), made(tmp_path, "base")
    left = place.parent / f".{KEY}-left"
    left.mkdir()
    (place.parent / f".{KEY}-fetched").write_text("half")
    age(place)
    prune(tmp_path)
    assert list(place.parent.iterdir()) == []
    assert (recent / "file").exists()
    assert (made(tmp_path) / "file").exists()


def test_a_use_keeps_a_folder_and_so_does_a_worker_that_goes_on(tmp_path: Path) -> None:
    cache = NodeCache(tmp_path)
    place = made(tmp_path)
    age(place)
    cache.folder("parts", KEY, lambda _: pytest.fail("it is there"))
    prune(tmp_path)
    age(place)
    cache.keep()
    prune(tmp_path)
    assert (place / "file").exists()


def test_a_folder_that_somebody_is_about_to_use_is_left(tmp_path: Path) -> None:
    place = made(tmp_path)
    age(place)
    with locked(place):
        prune(tmp_path)
    assert (place / "file").exists()


def test_who_waits_for_a_folder_that_is_removed_makes_it_again(tmp_path: Path) -> None:
    place = made(tmp_path)
    age(place)
    stop = threading.Event()

    def prune_always() -> None:
        while not stop.is_set():
            prune(tmp_path, unused=-60)

    pruning = threading.Thread(target=prune_always)
    pruning.start()
    try:
        for _ in range(200):
            made(tmp_path)
    finally:
        stop.set()
        pruning.join()
    prune(tmp_path, unused=-60)
    assert list(place.parent.iterdir()) == []


def test_an_agent_prunes_at_its_start_and_its_workers_have_what_they_need(
    start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path
) -> None:
    old = made(tmp_path / "cache")
    age(old)
    worker = start_worker("def run(): return 1\n")
    until(lambda: not old.exists())
    assert platform.run({}) == {"output": 1}
    assert len(list((worker.cache / "parts").glob("*/app.py"))) == 1
