"""The node's cache keeps the folders that workers use, and removes those that have been unused for a week."""

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


def age(folder: Path) -> None:
    then = time.time() - EIGHT_DAYS
    os.utime(folder.with_name(f"{folder.name}.lock"), (then, then))


def test_an_unused_folder_is_removed_with_what_killed_agents_have_left_of_it(tmp_path: Path) -> None:
    folder, recent = made(tmp_path), made(tmp_path, "base")
    left = folder.parent / f".{KEY}-left"
    left.mkdir()
    (folder.parent / f".{KEY}-fetched").write_text("half")
    age(folder)
    prune(tmp_path)
    assert list(folder.parent.iterdir()) == []
    assert (recent / "file").exists()
    assert (made(tmp_path) / "file").exists()


def test_a_folder_that_is_used_again_or_still_in_use_is_kept(tmp_path: Path) -> None:
    cache = NodeCache(tmp_path)
    folder = made(tmp_path)
    age(folder)
    cache.folder("parts", KEY, lambda _: pytest.fail("the folder exists"))
    prune(tmp_path)
    age(folder)
    cache.keep()
    prune(tmp_path)
    assert (folder / "file").exists()


def test_a_locked_folder_is_kept(tmp_path: Path) -> None:
    folder = made(tmp_path)
    age(folder)
    with locked(folder):
        prune(tmp_path)
    assert (folder / "file").exists()


def test_a_folder_that_is_removed_while_a_worker_waits_for_it_is_made_again(tmp_path: Path) -> None:
    folder = made(tmp_path)
    age(folder)
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
    assert list(folder.parent.iterdir()) == []


def test_an_agent_prunes_when_it_starts_and_its_workers_still_run(
    start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path
) -> None:
    old = made(tmp_path / "cache")
    age(old)
    worker = start_worker("def run(): return 1\n")
    until(lambda: not old.exists())
    assert platform.run({}) == {"output": 1}
    assert len(list((worker.cache / "parts").glob("*/app.py"))) == 1
