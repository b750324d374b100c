"""The results of jobs: values and yields as JSON, or one sentence that says why there is none."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import StartWorker
from protocol_platform import ProtocolPlatform

BYTES: list[tuple[str, str, Any, Any]] = [
    ("a result", "def run(data: bytes): return {'type': type(data).__name__, 'back': data[::-1]}", "//77", "+/7/"),
    (
        "string annotations",
        "from __future__ import annotations\nfrom typing import Optional\n"
        "async def run(data: Optional[bytes]): return {'type': type(data).__name__, 'back': bytearray(data)}",
        "//77",
        "//77",
    ),
]


@pytest.mark.parametrize(("source", "sent", "back"), [case[1:] for case in BYTES], ids=[case[0] for case in BYTES])
def test_bytes_are_base64_text(
    start_worker: StartWorker, platform: ProtocolPlatform, source: str, sent: str, back: str
) -> None:
    start_worker(source)
    assert platform.run({"data": sent}) == {"output": {"type": "bytes", "back": back}}


def test_yielded_bytes_are_base64_text(start_worker: StartWorker, platform: ProtocolPlatform) -> None:
    start_worker("def run(data: bytes):\n    yield data\n    yield [memoryview(data)]\n")
    job = platform.submit({"data": "YWJj"})
    assert job.result() == {"output": ["YWJj", ["YWJj"]]}
    assert job.chunks == ["YWJj", ["YWJj"]]


FAILURES: list[tuple[str, str, Any, str]] = [
    (
        "a missing argument",
        "def run(text: str): pass",
        {},
        'run is missing the argument "text".',
    ),
    (
        "an unknown argument",
        "def run(text=''): pass",
        {"txt": 1},
        'run has no argument "txt"; it takes: text.',
    ),
    (
        "a mistyped argument",
        "def run(text: str): pass",
        {"text": 3},
        'The argument "text" of run must be a string, not the number 3.',
    ),
    (
        "a result with NaN",
        "def run(): return {'a': [float('nan')]}",
        {},
        "output.a[0] is NaN, which cannot be converted to JSON; use None or a string.",
    ),
    (
        "text that is not base64",
        "def run(image: bytes): pass",
        {"image": "a b"},
        'The argument "image" of run must be base64 text, not the string "a b".',
    ),
    (
        "a result over 20 MB",
        "def run(): return 'x' * 20_000_001",
        {},
        "output is 20,000,003 bytes; the limit is 20,000,000.",
    ),
    (
        "yields over 20 MB",
        "def run():\n    for i in range(30): yield 'x' * 1_000_000",
        {},
        "All yielded values together exceed the limit of 20,000,000 bytes.",
    ),
]


@pytest.mark.parametrize(
    ("source", "input", "error"),
    [case[1:] for case in FAILURES],
    ids=[case[0] for case in FAILURES],
)
def test_a_job_fails_with_one_sentence(
    start_worker: StartWorker,
    platform: ProtocolPlatform,
    source: str,
    input: Any,
    error: str,
) -> None:
    start_worker(source)
    assert platform.run(input) == {"error": error}
    assert platform.run(input) == {"error": error}
