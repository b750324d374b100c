"""What a worker says of itself: starting, importing, ready, unhealthy."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

# Characters of a reason, and of each line: a hello has those of all workers, and is one frame.
_LONGEST = 2_000


@dataclass(frozen=True)
class Report:
    """The platform keeps the last one."""

    state: str
    reason: str | None = None
    """One sentence, of an unhealthy worker."""
    lines: list[str] = field(default_factory=list[str])
    """What an unhealthy worker printed last."""
    address: str | None = None
    """Where a ready worker is sent requests."""


class Reports:
    """The state of one worker; usable from any thread."""

    def __init__(self, tell: Callable[[Report], None]) -> None:
        """Begins with a worker that is starting.

        Args:
            tell: Called with each report, one at a time.
        """
        self._tell = tell
        self._lock = threading.Lock()
        self._last = Report("starting")
        self._is_started = False

    @property
    def last(self) -> Report:
        """What was said last."""
        return self._last

    def renew_start(self) -> None:
        """Says once more that the worker starts, while it does: a start that is not renewed is given up."""
        with self._lock:
            if not self._is_started:
                self._tell(self._last)

    def importing(self) -> None:
        """The user's code is being loaded; said of the first load only."""
        with self._lock:
            if not self._is_started:
                self._say(Report("importing"))

    def prepared(self) -> None:
        """Ends the renewals of the start: what happens from now on the platform sees by itself."""
        with self._lock:
            self._is_started = True

    def ready(self, address: str | None = None) -> None:
        """The worker takes work.

        Args:
            address: Where it is sent requests; None: it asks for its work.
        """
        with self._lock:
            self._is_started = True
            self._say(Report("ready", address=address))

    def unhealthy(self, reason: str, lines: list[str]) -> None:
        """The worker cannot work.

        Args:
            reason: One sentence.
            lines: What the worker printed last.
        """
        with self._lock:
            self._is_started = True
            self._say(Report("unhealthy", _cut(reason), [_cut(line) for line in lines]))

    def _say(self, report: Report) -> None:
        self._last = report
        self._tell(report)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
