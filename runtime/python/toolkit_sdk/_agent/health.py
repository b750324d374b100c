"""Polls the health route of a load-balanced worker: GET /ping, which returns 200 when the worker is healthy."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

# Seconds between requests to a starting child's health route.
_POLL = 0.01
# Seconds between requests after the first `_SLOW_AFTER` of them.
_SLOW_POLL = 0.1
_SLOW_AFTER = 100


def await_health(
    address: str,
    is_wanted: Callable[[], bool],
    on_unexpected: Callable[[int], None] | None = None,
    headers: Mapping[str, str] | None = None,
) -> bool:
    """Waits until the route returns 200.

    Args:
        address: Base URL, such as `http://127.0.0.1:8000`.
        is_wanted: Ends the wait when it returns False.
        on_unexpected: Called with each status that means neither healthy (200) nor initializing (204).
        headers: Headers of the requests.

    Returns:
        Whether the worker is healthy; False when it is no longer wanted.
    """
    pause = threading.Event()
    looks = 0
    while is_wanted():
        status = _status(address, headers or {})
        if status == 200:
            return True
        if status not in (None, 204) and on_unexpected is not None:
            on_unexpected(status)
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
