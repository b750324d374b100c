"""A worker of any language → how its command is started: environment, the target's Python first, its packages."""

from __future__ import annotations

import hashlib
import os
import shlex
import socket
from dataclasses import dataclass, replace
from pathlib import Path

from toolkit_sdk._worker.containment import Containment

from .preparation import PYTHON_ENVIRONMENT, Node, inherited_environment
from .protocol import PORT_VARIABLE, WorkerOrder

# Runs in every Python of the command. Order of modules: code, standard library, dependencies, base layer; the
# machine's own packages are no part of an endpoint. A list cannot do it alone: `.pth` files want addsitedir.
_SITE_CUSTOMIZE = """import site
import sys

_own = {{path.rstrip("/") for path in [*site.getsitepackages(), site.getusersitepackages()]}}
sys.path[:] = [path for path in sys.path if path.rstrip("/") not in _own and path != {folder!r}]
for _folder in {packages!r}:
    site.addsitedir(_folder)
"""


@dataclass(frozen=True)
class CommandPlan:
    """How the command is started."""

    command: list[str]
    folder: Path
    environment: dict[str, str]
    containment: Containment
    port: int | None
    """Where the command is to listen for requests; None: it asks for its work."""


def command_plan(order: WorkerOrder, node: Node) -> CommandPlan:
    """The plan of a command; makes the folder that puts its Python in order, once per node."""
    assignment = order.assignment
    assert assignment.command is not None
    packages = [str(folder) for folder in (node.dependencies, node.base_layer) if folder is not None]
    launch = _launch_folder(order, node, packages)
    scripts = [f"{folder}/bin" for folder in packages]
    path = order.environment.get("PATH", os.defpath)
    source = node.code_root / "src"
    code = [str(node.code_root), *([str(source)] if source.is_dir() else [])]
    port = _free_port() if assignment.kind == "load-balanced" else None
    return CommandPlan(
        command=assignment.command,
        folder=node.code_root,
        environment={
            # The protocol's own variables stay: the command speaks to the platform itself.
            **inherited_environment(order, ("PYTHON",)),
            **assignment.env,
            **PYTHON_ENVIRONMENT,
            "PYTHONUNBUFFERED": "1",
            "PYTHONNOUSERSITE": "1",
            "PYTHONPATH": os.pathsep.join([str(launch), *code]),
            "PATH": os.pathsep.join([str(launch / "bin"), *scripts, assignment.env.get("PATH", path)]),
            **({} if port is None else {PORT_VARIABLE: str(port)}),
        },
        containment=replace(node.containment, readable=[*node.containment.readable, str(launch)]),
        port=port,
    )


def _free_port() -> int:
    """A port that is free now; the command binds it next."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _launch_folder(order: WorkerOrder, node: Node, packages: list[str]) -> Path:
    identity = "\n".join([_SITE_CUSTOMIZE, order.python, *packages])
    key = hashlib.sha256(identity.encode()).hexdigest()

    def make(folder: Path) -> None:
        text = _SITE_CUSTOMIZE.format(folder=str(node.cache.place("launch", key)), packages=packages)
        (folder / "sitecustomize.py").write_text(text, encoding="utf-8")
        (folder / "bin").mkdir()
        for name in ("python", "python3", f"python{order.assignment.python}"):
            # No link: the interpreter finds its library by the path it is called by.
            program = folder / "bin" / name
            program.write_text(f'#!/bin/sh\nexec {shlex.quote(order.python)} "$@"\n', encoding="utf-8")
            program.chmod(0o755)

    return node.cache.folder("launch", key, make)
