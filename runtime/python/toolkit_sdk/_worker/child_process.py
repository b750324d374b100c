"""A process of a worker beside its supervisor: start, output as log lines, end with all that it started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from .log_lines import LogRelay


class ChildProcess:
    """One child. Made on the main thread only: the kernel ends a child with the *thread* that made it.

    The child makes itself the leader of a process group, so that what it starts ends with it.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        logs: LogRelay,
        error_level: str,
        pass_fds: Sequence[int] = (),
    ) -> None:
        """Starts it.

        Args:
            arguments: Program and arguments.
            folder: Its working directory.
            environment: The whole of it.
            logs: Takes its output.
            error_level: Level of the lines on standard error.
            pass_fds: Descriptors that it inherits.
        """
        self._process = subprocess.Popen(
            arguments,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=pass_fds,
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._relays = [
            logs.follow(os.dup(self._process.stdout.fileno()), "info"),
            logs.follow(os.dup(self._process.stderr.fileno()), error_level),
        ]
        self._process.stdout.close()
        self._process.stderr.close()

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    def await_end(self, seconds: float | None = None) -> None:
        """Waits for the child's end, and ends what it has left behind.

        Args:
            seconds: After these it is killed; None waits for ever.
        """
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()
        self.kill()
        for relay in self._relays:
            # A grandchild in a session of its own may hold the pipes open.
            relay.join(timeout=1.0)

    def terminate(self) -> None:
        """Asks the child to end what it does, then itself."""
        self._process.terminate()

    def kill(self) -> None:
        """Ends the child at once, and all that it started: its group, which outlives it while members do."""
        # Before its first steps the child has no group of its own.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def exit_code(self) -> int:
        """Of the ended child; negative: the signal that ended it."""
        return self._process.wait()

    def ending(self) -> str:
        """How the ended child ended: `ended with exit code 3`, `was ended by signal SIGSEGV (11)`."""
        code = self.exit_code()
        if code >= 0:
            return f"ended with exit code {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = "signal"
        return f"was ended by signal {name} ({-code})"
