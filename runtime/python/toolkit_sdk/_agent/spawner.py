"""Starts the agent's children on its main thread, and learns of their ends.

On the main thread, because the kernel ends a child with the *thread* that made it. The processes with user code adopt
what their own children leave behind (sub-reapers), so a process that comes to the agent without being known belonged to
one that has ended: it is ended too, whatever its session or environment.
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
# Seconds in which what an ended child left is ended, before the child's end is told.
_LEFT_OVERS_SECONDS = 1.0
_LOOK_AGAIN = 0.002


class Child:
    """A process that the agent has started."""

    def __init__(self, pid: int, process: subprocess.Popen[bytes] | None = None) -> None:
        self.pid = pid
        """The process id; after `wait` it may be another's."""
        self._process = process  # Kept: collected before its end, subprocess would take the exit status for itself.
        self._ended = threading.Event()
        self._code = 0

    def wait(self, seconds: float | None = None) -> int | None:
        """Waits for the end of it and of all that it started.

        Returns:
            The exit code, negative: the signal that ended it; None when the seconds have passed before.
        """
        return self._code if self._ended.wait(seconds) else None

    def signal(self, number: int) -> None:
        """Sends it a signal; one that has ended gets none."""
        if not self._ended.is_set():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Ends it at once; what it started ends with it."""
        if self._ended.is_set():
            return
        # Before its first steps the child has no group of its own.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self.signal(signal.SIGKILL)

    def reap(self) -> bool:
        """Takes the exit status, on the main thread; whether there is one."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0:
            return False
        self._code = os.waitstatus_to_exitcode(status)
        if self._process is not None:
            self._process.returncode = self._code
        return True

    def tell_end(self) -> None:
        """Wakes who waits."""
        self._ended.set()


class Spawner:
    """See the module."""

    def __init__(self, open_files: int) -> None:
        """Makes this process the one that orphans below it come to; on the main thread.

        Args:
            open_files: How many files a child may have open, unless it asks for more.
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
        """Starts a process; from any thread.

        Args:
            arguments: Program and arguments.
            folder: Its working directory; None: the agent's.
            environment: The whole of it.
            stdout: Descriptor that becomes its standard output.
            stderr: Descriptor that becomes its standard error.
            pass_fds: Descriptors that it inherits beside.

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
        """Takes over a process that becomes an orphan below this one; from any thread.

        Args:
            fork: Makes it, and returns its process id when its parent has ended. On the main thread, which would take
                the orphan for a left-over if it looked in between.

        Raises:
            OSError: What `fork` raises.
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
            except ValueError as error:  # Such as a NUL in a variable.
                made.put(OSError(str(error)))
                return
            self._children[child.pid] = child
            made.put(child)

        self._requests.put(on_main)
        with contextlib.suppress(BlockingIOError):  # It is awake anyway.
            os.write(self._wake, b"\0")
        answer = made.get()
        if isinstance(answer, OSError):
            raise answer
        return answer

    def run(self) -> None:
        """The main thread's work: never returns."""
        while True:
            select.select([self._wake_end], [], [])
            os.read(self._wake_end, 4096)
            while not self._requests.empty():
                self._requests.get()()
            ended = [child for child in self._children.values() if child.reap()]
            for child in ended:
                del self._children[child.pid]
            self._end_left_overs()
            for child in ended:
                child.tell_end()

    def _end_left_overs(self) -> None:
        """Ends what came to the agent from children that have ended, and what comes from those in turn."""
        deadline = time.monotonic() + _LEFT_OVERS_SECONDS
        while left := [pid for pid in _children_of_this_process() if pid not in self._children]:
            for pid in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
            if time.monotonic() > deadline:
                return  # Held by the kernel; its end wakes the main thread again.
            time.sleep(_LOOK_AGAIN)


def _children_of_this_process() -> list[int]:
    found: list[int] = []
    for task in os.listdir("/proc/self/task"):
        # A thread may have ended meanwhile.
        with (
            contextlib.suppress(FileNotFoundError, ProcessLookupError),
            open(f"/proc/self/task/{task}/children") as file,
        ):
            found += map(int, file.read().split())
    return found
