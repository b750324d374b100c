"""Runs programs to their end for the preparation of a worker, such as an installer of packages."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .spawner import Child, Spawner


class Done(NamedTuple):
    """How a program ended."""

    code: int
    stdout: str
    stderr: str


class Programs:
    """Runs one program after the other, until `kill`."""

    def __init__(self, spawner: Spawner) -> None:
        self._spawner = spawner
        self._lock = threading.Lock()
        self._running: Child | None = None
        self._is_killed = False

    def run(self, arguments: Sequence[str], environment: Mapping[str, str]) -> Done:
        """Runs a program.

        Args:
            arguments: Program and arguments.
            environment: The complete environment.

        Raises:
            OSError: It cannot be started, or `kill` was called.
        """
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            with self._lock:
                if self._is_killed:
                    raise InterruptedError("the worker is stopping")
                child = self._running = self._spawner.start(
                    arguments, environment=environment, stdout=out.fileno(), stderr=err.fileno()
                )
            code = child.wait()
            assert code is not None
            texts: list[str] = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read().decode("utf-8", "replace"))
            return Done(code, *texts)

    def kill(self) -> None:
        """Kills the running program, and refuses further ones."""
        with self._lock:
            self._is_killed = True
            if self._running is not None:
                self._running.kill()
