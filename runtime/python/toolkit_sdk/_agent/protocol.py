"""Names and limits of the agent's connection and of the worker protocol. runtime/contract/agentProtocol.ts and
workerProtocol.ts define the same ones; tests with the fixtures in test/fixtures/protocol check both sides."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Version of the protocol; both sides must have the same.
AGENT_PROTOCOL = 3
# Target of the CONNECT request that an agent on another machine sends to the platform's port.
AGENT_TUNNEL = "toolkit-agent:1"
# Makes the tunnel a stream: a connection to a worker, which the platform awaits under this number.
STREAM_HEADER = "x-toolkit-stream"
# Most bytes of one frame.
LARGEST_FRAME = 64_000_000
# Seconds without a platform after which the agent and its workers end, until the platform sends another number.
ORPHAN_TIMEOUT = 60.0
# Most bytes of log that are kept for a worker.
LOG_BYTES = 10_000_000

# The port of 127.0.0.1 that a load-balanced command must listen on.
PORT_VARIABLE = "PORT"
ATTEMPT_HEADER = "x-toolkit-attempt"
# Variables for the worker's requests to the platform. A command gets them, a function's process does not.
PRIVATE_VARIABLES = ("RUNPOD_AI_API_KEY",)
PRIVATE_PREFIXES = ("RUNPOD_WEBHOOK_",)
# Settings for fetching packages. Only the installer of base layers gets them, because they may hold credentials.
INSTALLER_PREFIXES = ("PIP_", "UV_")
# Seconds. The platform responds to a long poll in less than 90 s.
LONG_POLL_TIMEOUT = 100.0
# Content type of results and chunks, which existing platforms and workers expect.
RESULT_TYPE = "application/x-www-form-urlencoded"
# Most results that are posted in one batch.
RESULT_BATCH = 1_000


@dataclass(frozen=True)
class AgentStart:
    """The agent's settings, from its command line."""

    node: str
    """The name of its node."""
    platform: str
    """The platform's address: `unix:/absolute/path`, or `http://HOST:PORT` from another machine."""
    token: str
    """The file with the secret that the platform and its agents share."""
    lock: str
    logs: str
    work: str
    cache: str
    home: str
    """TOOLKIT_HOME, which is hidden from user code."""


@dataclass(frozen=True)
class AssignedPart:
    """One part of the artifact, as the platform announces it."""

    role: str
    content: str
    sha256: str
    size: int
    url: str


@dataclass(frozen=True)
class Assignment:
    """The endpoint that a worker serves, and how."""

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
    """Seconds per job. On load-balanced endpoints, until a response's first byte; None: the gateway's limit."""
    memory_bytes: int | None
    """Memory that all processes with user code may use together; None for no limit."""
    gateway_secret: str | None
    live: bool
    """Whether a run of `toolkit dev` deployed it. Responses to failed requests then contain the traceback."""


@dataclass(frozen=True)
class WorkerOrder:
    """Everything that is needed to run one worker."""

    worker: str
    endpoint: str
    python: str
    """Absolute path of the interpreter."""
    platform: str
    """Base URL for jobs, results and parts."""
    token: str
    uv: str | None
    environment: Mapping[str, str]
    """The complete environment, from which those of the worker's processes are made."""
    assignment: Assignment

    def url(self, variable: str) -> str:
        """URL of a route of the worker protocol, with `$ID` for the job's id."""
        return self.environment[variable].replace("$RUNPOD_POD_ID", self.worker)


def decode_order(body: dict[str, Any]) -> WorkerOrder:
    """Reads the platform's order to start a worker."""
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
    """The variables that workers inherit from the agent."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def decode_assignment(body: dict[str, Any]) -> Assignment:
    """Reads the assignment in an order."""
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
