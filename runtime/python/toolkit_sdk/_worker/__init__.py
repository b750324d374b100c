"""The worker: `python -m toolkit_sdk._worker` supervises; the handlers that the build makes call these two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def serve_queue(
    name: str, function: tuple[str, str, str], stubs: Mapping[str, str], variables: Sequence[str] = ()
) -> None:
    """Runs the jobs of a queue-based endpoint until the supervisor says no more.

    Args:
        name: The endpoint's name.
        function: Module, file and name of its function.
        stubs: Modules of peers → their dispatch stubs' files, relative to the artifact's root.
        variables: What the project's declarations read of the environment at deploy.
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
    """Serves the routes of a load-balanced endpoint until the supervisor says no more.

    Args:
        name: The endpoint's name.
        routes: Method, path, module, file and function of each.
        stubs: Modules of peers → their dispatch stubs' files, relative to the artifact's root.
        variables: What the project's declarations read of the environment at deploy.
    """
    from toolkit_sdk._variables import declare_variables

    from .load_balanced_runner import run_load_balanced

    declare_variables(variables)
    run_load_balanced(name, routes, stubs)
