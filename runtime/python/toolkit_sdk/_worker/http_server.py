"""uvicorn as workers run it."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from .gate import AsgiApp


class HttpServer(uvicorn.Server):
    """Serves an application until it is told to exit."""

    def __init__(self, app: AsgiApp, on_listening: Callable[[], None]) -> None:
        """Prepares it.

        Args:
            app: What it serves.
            on_listening: Called once connections are accepted, and the application has started.
        """
        self._on_listening = on_listening
        super().__init__(
            uvicorn.Config(
                app,
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                ws="none",
                timeout_keep_alive=75,
                # Only the gateway gets through: it says who the client is.
                forwarded_allow_ips="*",
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens; see uvicorn."""
        await super().startup(sockets=sockets)
        if not self.should_exit:
            self._on_listening()
