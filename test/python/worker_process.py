"""Artifacts made by hand and the worker process that serves them, for tests."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import signal
import socket
import subprocess
import sys
import sysconfig
import tarfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from protocol_platform import TOKEN, ProtocolPlatform

PACKAGE = Path(__file__).resolve().parents[2] / "runtime" / "python"
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


def part_of(files: Mapping[str, str | bytes], *, end: bool = True) -> bytes:
    """A part as builds make them: gzip members that hold one tar stream."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name in sorted(files):
            content = files[name]
            data = content.encode() if isinstance(content, str) else content
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        length = archive.offset
    data = stream.getvalue()
    return gzip.compress(data if end else data[:length], 1, mtime=0)


def package_files() -> dict[str, bytes]:
    """toolkit_sdk as builds put it into the code part."""
    return {
        f"toolkit_sdk/{path.relative_to(PACKAGE / 'toolkit_sdk').as_posix()}": path.read_bytes()
        for path in (PACKAGE / "toolkit_sdk").rglob("*.py")
    }


def queue_handler(
    name: str,
    function: tuple[str, str, str],
    stubs: Mapping[str, str] | None = None,
    variables: tuple[str, ...] = (),
) -> str:
    return (
        "from toolkit_sdk._worker import serve_queue\n"
        f"STUBS = {dict(stubs or {})!r}\nFUNCTION = {function!r}\n"
        f'if __name__ == "__main__":\n    serve_queue({name!r}, FUNCTION, STUBS, {variables!r})\n'
    )


def routes_handler(
    name: str,
    routes: list[tuple[str, str, str, str, str]],
    stubs: Mapping[str, str] | None = None,
) -> str:
    return (
        "from toolkit_sdk._worker import serve_load_balanced\n"
        f"STUBS = {dict(stubs or {})!r}\nROUTES = {routes!r}\n"
        f'if __name__ == "__main__":\n    serve_load_balanced({name!r}, ROUTES, STUBS)\n'
    )


class Worker:
    """One worker process under a protocol platform."""

    def __init__(
        self,
        platform: ProtocolPlatform,
        folder: Path,
        files: Mapping[str, str | bytes],
        *,
        name: str = "endpoint",
        kind: str = "queue",
        dependencies: bytes | None = None,
        port: int | None = None,
        ping_ms: int = 100,
        environment: Mapping[str, str] | None = None,
        **assignment: Any,
    ) -> None:
        self.platform = platform
        self.port = port
        self.cache = folder / "cache"
        code = part_of(
            {
                **package_files(),
                "toolkit_manifest.json": '{"resources":{},"routes":{},"handlers":{}}',
                **files,
            }
        )
        parts = [("code", code)] + ([] if dependencies is None else [("dependencies", dependencies)])
        platform.parts = {hashlib.sha256(data).hexdigest(): data for _, data in parts}
        platform.assignment = {
            "app": "shop",
            "environment": "production",
            "endpoint": {"id": "ep1", "name": name, "kind": kind},
            "worker": "worker-1",
            "build": 1,
            "python": VERSION,
            "handler": f"_toolkit/handlers/{name}.py",
            "command": None,
            "dependencySet": "all",
            "parts": [
                {
                    "role": role,
                    "content": hashlib.sha256(data).hexdigest(),
                    "sha256": hashlib.sha256(data).hexdigest(),
                    "size": len(data),
                    "url": f"{platform.url}/v2/ep1/worker/worker-1/parts/{hashlib.sha256(data).hexdigest()}",
                }
                for role, data in parts
            ],
            "baseLayer": [],
            "env": {
                "TOOLKIT_APP": "shop",
                "TOOLKIT_ENV": "production",
                "PLATFORM_API_KEY": "caller-key",
                "PLATFORM_API_URL": platform.url,
            },
            "maxConcurrency": 1,
            "executionTimeout": 600,
            "memoryBytes": None,
            "gatewaySecret": "gateway-secret" if kind == "load-balanced" else None,
            "live": False,
            **assignment,
        }
        self._folder = folder
        self._environment = {
            **({} if port is None else {"PORT": str(port)}),
            **(environment or {}),
        }
        self._ping_ms = ping_ms
        self._start(self.cache)

    def start_again(self, cache: Path | None = None) -> Worker:
        """Another process of the same assignment, after this one has ended."""
        self.platform.reports.clear()
        self.platform.unknown_worker = False
        self._start(cache or self.cache)
        return self

    def _start(self, cache: Path) -> None:
        endpoint = f"{self.platform.url}/v2/ep1"
        self.log = self._folder / "worker.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "toolkit_sdk._worker"],
                cwd=self._folder,
                env={
                    "PATH": os.environ["PATH"],
                    "PYTHONPATH": str(PACKAGE),
                    "RUNPOD_WEBHOOK_GET_JOB": f"{endpoint}/job-take/$ID?gpu=cpu",
                    "RUNPOD_WEBHOOK_POST_OUTPUT": f"{endpoint}/job-done/$RUNPOD_POD_ID/$ID?gpu=cpu",
                    "RUNPOD_WEBHOOK_POST_STREAM": f"{endpoint}/job-stream/$RUNPOD_POD_ID/$ID?gpu=cpu",
                    "RUNPOD_WEBHOOK_PING": f"{endpoint}/ping/$RUNPOD_POD_ID?gpu=cpu",
                    "RUNPOD_PING_INTERVAL": str(self._ping_ms),
                    "RUNPOD_AI_API_KEY": TOKEN,
                    "RUNPOD_POD_ID": "worker-1",
                    "RUNPOD_ENDPOINT_ID": "ep1",
                    "RUNPOD_POD_HOSTNAME": "worker-1",
                    "TOOLKIT_WORKER_PLATFORM": self.platform.url,
                    "TOOLKIT_WORKER_CACHE": str(cache),
                    **self._environment,
                },
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def log_lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def messages(self, request: str | None = None) -> list[str]:
        return [line["message"] for line in self.log_lines() if request is None or line["request"] == request]

    def children(self) -> list[int]:
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in listed.split()]

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)

    def kill(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def installed_packages() -> bytes:
    """What this interpreter has installed, as a dependency part: FastAPI, uvicorn, httpx and what they need."""
    site = Path(sysconfig.get_path("purelib"))
    left_out = (
        "pip",
        "setuptools",
        "numpy",
        "pytest",
        "_pytest",
        "ruff",
        "pkg_resources",
        "bin",
    )
    files = {
        f"_toolkit/dependencies/all/{path.relative_to(site).as_posix()}": path.read_bytes()
        for path in site.rglob("*")
        if path.is_file() and path.suffix != ".pyc" and not path.relative_to(site).parts[0].startswith(left_out)
    }
    return part_of(files, end=False)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Waits until something holds; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
