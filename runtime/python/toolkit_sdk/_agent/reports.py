"""The reports of a worker about its state: starting, importing, ready, unhealthy."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

# Most characters of a reason and of each line: a hello contains those of all workers, and must fit into one frame.
_LONGEST = 2_000


@dataclass(frozen=True)
class Report:
    """A worker's state. The platform keeps the last report of each worker."""

    state: str
    reason: str | None = None
    """Why the worker is unhealthy, in one sentence."""
    lines: list[str] = field(default_factory=list[str])
    """The last lines that an unhealthy worker printed."""
    address: str | None = None
    """Where a ready worker receives requests."""


class Reports:
    """Reports the state of one worker. Usable from any thread."""

    def __init__(self, on_report: Callable[[Report], None]) -> None:
        """Begins with a worker that is starting.

        Args:
            on_report: Called with each report, one at a time.
        """
        self._on_report = on_report
        self._lock = threading.Lock()
        self._last = Report("starting")
        self._is_started = False

    @property
    def last(self) -> Report:
        """The last report."""
        return self._last

    def renew_start(self) -> None:
        """Repeats the report of a worker that is still starting: the platform gives up a start that is not renewed."""
        with self._lock:
            if not self._is_started:
                self._on_report(self._last)

    def importing(self) -> None:
        """Reports that the user's code is being loaded, the first time only."""
        with self._lock:
            if not self._is_started:
                self._report(Report("importing"))

    def prepared(self) -> None:
        """Ends the renewals of the start: from now on the platform sees the worker's state itself."""
        with self._lock:
            self._is_started = True

    def ready(self, address: str | None = None) -> None:
        """Reports that the worker accepts work.

        Args:
            address: Where it receives requests; None if it takes jobs.
        """
        with self._lock:
            self._is_started = True
            self._report(Report("ready", address=address))

    def unhealthy(self, reason: str, lines: list[str]) -> None:
        """Reports that the worker cannot work.

        Args:
            reason: One sentence.
            lines: The last lines that the worker printed.
        """
        with self._lock:
            self._is_started = True
            self._report(Report("unhealthy", _cut(reason), [_cut(line) for line in lines]))

    def _report(self, report: Report) -> None:
        self._last = report
        self._on_report(report)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
