"""The process that runs a queue-based endpoint's function: receives jobs and returns results over the link.

A method is called on the one instance of its class.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping

from toolkit_sdk._dispatch import serve_locally
from toolkit_sdk._manifest import CODE_ROOT_VARIABLE

from .binding import Binder
from .failed_start import failure_sentence, report_unhealthy
from .failures import exception_reason, reason
from .job_runner import JobRunner
from .loading import LoadError, install_stubs, load_function
from .runner_setup import capture_output, connect
from .served_instance import ConstructionError, ServedInstance


def run_queue(name: str, function: tuple[str, str, str], stubs: Mapping[str, str]) -> None:
    """Serves jobs until the supervisor ends the link. Never returns.

    Args:
        name: The endpoint's name.
        function: Module, file and name of the endpoint's function; the name is `Class.method` for a method.
        stubs: Files of the dispatch stubs, by the peer's module.
    """
    link, setup = connect()
    os.environ[CODE_ROOT_VARIABLE] = setup.code_root
    running: set[str] = set()
    capture = capture_output(setup, lambda: next(iter(running)) if len(running) == 1 else None)
    # Ctrl+C in a terminal is for the supervisor, which drains the worker.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve_locally(name)
    install_stubs(setup.code_root, stubs)
    instance: ServedInstance | None = None
    try:
        if "." in function[2]:
            instance = ServedInstance(setup.code_root, *function)
            binder = Binder(instance.method)
        else:
            binder = Binder(load_function(setup.code_root, *function))
    except LoadError as error:
        report_unhealthy(link, capture, str(error), reason("LoadError", str(error)))
    except ConstructionError as error:
        why = exception_reason(error.__cause__ or error, setup.code_root)
        report_unhealthy(link, capture, failure_sentence(str(error), why), why)
    except BaseException as error:
        why = exception_reason(error, setup.code_root)
        report_unhealthy(link, capture, failure_sentence(f"{function[1]} cannot be loaded", why), why)
    else:
        JobRunner(link, setup, capture, binder, running=running, instance=instance).serve()
