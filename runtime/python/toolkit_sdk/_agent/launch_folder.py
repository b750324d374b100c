"""The programs that an endpoint's processes find first: its Python, and the scripts of its packages."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from .node_cache import NodeCache
from .protocol import WorkerOrder

# Runs in every Python process of a command. Order of modules: code, standard library, dependencies, base layer. The
# machine's own packages are not part of an endpoint. PYTHONPATH is not enough: `.pth` files need addsitedir.
_SITE_CUSTOMIZE = """import site
import sys

_own = {{path.rstrip("/") for path in [*site.getsitepackages(), site.getusersitepackages()]}}
sys.path[:] = [path for path in sys.path if path.rstrip("/") not in _own and path != {folder!r}]
for _folder in {packages!r}:
    site.addsitedir(_folder)
"""


def launch_folder(order: WorkerOrder, cache: NodeCache, packages: Sequence[str]) -> Path:
    """A folder with the endpoint's Python in `bin`, made once per node. On PYTHONPATH, it sets up module lookup.

    Args:
        order: Names the interpreter.
        cache: The node's cache.
        packages: Folders of packages, in the order in which modules are looked up.
    """
    identity = "\n".join([_SITE_CUSTOMIZE, order.python, *packages])
    key = hashlib.sha256(identity.encode()).hexdigest()

    def make(folder: Path) -> None:
        text = _SITE_CUSTOMIZE.format(folder=str(cache.path("launch", key)), packages=list(packages))
        (folder / "sitecustomize.py").write_text(text, encoding="utf-8")
        (folder / "bin").mkdir()
        for name in ("python", "python3", f"python{order.assignment.python}"):
            # Not a link: the interpreter finds its library by the path that it is called with.
            program = folder / "bin" / name
            program.write_text(f'#!/bin/sh\nexec {shlex.quote(order.python)} "$@"\n', encoding="utf-8")
            program.chmod(0o755)

    return cache.folder("launch", key, make)


def search_path(order: WorkerOrder, launch: Path, packages: Sequence[str]) -> str:
    """The value of PATH: the endpoint's Python, scripts of its packages, then what the endpoint or the machine sets."""
    path = order.assignment.env.get("PATH", order.environment.get("PATH", os.defpath))
    return os.pathsep.join([str(launch / "bin"), *(f"{folder}/bin" for folder in packages), path])
