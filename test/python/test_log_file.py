"""The log of a worker on disk: its pieces, and the position at which a reader continues."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from toolkit_sdk._agent.log_file import LogFile
from toolkit_sdk._agent.log_reading import WorkerLogs
from toolkit_sdk._agent.protocol import LOG_BYTES

LINES = b"x" * 999 + b"\n"
PIECE = LOG_BYTES // 2


def test_a_log_is_created_with_its_folder_for_its_user_only(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "logs" / "ep1" / "w1.log")
    log.write(b"a line\n")
    assert (tmp_path / "logs/ep1/w1.log").read_bytes() == b"a line\n"
    assert stat.S_IMODE((tmp_path / "logs/ep1").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "logs/ep1/w1.log").stat().st_mode) == 0o600


def test_a_log_keeps_its_last_two_pieces_and_says_where_they_start(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "w1.log")
    log.write(LINES * (PIECE // 1000))
    assert os.listdir(tmp_path) == ["w1.log"]
    log.write(b"second\n")
    assert set(os.listdir(tmp_path)) == {f"w1.{PIECE}.log", "w1.log"}
    log.write(LINES * (PIECE // 1000 - 1))
    log.write(LINES)
    start = PIECE + 7 + (PIECE // 1000 - 1) * 1000
    assert set(os.listdir(tmp_path)) == {f"w1.{start}.log", f"w1.{PIECE}.log"}
    log.write(LINES * (PIECE // 1000 - 1))
    log.write(LINES)
    log.write(b"last\n")
    assert set(os.listdir(tmp_path)) == {f"w1.{start}.log", f"w1.{start + PIECE}.log"}


def test_a_reader_gets_the_log_from_a_position_on_or_from_its_oldest_piece(tmp_path: Path) -> None:
    (tmp_path / "ep1").mkdir()
    (tmp_path / "ep1" / "w1.100.log").write_bytes(b"oldest ")
    (tmp_path / "ep1" / "w1.107.log").write_bytes(b"newest")
    logs = WorkerLogs(tmp_path)
    read = [(part.start, part.data) for part in (logs.read("ep1", "w1", start) for start in (0, 103, 107, 110))]
    assert read == [(100, b"oldest "), (103, b"est "), (107, b"newest"), (110, b"est")]
    end = logs.read("ep1", "w1", 113)
    assert (end.start, end.data) == (113, b"")


def test_a_closed_log_takes_no_more_lines(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "w1.log")
    log.write(b"a line\n")
    log.close()
    log.write(b"lost\n")
    assert (tmp_path / "w1.log").read_bytes() == b"a line\n"
