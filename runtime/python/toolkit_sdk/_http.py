"""Runs a call's steps over HTTP with httpx, blocking or on an event loop.

The flow of a call is a generator that yields requests and receives responses. Plain and async functions share it.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine, Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True)
class Request:
    """One request of a call."""

    method: str
    url: str
    timeout: float
    """Seconds."""
    key: str | None = field(default=None, repr=False)
    body: bytes | None = None
    query: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


@dataclass(frozen=True)
class Answer:
    """The response to a request, read whole."""

    status: int
    body: bytes
    headers: dict[str, str]


class UnreachableError(Exception):
    """Nothing listens at the address, so the request certainly did not arrive."""


class BrokenError(Exception):
    """The connection broke after the request was sent, so it may have been processed."""


class OutOfTimeError(Exception):
    """The response did not arrive in time."""


@dataclass(frozen=True)
class Pause:
    """A wait before the flow continues."""

    seconds: float


# Yields requests and pauses, receives responses, returns the result.
Flow = Generator["Request | Pause", Any, Any]


def run(flow: Flow) -> Any:
    """Runs a flow to its end, blocking."""
    import time

    client = _clients.blocking()
    outcome: Answer | Exception | None = None
    while True:
        try:
            step = flow.throw(outcome) if isinstance(outcome, Exception) else flow.send(outcome)
        except StopIteration as end:
            return end.value
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            outcome = None
            continue
        try:
            outcome = _answer(client.request(**_arguments(step)))
        except Exception as error:
            outcome = _meaning(error)


def run_async(flow: Flow) -> Coroutine[Any, Any, Any]:
    """Runs a flow to its end on the running event loop."""

    async def carry() -> Any:
        client = _clients.on_loop()
        outcome: Answer | Exception | None = None
        while True:
            try:
                step = flow.throw(outcome) if isinstance(outcome, Exception) else flow.send(outcome)
            except StopIteration as end:
                return end.value
            if isinstance(step, Pause):
                await asyncio.sleep(step.seconds)
                outcome = None
                continue
            try:
                outcome = _answer(await client.request(**_arguments(step)))
            except Exception as error:
                outcome = _meaning(error)

    return carry()


def _arguments(request: Request) -> dict[str, Any]:
    headers = {} if request.key is None else {"Authorization": f"Bearer {request.key}"}
    if request.body is not None:
        headers["Content-Type"] = "application/json"
    return {
        "method": request.method,
        "url": request.url,
        "params": request.query or None,
        "content": request.body,
        "headers": headers,
        "timeout": max(request.timeout, 0.1),
    }


def _answer(response: httpx.Response) -> Answer:
    return Answer(
        response.status_code, response.content, {name.lower(): value for name, value in response.headers.items()}
    )


def _meaning(error: Exception) -> Exception:
    import httpx

    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol, httpx.InvalidURL)):
        return UnreachableError(str(error))
    if isinstance(error, httpx.TimeoutException):
        return OutOfTimeError(str(error))
    if isinstance(error, httpx.HTTPError):
        return BrokenError(str(error) or type(error).__name__)
    return error


class _Clients:
    """One client for blocking calls and one per event loop for async calls. A forked process starts with none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._blocking: httpx.Client | None = None
        self._on_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = WeakKeyDictionary()
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._blocking = None
        self._on_loop = WeakKeyDictionary()

    def blocking(self) -> httpx.Client:
        """The client for blocking calls."""
        with self._lock:
            if self._blocking is None:
                self._blocking = cast("httpx.Client", _httpx().Client(follow_redirects=False))
            return self._blocking

    def on_loop(self) -> httpx.AsyncClient:
        """The running loop's client."""
        loop = asyncio.get_running_loop()
        client = self._on_loop.get(loop)
        if client is None:
            client = self._on_loop[loop] = _httpx().AsyncClient(follow_redirects=False)
        return client


def _httpx() -> Any:
    try:
        import httpx
    except ModuleNotFoundError as error:
        from .errors import CallError

        raise CallError("Calling a deployed function needs the package httpx.", 'Run "pip install httpx".') from error
    return httpx


_clients = _Clients()
