"""Fixtures: a platform that implements the worker protocol, and workers that use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from protocol_platform import ProtocolPlatform
from worker_process import (
    Worker,
    installed_packages,
    queue_handler,
    routes_handler,
)


@pytest.fixture
def platform() -> Iterator[ProtocolPlatform]:
    made = ProtocolPlatform()
    yield made
    made.close()


StartWorker = Callable[..., Worker]


@pytest.fixture
def start_worker(platform: ProtocolPlatform, tmp_path: Path) -> Iterator[StartWorker]:
    """Starts a queue-based worker whose module is the given text and whose function is `run`."""
    started: list[Worker] = []

    def start(source: str, files: Mapping[str, str | bytes] | None = None, **options: Any) -> Worker:
        function = ("app", "app.py", options.pop("function", "run"))
        handler = queue_handler("endpoint", function, options.pop("stubs", None), options.pop("variables", ()))
        shipped = {
            "app.py": source,
            "_toolkit/handlers/endpoint.py": handler,
            **(files or {}),
        }
        worker = Worker(platform, tmp_path, shipped, **options)
        started.append(worker)
        return worker

    yield start
    for worker in started:
        worker.kill()


@pytest.fixture
def start_command(platform: ProtocolPlatform, tmp_path: Path) -> Iterator[StartWorker]:
    """Starts a worker that runs a command in an artifact of the given files."""
    started: list[Worker] = []

    def start(command: list[str], files: Mapping[str, str | bytes], **options: Any) -> Worker:
        worker = Worker(platform, tmp_path, files, handler=None, command=command, **options)
        started.append(worker)
        return worker

    yield start
    for worker in started:
        worker.kill()


@pytest.fixture(scope="session")
def packages() -> bytes:
    return installed_packages()


@pytest.fixture(scope="session")
def cache_with_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A node's cache for several agents one after the other, so that the packages are unpacked once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def start_routes(
    platform: ProtocolPlatform, tmp_path: Path, packages: bytes, cache_with_packages: Path
) -> Iterator[StartWorker]:
    """Starts a load-balanced worker: module text, then `(method, path, function)` for each route."""
    started: list[Worker] = []

    def start(source: str, routes: list[tuple[str, str, str]], **options: Any) -> Worker:
        handler = routes_handler(
            "api",
            [(method, path, "app", "app.py", name) for method, path, name in routes],
        )
        files = {
            "app.py": source,
            "_toolkit/handlers/api.py": handler,
            **options.pop("files", {}),
        }
        worker = Worker(
            platform,
            tmp_path,
            files,
            name="api",
            kind="load-balanced",
            dependencies=packages,
            cache=cache_with_packages,
            **options,
        )
        started.append(worker)
        return worker

    yield start
    for worker in started:
        worker.kill()
