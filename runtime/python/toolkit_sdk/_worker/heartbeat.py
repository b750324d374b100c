"""Keeps the platform told that this worker lives and which jobs it holds, and notices when the platform is gone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from urllib.parse import urlencode

from .platform_connection import Contact, PlatformConnection
from .protocol import JOBS_UNKNOWN, ORPHAN_TIMEOUT, WorkerFacts


class Heartbeat:
    """Pings in a thread of its own, so that nothing the user's code does can lapse a lease."""

    def __init__(
        self,
        facts: WorkerFacts,
        contact: Contact,
        *,
        jobs: Callable[[], list[str] | None],
        on_orphaned: Callable[[], None],
    ) -> None:
        """Prepares the thread.

        Args:
            facts: Addresses and interval.
            contact: When the platform last answered.
            jobs: Ids of the jobs held now; None when they are not known.
            on_orphaned: Called once, when the platform has not answered for `ORPHAN_TIMEOUT` seconds.
        """
        self._facts = facts
        self._contact = contact
        self._jobs = jobs
        self._on_orphaned = on_orphaned
        self._connection = PlatformConnection(facts.platform, facts.token, contact)
        self._thread = threading.Thread(target=self._run, daemon=True, name="heartbeat")

    def start(self) -> None:
        """Sends the first ping soon, then one in every interval."""
        self._thread.start()

    def _run(self) -> None:
        pause = threading.Event()
        while True:
            try:
                self._connection.request("GET", self._url(), timeout=self._facts.ping_interval)
            except OSError:
                if self._contact.silent_for() > ORPHAN_TIMEOUT:
                    self._on_orphaned()
                    return
            pause.wait(self._facts.ping_interval)

    def _url(self) -> str:
        url = self._facts.ping_url
        jobs = self._jobs()
        if jobs is not None and len(jobs) == 0:
            return url
        told = JOBS_UNKNOWN if jobs is None else {"job_id": ",".join(jobs)}
        return url + ("&" if "?" in url else "?") + urlencode(told)
