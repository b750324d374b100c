"""Reading logs on a node whose platform is on another machine."""

from __future__ import annotations

import os
import time
from datetime import datetime
from pathlib import Path

import pytest
from toolkit_sdk._agent.log_reading import WorkerLogs


def test_lines_without_a_time_get_the_logs_creation_time_not_its_modification_time(tmp_path: Path) -> None:
    log = tmp_path / "ep1" / "w1.log"
    log.parent.mkdir()
    before = time.time()
    log.write_text("a line\n")
    after = time.time()
    os.utime(log, (after + 1_000, after + 1_000))
    since = datetime.fromisoformat(WorkerLogs(tmp_path).read("ep1", "w1", 0).since.replace("Z", "+00:00"))
    assert before - 1 < since.timestamp() < after + 1


@pytest.mark.parametrize("endpoint", ["..", "../outside", "", "ep1\n", "."])
def test_a_name_that_is_not_an_id_is_not_used_as_a_path(endpoint: str, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    for folder in (logs / "ep1", tmp_path / "outside"):
        folder.mkdir(parents=True)
        (folder / "w1.log").write_text("a line\n")
    reading = WorkerLogs(logs)
    assert reading.written(endpoint) == {}
    assert reading.read(endpoint, "w1", 0).data == b""
    reading.remove(endpoint, ["w1"])
    reading.remove(endpoint, None)
    for worker in ("w2", "../../outside/w2"):
        with pytest.raises(FileNotFoundError):
            reading.note(endpoint if worker == "w2" else "ep1", worker, "a line")
    assert len(list(tmp_path.rglob("w1.log"))) == 2
    assert list(tmp_path.rglob("w2.log")) == []


def test_the_logs_of_endpoints_that_are_not_kept_are_removed(tmp_path: Path) -> None:
    for endpoint in ("ep1", "ep2"):
        (tmp_path / endpoint).mkdir()
        (tmp_path / endpoint / "w1.log").write_text("a line\n")
    WorkerLogs(tmp_path).keep({"ep2", "ep3"})
    assert os.listdir(tmp_path) == ["ep2"]
    WorkerLogs(tmp_path / "missing").keep(set())
