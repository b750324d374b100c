"""First steps of the process that runs the user's code: the link to the agent, paths, output, its ends."""

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
    """What the agent tells the process."""

    worker: str
    code_root: str
    sdk: str
    """The folder with toolkit_sdk."""
    dependencies: str | None
    base_layer: str | None
    max_concurrency: int
    execution_timeout: float | None
    listener: socket.socket | None
    """Where the gateway connects; None: the process is given its work."""
    gateway_secret: str | None
    live: bool


def connect(needed: Sequence[str] = ()) -> tuple[FrameLink, RunnerSetup]:
    """Takes up the link and arranges the process; afterwards the user's modules can be loaded.

    Args:
        needed: Modules that the caller will import later.

    Raises:
        SystemExit: Nobody is on the other side: a handler is no program of its own.
    """
    descriptor = os.environ.pop(LINK_VARIABLE, None)
    if descriptor is None:
        raise SystemExit("A handler is run by the toolkit's worker. To call the endpoint, use `toolkit call`.")
    sock = socket.socket(fileno=int(descriptor))
    sock.set_inheritable(False)
    link = FrameLink(sock)
    first = link.receive()
    if first is None:
        raise SystemExit("The agent is gone.")
    told = json.loads(first.payload)
    listener = None if told["socket"] is None else listen(told["socket"])
    contain(Containment(**told["containment"]))
    # Processes that the user's code starts join this group, and end with it.
    os.setpgid(0, 0)
    _stay_below(told["parent"])
    setup = RunnerSetup(
        worker=told["worker"],
        code_root=told["codeRoot"],
        sdk=told["sdk"],
        dependencies=told["dependencies"],
        base_layer=told["baseLayer"],
        max_concurrency=told["maxConcurrency"],
        execution_timeout=told["executionTimeout"],
        listener=listener,
        gateway_secret=told["gatewaySecret"],
        live=told["live"],
    )
    found = f"{sys.version_info.major}.{sys.version_info.minor}"
    if found != told["python"]:
        sentence = f"The build is for Python {told['python']}, and {sys.executable} is Python {found}."
        link.send("unhealthy", reason("WrongPython", sentence).encode(), reason=sentence)
        raise SystemExit(0)
    _set_path(setup, needed)
    return link, setup


def capture_output(setup: RunnerSetup, running: Callable[[], str | None]) -> OutputCapture:
    """Turns prints into log lines.

    Args:
        setup: What the supervisor told.
        running: The only job that runs, for prints of threads that nobody knows the job of.
    """
    capture = OutputCapture(setup.worker, running)
    capture.install()
    return capture


def _stay_below(parent: int) -> None:
    """Ends with the agent; what the user's code starts stays below this process, whatever session it makes."""
    prctl = ctypes.CDLL(None).prctl
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    prctl(_PR_SET_CHILD_SUBREAPER, 1)
    if os.getppid() != parent:
        raise SystemExit("The agent is gone.")


def _set_path(setup: RunnerSetup, needed: Sequence[str]) -> None:
    """Order: the project's code, its `src`, the standard library, toolkit_sdk, dependencies, base layer."""
    source = os.path.join(setup.code_root, "src")
    code = [setup.code_root, source] if os.path.isdir(source) else [setup.code_root]
    folders = [folder for folder in (setup.dependencies, setup.base_layer) if folder is not None]
    step_aside(setup.code_root, code, needed)
    sys.path[:] = [*code, *(entry for entry in sys.path if entry not in code)]
    # Python processes that the user's code starts find the same modules.
    os.environ["PYTHONPATH"] = os.pathsep.join([*code, setup.sdk, *folders])
    sys.argv[:] = [os.path.join(setup.code_root, "worker")]
