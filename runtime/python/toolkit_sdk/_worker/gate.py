"""The gate before a load-balanced endpoint's routes: the gateway's secret, and each request's id and time limit."""

from __future__ import annotations

import asyncio
import hmac
import json
import uuid
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.responses import Response

from .output_capture import OutputCapture, current_request
from .protocol import (
    AWAITED_REQUEST_HEADER,
    BLOCKED_HEADER,
    GATEWAY_SECRET_HEADER,
    REQUEST_ID_HEADER,
    REQUEST_NUMBER_HEADER,
)
from .runner_setup import RunnerSetup

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

_SECRET = GATEWAY_SECRET_HEADER.encode()
_REQUEST = REQUEST_ID_HEADER.encode()
_NUMBER = REQUEST_NUMBER_HEADER.encode()
_AWAITED = AWAITED_REQUEST_HEADER.encode()
_OWN_HEADERS = (_SECRET, _REQUEST, _NUMBER, _AWAITED)
# The user's code must not see them: they are between the gateway and the worker.
_HIDDEN_HEADERS = (_SECRET, _NUMBER)

# Seconds that a cancelled task may take to end before its worker counts as blocked.
_CANCEL_SECONDS = 0.2


class Gate:
    """Passes on only requests with the worker's secret. Health requests get a response without a secret too."""

    def __init__(
        self, app: AsgiApp, setup: RunnerSetup, capture: OutputCapture, *, goes_on: Callable[[str], bool]
    ) -> None:
        """Makes the application to serve.

        Args:
            app: The application with the routes.
            setup: The settings from the agent.
            capture: Writes the log.
            goes_on: Returns whether a request's function is still running after its task was cancelled.
        """
        self._app = app
        self._goes_on = goes_on
        self._secret = (setup.gateway_secret or "").encode()
        self._timeout = setup.execution_timeout
        self._capture = capture
        # By the gateway's number of the request.
        self._running: dict[bytes, _Running] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        own = {name: value for name, value in headers if name in _OWN_HEADERS}
        is_known = bool(self._secret) and hmac.compare_digest(own.get(_SECRET, b""), self._secret)
        if scope["path"] == "/ping" and (is_known or _SECRET not in own):
            response = Response(status_code=200)
            if is_known and await self._is_blocked_at_end(own.get(_AWAITED)):
                response.headers[BLOCKED_HEADER] = "1"
            await response(scope, receive, send)
            return
        if not is_known:
            refusal = error_response(403, "This worker only accepts requests from its gateway.", "FORBIDDEN", hint=None)
            await refusal(scope, receive, send)
            return
        scope["headers"] = [each for each in headers if each[0] not in _HIDDEN_HEADERS]
        if not any(name == b"content-type" for name, _ in headers):
            scope["headers"].append((b"content-type", b"application/json"))
        request = own.get(_REQUEST, b"").decode("latin-1") or str(uuid.uuid4())
        token = current_request.set(request)
        number = own.get(_NUMBER)
        running = _Running(request, send)
        if number is not None:
            self._running[number] = running
        try:
            if self._timeout is None:
                await self._app(scope, receive, running.send)
            else:
                await self._answer_in_time(running, self._timeout, scope, receive)
        except Exception:  # noqa: S110
            # The application has logged it. A response that is not complete now breaks off.
            pass
        finally:
            current_request.reset(token)
            self._capture.end_request(request)
            running.ended.set()
            # Otherwise the gateway may still ask, until it has replaced this worker.
            # A request that the gateway has sent again has the same number.
            if number is not None and not running.is_blocked and self._running.get(number) is running:
                del self._running[number]

    async def _is_blocked_at_end(self, number: bytes | None) -> bool:
        """Waits until a request has ended, and returns whether its function still runs after its time."""
        running = None if number is None else self._running.get(number)
        if running is None:
            return False
        await running.ended.wait()
        return running.is_blocked

    async def _answer_in_time(self, running: _Running, timeout: float, scope: Scope, receive: Receive) -> None:
        """Cancels a request if its response has not begun in time.

        A plain function keeps running in its thread. The response's header reports that to the gateway, which then
        replaces this worker.
        """
        task = asyncio.ensure_future(self._app(scope, receive, running.send))
        try:
            await asyncio.wait({task}, timeout=timeout)
            if task.done() or running.is_begun:
                await task
                return
            running.is_late = True
            task.cancel()
            await asyncio.wait({task}, timeout=_CANCEL_SECONDS)
        except asyncio.CancelledError:
            task.cancel()
            raise
        task.add_done_callback(_forget)
        message = f"The function did not respond within its execution_timeout of {timeout:g} s."
        self._capture.error(message, running.id)
        response = error_response(504, message, "FUNCTION_TIMEOUT", hint=_TIMEOUT_HINT, request_id=running.id)
        running.is_blocked = not task.done() or self._goes_on(running.id)
        if running.is_blocked:
            response.headers[BLOCKED_HEADER] = "1"
        await response(scope, receive, running.answer)


class _Running:
    """A request in progress."""

    def __init__(self, request: str, answer: Send) -> None:
        self.id = request
        self.answer = answer
        self.ended = asyncio.Event()
        self.is_begun = False
        # Whether its time is over, so that nothing of its own response is sent.
        self.is_late = False
        self.is_blocked = False

    async def send(self, message: Message) -> None:
        """Sends a part of the response."""
        if self.is_late:
            return
        self.is_begun = True
        await self.answer(message)


_TIMEOUT_HINT = "Raise execution_timeout of the endpoint, or do less in one request."


def error_response(status: int, message: str, code: str, **more: Any) -> Response:
    """A response in the toolkit's format for errors."""
    body = {"error": message, "code": code, **more}
    return Response(json.dumps(body).encode(), status, media_type="application/json")


def _forget(task: asyncio.Future[None]) -> None:
    """Retrieves the exception of a cancelled request, so that asyncio does not log it."""
    if not task.cancelled():
        task.exception()
