"""The uvicorn server of load-balanced workers."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable

import uvicorn

from .gate import AsgiApp


class HttpServer(uvicorn.Server):
    """Serves an application until `should_exit` is set."""

    def __init__(self, app: AsgiApp, on_listening: Callable[[], None], on_loop_ended: Callable[[], None]) -> None:
        """Prepares the server.

        Args:
            app: The application to serve.
            on_listening: Called once the application has started and connections are accepted.
            on_loop_ended: Called if the application's own code has ended the event loop.
        """
        self._on_listening = on_listening
        self._on_loop_ended = on_loop_ended
        logging.getLogger("uvicorn.error").addFilter(_is_not_of_broken_answer)
        super().__init__(
            uvicorn.Config(
                app,
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                ws="none",
                timeout_keep_alive=75,
                # Only the gateway can connect, so its headers about the client are trusted.
                forwarded_allow_ips="*",
            )
        )

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serves until `should_exit` is set; overrides uvicorn's method."""
        try:
            await super().serve(sockets=sockets)
        except asyncio.CancelledError:
            # Only asyncio itself cancels this, and then waits for all requests, whose threads may never end.
            self._on_loop_ended()
            raise

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts listening; overrides uvicorn's method."""
        await super().startup(sockets=sockets)
        if not self.should_exit:
            self._on_listening()


def _is_not_of_broken_answer(record: logging.LogRecord) -> bool:
    """The application has logged why a response broke off."""
    return record.msg != "ASGI callable returned without completing response."
