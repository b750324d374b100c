"""The supervisor's side of the process that runs the user's functions: start, frames in both directions, end."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from toolkit_sdk._worker.frames import Frame, FrameLink

from .cgroups import Cgroup
from .child_process import ChildProcess
from .log_relay import LogRelay
from .worker_thread import start_thread
from .zygote import WorkerStart, ZygoteKey
from .zygotes import Zygotes

# Seconds after the end of the link in which the child must end.
LINK_LOST_GRACE = 15.0


@dataclass(frozen=True)
class RunnerPlan:
    """How the child is started. Made once per worker."""

    shared: ZygoteKey
    start: WorkerStart
    setup: dict[str, Any]
    """Content of the first frame. It holds secrets that must not be in an environment."""


class RunnerProcess(ChildProcess):
    """One process with user code."""

    def __init__(
        self,
        plan: RunnerPlan,
        zygotes: Zygotes,
        *,
        cgroup: Cgroup | None,
        logs: LogRelay,
        on_frame: Callable[[RunnerProcess, Frame], None],
        on_exit: Callable[[RunnerProcess], None],
    ) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            super().__init__(
                lambda out, err: zygotes.start_worker(plan.shared, plan.start, [out, err, theirs.fileno()]),
                cgroup=cgroup,
                logs=logs,
                error_level="error",
            )
        if cgroup is not None:
            cgroup.add(self.pid)  # In time: user code runs only after the set-up frame.
        self._link = FrameLink(ours)
        self._send_setup({**plan.setup, "parent": os.getpid()})
        self._on_frame = on_frame
        self._on_exit = on_exit
        start_thread("runner", self._read)

    def _send_setup(self, setup: dict[str, Any]) -> None:
        try:
            self._link.send("setup", json.dumps(setup).encode())
        except OSError:
            return  # The child has already ended; its exit is handled like any other.

    def send_all(self, frames: Iterable[Frame]) -> None:
        """Sends frames.

        Raises:
            OSError: The child has ended.
        """
        self._link.send_all(frames)

    def try_send(self, kind: str, **header: object) -> bool:
        """Sends a frame, unless the child does not read. Returns whether it was sent.

        Raises:
            OSError: The child has ended.
        """
        return self._link.try_send(kind, **header)

    def _read(self) -> None:
        while frames := self._link.receive_all():
            for frame in frames:
                self._on_frame(self, frame)
        # If the user's code closed the link, the child can no longer receive anything, and is killed after a while.
        self.await_end(LINK_LOST_GRACE)
        self._link.release()
        self._on_exit(self)

    def close(self, grace: float) -> bool:
        """Closes the link and waits for the child's end. A child that does not end is killed.

        Args:
            grace: Seconds to wait.

        Returns:
            Whether the child ended by itself.
        """
        self._link.close()
        self.await_end(grace)
        return self.exit_code() >= 0
