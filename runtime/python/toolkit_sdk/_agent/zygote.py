"""The agent's side of a zygote: a process that has imported what workers share, and forks them.

The program is `toolkit_sdk/_worker/zygote.py` of the artifact.
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
# Seconds for the imports: on a cold disk some frameworks take long.
_READY_SECONDS = 30.0
# Seconds for a fork. The agent's main thread waits for it.
_FORK_SECONDS = 5.0
# Most characters of a worker's id that are shown in /proc, where the worker's processes are found by it.
_LONGEST_ID = 64
# Lines of output in the message about a failed start.
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
    """What workers of one zygote share: workers with equal keys are forked from the same zygote."""

    python: str
    kind: str
    sdk: Path
    """Folder with the artifact's toolkit_sdk."""
    folders: tuple[str, ...]
    """Folders with packages: dependencies and base layer."""
    environment: tuple[tuple[str, str], ...]
    """The variables that are the same for all workers. The interpreter and libraries read them when they start."""


@dataclass(frozen=True)
class WorkerStart:
    """What a forked process needs to become a certain worker."""

    handler: Path
    folder: Path
    """Working directory."""
    environment: dict[str, str]


class ZygoteError(OSError):
    """A zygote that cannot start workers. The message says why, and contains its last lines of output.

    Args:
        sentence: Why it cannot start workers.
        was_killed: Whether a signal from outside has ended it, so that another zygote may succeed.
    """

    def __init__(self, sentence: str, *, was_killed: bool = False) -> None:
        super().__init__(sentence)
        self.was_killed = was_killed


class Zygote:
    """A zygote's process, and the connection to it."""

    def __init__(self, key: ZygoteKey, spawner: Spawner) -> None:
        """Starts the process. Does not wait for its imports.

        Args:
            key: What its workers share.
            spawner: Starts the process, and adopts its workers.

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
                # -S: the machine's own packages are not part of an endpoint.
                [key.python, "-S", "-s", "-c", _PROGRAM, str(key.sdk), json.dumps(start)],
                environment={**dict(key.environment), WORKER_VARIABLE: "-" * _LONGEST_ID},
                stdout=self._output.fileno(),
                stderr=self._output.fileno(),
                pass_fds=[its_end.fileno()],
            )

    def start_worker(self, start: WorkerStart, descriptors: Sequence[int]) -> Child | None:
        """Makes a worker's process.

        Args:
            start: What the process needs to become the worker.
            descriptors: Its standard output, standard error and link.

        Returns:
            The process; None if the zygote was ended or became a worker while this thread waited for its turn.

        Raises:
            ZygoteError: The zygote has ended, hangs, or cannot be forked.
        """
        self.used_at = time.monotonic()
        body = json.dumps(
            {"handler": str(start.handler), "folder": str(start.folder), "environment": start.environment}
        ).encode()
        with self._lock:
            if self._control.fileno() < 0:
                return None
            if not self._await_ready():
                # It becomes the worker itself, and is no longer a zygote.
                self._send(body, descriptors)
                self._control.close()
                return self._child
            return self._spawner.adopt(lambda: self._fork(body, descriptors))

    @property
    def is_usable(self) -> bool:
        """Whether it can make another worker."""
        return self._control.fileno() >= 0 and self._child.wait(0) is None

    def end(self) -> None:
        """Ends the zygote. Its workers keep running."""
        with self._lock:
            self._control.close()

    def kill(self) -> None:
        """Kills the zygote, even if it hangs. Does nothing if it was ended or has become a worker."""
        with self._lock:
            if self._control.fileno() >= 0:
                self._control.close()
                self._child.kill()

    def _await_ready(self) -> bool:
        """Waits until it is ready. Returns whether it can be forked."""
        self._control.settimeout(_READY_SECONDS)
        can_fork = b""
        with contextlib.suppress(OSError):
            can_fork = self._control.recv(1)
        if not can_fork:
            raise self._failure()
        self._control.settimeout(_FORK_SECONDS)
        return can_fork == b"\1"

    def _failure(self) -> ZygoteError:
        # Either it has closed the connection and ends now, or it sent nothing in time and is killed.
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
            raise ZygoteError(f"its zygote does not respond ({error})") from error
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
            raise ZygoteError(f"its zygote does not accept orders ({error})") from error
