"""The process that serves a load-balanced endpoint: FastAPI binds parameters, uvicorn listens for the gateway."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import NoReturn

from toolkit_sdk._dispatch import serve_locally
from toolkit_sdk._manifest import CODE_ROOT_VARIABLE

from .failed_start import failure_sentence, report_unhealthy
from .failures import exception_reason, reason, user_traceback
from .frames import FrameLink
from .listening import address_of
from .loading import LoadError, install_stubs, load_function
from .output_capture import OutputCapture
from .runner_setup import capture_output, connect

# Imported late, so that a failed import is reported as a failed start.
_NEEDED = (
    "anyio._backends._asyncio",
    "toolkit_sdk._worker.http_server",
    "toolkit_sdk._worker.load_balanced_app",
    "uvicorn.lifespan.on",
    "uvicorn.loops.asyncio",
    "uvicorn.protocols.http.h11_impl",
)


def run_load_balanced(name: str, routes: Sequence[tuple[str, str, str, str, str]], stubs: Mapping[str, str]) -> None:
    """Serves until the supervisor ends the process. Never returns.

    Args:
        name: The endpoint's name.
        routes: Method, path, module, file and function of each route.
        stubs: Files of the dispatch stubs, by the peer's module.
    """
    link, setup = connect(_NEEDED)
    os.environ[CODE_ROOT_VARIABLE] = setup.code_root
    capture = capture_output(setup, lambda: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve_locally(name)
    install_stubs(setup.code_root, stubs)
    file = ""
    try:
        from .load_balanced_app import LoadBalancedApp

        app = LoadBalancedApp(setup, capture)
        for method, path, module, file, function in routes:
            app.add_route(method, path, load_function(setup.code_root, module, file, function))
        served = app.finished()
    except LoadError as error:
        report_unhealthy(link, capture, str(error), reason("LoadError", str(error)))
    except BaseException as error:
        why = exception_reason(error, setup.code_root)
        report_unhealthy(link, capture, failure_sentence(f"{file or 'The worker'} cannot be loaded", why), why)
    else:
        threading.Thread(target=_end_with_link, args=(link,), daemon=True, name="link").start()
        from .http_server import HttpServer

        listener = setup.listener
        assert listener is not None
        server = HttpServer(
            served,
            on_listening=lambda: link.send("ready", address=address_of(listener)),
            on_loop_ended=lambda: _end(capture, _LOOP_ENDED),
        )
        try:
            server.run(sockets=[listener])
        except BaseException as error:
            _end(capture, user_traceback(error, setup.code_root))
        sys.stdout.flush()
        os._exit(0)


_LOOP_ENDED = (
    "The event loop on which this worker serves its requests has ended; a function must not stop or close it, and must "
    "not exit in a task of its own."
)


def _end(capture: OutputCapture, why: str) -> NoReturn:
    """Ends this process without waiting for the threads of plain functions. The supervisor starts another one."""
    capture.error(why)
    os._exit(1)


def _end_with_link(link: FrameLink) -> None:
    while link.receive() is not None:
        pass
    os._exit(0)
