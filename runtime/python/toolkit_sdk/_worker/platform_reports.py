"""What the worker says of itself: starting, ready, unhealthy; and the assignment it asks for."""

from __future__ import annotations

import json
import threading
import time

from .platform_connection import PlatformConnection
from .protocol import ORPHAN_TIMEOUT, Assignment, WorkerFacts, decode_assignment

# Seconds between reports of a start that takes long: each renews it.
STARTING_INTERVAL = 30.0


class WorkerGoneError(Exception):
    """The platform does not know this worker any more: there is nothing left to do."""


def fetch_assignment(facts: WorkerFacts, connection: PlatformConnection) -> Assignment:
    """Asks what to serve, again and again while the platform does not answer.

    Raises:
        WorkerGoneError: The platform refuses the worker, or stays silent.
    """
    url = facts.control(f"worker/{facts.worker_id}/assignment")
    deadline = time.monotonic() + ORPHAN_TIMEOUT
    while True:
        try:
            answer = connection.request("GET", url)
        except OSError as error:
            if time.monotonic() > deadline:
                raise WorkerGoneError(f"The platform at {facts.platform} does not answer: {error}.") from error
        else:
            if answer.status == 200:
                return decode_assignment(json.loads(answer.body))
            if answer.status in (401, 403, 404, 410):
                raise WorkerGoneError(f"The platform answered {answer.status} for the assignment.")
        time.sleep(0.5)


class Reports:
    """Posts the worker's state; usable from any thread."""

    def __init__(self, facts: WorkerFacts, connection: PlatformConnection) -> None:
        self._url = facts.control(f"worker/{facts.worker_id}/state")
        self._connection = connection
        self._lock = threading.Lock()
        self._started = threading.Event()
        self._stage = "starting"

    def starting(self) -> None:
        """Says so now and, until another state is said, at intervals."""
        self._post(self._stage, None, [])
        threading.Thread(target=self._keep_starting, daemon=True, name="starting").start()

    def importing(self) -> None:
        """The user's code is being loaded; says so unless another state was said before."""
        self._stage = "importing"
        self._post(self._stage, None, [])

    def prepared(self) -> None:
        """Ends the renewals of the start: what happens from now on the platform sees by itself."""
        with self._lock:
            self._started.set()

    def ready(self) -> None:
        """The worker takes work."""
        self._started.set()
        self._post("ready", None, [])

    def unhealthy(self, reason: str, lines: list[str]) -> None:
        """The worker cannot work.

        Args:
            reason: One sentence.
            lines: What the worker printed last.
        """
        self._started.set()
        self._post("unhealthy", reason, lines)

    def _keep_starting(self) -> None:
        while not self._started.wait(STARTING_INTERVAL):
            self._post(self._stage, None, [])  # Dropped when another state was said meanwhile.

    def _post(self, state: str, reason: str | None, lines: list[str]) -> None:
        body = json.dumps({"state": state, "reason": reason, "lines": lines}).encode()
        with self._lock:
            if state in ("starting", "importing") and self._started.is_set():
                return
            deadline = time.monotonic() + ORPHAN_TIMEOUT
            while time.monotonic() < deadline:
                try:
                    self._connection.request("POST", self._url, body=body, headers={"Content-Type": "application/json"})
                except OSError:
                    time.sleep(0.5)
                else:
                    return
