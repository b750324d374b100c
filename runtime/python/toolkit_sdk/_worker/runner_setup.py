"""Sets up the process that runs the user's code: its link to the agent, its containment, paths, output and end."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .containment import Containment, contain
from .failures import reason
from .frames import FrameLink
from .hidden_modules import step_aside
from .listening import listen
from .output_capture import OutputCapture
from .protocol import LINK_VARIABLE

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class RunnerSetup:
    """The settings that the agent sends to the process."""

    worker: str
    code_root: str
    sdk: str
    """The folder with toolkit_sdk."""
    dependencies: str | None
    base_layer: str | None
    max_concurrency: int
    execution_timeout: float | None
    listener: socket.socket | None
    """The socket that the gateway connects to; None for a queue-based endpoint."""
    gateway_secret: str | None
    live: bool


def connect(needed: Sequence[str] = ()) -> tuple[FrameLink, RunnerSetup]:
    """Connects to the agent and sets up the process. Afterwards, the user's modules can be loaded.

    Args:
        needed: Modules that the caller will import later.

    Raises:
        SystemExit: There is no agent: a handler cannot be run by itself.
    """
    descriptor = os.environ.pop(LINK_VARIABLE, None)
    if descriptor is None:
        raise SystemExit("""A handler is run by the toolkit's worker. To call the endpoint, run "toolkit call".""")
    sock = socket.socket(fileno=int(descriptor))
    sock.set_inheritable(False)
    link = FrameLink(sock)
    first = link.receive()
    if first is None:
        raise SystemExit("The node agent has ended.")
    fields = json.loads(first.payload)
    listener = None if fields["socket"] is None else listen(fields["socket"])
    contain(Containment(**fields["containment"]))
    # Processes that the user's code starts join this group, and are killed with it.
    os.setpgid(0, 0)
    _stay_below(fields["parent"])
    setup = RunnerSetup(
        worker=fields["worker"],
        code_root=fields["codeRoot"],
        sdk=fields["sdk"],
        dependencies=fields["dependencies"],
        base_layer=fields["baseLayer"],
        max_concurrency=fields["maxConcurrency"],
        execution_timeout=fields["executionTimeout"],
        listener=listener,
        gateway_secret=fields["gatewaySecret"],
        live=fields["live"],
    )
    found = f"{sys.version_info.major}.{sys.version_info.minor}"
    if found != fields["python"]:
        sentence = f"The build is for Python {fields['python']}, but {sys.executable} is Python {found}."
        link.send("unhealthy", reason("WrongPython", sentence).encode(), reason=sentence)
        raise SystemExit(0)
    _set_path(setup, needed)
    return link, setup


def capture_output(setup: RunnerSetup, running: Callable[[], str | None]) -> OutputCapture:
    """Turns prints into log lines.

    Args:
        setup: The settings from the agent.
        running: Returns the only running job, for prints of threads whose job is unknown.
    """
    capture = OutputCapture(setup.worker, running)
    capture.install()
    return capture


def _stay_below(parent: int) -> None:
    """Makes this process end with the agent, and adopt the orphans of the user's code, whatever their session."""
    prctl = ctypes.CDLL(None).prctl
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    prctl(_PR_SET_CHILD_SUBREAPER, 1)
    if os.getppid() != parent:
        raise SystemExit("The node agent has ended.")


def _set_path(setup: RunnerSetup, needed: Sequence[str]) -> None:
    """Sets sys.path: the project's code, its `src`, the standard library, toolkit_sdk, dependencies, base layer."""
    source = os.path.join(setup.code_root, "src")
    code = [setup.code_root, source] if os.path.isdir(source) else [setup.code_root]
    folders = [folder for folder in (setup.dependencies, setup.base_layer) if folder is not None]
    step_aside(setup.code_root, code, needed)
    sys.path[:] = [*code, *(entry for entry in sys.path if entry not in code)]
    # Python processes that the user's code starts find the same modules.
    os.environ["PYTHONPATH"] = os.pathsep.join([*code, setup.sdk, *folders])
    sys.argv[:] = [os.path.join(setup.code_root, "worker")]
