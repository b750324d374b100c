"""The process that runs the user's code. The handlers that the build makes call one of these two functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def serve_queue(
    name: str, function: tuple[str, str, str], stubs: Mapping[str, str], variables: Sequence[str] = ()
) -> None:
    """Runs the jobs of a queue-based endpoint until the supervisor ends the link.

    Args:
        name: The endpoint's name.
        function: Module, file and name of its function.
        stubs: Files of the dispatch stubs, relative to the artifact's root, by the peer's module.
        variables: Environment variables that the project's declarations read at deploy.
    """
    from toolkit_sdk._variables import declare_variables

    from .queue_runner import run_queue

    declare_variables(variables)
    run_queue(name, function, stubs)


def serve_load_balanced(
    name: str,
    routes: Sequence[tuple[str, str, str, str, str]],
    stubs: Mapping[str, str],
    variables: Sequence[str] = (),
) -> None:
    """Serves the routes of a load-balanced endpoint until the supervisor ends the process.

    Args:
        name: The endpoint's name.
        routes: Method, path, module, file and function of each route.
        stubs: Files of the dispatch stubs, relative to the artifact's root, by the peer's module.
        variables: Environment variables that the project's declarations read at deploy.
    """
    from toolkit_sdk._variables import declare_variables

    from .load_balanced_runner import run_load_balanced

    declare_variables(variables)
    run_load_balanced(name, routes, stubs)
