"""The child process that runs the user's code, as the supervisor holds it: start, frames both ways, end."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .child_process import ChildProcess
from .frames import Frame, FrameLink
from .log_lines import LogRelay

LINK_VARIABLE = "TOOLKIT_RUNNER_LINK"
# Seconds from the end of the link to the end of the child.
LINK_LOST_GRACE = 15.0

# Runs the handler. The project's folder stands last until the worker has imported what it needs: a file of the project
# may have the name of a module of the standard library.
_RUN_HANDLER = """
import sys
__file__, code_root = sys.argv[1:]
sys.path[:] = [*(path for path in sys.path if path), code_root]
with open(__file__, "rb") as handler:
    text = handler.read()
exec(compile(text, __file__, "exec"))
"""


@dataclass(frozen=True)
class RunnerPlan:
    """How the child is started; made once per worker."""

    handler: Path
    code_root: Path
    environment: dict[str, str]
    setup: dict[str, Any]
    """First frame; holds what must not stand in an environment."""


class RunnerProcess(ChildProcess):
    """One child with user code. Made on the main thread only."""

    def __init__(
        self,
        plan: RunnerPlan,
        logs: LogRelay,
        on_frame: Callable[[RunnerProcess, Frame], None],
        on_exit: Callable[[RunnerProcess], None],
    ) -> None:
        ours, theirs = socket.socketpair()
        super().__init__(
            # -S: the machine's own packages are no part of an endpoint.
            [sys.executable, "-S", "-s", "-c", _RUN_HANDLER, str(plan.handler), str(plan.code_root)],
            folder=plan.code_root,
            environment={**plan.environment, LINK_VARIABLE: str(theirs.fileno())},
            logs=logs,
            error_level="error",
            pass_fds=[theirs.fileno()],
        )
        theirs.close()
        self._link = FrameLink(ours)
        self._send_setup({**plan.setup, "parent": os.getpid()})
        self._on_frame = on_frame
        self._on_exit = on_exit
        threading.Thread(target=self._read, daemon=True, name="runner").start()

    def _send_setup(self, setup: dict[str, Any]) -> None:
        try:
            self._link.send("setup", json.dumps(setup).encode())
        except OSError:
            return  # The child ended already; its exit is told like any other.

    def send(self, kind: str, payload: bytes = b"", **header: object) -> None:
        """Sends a frame.

        Raises:
            OSError: The child has ended.
        """
        self._link.send(kind, payload, **header)

    def try_send(self, kind: str, **header: object) -> bool:
        """Sends a frame unless the child does not read; whether it was sent.

        Raises:
            OSError: The child has ended.
        """
        return self._link.try_send(kind, **header)

    def _read(self) -> None:
        while (frame := self._link.receive()) is not None:
            self._on_frame(self, frame)
        # A child whose code closed the link cannot be told anything any more.
        self.await_end(LINK_LOST_GRACE)
        self._on_exit(self)

    def close(self, grace: float) -> bool:
        """Says that nothing more comes and waits for the end; a child that does not come to one is killed.

        Args:
            grace: Seconds to wait.

        Returns:
            Whether it ended by itself.
        """
        self._link.close()
        self.await_end(grace)
        return self.exit_code() >= 0
