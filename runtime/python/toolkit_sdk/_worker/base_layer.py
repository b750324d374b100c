"""What the base image provides (`numpy==2.1.0` …) → a folder of the node's cache, installed once per Python and set."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from .node_cache import NodeCache


class BaseLayerError(Exception):
    """The base layer could not be installed; the message holds the installer's last lines."""


def base_layer_folder(requirements: list[str], cache: NodeCache, uv: str | None) -> Path | None:
    """The folder to put last on the path; None when nothing is asked for.

    Args:
        requirements: `name==version`, the whole set: nothing is resolved.
        cache: The node's cache.
        uv: The uv executable; pip of this interpreter without one.

    Raises:
        BaseLayerError: The installer failed.
    """
    if not requirements:
        return None
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    identity = "\n".join([version, *sorted(requirements)])
    key = hashlib.sha256(identity.encode()).hexdigest()
    return cache.folder("base", key, lambda folder: _install(requirements, folder, uv))


def _install(requirements: list[str], folder: Path, uv: str | None) -> None:
    if uv is not None:
        command = [uv, "pip", "install", "--python", sys.executable, "--no-deps", "--only-binary", ":all:"]
    else:
        command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--no-deps"]
        command += ["--only-binary", ":all:"]
    command += ["--target", str(folder), *requirements]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = (done.stderr.strip() or done.stdout.strip()).splitlines()[-5:]
        told = " ".join(line.strip() for line in lines)
        raise BaseLayerError(f"The base layer ({', '.join(requirements)}) could not be installed: {told}")
