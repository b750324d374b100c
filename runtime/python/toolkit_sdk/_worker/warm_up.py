"""Serves one request, so that the modules that the first request of a process needs are already loaded.

Loading the modules for the first route and the first request of a process takes 75 ms. The route is async, so that no
thread is started.
"""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress

from .gate import AsgiApp
from .http_server import HttpServer
from .load_balanced_app import LoadBalancedApp
from .output_capture import OutputCapture
from .runner_setup import RunnerSetup

_SECRET = "warm-up"
_BODY = b'{"item":{"name":"a"},"count":1}'
_REQUEST = (
    b"POST /warm-up HTTP/1.1\r\nhost: worker\r\ncontent-type: application/json\r\nconnection: close\r\n"
    b"x-toolkit-gateway-secret: " + _SECRET.encode() + b"\r\ncontent-length: " + str(len(_BODY)).encode() + b"\r\n\r\n"
)


async def _route(item: dict[str, str], count: int = 0) -> dict[str, object]:
    return {"item": item, "count": count}


def warm_up() -> None:
    """Builds an application, and handles a request over a local socket.

    Raises:
        ImportError: FastAPI, uvicorn or one of their dependencies is missing.
    """
    setup = RunnerSetup(
        worker="",
        code_root=os.sep,
        sdk=os.sep,
        dependencies=None,
        base_layer=None,
        max_concurrency=1,
        execution_timeout=60,
        listener=None,
        gateway_secret=_SECRET,
        live=False,
    )
    capture = OutputCapture("", lambda: None)
    try:
        app = LoadBalancedApp(setup, capture)
        app.add_route("POST", "/warm-up", _route)
        # An error here also occurs in the worker, which reports it.
        with suppress(Exception):
            asyncio.run(_serve_one(app.finished()))
    finally:
        capture.close()


async def _serve_one(app: AsgiApp) -> None:
    listening = socket.socket(socket.AF_UNIX)
    listening.bind("")  # The kernel chooses an abstract name.
    listening.listen()
    server = HttpServer(app, lambda: None, lambda: None)
    serving = asyncio.ensure_future(server.serve(sockets=[listening]))
    with socket.socket(socket.AF_UNIX) as client:
        client.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(client, listening.getsockname())
        await loop.sock_sendall(client, _REQUEST + _BODY)
        while await asyncio.wait_for(loop.sock_recv(client, 65_536), timeout=10):
            pass
    server.should_exit = True
    await serving
