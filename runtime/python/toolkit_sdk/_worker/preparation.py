"""An assignment → what the endpoint's code needs on this node: unpacked parts, base layer, how its child is started."""

from __future__ import annotations

import hashlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from .base_layer import BaseLayerError, base_layer_folder
from .node_cache import NodeCache
from .overlay import overlay
from .parts import PartError, part_folder
from .platform_connection import PlatformConnection
from .protocol import (
    INSTALLER_PREFIXES,
    PORT_VARIABLE,
    PRIVATE_PREFIXES,
    PRIVATE_VARIABLES,
    AssignedPart,
    Assignment,
    WorkerFacts,
)
from .runner_process import RunnerPlan
from .unpack import HostilePartError


class PreparationError(Exception):
    """This node cannot run the endpoint; the message is the one sentence that says why."""


@dataclass(frozen=True)
class Node:
    """Where on this node the endpoint's code and packages are."""

    cache: NodeCache
    code_root: Path
    dependencies: Path | None
    base_layer: Path | None


def prepare(facts: WorkerFacts, assignment: Assignment, connection: PlatformConnection) -> Node:
    """Makes the node ready.

    Raises:
        PreparationError: Something is missing or damaged.
    """
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if assignment.python != version:
        raise PreparationError(f"The build is for Python {assignment.python}, this worker runs Python {version}.")
    cache = NodeCache(facts.cache)
    try:
        code_root = _code_root(assignment.parts, cache, connection)
        folders = [part_folder(part, cache, connection) for part in assignment.parts if part.role == "dependencies"]
        base_layer = base_layer_folder(assignment.base_layer, cache, facts.uv)
    except (PartError, HostilePartError, BaseLayerError, ValueError) as error:
        raise PreparationError(str(error)) from error
    except OSError as error:
        raise PreparationError(f"The worker's cache cannot be filled: {error}.") from error
    dependencies = _dependencies(folders[0] if folders else None, assignment.dependency_set)
    return Node(cache, code_root, dependencies, base_layer)


def runner_plan(facts: WorkerFacts, assignment: Assignment, node: Node) -> RunnerPlan:
    """How the child that runs the user's functions is started.

    Raises:
        PreparationError: The artifact has no handler.
    """
    handler = node.code_root / (assignment.handler or "")
    if not handler.is_file():
        raise PreparationError(f"The artifact has no handler {assignment.handler}.")
    return RunnerPlan(
        handler=handler,
        code_root=node.code_root,
        environment={
            **inherited_environment((*PRIVATE_PREFIXES, "PYTHON")),
            **assignment.env,
            **python_environment(node),
            **({} if facts.port is None else {PORT_VARIABLE: str(facts.port)}),
        },
        setup={
            "worker": facts.worker_id,
            "codeRoot": str(node.code_root),
            "dependencies": None if node.dependencies is None else str(node.dependencies),
            "baseLayer": None if node.base_layer is None else str(node.base_layer),
            "maxConcurrency": assignment.max_concurrency,
            "executionTimeout": assignment.execution_timeout,
            "port": facts.port,
            "gatewaySecret": assignment.gateway_secret,
            "live": assignment.live,
        },
    )


def inherited_environment(prefixes: tuple[str, ...], names: tuple[str, ...] = PRIVATE_VARIABLES) -> dict[str, str]:
    """The worker's own environment without what is private to it and to installers.

    Args:
        prefixes: Beginnings of names that are left out.
        names: Names that are left out.
    """
    private = (*prefixes, *INSTALLER_PREFIXES)
    return {name: value for name, value in os.environ.items() if name not in names and not name.startswith(private)}


def python_environment(node: Node) -> dict[str, str]:
    """What every Python of an endpoint is told."""
    return {
        "PYTHONPYCACHEPREFIX": str(node.cache.compiled_code),
        # Files are UTF-8 whatever the machine's locale says.
        "PYTHONUTF8": "1",
    }


def _code_root(parts: list[AssignedPart], cache: NodeCache, connection: PlatformConnection) -> Path:
    code = [part for part in parts if part.role == "code"]
    if not code:
        raise PreparationError("The assignment names no code part.")
    layers = [part_folder(part, cache, connection) for part in code]
    if len(layers) == 1:
        return layers[0]
    key = hashlib.sha256("\n".join(part.content for part in code).encode()).hexdigest()
    return cache.folder("code", key, lambda folder: overlay(layers, folder))


def _dependencies(folder: Path | None, dependency_set: str) -> Path | None:
    if folder is None:
        return None
    place = folder / "_toolkit" / "dependencies" / dependency_set
    return place if place.is_dir() else None
