"""The process that runs a queue-based endpoint's function: jobs come over the link, results go back over it.

A method runs on the one instance of its class.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping

from toolkit_sdk._dispatch import serve_locally
from toolkit_sdk._manifest import CODE_ROOT_VARIABLE

from .binding import Binder
from .failed_start import failure_sentence, tell_unhealthy
from .failures import exception_reason, reason
from .job_runner import JobRunner
from .loading import LoadError, install_stubs, load_function
from .runner_setup import capture_output, connect
from .served_instance import ConstructionError, ServedInstance


def run_queue(name: str, function: tuple[str, str, str], stubs: Mapping[str, str]) -> None:
    """Serves jobs until the supervisor ends the link. Never returns.

    Args:
        name: The endpoint's name.
        function: Module, file and name of the endpoint's function; a method's is `Class.method`.
        stubs: Peers' modules → their stubs' files.
    """
    link, setup = connect()
    os.environ[CODE_ROOT_VARIABLE] = setup.code_root
    running: set[str] = set()
    capture = capture_output(setup, lambda: next(iter(running)) if len(running) == 1 else None)
    # A terminal's Ctrl+C goes to the supervisor, which drains.
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
        tell_unhealthy(link, capture, str(error), reason("LoadError", str(error)))
    except ConstructionError as error:
        told = exception_reason(error.__cause__ or error, setup.code_root)
        tell_unhealthy(link, capture, failure_sentence(str(error), told), told)
    except BaseException as error:
        told = exception_reason(error, setup.code_root)
        tell_unhealthy(link, capture, failure_sentence(f"{function[1]} cannot be loaded", told), told)
    else:
        JobRunner(link, setup, capture, binder, running=running, instance=instance).serve()
