"""Plans how a worker's command is started: its environment, with the endpoint's Python and packages first."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass, replace
from pathlib import Path

from toolkit_sdk._worker.containment import Containment

from .launch_folder import launch_folder, search_path
from .preparation import PYTHON_ENVIRONMENT, Node, inherited_environment
from .protocol import PORT_VARIABLE, WorkerOrder


@dataclass(frozen=True)
class CommandPlan:
    """How a command is started."""

    command: list[str]
    folder: Path
    environment: dict[str, str]
    containment: Containment
    port: int | None
    """Port where the command must listen for requests; None if it takes jobs from the platform."""


def command_plan(order: WorkerOrder, node: Node) -> CommandPlan:
    """Plans a command. Makes the folder that sets up its Python, once per node."""
    assignment = order.assignment
    assert assignment.command is not None
    launch = launch_folder(order, node.cache, node.packages)
    source = node.code_root / "src"
    code = [str(node.code_root), *([str(source)] if source.is_dir() else [])]
    port = _free_port() if assignment.kind == "load-balanced" else None
    return CommandPlan(
        command=assignment.command,
        folder=node.code_root,
        environment={
            # Keeps the variables of the protocol: the command calls the platform itself.
            **inherited_environment(order, ("PYTHON",)),
            **assignment.env,
            **PYTHON_ENVIRONMENT,
            "PYTHONUNBUFFERED": "1",
            "PYTHONNOUSERSITE": "1",
            "PYTHONPATH": os.pathsep.join([str(launch), *code]),
            "PATH": search_path(order, launch, node.packages),
            **({} if port is None else {PORT_VARIABLE: str(port)}),
        },
        containment=replace(node.containment, readable=[*node.containment.readable, str(launch)]),
        port=port,
    )


def _free_port() -> int:
    """A port that is free now, for the command to bind."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
