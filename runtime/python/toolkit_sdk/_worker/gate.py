"""The gate before a load-balanced endpoint's routes: the gateway's secret, the request's id, the time it may take."""

from __future__ import annotations

import asyncio
import hmac
import json
import uuid
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.responses import Response

from .output_capture import OutputCapture, current_request
from .protocol import BLOCKED_HEADER, GATEWAY_SECRET_HEADER, REQUEST_ID_HEADER
from .runner_setup import RunnerSetup

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

_SECRET = GATEWAY_SECRET_HEADER.encode()
_REQUEST = REQUEST_ID_HEADER.encode()
_OWN_HEADERS = (_SECRET, _REQUEST)

# How long a cancelled task may take to end before its worker counts as blocked.
_CANCEL_SECONDS = 0.2


class Gate:
    """Answers health to anybody who does not name another worker's secret, all else only to who knows this worker's."""

    def __init__(
        self, app: AsgiApp, setup: RunnerSetup, capture: OutputCapture, *, goes_on: Callable[[str], bool]
    ) -> None:
        """Makes the application to serve.

        Args:
            app: The routes.
            setup: What the supervisor told.
            capture: Where prints go.
            goes_on: Whether a request's function still runs after its task was cancelled.
        """
        self._app = app
        self._goes_on = goes_on
        self._secret = (setup.gateway_secret or "").encode()
        self._timeout = setup.execution_timeout
        self._capture = capture

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        told = {name: value for name, value in headers if name in _OWN_HEADERS}
        is_known = bool(self._secret) and hmac.compare_digest(told.get(_SECRET, b""), self._secret)
        if scope["path"] == "/ping" and (is_known or _SECRET not in told):
            await Response(status_code=200)(scope, receive, send)
            return
        if not is_known:
            refusal = error_response(403, "This worker answers its gateway only.", "FORBIDDEN", hint=None)
            await refusal(scope, receive, send)
            return
        # The secret is between gateway and worker; the user's code does not see it.
        scope["headers"] = [each for each in headers if each[0] != _SECRET]
        if not any(name == b"content-type" for name, _ in headers):
            scope["headers"].append((b"content-type", b"application/json"))
        request = told.get(_REQUEST, b"").decode("latin-1") or str(uuid.uuid4())
        token = current_request.set(request)
        try:
            if self._timeout is None:
                await self._app(scope, receive, send)
            else:
                await self._answer_in_time(request, self._timeout, scope, receive, send)
        finally:
            current_request.reset(token)
            self._capture.end_request(request)

    async def _answer_in_time(self, request: str, timeout: float, scope: Scope, receive: Receive, send: Send) -> None:
        """Cancels a request that has not begun to answer in time.

        A plain function goes on in its thread: the gateway is told, and replaces this worker.
        """
        is_begun = False
        is_late = False

        async def pass_on(message: Message) -> None:
            nonlocal is_begun
            if not is_late:
                is_begun = True
                await send(message)

        task = asyncio.ensure_future(self._app(scope, receive, pass_on))
        try:
            await asyncio.wait({task}, timeout=timeout)
            if task.done() or is_begun:
                await task
                return
            is_late = True
            task.cancel()
            await asyncio.wait({task}, timeout=_CANCEL_SECONDS)
        except asyncio.CancelledError:
            task.cancel()
            raise
        task.add_done_callback(_forget)
        message = f"The function did not answer within its execution_timeout of {timeout:g} s."
        self._capture.error(message, request)
        response = error_response(504, message, "FUNCTION_TIMEOUT", hint=_TIMEOUT_HINT, request_id=request)
        if not task.done() or self._goes_on(request):
            response.headers[BLOCKED_HEADER] = "1"
        await response(scope, receive, send)


_TIMEOUT_HINT = "Raise execution_timeout of the endpoint, or do less in one request."


def error_response(status: int, message: str, code: str, **more: Any) -> Response:
    """An answer in the error shape of the toolkit."""
    body = {"error": message, "code": code, **more}
    return Response(json.dumps(body).encode(), status, media_type="application/json")


def _forget(task: asyncio.Future[None]) -> None:
    """What a cancelled request still raises belongs to nobody."""
    if not task.cancelled():
        task.exception()
