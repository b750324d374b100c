"""The names of the agent's connection and of the worker protocol. The toolkit's runtime/contract/agentProtocol.ts and
workerProtocol.ts hold the same; test/fixtures/protocol proves both."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Both sides must speak the same.
AGENT_PROTOCOL = 3
# What an agent of another machine asks the platform's port for, by the method CONNECT.
AGENT_TUNNEL = "toolkit-agent:1"
# Makes the tunnel a stream: a worker's connection, which the platform awaits under this number.
STREAM_HEADER = "x-toolkit-stream"
# Bytes of one frame.
LARGEST_FRAME = 64_000_000
# Seconds without a platform after which the agent ends, with its workers, until the platform tells another number.
ORPHAN_TIMEOUT = 60.0
# Bytes of log that are kept of a worker.
LOG_BYTES = 10_000_000

# Of a load-balanced worker: the port that its code listens on, 127.0.0.1.
PORT_VARIABLE = "PORT"
ATTEMPT_HEADER = "x-toolkit-attempt"
# What is between worker and platform: a function's process does not see it, a command does.
PRIVATE_VARIABLES = ("RUNPOD_AI_API_KEY",)
PRIVATE_PREFIXES = ("RUNPOD_WEBHOOK_",)
# How packages are fetched on this node; may hold credentials, and is for the installer of base layers alone.
INSTALLER_PREFIXES = ("PIP_", "UV_")
# A long poll is answered in less than 90 s.
LONG_POLL_TIMEOUT = 100.0
# Content type of results and chunks: a fact that existing platforms and workers share.
RESULT_TYPE = "application/x-www-form-urlencoded"
# Results that are posted together at most.
RESULT_BATCH = 1_000


@dataclass(frozen=True)
class AgentStart:
    """What the agent is told at its start."""

    node: str
    """The name of its node."""
    platform: str
    """What to dial: `unix:/absolute/path`, or `http://HOST:PORT` from another machine."""
    token: str
    """The file with the secret that the platform and its agents share."""
    lock: str
    logs: str
    work: str
    cache: str
    home: str
    """TOOLKIT_HOME, which user code does not see."""


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
    """What a worker serves."""

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


@dataclass(frozen=True)
class WorkerOrder:
    """All that is needed to run one worker."""

    worker: str
    endpoint: str
    python: str
    """The interpreter, absolute."""
    platform: str
    """Address for jobs, results and parts."""
    token: str
    uv: str | None
    environment: Mapping[str, str]
    """The whole one that the worker's processes start from."""
    assignment: Assignment

    def url(self, variable: str) -> str:
        """Address of a route of the worker protocol; the job's id stands in it as `$ID`."""
        return self.environment[variable].replace("$RUNPOD_POD_ID", self.worker)


def decode_order(body: dict[str, Any]) -> WorkerOrder:
    """The platform's order to start a worker."""
    return WorkerOrder(
        worker=body["worker"],
        endpoint=body["endpoint"],
        python=body["python"],
        platform=body["platform"],
        token=body["token"],
        uv=body["uv"],
        environment={**_inherited(), **body["environment"]},
        assignment=decode_assignment(body["assignment"]),
    )


def _inherited() -> dict[str, str]:
    """What workers take over from the agent, which is started with what they shall have."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def decode_assignment(body: dict[str, Any]) -> Assignment:
    """What a worker serves, as an order tells it."""
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
