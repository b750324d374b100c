"""The worker protocol's names: environment, routes, headers. The toolkit's runtime/contract/workerProtocol.ts holds
the same; test/fixtures/protocol proves both."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PLATFORM_VARIABLE = "TOOLKIT_WORKER_PLATFORM"
CACHE_VARIABLE = "TOOLKIT_WORKER_CACHE"
UV_VARIABLE = "TOOLKIT_WORKER_UV"
PORT_VARIABLE = "PORT"

GATEWAY_SECRET_HEADER = "x-toolkit-gateway-secret"
REQUEST_ID_HEADER = "x-request-id"
# Of an answer: a function goes on though it is over its time, and this worker is to be replaced.
BLOCKED_HEADER = "x-toolkit-blocked"
ATTEMPT_HEADER = "x-toolkit-attempt"
# Of a ping: its sender does not know which jobs the worker runs.
JOBS_UNKNOWN = {"jobs": "unknown"}

# What the worker itself needs and the user's code must not see.
PRIVATE_VARIABLES = ("RUNPOD_AI_API_KEY", PLATFORM_VARIABLE, CACHE_VARIABLE, UV_VARIABLE)
PRIVATE_PREFIXES = ("RUNPOD_WEBHOOK_",)
# How packages are fetched on this node; may hold credentials, and is for the installer of base layers alone.
INSTALLER_PREFIXES = ("PIP_", "UV_")

# Seconds without any answer of the platform after which a worker ends itself.
ORPHAN_TIMEOUT = 60.0
# Bytes of one result.
RESULT_BYTES = 20_000_000
# A long poll is answered in less than 90 s.
LONG_POLL_TIMEOUT = 100.0
# Content type of results and chunks: a fact that existing platforms and workers share.
RESULT_TYPE = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class WorkerFacts:
    """What a worker is told by its environment."""

    platform: str
    endpoint_id: str
    worker_id: str
    token: str
    cache: str
    uv: str | None
    port: int | None
    take_url: str
    output_url: str
    stream_url: str
    ping_url: str
    ping_interval: float
    """Seconds."""

    def control(self, route: str) -> str:
        """Address of a route of this endpoint, such as `job-stop/<worker>`."""
        return f"{self.platform}/v2/{self.endpoint_id}/{route}"


def worker_facts(environment: Mapping[str, str] = os.environ) -> WorkerFacts:
    """Reads the environment of a worker process.

    Raises:
        SystemExit: A variable is missing, which is named.
    """
    missing = [name for name in _REQUIRED if not environment.get(name)]
    if missing:
        raise SystemExit(f"This is the toolkit's worker; its platform starts it. Not set: {', '.join(missing)}.")
    worker = environment["RUNPOD_POD_ID"]

    def url(name: str) -> str:
        return environment[name].replace("$RUNPOD_POD_ID", worker)

    port = environment.get(PORT_VARIABLE)
    return WorkerFacts(
        platform=environment[PLATFORM_VARIABLE].rstrip("/"),
        endpoint_id=environment["RUNPOD_ENDPOINT_ID"],
        worker_id=worker,
        token=environment["RUNPOD_AI_API_KEY"],
        cache=environment[CACHE_VARIABLE],
        uv=environment.get(UV_VARIABLE) or None,
        port=int(port) if port else None,
        # In the take URL $ID is the worker, in the others it is the job.
        take_url=url("RUNPOD_WEBHOOK_GET_JOB").replace("$ID", worker),
        output_url=url("RUNPOD_WEBHOOK_POST_OUTPUT"),
        stream_url=url("RUNPOD_WEBHOOK_POST_STREAM"),
        ping_url=url("RUNPOD_WEBHOOK_PING"),
        ping_interval=int(environment.get("RUNPOD_PING_INTERVAL") or 10_000) / 1000,
    )


_REQUIRED = (
    PLATFORM_VARIABLE,
    CACHE_VARIABLE,
    "RUNPOD_ENDPOINT_ID",
    "RUNPOD_POD_ID",
    "RUNPOD_AI_API_KEY",
    "RUNPOD_WEBHOOK_GET_JOB",
    "RUNPOD_WEBHOOK_POST_OUTPUT",
    "RUNPOD_WEBHOOK_POST_STREAM",
    "RUNPOD_WEBHOOK_PING",
)


@dataclass(frozen=True)
class AssignedPart:
    """One part of the artifact, as the platform offers it."""

    role: str
    content: str
    sha256: str
    size: int
    url: str


@dataclass(frozen=True)
class Assignment:
    """What this worker serves."""

    app: str
    environment: str
    endpoint_name: str
    kind: str
    build: int
    python: str
    handler: str | None
    command: list[str] | None
    dependency_set: str
    parts: list[AssignedPart]
    base_layer: list[str]
    env: dict[str, str]
    max_concurrency: int
    execution_timeout: float | None
    """Seconds; of a load-balanced endpoint until the first byte of an answer, None: the gateway's own limit."""
    memory_bytes: int | None
    """What all processes with user code may hold together; None without a limit."""
    gateway_secret: str | None
    live: bool
    """Whether a run of `toolkit dev` asked for it: answers to failed requests then have the traceback."""


def decode_assignment(body: dict[str, Any]) -> Assignment:
    """The platform's answer to `GET …/worker/<worker>/assignment`."""
    return Assignment(
        app=body["app"],
        environment=body["environment"],
        endpoint_name=body["endpoint"]["name"],
        kind=body["endpoint"]["kind"],
        build=body["build"],
        python=body["python"],
        handler=body["handler"],
        command=body["command"],
        dependency_set=body["dependencySet"],
        parts=[
            AssignedPart(each["role"], each["content"], each["sha256"], each["size"], each["url"])
            for each in body["parts"]
        ],
        base_layer=list(body["baseLayer"]),
        env=dict(body["env"]),
        max_concurrency=body["maxConcurrency"],
        execution_timeout=body["executionTimeout"],
        memory_bytes=body["memoryBytes"],
        gateway_secret=body["gatewaySecret"],
        live=body["live"],
    )
