"""The declaration: `Endpoint(...)` as a decorator on one function, or as an instance whose routes decorate many.

Declaring does nothing but wrap: no network, no files. The toolkit reads declarations without running them and reports
mistakes in them with their place, so only values of a wrong kind are refused here.
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

    Queue-based, a class with one public method; each worker makes one instance before its first job, and calls its
    `close()`, if it has one, when it stops:

        @Endpoint(name="model", gpu=GpuGroup.ANY)
        class Model:
            def __init__(self) -> None:
                self.weights = load()

            def predict(self, text: str) -> dict: ...

    Calling a declared function runs it on its endpoint and returns its result; inside the endpoint itself it is
    called directly. `Model().predict("fine")` does the same: elsewhere than on its endpoint `Model()` runs no
    `__init__` and loads nothing. What was decorated is reached as `__wrapped__`.

    Args:
        name: Name of the endpoint, unique in the app. A queue-based endpoint without one takes the name of its
            function or class.
        gpu: Group or model of GPU; `GpuGroup.ANY` when neither gpu nor cpu is given.
        cpu: CPU-only instance such as `cpu5c-4-8`; not together with gpu.
        workers: Fewest and most workers, or the most alone.
        idle_timeout: Seconds that an idle worker stays.
        dependencies: Packages to install at build time.
        env: Environment variables of the workers. Values read with `os.environ[...]` or `os.getenv(...)` are filled in
            at deploy.
        image: Runtime image in place of the toolkit's own.
        gpu_count: GPUs per worker.
        execution_timeout: Seconds that one job may run; of a load-balanced endpoint until its answer begins, which
            may take 5.5 minutes when this is not given.
        max_concurrency: Jobs that one worker runs at once, or requests: those are not limited when this is not given.
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
        """Makes the function, or the class with its one public method, this queue-based endpoint's.

        Raises:
            TypeError: It is neither, or the class has no or several public methods, or needs arguments.
        """
        target = Target(endpoint=self.name or getattr(function, "__name__", ""), route=None)
        if not isinstance(function, type):
            return dispatching(function, target)
        from ._class_form import dispatching_class

        return dispatching_class(cast("type[Any]", function), target)

    def get(self, path: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Serves the function at GET `path`; parameters come from path and query."""
        return self._route("GET", path)

    def post(self, path: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Serves the function at POST `path`; parameters come from path and JSON body."""
        return self._route("POST", path)

    def put(self, path: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Serves the function at PUT `path`; parameters come from path and JSON body."""
        return self._route("PUT", path)

    def patch(self, path: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Serves the function at PATCH `path`; parameters come from path and JSON body."""
        return self._route("PATCH", path)

    def delete(self, path: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Serves the function at DELETE `path`; parameters come from path and query."""
        return self._route("DELETE", path)

    def _route(self, method: str, path: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        def decorate(function: Callable[P, R]) -> Callable[P, R]:
            return dispatching(function, Target(endpoint=self.name or "", route=(method, path)))

        return decorate

    def __repr__(self) -> str:
        return f"Endpoint({self.name!r})"
