"""The worker: `python -m toolkit_sdk._worker` supervises; the handlers that the build makes call these two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def serve_queue(name: str, function: tuple[str, str, str], stubs: Mapping[str, str]) -> None:
    """Runs the jobs of a queue-based endpoint until the supervisor says no more.

    Args:
        name: The endpoint's name.
        function: Module, file and name of its function.
        stubs: Modules of peers → their dispatch stubs' files, relative to the artifact's root.
    """
    from .queue_runner import run_queue

    run_queue(name, function, stubs)


def serve_load_balanced(name: str, routes: Sequence[tuple[str, str, str, str, str]], stubs: Mapping[str, str]) -> None:
    """Serves the routes of a load-balanced endpoint until the supervisor says no more.

    Args:
        name: The endpoint's name.
        routes: Method, path, module, file and function of each.
        stubs: Modules of peers → their dispatch stubs' files, relative to the artifact's root.
    """
    from .load_balanced_runner import run_load_balanced

    run_load_balanced(name, routes, stubs)
