"""A zygote as the agent holds it: a process that has imported what workers share, and forks them.

`toolkit_sdk/_worker/zygote.py` of the artifact is the program.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from toolkit_sdk._worker.protocol import WORKER_VARIABLE

from .child_process import ending_of
from .spawner import Child, Spawner

_LENGTH = struct.Struct(">I")
_ANSWER = struct.Struct(">i")
# Seconds until it has imported what is shared: on a cold disk some frameworks take long.
_READY_SECONDS = 30.0
# Seconds for a fork; the agent's main thread waits for it.
_FORK_SECONDS = 5.0
# Characters of a worker's id that its processes can be found by.
_LONGEST_ID = 64
# Lines of a failed start that are told.
_LINES = 10

# Runs the zygote and, in a worker, its handler.
_PROGRAM = """
import sys
sys.path[:] = [*(path for path in sys.path if path), sys.argv[1]]
from toolkit_sdk._worker.zygote import await_start
__file__ = await_start()
with open(__file__, "rb") as handler:
    text = handler.read()
exec(compile(text, __file__, "exec"))
"""


@dataclass(frozen=True)
class ZygoteKey:
    """Workers with equal keys come from one zygote."""

    python: str
    kind: str
    sdk: Path
    """Folder with the artifact's toolkit_sdk."""
    folders: tuple[str, ...]
    """With packages: dependencies and base layer."""
    environment: tuple[tuple[str, str], ...]
    """What workers have in common of it: the interpreter and libraries read it when they start."""


@dataclass(frozen=True)
class WorkerStart:
    """What makes a forked process one worker's."""

    handler: Path
    folder: Path
    """Working directory."""
    environment: dict[str, str]


class ZygoteError(OSError):
    """A zygote that cannot start workers; the message says why, with its last lines.

    Args:
        sentence: Why.
        was_killed: Whether a signal from outside has ended it, so that another one may start them.
    """

    def __init__(self, sentence: str, *, was_killed: bool = False) -> None:
        super().__init__(sentence)
        self.was_killed = was_killed


class Zygote:
    """See the module."""

    def __init__(self, key: ZygoteKey, spawner: Spawner) -> None:
        """Starts it; it imports while the caller goes on.

        Args:
            key: What it imports, and how.
            spawner: Starts it, and adopts its workers.

        Raises:
            OSError: It cannot be started.
        """
        self._spawner = spawner
        self._lock = threading.Lock()
        self.used_at = time.monotonic()
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 (kept as long as the zygote)
        self._control, its_end = socket.socketpair()
        with its_end:
            start = {
                "control": its_end.fileno(),
                "parent": os.getpid(),
                "kind": key.kind,
                "folders": key.folders,
            }
            self._child: Child = spawner.start(
                # -S: the machine's own packages are no part of an endpoint.
                [key.python, "-S", "-s", "-c", _PROGRAM, str(key.sdk), json.dumps(start)],
                environment={**dict(key.environment), WORKER_VARIABLE: "-" * _LONGEST_ID},
                stdout=self._output.fileno(),
                stderr=self._output.fileno(),
                pass_fds=[its_end.fileno()],
            )

    def start_worker(self, start: WorkerStart, descriptors: Sequence[int]) -> Child | None:
        """Makes a worker's process.

        Args:
            start: What it is.
            descriptors: Its standard output, standard error and link.

        Returns:
            The process; None when the zygote has ended, or become a worker, while this thread waited for its turn.

        Raises:
            ZygoteError: The zygote ended, hangs, or cannot be forked.
        """
        self.used_at = time.monotonic()
        body = json.dumps(
            {"handler": str(start.handler), "folder": str(start.folder), "environment": start.environment}
        ).encode()
        with self._lock:
            if self._control.fileno() < 0:
                return None
            if not self._await_ready():
                # It becomes the worker, and is no zygote any more.
                self._send(body, descriptors)
                self._control.close()
                return self._child
            return self._spawner.adopt(lambda: self._fork(body, descriptors))

    @property
    def is_usable(self) -> bool:
        """Whether another worker may come from it."""
        return self._control.fileno() >= 0 and self._child.wait(0) is None

    def end(self) -> None:
        """Ends it; its workers live on."""
        with self._lock:
            self._control.close()

    def kill(self) -> None:
        """Ends it at once, hanging or not."""
        with self._lock:
            if self._control.fileno() >= 0:  # Else it is a worker.
                self._control.close()
                self._child.kill()

    def _await_ready(self) -> bool:
        """Whether it can be forked, once it is ready."""
        self._control.settimeout(_READY_SECONDS)
        told = b""
        with contextlib.suppress(OSError):
            told = self._control.recv(1)
        if not told:
            raise self._failure()
        self._control.settimeout(_FORK_SECONDS)
        return told == b"\1"

    def _failure(self) -> ZygoteError:
        # It has closed the connection, or does not tell anything: its end follows, or is made.
        code = self._child.wait(1.0)
        if code is None:
            self._child.kill()
            return ZygoteError(f"it did not start within {_READY_SECONDS:.0f} s")
        self._output.seek(0)
        lines = self._output.read().decode("utf-8", "replace").strip().splitlines()[-_LINES:]
        return ZygoteError("\n".join([f"it {ending_of(code)} while it started", *lines]), was_killed=code < 0)

    def _fork(self, body: bytes, descriptors: Sequence[int]) -> int:
        self._send(body, descriptors)
        try:
            answer = self._control.recv(_ANSWER.size, socket.MSG_WAITALL)
        except OSError as error:
            raise ZygoteError(f"its zygote does not answer ({error})") from error
        if len(answer) < _ANSWER.size:
            raise ZygoteError("its zygote has ended", was_killed=True)
        (pid,) = _ANSWER.unpack(answer)
        if pid < 0:
            raise OSError(-pid, os.strerror(-pid))
        return pid

    def _send(self, body: bytes, descriptors: Sequence[int]) -> None:
        try:
            socket.send_fds(self._control, [_LENGTH.pack(len(body))], descriptors)
            self._control.sendall(body)
        except OSError as error:
            raise ZygoteError(f"its zygote takes no orders ({error})") from error
