"""Starts the agent's children on its main thread, and collects their exit codes.

On the main thread, because the kernel kills a child when the *thread* that started it ends (PR_SET_PDEATHSIG).
Processes with user code adopt the orphans below them (as sub-reapers). So a process that the agent adopts without
knowing it was started by a child that has ended, and is killed too, whatever its session or environment.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import queue
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from .open_files import lower_limit

_PR_SET_CHILD_SUBREAPER = 36
# Seconds for killing the processes that an ended child has left, before the child counts as ended.
_LEFTOVERS_SECONDS = 1.0
_LOOK_AGAIN = 0.002


class Child:
    """A process that the agent has started."""

    def __init__(self, pid: int, process: subprocess.Popen[bytes] | None = None) -> None:
        self.pid = pid
        """The process id. After `wait`, another process may have it."""
        self._process = process  # Kept alive: if it were garbage-collected, subprocess would reap the process itself.
        self._ended = threading.Event()
        self._code = 0

    def wait(self, seconds: float | None = None) -> int | None:
        """Waits for the end of the process and of all that it started.

        Returns:
            The exit code; if negative, the signal that ended it. None if the time is over first.
        """
        return self._code if self._ended.wait(seconds) else None

    def signal(self, number: int) -> None:
        """Sends it a signal, unless it has ended."""
        if not self._ended.is_set():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Kills it. The spawner then kills all that it started."""
        if self._ended.is_set():
            return
        # Suppressed: just after its start, the child does not have a process group of its own yet.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self.signal(signal.SIGKILL)

    def reap(self) -> bool:
        """Collects the exit status, on the main thread. Returns whether the process has ended."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0:
            return False
        self._code = os.waitstatus_to_exitcode(status)
        if self._process is not None:
            self._process.returncode = self._code
        return True

    def notify_end(self) -> None:
        """Wakes the threads that wait for the end."""
        self._ended.set()


class Spawner:
    """Starts processes from any thread; `run` is the main thread's work."""

    def __init__(self, open_files: int) -> None:
        """Makes this process adopt the orphans below it; on the main thread.

        Args:
            open_files: How many files a child may have open, unless it raises its limit.
        """
        self._open_files = open_files
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
        self._requests: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._children: dict[int, Child] = {}
        self._wake_end, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)

    def start(
        self,
        arguments: Sequence[str],
        *,
        folder: Path | None = None,
        environment: Mapping[str, str],
        stdout: int,
        stderr: int,
        pass_fds: Sequence[int] = (),
    ) -> Child:
        """Starts a process. Callable from any thread.

        Args:
            arguments: Program and arguments.
            folder: Its working directory; None for the agent's.
            environment: The complete environment.
            stdout: Descriptor that becomes its standard output.
            stderr: Descriptor that becomes its standard error.
            pass_fds: Further descriptors that it inherits.

        Raises:
            OSError: It cannot be started.
        """

        def spawn() -> Child:
            process = subprocess.Popen(
                arguments,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                pass_fds=pass_fds,
            )
            lower_limit(process.pid, self._open_files)
            return Child(process.pid, process)

        return self._make(spawn)

    def adopt(self, fork: Callable[[], int]) -> Child:
        """Takes over a process that becomes an orphan below this one. Callable from any thread.

        Args:
            fork: Makes the process, and returns its id once its parent has ended. Runs on the main thread, so that the
                main thread cannot see the orphan before it is known, and kill it.

        Raises:
            OSError: `fork` raised it.
        """
        return self._make(lambda: Child(fork()))

    def _make(self, make: Callable[[], Child]) -> Child:
        made: queue.SimpleQueue[Child | OSError] = queue.SimpleQueue()

        def on_main() -> None:
            try:
                child = make()
            except OSError as error:
                made.put(error)
                return
            except ValueError as error:  # For example, a variable contains a NUL.
                made.put(OSError(str(error)))
                return
            self._children[child.pid] = child
            made.put(child)

        self._requests.put(on_main)
        with contextlib.suppress(BlockingIOError):  # The pipe is full, so the main thread is awake anyway.
            os.write(self._wake, b"\0")
        answer = made.get()
        if isinstance(answer, OSError):
            raise answer
        return answer

    def run(self) -> None:
        """Serves requests and collects ended children, on the main thread. Never returns."""
        while True:
            select.select([self._wake_end], [], [])
            os.read(self._wake_end, 4096)
            while not self._requests.empty():
                self._requests.get()()
            ended = [child for child in self._children.values() if child.reap()]
            for child in ended:
                del self._children[child.pid]
            self._kill_leftovers()
            for child in ended:
                child.notify_end()

    def _kill_leftovers(self) -> None:
        """Kills the processes that the agent has adopted from ended children, until there are no more."""
        deadline = time.monotonic() + _LEFTOVERS_SECONDS
        while left := [pid for pid in _children_of_this_process() if pid not in self._children]:
            for pid in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
            if time.monotonic() > deadline:
                return  # The kernel holds the process; its end will wake the main thread.
            time.sleep(_LOOK_AGAIN)


def _children_of_this_process() -> list[int]:
    found: list[int] = []
    for task in os.listdir("/proc/self/task"):
        # Suppressed: a thread may have ended in the meantime.
        with (
            contextlib.suppress(FileNotFoundError, ProcessLookupError),
            open(f"/proc/self/task/{task}/children") as file,
        ):
            found += map(int, file.read().split())
    return found
