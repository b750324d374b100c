"""The child process that runs the user's code, as the supervisor holds it: start, frames both ways, end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .frames import Frame, FrameLink
from .log_lines import LogRelay

LINK_VARIABLE = "TOOLKIT_RUNNER_LINK"
# Seconds from the end of the link to the end of the child.
LINK_LOST_GRACE = 15.0


@dataclass(frozen=True)
class RunnerPlan:
    """How the child is started; made once per worker."""

    handler: Path
    code_root: Path
    environment: dict[str, str]
    setup: dict[str, Any]
    """First frame; holds what must not stand in an environment."""


class RunnerProcess:
    """One child. Made on the main thread only: the kernel ends a child with the *thread* that made it."""

    def __init__(
        self,
        plan: RunnerPlan,
        logs: LogRelay,
        on_frame: Callable[[RunnerProcess, Frame], None],
        on_exit: Callable[[RunnerProcess], None],
    ) -> None:
        ours, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            # -S: the machine's own packages are no part of an endpoint.
            [sys.executable, "-S", "-s", str(plan.handler)],
            cwd=plan.code_root,
            env={**plan.environment, LINK_VARIABLE: str(theirs.fileno())},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()
        self._link = FrameLink(ours)
        self._send_setup({**plan.setup, "parent": os.getpid()})
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._relays = [
            logs.follow(os.dup(self._process.stdout.fileno()), "info"),
            logs.follow(os.dup(self._process.stderr.fileno()), "error"),
        ]
        self._process.stdout.close()
        self._process.stderr.close()
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
        try:
            self._process.wait(LINK_LOST_GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()  # The user's code closed the link, so nothing can be said to it any more.
            self._process.wait()
        self.kill()
        for relay in self._relays:
            # A grandchild in a session of its own may hold the pipes open.
            relay.join(timeout=1.0)
        self._on_exit(self)

    def terminate(self) -> None:
        """Asks the child to end what it does, then itself."""
        self._process.terminate()

    def kill(self) -> None:
        """Ends the child at once, and all that it started: its group, which outlives it while members do."""
        # Before its first steps the child has no group of its own.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def close(self, grace: float) -> None:
        """Says that nothing more comes, waits for the end and kills a child that does not come to one.

        Args:
            grace: Seconds to wait.
        """
        self._link.close()
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()

    def ending(self) -> str:
        """How the ended child ended: `ended with exit code 3`, `was ended by signal SIGSEGV (11)`."""
        code = self._process.wait()
        if code >= 0:
            return f"ended with exit code {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = "signal"
        return f"was ended by signal {name} ({-code})"
