"""Looks up an endpoint's id, kind and URL by name at the platform's state manager, and caches them for 300 seconds."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from ._context import CREDENTIALS_FILE, AppContext, repair_of
from ._http import Answer, BrokenError, OutOfTimeError, Request, UnreachableError
from .errors import CallError

CACHE_SECONDS = 300.0
_QUERY = (
    "query($app:String!,$environment:String!,$name:String!)"
    "{endpoint(app:$app,environment:$environment,name:$name){id kind url}}"
)


@dataclass(frozen=True)
class Location:
    """Where an endpoint can be called."""

    id: str
    kind: str
    """`queue` or `load-balanced`."""
    url: str


class Locations:
    """The locations that this process has looked up.

    Args:
        clock: A monotonic clock, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: dict[tuple[str, str, str, str], tuple[Location, float]] = {}
        self._lock = threading.Lock()

    def find(
        self, context: AppContext, name: str, timeout: float, *, fresh: bool = False
    ) -> Generator[Request, Answer, tuple[Location, bool]]:
        """The endpoint's location, and whether it came from the cache.

        Args:
            context: App, environment, platform and key.
            name: The endpoint's name.
            timeout: Seconds that the lookup may take.
            fresh: Whether to look it up again, because the cached location failed.

        Raises:
            CallError: The platform does not answer, refuses the key, or has no such endpoint.
        """
        key = (context.platform, context.app, context.environment, name)
        with self._lock:
            kept = self._kept.get(key)
        if not fresh and kept is not None and self._clock() - kept[1] < CACHE_SECONDS:
            return kept[0], True
        location = yield from _ask(context, name, timeout)
        with self._lock:
            self._kept[key] = (location, self._clock())
        return location, False


def _ask(context: AppContext, name: str, timeout: float) -> Generator[Request, Answer, Location]:
    if context.instance is not None:
        yield from _check_identity(context, timeout)
    variables = {"app": context.app, "environment": context.environment, "name": name}
    body = json.dumps({"query": _QUERY, "variables": variables}).encode()
    try:
        answer = yield Request("POST", f"{context.platform}/graphql", min(timeout, 10.0), context.key, body)
    except (UnreachableError, BrokenError, OutOfTimeError) as error:
        raise unreachable(context, error) from error
    if answer.status in (401, 403):
        raise key_rejected(context)
    reply = _json_object(answer, context)
    errors: list[dict[str, Any]] = reply.get("errors") or []
    if errors:
        more: dict[str, str | None] = errors[0].get("extensions") or {}
        raise CallError(errors[0]["message"], more.get("hint"))
    data: dict[str, Any] = reply.get("data") or {}
    found: dict[str, str] | None = data.get("endpoint")
    if found is None:
        raise CallError(
            f'No endpoint "{name}" is deployed in the app "{context.app}", environment "{context.environment}".',
            f'Run "toolkit deploy --env {context.environment}", or set TOOLKIT_APP and TOOLKIT_ENV.',
        )
    return Location(found["id"], found["kind"], found["url"].rstrip("/"))


def _check_identity(context: AppContext, timeout: float) -> Generator[Request, Answer, None]:
    """Checks that the embedded platform still listens at its address: no other program must get the key."""
    try:
        answer = yield Request("GET", f"{context.platform}/", min(timeout, 5.0))
    except (UnreachableError, BrokenError, OutOfTimeError) as error:
        raise unreachable(context, error) from error
    if answer.status != 200 or _json_object(answer, context).get("instance") != context.instance:
        raise unreachable(context, None)


def unreachable(context: AppContext, error: Exception | None) -> CallError:
    """The platform does not respond."""
    why = f" ({error})" if error is not None and str(error) else ""
    if context.instance is not None:
        return CallError(
            f"The embedded platform does not respond at {context.platform}{why}.", 'Run "toolkit platform start".'
        )
    return CallError(f"The platform at {context.platform} cannot be reached{why}.", "Check PLATFORM_API_URL.")


def key_rejected(context: AppContext) -> CallError:
    """The platform does not know the key."""
    if context.instance is not None and context.key_source != CREDENTIALS_FILE:
        return CallError(
            f"The key from {context.key_source} is not a key of the embedded platform at {context.platform}.",
            "Unset PLATFORM_API_KEY, or set PLATFORM_API_URL to the platform that the key belongs to.",
        )
    # The embedded platform creates its missing key whenever it starts.
    restart = 'Run "toolkit platform stop" and "toolkit platform start", then try again.'
    return CallError(
        f"The platform at {context.platform} rejected the key from {context.key_source}.",
        repair_of(context.key_source) if context.instance is None else restart,
    )


def _json_object(answer: Answer, context: AppContext) -> dict[str, Any]:
    reply: Any = None
    with suppress(ValueError):
        reply = json.loads(answer.body)
    if not isinstance(reply, dict):
        raise CallError(
            f"The response from {context.platform} (status {answer.status}) is not from a platform: it is not a JSON "
            "object.",
            "Check PLATFORM_API_URL.",
        )
    return cast("dict[str, Any]", reply)
