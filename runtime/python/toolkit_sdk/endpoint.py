"""The declaration: `Endpoint(...)` as a decorator of one function, or as an instance with several routes.

A declaration only wraps the function: no network, no files. The toolkit reads declarations without running them and
reports mistakes with their location, so only a name that is not a string is rejected here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar, cast, overload

from ._dispatch import Target, dispatching
from .hardware import CpuInstanceType, GpuGroup, GpuType

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=type[Any])


class Endpoint:
    """One serverless endpoint.

    Queue-based, one function:

        @Endpoint(name="sentiment", gpu=GpuGroup.ANY, dependencies=["vaderSentiment"])
        def sentiment(text: str) -> dict: ...

    Load-balanced, many routes:

        api = Endpoint(name="api", cpu="cpu5c-4-8")

        @api.post("/analyze")
        def analyze(text: str) -> dict: ...

    Queue-based, a class with one public method. Each worker creates one instance before its first job. If the class has
    a method `close()`, the worker calls it when it stops:

        @Endpoint(name="model", gpu=GpuGroup.ANY)
        class Model:
            def __init__(self) -> None:
                self.weights = load()

            def predict(self, text: str) -> dict: ...

    Calling a declared function runs it on its endpoint and returns its result. On the endpoint itself, the function is
    called directly. `Model().predict("fine")` works the same way: outside its endpoint, `Model()` does not run
    `__init__` and loads nothing. The original function or class is available as `__wrapped__`.

    Args:
        name: Name of the endpoint. Required for a load-balanced endpoint; otherwise, defaults to the name of the
            function or class. Several load-balanced declarations can have the same name and then form one endpoint.
            Otherwise, names must be unique in the project.
        gpu: GPU group or type. Defaults to `GpuGroup.ANY` if neither gpu nor cpu is given.
        cpu: CPU-only instance such as `cpu5c-4-8`. Cannot be combined with gpu.
        workers: Minimum and maximum number of workers, or only the maximum.
        idle_timeout: Seconds without a job or request after which a worker is stopped.
        dependencies: Packages to install at build time.
        env: Environment variables of the workers. Values read with `os.environ[...]` or `os.getenv(...)` are filled in
            when you deploy.
        image: Container image for the workers. The embedded platform does not support it yet.
        gpu_count: GPUs per worker.
        execution_timeout: Maximum run time of one job, in seconds. On a load-balanced endpoint: maximum time until the
            first byte of the response, by default 5.5 minutes (330).
        max_concurrency: Jobs or requests that one worker runs at once. Requests are not limited by default.
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        gpu: GpuGroup | GpuType | None = None,
        cpu: str | CpuInstanceType | None = None,
        workers: tuple[int, int] | int = (0, 3),
        idle_timeout: int = 60,
        dependencies: list[str] | tuple[str, ...] | None = None,
        env: Mapping[str, str | None] | None = None,
        image: str | None = None,
        gpu_count: int = 1,
        execution_timeout: float = 600,
        max_concurrency: int = 1,
    ) -> None:
        if name is not None and not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"Endpoint's name must be a string, not {name!r}; write @Endpoint() above a function.")
        self.name = name
        self.gpu = gpu
        self.cpu = cpu
        self.workers = (0, workers) if isinstance(workers, int) else workers
        self.idle_timeout = idle_timeout
        self.dependencies = list(dependencies or ())
        self.env = dict(env or {})
        self.image = image
        self.gpu_count = gpu_count
        self.execution_timeout = execution_timeout
        self.max_concurrency = max_concurrency

    @overload
    def __call__(self, function: C) -> C: ...
    @overload
    def __call__(self, function: Callable[P, R]) -> Callable[P, R]: ...
    def __call__(self, function: Any) -> Any:
        """Declares the queue-based endpoint that runs this function, or the one public method of this class.

        Raises:
            TypeError: It is neither a function nor a class, or the class does not have exactly one public method, or
                its constructor requires arguments.
        """
        target = Target(endpoint=self.name or getattr(function, "__name__", ""), route=None)
        if not isinstance(function, type):
            return dispatching(function, target)
        from ._class_form import dispatching_class

        return dispatching_class(cast("type[Any]", function), target)

    def get(self, path: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Serves the function at GET `path`. Parameters come from the path and the query."""
        return self._route("GET", path)

    def post(self, path: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Serves the function at POST `path`. Parameters come from the path and the JSON body."""
        return self._route("POST", path)

    def put(self, path: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Serves the function at PUT `path`. Parameters come from the path and the JSON body."""
        return self._route("PUT", path)

    def patch(self, path: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Serves the function at PATCH `path`. Parameters come from the path and the JSON body."""
        return self._route("PATCH", path)

    def delete(self, path: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Serves the function at DELETE `path`. Parameters come from the path and the query."""
        return self._route("DELETE", path)

    def _route(self, method: str, path: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        def decorate(function: Callable[P, R]) -> Callable[P, R]:
            return dispatching(function, Target(endpoint=self.name or "", route=(method, path)))

        return decorate

    def __repr__(self) -> str:
        return f"Endpoint({self.name!r})"
