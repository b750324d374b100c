"""An assignment → what the user's code needs on this node: unpacked parts, base layer, the plan of the child."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from .base_layer import BaseLayerError, base_layer_folder
from .node_cache import NodeCache
from .parts import PartError, part_folder
from .platform_connection import PlatformConnection
from .protocol import PORT_VARIABLE, PRIVATE_PREFIXES, PRIVATE_VARIABLES, Assignment, WorkerFacts
from .runner_process import RunnerPlan
from .unpack import HostilePartError


class PreparationError(Exception):
    """This node cannot run the endpoint; the message is the one sentence that says why."""


def prepare(facts: WorkerFacts, assignment: Assignment, connection: PlatformConnection) -> RunnerPlan:
    """Makes the node ready.

    Raises:
        PreparationError: Something is missing or damaged.
    """
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if assignment.python != version:
        raise PreparationError(f"The build is for Python {assignment.python}, this worker runs Python {version}.")
    if assignment.handler is None:
        raise PreparationError("The endpoint has no handler: workers that run a command are not supported here.")
    cache = NodeCache(facts.cache)
    try:
        folders = {part.role: part_folder(part, cache, connection) for part in assignment.parts}
        base_layer = base_layer_folder(assignment.base_layer, cache, facts.uv)
    except (PartError, HostilePartError, BaseLayerError) as error:
        raise PreparationError(str(error)) from error
    except OSError as error:
        raise PreparationError(f"The worker's cache cannot be filled: {error}.") from error
    if "code" not in folders:
        raise PreparationError("The assignment names no code part.")
    code_root = folders["code"]
    handler = code_root / assignment.handler
    if not handler.is_file():
        raise PreparationError(f"The artifact has no handler {assignment.handler}.")
    return RunnerPlan(
        handler=handler,
        code_root=code_root,
        environment=_environment(facts, assignment, code_root, cache),
        setup={
            "worker": facts.worker_id,
            "codeRoot": str(code_root),
            "dependencies": _dependencies(folders.get("dependencies"), assignment.dependency_set),
            "baseLayer": None if base_layer is None else str(base_layer),
            "maxConcurrency": assignment.max_concurrency,
            "port": facts.port,
            "gatewaySecret": assignment.gateway_secret,
        },
    )


def _dependencies(folder: Path | None, dependency_set: str) -> str | None:
    if folder is None:
        return None
    place = folder / "_toolkit" / "dependencies" / dependency_set
    return str(place) if place.is_dir() else None


def _environment(facts: WorkerFacts, assignment: Assignment, code_root: Path, cache: NodeCache) -> dict[str, str]:
    """The worker's own environment without what is private to it, then the assignment's."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in PRIVATE_VARIABLES and not name.startswith((*PRIVATE_PREFIXES, "PYTHON"))
    }
    own = {
        "PYTHONPATH": str(code_root),
        "PYTHONPYCACHEPREFIX": str(cache.compiled_code),
        # Files are UTF-8 whatever the machine's locale says.
        "PYTHONUTF8": "1",
    }
    port = {} if facts.port is None else {PORT_VARIABLE: str(facts.port)}
    return {**inherited, **assignment.env, **own, **port}
