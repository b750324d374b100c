"""The lines of a worker's log: everything that the user's code prints, with the job that printed it."""

from __future__ import annotations

from pathlib import Path

import pytest
from toolkit_sdk._agent.protocol import LOG_BYTES
from toolkit_sdk._worker.log_lines import LINE_BYTES

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import until


def test_prints_become_log_lines_of_their_job(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    source = """
import logging, subprocess, sys, threading
def run():
    print("one\\ntwo")
    print("to stderr", file=sys.stderr)
    sys.stdout.buffer.write(b"bytes\\n")
    logging.warning("careful")
    thread = threading.Thread(target=print, args=("from a thread",)); thread.start(); thread.join()
    subprocess.run(["echo", "from a child"])
    print("no end", end="")
"""
    worker = start_worker(source)
    job = platform.submit({})
    job.result()
    expected = {
        "one",
        "two",
        "no end",
        "to stderr",
        "bytes",
        "from a thread",
        "from a child",
        "WARNING:root:careful",
    }
    until(lambda: expected - {"bytes", "from a child"} <= set(worker.messages(job.id)))
    until(lambda: expected <= set(worker.messages()))
    levels = {line["message"]: line["level"] for line in worker.log_lines()}
    assert (levels["one"], levels["to stderr"]) == ("info", "warning")
    assert all(line["worker"] == "worker-1" and line["time"].endswith("Z") for line in worker.log_lines())


def test_huge_prints_neither_block_nor_fill_memory(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    source = """
import resource
def run():
    for _ in range(200):
        print("x" * 100_000)
    print("y" * 5_000_000, end="")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
"""
    worker = start_worker(source)
    peak = platform.run({})["output"]
    assert peak < 200_000
    status = Path(f"/proc/{worker.agent.process.pid}/status").read_text()
    assert int(status.split("VmHWM:")[1].split()[0]) < 100_000
    kept = sum(piece.stat().st_size for piece in worker.log.parent.iterdir())
    assert LOG_BYTES / 2 < kept <= LOG_BYTES


def test_long_text_without_a_line_end_is_logged_in_pieces_that_lose_nothing(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    text = "".join(chr(97 + at % 26) * 1000 for at in range(2_000))
    source = """
import sys
def run(text):
    print("begun", end="")
    sys.stdout.write(text)
    sys.stdout.write("Z\\n")
"""
    worker = start_worker(source)
    job = platform.submit({"text": text})
    job.result()
    until(lambda: "".join(worker.messages(job.id)) == f"begun{text}Z")
    assert {len(piece) for piece in worker.messages(job.id)[:-1]} == {LINE_BYTES}


@pytest.mark.parametrize("character", ["é", "\U0001f600", "\x01"])
def test_long_lines_of_characters_that_json_escapes_are_logged_in_pieces_that_lose_nothing(
    start_worker: StartWorker, platform: ProtocolPlatform, character: str
) -> None:
    printed, raised = character * 100_000, character * 30_000
    worker = start_worker("def run(printed, raised):\n    print(printed)\n    raise ValueError(raised)\n")
    job = platform.submit({"printed": printed, "raised": raised})
    job.result()
    until(lambda: "".join(worker.messages(job.id)).endswith(f"ValueError: {raised}"))
    info = [line["message"] for line in worker.log_lines() if line["level"] == "info"]
    assert "".join(info) == printed
