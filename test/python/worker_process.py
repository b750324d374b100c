"""Makes artifacts and runs workers that serve them, for tests."""

from __future__ import annotations

import gzip
import hashlib
import importlib.metadata
import importlib.util
import io
import json
import os
import py_compile
import socket
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import TYPE_CHECKING, Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from agent_link import PACKAGE, AgentLink
from protocol_platform import TOKEN, ProtocolPlatform

if TYPE_CHECKING:
    import httpx

VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


def part_of(files: Mapping[str, str | bytes], *, end: bool = True) -> bytes:
    """A part like those that builds make: gzip with one tar stream."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name in sorted(files):
            content = files[name]
            data = content.encode() if isinstance(content, str) else content
            member = tarfile.TarInfo(name)
            member.size = len(data)
            # As builds do with the scripts of packages.
            member.mode = 0o755 if "/bin/" in name else 0o644
            archive.addfile(member, io.BytesIO(data))
        length = archive.offset
    data = stream.getvalue()
    return gzip.compress(data if end else data[:length], 1, mtime=0)


def package_files() -> dict[str, bytes]:
    """The files of toolkit_sdk that builds put into the code part."""
    return {
        f"toolkit_sdk/{path.relative_to(PACKAGE / 'toolkit_sdk').as_posix()}": path.read_bytes()
        for path in (PACKAGE / "toolkit_sdk").rglob("*.py")
        if "_agent" not in path.parts
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


# The header with which the gateway shows a load-balanced worker the secret of its assignment.
SECRET = {"x-toolkit-gateway-secret": "gateway-secret"}


class Worker:
    """One worker of a protocol platform, run by an agent of its own."""

    def __init__(
        self,
        platform: ProtocolPlatform,
        folder: Path,
        files: Mapping[str, str | bytes],
        *,
        name: str = "endpoint",
        kind: str = "queue",
        dependencies: bytes | None = None,
        ping_ms: int = 100,
        environment: Mapping[str, str] | None = None,
        uv: str | None = None,
        home: Path | None = None,
        cache: Path | None = None,
        launcher: Sequence[str] = (sys.executable,),
        **assignment: Any,
    ) -> None:
        self.platform = platform
        self.cache = cache or (home or folder) / "cache"
        self._home = home
        self._launcher = launcher
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
        self._uv = uv
        self._environment = dict(environment or {})
        self._ping_ms = ping_ms
        self._start(self.cache)

    def start_again(self, cache: Path | None = None) -> Worker:
        """Ends the agent, and starts another one with the same worker."""
        self.agent.close()
        self.platform.unknown_worker = False
        self._start(cache or self.cache)
        return self

    def _start(self, cache: Path) -> None:
        folder = self._home / "platform" if self._home else Path(tempfile.mkdtemp(dir=self._folder))
        self.agent = AgentLink(folder, cache, self._ping_ms / 1000, self._home, self._launcher)
        self.log = self.agent.logs / "ep1" / "worker-1.log"
        self.agent.order("start", order=self.order())

    def order_again(self) -> None:
        """Orders the same worker from the same agent again, after it has ended."""
        self.agent.ended.clear()
        self.agent.order("start", order=self.order())

    def order(self) -> dict[str, Any]:
        """The order to start the worker."""
        endpoint = f"{self.platform.url}/v2/ep1"
        return {
            "worker": "worker-1",
            "endpoint": "ep1",
            "python": self._launcher[-1],
            "platform": self.platform.url,
            "token": TOKEN,
            "uv": self._uv,
            "environment": {
                "PATH": os.environ["PATH"],
                "RUNPOD_WEBHOOK_GET_JOB": f"{endpoint}/job-take/$ID?gpu=cpu",
                "RUNPOD_WEBHOOK_POST_OUTPUT": f"{endpoint}/job-done/$RUNPOD_POD_ID/$ID?gpu=cpu",
                "RUNPOD_WEBHOOK_POST_STREAM": f"{endpoint}/job-stream/$RUNPOD_POD_ID/$ID?gpu=cpu",
                "RUNPOD_WEBHOOK_PING": f"{endpoint}/ping/$RUNPOD_POD_ID?gpu=cpu",
                "RUNPOD_PING_INTERVAL": str(self._ping_ms),
                "RUNPOD_AI_API_KEY": TOKEN,
                "RUNPOD_POD_ID": "worker-1",
                "RUNPOD_ENDPOINT_ID": "ep1",
                "RUNPOD_POD_HOSTNAME": "worker-1",
                **self._environment,
            },
            "assignment": self.platform.assignment,
        }

    def await_report(self, state: str) -> dict[str, Any]:
        """Waits for the first report with a state."""
        return self.agent.await_report(state)

    @property
    def address(self) -> str:
        """Where a load-balanced worker listens. Waits until it is ready."""
        return self.await_report("ready")["address"]

    def client(self, **options: Any) -> httpx.Client:
        """A client that connects to a load-balanced worker like the gateway does. Waits until the worker is ready."""
        import httpx  # Late: the emulated machine does not have it, and its tests do not need it.

        url, _, path = self.address.partition("unix:")
        transport = httpx.HTTPTransport(uds=path or None)
        return httpx.Client(base_url=url or "http://worker", transport=transport, **options)

    def get(self, path: str, **options: Any) -> httpx.Response:
        """The response of a load-balanced worker. Waits until the worker is ready."""
        with self.client() as client:
            return client.get(path, **options)

    def states(self) -> list[str]:
        """The states that it has reported, in order and without repetitions."""
        states = [report["state"] for report in self.agent.reports]
        return [state for at, state in enumerate(states) if at == 0 or states[at - 1] != state]

    def stop_jobs(self, *ids: str) -> None:
        """Orders the worker to stop jobs."""
        self.agent.order("stop-jobs", worker="worker-1", jobs=list(ids))

    def leases(self) -> list[list[str] | None]:
        """The jobs that the worker held, from each report of leases."""
        return [held["worker-1"] for held in list(self.agent.leases) if "worker-1" in held]

    def log_lines(self) -> list[dict[str, Any]]:
        text = self.log.read_text() if self.log.exists() else ""
        return [json.loads(line) for line in text.splitlines()]

    def messages(self, request: str | None = None) -> list[str]:
        return [line["message"] for line in self.log_lines() if request is None or line["request"] == request]

    def children(self) -> list[int]:
        return self.agent.children()

    @property
    def is_running(self) -> bool:
        return "worker-1" not in self.agent.ended

    def await_end(self, seconds: float = 60) -> int:
        return self.agent.await_end("worker-1", seconds)

    def stop(self, grace: float = 20) -> int:
        self.agent.order("stop", worker="worker-1", grace=grace * 1000)
        return self.await_end()

    def kill(self) -> None:
        self.agent.close()


def installed_packages() -> bytes:
    """FastAPI, uvicorn, httpx and what they require, as a dependency part of this interpreter's packages.

    With their byte code, which an agent compiles only after some seconds.
    """
    files: dict[str, bytes] = {}
    wanted, done = ["fastapi", "uvicorn", "httpx"], set[str]()
    while wanted:
        name = canonicalize_name(wanted.pop())
        if name in done:
            continue
        done.add(name)
        distribution = importlib.metadata.distribution(name)
        for file in distribution.files or []:
            if file.suffix == ".pyc" or ".." in file.parts:
                continue
            source = Path(str(file.locate()))
            files[f"_toolkit/dependencies/all/{file.as_posix()}"] = source.read_bytes()
            if file.suffix == ".py":
                compiled = importlib.util.cache_from_source(file.as_posix())
                files[f"_toolkit/dependencies/all/{compiled}"] = _byte_code(source)
        for requirement in map(Requirement, distribution.requires or []):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                wanted.append(requirement.name)
    return part_of(files, end=False)


def _byte_code(source: Path) -> bytes:
    with tempfile.NamedTemporaryFile() as target:
        # Valid wherever and whenever the part is unpacked.
        py_compile.compile(str(source), target.name, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
        return Path(target.name).read_bytes()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Waits until a condition is true. Fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the condition did not become true in time"
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    """Whether a process is running. A zombie is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
