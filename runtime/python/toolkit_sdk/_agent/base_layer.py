"""Installs the packages of the base image (`numpy==2.1.0` …) into the node's cache, once for each Python and set."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from .node_cache import NodeCache
from .programs import Programs
from .protocol import WorkerOrder

# pip's option, uv's variable for it, other variables with the same meaning, and the separator of a list's values. The
# same as in the build's indexSettings.ts: a base layer comes from the same index as the build's packages.
_SETTINGS = (
    ("index-url", "UV_DEFAULT_INDEX", ("UV_INDEX_URL",), None),
    ("extra-index-url", "UV_INDEX", ("UV_EXTRA_INDEX_URL",), " "),
    ("find-links", "UV_FIND_LINKS", (), ","),
    ("trusted-host", "UV_INSECURE_HOST", (), " "),
    ("cert", "SSL_CERT_FILE", (), None),
    ("client-cert", "SSL_CLIENT_CERT", (), None),
    ("proxy", "ALL_PROXY", ("HTTPS_PROXY", "https_proxy"), None),
)
# The same as in the build's keyring.ts: an installed keyring is used unless the user has turned it off.
_KEYRING_OFF = {"disabled", "none"}
_TRUE = {"1", "true", "yes", "on", "y", "t"}
_OPTION = re.compile(r"(?:global|install)\.([\w-]+)='(.*)'")


class BaseLayerError(Exception):
    """The base layer could not be installed; the message holds the installer's last lines."""


def base_layer_folder(order: WorkerOrder, cache: NodeCache, programs: Programs) -> Path | None:
    """The folder to put last on the path; None when the endpoint requires no base layer.

    Args:
        order: Has the requirements, `name==version`. They are the complete set: nothing is resolved.
        cache: The node's cache.
        programs: Runs uv, or the interpreter's pip if there is no uv.

    Raises:
        BaseLayerError: The installer failed.
    """
    requirements = order.assignment.base_layer
    if not requirements:
        return None
    identity = "\n".join([order.assignment.python, *sorted(requirements)])
    key = hashlib.sha256(identity.encode()).hexdigest()
    return cache.folder("base", key, lambda folder: _install(order, folder, programs))


def _install(order: WorkerOrder, folder: Path, programs: Programs) -> None:
    requirements, environment = order.assignment.base_layer, dict(order.environment)
    pip: dict[str, str] = {}
    if order.uv is not None:
        pip = _pip_settings(order, programs)
        environment.update(_uv_settings(environment, pip))
        command = [order.uv, "pip", "install", "--python", order.python, "--no-deps", "--only-binary", ":all:"]
    else:
        command = [order.python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--no-deps"]
        command += ["--only-binary", ":all:"]
    if pip.get("no-index", "").lower() in _TRUE:
        command.append("--no-index")
    command += ["--target", str(folder), *requirements]
    done = programs.run(command, environment)
    if done.code != 0:
        lines = (done.stderr.strip() or done.stdout.strip()).splitlines()[-5:]
        output = " ".join(line.strip() for line in lines)
        raise BaseLayerError(
            f"The packages of the base image ({', '.join(requirements)}) could not be installed: {output}"
        )


def _pip_settings(order: WorkerOrder, programs: Programs) -> dict[str, str]:
    """pip's options from its configuration files, overridden by the environment. pip itself reads the files."""
    listing = [order.python, "-m", "pip", "--disable-pip-version-check", "config", "list"]
    done = programs.run(listing, order.environment)
    lines = (_OPTION.fullmatch(line) for line in done.stdout.splitlines())
    # pip lists the install command's own settings after the global ones, so they win.
    settings = {line[1]: line[2].replace("\\n", " ") for line in lines if line}
    of_environment = {
        name[4:].lower().replace("_", "-"): value for name, value in order.environment.items() if name[:4] == "PIP_"
    }
    return {**settings, **of_environment}


def _uv_settings(environment: Mapping[str, str], pip: Mapping[str, str]) -> dict[str, str]:
    """pip's options as uv's variables, except those that are already set for uv."""
    settings: dict[str, str] = {}
    for option, variable, others, separator in _SETTINGS:
        value = pip.get(option)
        if value and not any(environment.get(name) for name in (variable, *others)):
            settings[variable] = value if separator is None else separator.join(value.split())
    uses_keyring = pip.get("keyring-provider") not in _KEYRING_OFF and "UV_KEYRING_PROVIDER" not in environment
    if uses_keyring and shutil.which("keyring", path=environment.get("PATH")):
        settings["UV_KEYRING_PROVIDER"] = "subprocess"
    return settings
