"""The health route of what listens at a load-balanced worker's address: GET /ping, 200 when it serves."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

# Seconds between looks at a starting child's health route.
_POLL = 0.01
# And once it has not been healthy for a while.
_SLOW_POLL = 0.1
_SLOW_AFTER = 100


def await_health(
    address: str,
    is_wanted: Callable[[], bool],
    on_odd: Callable[[int], None] | None = None,
    headers: Mapping[str, str] | None = None,
) -> bool:
    """Waits until the route answers 200.

    Args:
        address: Such as `http://127.0.0.1:8000`.
        is_wanted: Ends the waiting when it says no.
        on_odd: Called with every answer that means neither healthy nor initialising (204).
        headers: Of the requests.

    Returns:
        Whether it is healthy; False when it is not wanted any more.
    """
    pause = threading.Event()
    looks = 0
    while is_wanted():
        status = _status(address, headers or {})
        if status == 200:
            return True
        if status not in (None, 204) and on_odd is not None:
            on_odd(status)
        looks += 1
        pause.wait(_POLL if looks < _SLOW_AFTER else _SLOW_POLL)
    return False


def _status(address: str, headers: Mapping[str, str]) -> int | None:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=5)
    try:
        connection.request("GET", "/ping", headers=headers)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
