"""A process of a worker: relays its output to the log, and ends it together with all that it started."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

from .cgroups import Cgroup
from .log_relay import LogRelay
from .spawner import Child


class ChildProcess:
    """One process with the endpoint's code. It makes itself the leader of a process group."""

    def __init__(
        self, start: Callable[[int, int], Child], *, cgroup: Cgroup | None, logs: LogRelay, error_level: str
    ) -> None:
        """Starts the process.

        Args:
            start: Starts the process, with these descriptors as standard output and standard error.
            cgroup: The process's cgroup, if it has one; removed when the process has ended.
            logs: The log that receives the output.
            error_level: Level of the lines on standard error.

        Raises:
            OSError: It cannot be started.
        """
        out, its_out = os.pipe()
        err, its_err = os.pipe()
        try:
            self._child = start(its_out, its_err)
        except OSError:
            os.close(out)
            os.close(err)
            if cgroup is not None:
                cgroup.remove()
            raise
        finally:
            os.close(its_out)
            os.close(its_err)
        self._cgroup = cgroup
        self._leaving = threading.Lock()
        """Two threads can wait for the end."""
        self.ran_out_of_memory = False
        """Whether the kernel has killed it because it exceeded its cgroup's memory limit."""
        self.was_killed = False
        """Whether the agent has killed it."""
        self._relays = [logs.follow(out, "info"), logs.follow(err, error_level)]

    @property
    def pid(self) -> int:
        """The process id."""
        return self._child.pid

    def await_end(self, seconds: float | None = None) -> None:
        """Waits for its end.

        Args:
            seconds: Seconds after which it is killed; None waits forever.
        """
        if self._child.wait(seconds) is None:
            self.kill()
            self._child.wait()
        with self._leaving:
            if self._cgroup is not None:
                self.ran_out_of_memory = self._cgroup.ran_out_of_memory()
                self._cgroup.remove()
                self._cgroup = None
        for relay in self._relays:
            relay.join(timeout=1.0)

    def wait(self, seconds: float) -> None:
        """Waits for its end, at most this many seconds."""
        self._child.wait(seconds)

    def terminate(self) -> None:
        """Asks it to finish its work and end."""
        self._child.signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kills it and all that it started."""
        self.was_killed = True
        cgroup = self._cgroup
        if cgroup is not None:
            cgroup.kill()
        self._child.kill()

    def exit_code(self) -> int:
        """The exit code of the ended process; if negative, the signal that ended it."""
        code = self._child.wait()
        assert code is not None
        return code

    def ending(self) -> str:
        """How it ended: `ended with exit code 3`, `was ended by signal SIGSEGV (11)`."""
        return ending_of(self.exit_code())

    def foreign_signal(self) -> str | None:
        """The signal from outside the agent that ended it, such as `SIGKILL (9)`; None for any other end."""
        code = self.exit_code()
        return None if code >= 0 or self.was_killed or self.ran_out_of_memory else _named(-code)


def ending_of(code: int) -> str:
    """How a process ended. A negative exit code is the signal that ended it."""
    return f"ended with exit code {code}" if code >= 0 else f"was ended by signal {_named(-code)}"


def _named(number: int) -> str:
    try:
        return f"{signal.Signals(number).name} ({number})"
    except ValueError:
        return f"number {number}"
