"""Compiles the modules in the node's cache in the background: workers load byte code but never write it."""

from __future__ import annotations

import os
import queue
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import Path

from .spawner import Spawner

# Seconds before a compilation starts, so that the workers that need it start first.
_DELAY = 3.0
# Runs in the endpoint's Python, since byte code depends on the version. Errors in a module show where it is imported.
_PROGRAM = """
import compileall, ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
os.nice(19)
compileall.compile_dir(sys.argv[1], quiet=2)
"""


class ByteCode:
    """Compiles folders one after the other, each once."""

    def __init__(self, spawner: Spawner) -> None:
        self._spawner = spawner
        self._lock = threading.Lock()
        self._known: set[tuple[str, Path]] = set()
        self._wanted: queue.SimpleQueue[tuple[str, Path, float]] = queue.SimpleQueue()

    def want(self, python: str, folders: Iterable[Path]) -> None:
        """Compiles the modules in the folders soon. Modules with current byte code are skipped.

        Args:
            python: The interpreter that will load the byte code.
            folders: Folders of the cache; their files never change.
        """
        with self._lock:
            is_first = not self._known
            for folder in folders:
                if (python, folder) not in self._known:
                    self._known.add((python, folder))
                    self._wanted.put((python, folder, time.monotonic() + _DELAY))
            if is_first and self._known:
                threading.Thread(target=self._compile_all, daemon=True, name="byte code").start()

    def _compile_all(self) -> None:
        while True:
            python, folder, at = self._wanted.get()
            time.sleep(max(0.0, at - time.monotonic()))
            self._compile(python, folder)

    def _compile(self, python: str, folder: Path) -> None:
        with tempfile.TemporaryFile() as output:
            try:
                child = self._spawner.start(
                    [python, "-I", "-S", "-c", _PROGRAM, str(folder)],
                    environment=os.environ,
                    stdout=output.fileno(),
                    stderr=output.fileno(),
                )
            except OSError:
                return  # Workers run without byte code.
            child.wait()
