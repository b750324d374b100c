"""Prepares this node for an assignment: unpacks parts, installs the base layer, and plans the start of the child."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from toolkit_sdk._worker.containment import Containment

from .base_layer import BaseLayerError, base_layer_folder
from .launch_folder import launch_folder, search_path
from .machine import Machine
from .node_cache import NodeCache
from .parts import PartError, part_folder
from .platform_connection import PlatformConnection
from .programs import Programs
from .protocol import (
    INSTALLER_PREFIXES,
    PRIVATE_PREFIXES,
    PRIVATE_VARIABLES,
    WorkerOrder,
)
from .runner_process import RunnerPlan
from .sdk_layer import PACKAGE, sdk_layer
from .unpack import HostilePartError
from .working_copy import working_copy
from .zygote import WorkerStart, ZygoteKey

# Prefixes of variables that differ between workers. No library reads these when it is imported.
_OF_ONE_WORKER = ("RUNPOD_", "TOOLKIT_", "PLATFORM_", "CUDA_")

# Set for every Python process of an endpoint.
PYTHON_ENVIRONMENT = {
    # The agent compiles: a worker must not write byte code that another one loads.
    "PYTHONDONTWRITEBYTECODE": "1",
    # Files are UTF-8, whatever the machine's locale is.
    "PYTHONUTF8": "1",
}


class PreparationError(Exception):
    """This node cannot run the endpoint; the message is one sentence that says why."""


@dataclass(frozen=True)
class Node:
    """Where on this node the endpoint's code and packages are."""

    cache: NodeCache
    code_root: Path
    """The worker's own copy."""
    sdk: Path | None
    """Folder with the artifact's toolkit_sdk; None for a command, which does not need it."""
    dependencies: Path | None
    base_layer: Path | None
    containment: Containment
    socket: Path
    """Where the process of a load-balanced endpoint must listen."""

    @property
    def packages(self) -> tuple[str, ...]:
        """Folders of packages, in the order in which modules are looked up."""
        return tuple(str(folder) for folder in (self.dependencies, self.base_layer) if folder is not None)


class Preparation:
    """Makes the node ready for one worker."""

    def __init__(self, order: WorkerOrder, machine: Machine, cache: NodeCache, folder: Path) -> None:
        """Takes what `run` needs. Does nothing yet.

        Args:
            order: The worker's order.
            machine: What the worker shares with other workers.
            cache: The node's cache, as this worker sees it.
            folder: The worker's own folder, which is removed when the worker ends.
        """
        self._order = order
        self._machine = machine
        self._cache = cache
        self._code_root = folder / "code"
        self._socket = folder / "http"
        self._connection = PlatformConnection(order.platform, order.token)
        self._programs = Programs(machine.spawner)

    def run(self) -> Node:
        """Fetches, unpacks and installs what is missing.

        Raises:
            PreparationError: Something is missing or damaged, or it was aborted.
        """
        assignment, cache, connection = self._order.assignment, self._cache, self._connection
        code_parts = [part for part in assignment.parts if part.role == "code"]
        try:
            layers = [part_folder(part, cache, connection) for part in code_parts]
            if not layers:
                raise PreparationError("The assignment does not name a code part.")
            folders = [part_folder(part, cache, connection) for part in assignment.parts if part.role == "dependencies"]
            base_layer = base_layer_folder(self._order, cache, self._programs)
            # Layers that a save adds never change toolkit_sdk: a run of `toolkit dev` keeps the one it started with.
            sdk = sdk_layer(layers[0], cache) if assignment.command is None else None
            working_copy(layers, self._code_root, "" if sdk is None else PACKAGE)
        except (PartError, HostilePartError, BaseLayerError, ValueError) as error:
            raise PreparationError(str(error)) from error
        except OSError as error:
            raise PreparationError(f"The worker's cache cannot be filled: {error}.") from error
        finally:
            connection.close()
        dependencies = _dependencies(folders[0] if folders else None, assignment.dependency_set)
        packages = [folder for folder in (sdk, dependencies, base_layer) if folder is not None]
        # Workers do not load byte code of code that consists of several layers.
        self._machine.byte_code.want(self._order.python, [*packages, *(layers if len(layers) == 1 else [])])
        containment = self._machine.hiding.around(packages, self._code_root)
        return Node(cache, self._code_root, sdk, dependencies, base_layer, containment, self._socket)

    def abort(self) -> None:
        """Aborts the preparation, from another thread."""
        self._connection.abort()
        self._programs.kill()


def runner_plan(order: WorkerOrder, node: Node) -> RunnerPlan:
    """Plans how the child that runs the user's functions is started.

    Raises:
        PreparationError: The artifact has no handler.
    """
    assignment = order.assignment
    handler = node.code_root / (assignment.handler or "")
    if not handler.is_file():
        raise PreparationError(f"The artifact has no handler {assignment.handler}.")
    assert node.sdk is not None
    launch = launch_folder(order, node.cache, node.packages)
    environment = {
        **inherited_environment(order, (*PRIVATE_PREFIXES, "PYTHON"), PRIVATE_VARIABLES),
        **assignment.env,
        **PYTHON_ENVIRONMENT,
        "PATH": search_path(order, launch, node.packages),
    }
    containment = replace(node.containment, readable=[*node.containment.readable, str(launch)])
    return RunnerPlan(
        shared=ZygoteKey(
            python=order.python,
            kind=assignment.kind,
            sdk=node.sdk,
            folders=node.packages,
            environment=tuple(sorted(each for each in environment.items() if not each[0].startswith(_OF_ONE_WORKER))),
        ),
        start=WorkerStart(handler, node.code_root, environment),
        setup={
            "worker": order.worker,
            "python": assignment.python,
            "codeRoot": str(node.code_root),
            "sdk": str(node.sdk),
            "dependencies": None if node.dependencies is None else str(node.dependencies),
            "baseLayer": None if node.base_layer is None else str(node.base_layer),
            "containment": asdict(containment),
            "maxConcurrency": assignment.max_concurrency,
            "executionTimeout": assignment.execution_timeout,
            "socket": str(node.socket) if assignment.kind == "load-balanced" else None,
            "gatewaySecret": assignment.gateway_secret,
            "live": assignment.live,
        },
    )


def inherited_environment(order: WorkerOrder, prefixes: tuple[str, ...], names: tuple[str, ...] = ()) -> dict[str, str]:
    """The variables that a worker's processes inherit, without those for installers of packages.

    Args:
        order: The worker's order.
        prefixes: Prefixes of further names to leave out.
        names: Further names to leave out.
    """
    private = (*prefixes, *INSTALLER_PREFIXES)
    return {
        name: value for name, value in order.environment.items() if name not in names and not name.startswith(private)
    }


def _dependencies(folder: Path | None, dependency_set: str) -> Path | None:
    if folder is None:
        return None
    packages = folder / "_toolkit" / "dependencies" / dependency_set
    return packages if packages.is_dir() else None
