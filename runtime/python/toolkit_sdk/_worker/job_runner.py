"""Runs the jobs of a queue-based endpoint: plain functions in threads, async ones on one event loop.

Generators send every yield on its way.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from toolkit_sdk._progress import report_progress

from .binding import ArgumentError, Binder
from .failures import exception_reason, user_traceback
from .frames import Frame, FrameLink
from .job_ends import JobEnds
from .job_results import Chunks, ResultError, end_fork, output_of
from .output_capture import OutputCapture, current_request
from .progress_reports import ProgressReports
from .runner_setup import RunnerSetup
from .served_instance import ServedInstance

if TYPE_CHECKING:
    import asyncio


class JobRunner:
    """See the module."""

    def __init__(
        self,
        link: FrameLink,
        setup: RunnerSetup,
        capture: OutputCapture,
        binder: Binder,
        *,
        running: set[str],
        instance: ServedInstance | None,
    ) -> None:
        """Starts nothing yet.

        Args:
            link: To the agent.
            setup: What the agent told.
            capture: Turns prints into log lines.
            binder: The function, and how an input becomes its arguments.
            running: Is kept: ids of the jobs under way.
            instance: The class's one instance, when the function is a method.
        """
        self._instance = instance
        self._loop: asyncio.AbstractEventLoop | None = None
        self._link = link
        self._ends = JobEnds(link)
        self._capture = capture
        self._progress = ProgressReports(link, capture)
        self._binder = binder
        self._running = running
        self._code_root = setup.code_root
        self._threads = setup.max_concurrency
        self._process = os.getpid()
        self._cancelled: set[str] = set()
        """Jobs whose tasks were told to end; a function may also raise CancelledError of its own."""
        function = binder.function
        self._kind = (
            "coroutine"
            if inspect.iscoroutinefunction(function)
            else "async-generator"
            if inspect.isasyncgenfunction(function)
            else "generator"
            if inspect.isgeneratorfunction(function)
            else "plain"
        )

    def serve(self) -> None:
        """Takes frames until the link ends."""
        if self._kind in ("coroutine", "async-generator"):
            submit, cancel = self._on_loop()
        else:
            submit, cancel = self._on_threads()
        report_progress(self._progress.report)
        self._link.send("ready")
        while frames := self._link.receive_all():
            jobs = [frame for frame in frames if frame.type == "job"]
            ids = [frame.header["id"] for frame in jobs]
            self._running.update(ids)
            self._progress.begin(ids)
            submit(jobs)
            for frame in frames:
                if frame.type == "cancel":
                    cancel(frame.header["id"])
        self._ends.flush()
        if self._running:
            os._exit(1)  # The function closed the link: the supervisor closes it only when no job is running.
        self._close()
        os._exit(0)

    def _close(self) -> None:
        try:
            if self._instance is not None:
                self._instance.close(self._loop)
        except BaseException as error:
            self._capture.error(user_traceback(error, self._code_root))

    def _on_threads(self) -> tuple[Callable[[list[Frame]], None], Callable[[str], None]]:
        waiting: queue.SimpleQueue[Frame] = queue.SimpleQueue()

        def work() -> None:
            while True:
                try:
                    self._run_plain(waiting.get())
                except BaseException:
                    # Not even the failure could be told, for lack of memory say; the end of this process is.
                    os._exit(1)

        for number in range(self._threads):
            threading.Thread(target=work, daemon=True, name=f"job-{number}").start()

        def submit(frames: list[Frame]) -> None:
            for frame in frames:
                waiting.put(frame)

        # A thread cannot be stopped: the supervisor replaces the process.
        return submit, lambda _: None

    def _on_loop(self) -> tuple[Callable[[list[Frame]], None], Callable[[str], None]]:
        import asyncio  # Half of this process's start, and plain functions need it not.

        self._loop = loop = asyncio.new_event_loop()
        tasks: dict[str, asyncio.Task[None]] = {}

        def start(frames: list[Frame]) -> None:
            for frame in frames:
                job = frame.header["id"]
                task = tasks[job] = loop.create_task(self._run_async(frame))
                task.add_done_callback(functools.partial(ended, job))

        def ended(job: str, task: asyncio.Task[None]) -> None:
            del tasks[job]
            if task.cancelled():  # Before its first step.
                self._tell_cancelled(job)
            elif task.exception() is not None:
                os._exit(1)  # Not even the failure could be told; the end of this process is.

        def cancel(job: str) -> None:
            if job in tasks:
                self._cancelled.add(job)
                tasks[job].cancel()

        threading.Thread(target=loop.run_forever, daemon=True, name="jobs").start()
        return (
            lambda frames: (loop.call_soon_threadsafe(start, frames), None)[1],
            lambda job: (loop.call_soon_threadsafe(cancel, job), None)[1],
        )

    def _run_plain(self, frame: Frame) -> None:
        job: str = frame.header["id"]
        token = current_request.set(job)
        try:
            args, kwargs = self._binder.bind(_input(frame))
            result = self._binder.function(*args, **kwargs)
            if self._kind == "generator":
                chunks = Chunks(self._link, job, self._process)
                for value in result:
                    chunks.add(value)
                self._finish(job, chunks.output(), stream=True)
            else:
                self._finish(job, output_of(result), stream=False)
        except BaseException as error:
            self._fail(job, error)
        finally:
            current_request.reset(token)

    async def _run_async(self, frame: Frame) -> None:
        from asyncio import CancelledError

        job: str = frame.header["id"]
        current_request.set(job)
        try:
            args, kwargs = self._binder.bind(_input(frame))
            if self._kind == "async-generator":
                chunks = Chunks(self._link, job, self._process)
                async for value in self._binder.function(*args, **kwargs):
                    chunks.add(value)
                self._finish(job, chunks.output(), stream=True)
            else:
                self._finish(job, output_of(await self._binder.function(*args, **kwargs)), stream=False)
        except CancelledError as error:
            if job not in self._cancelled:
                self._fail(job, error)
                return
            self._tell_cancelled(job)
        except BaseException as error:
            self._fail(job, error)

    def _finish(self, job: str, body: bytes, *, stream: bool) -> None:
        self._end(job)
        self._answer("result", body, id=job, stream=stream)

    def _tell_cancelled(self, job: str) -> None:
        self._cancelled.discard(job)
        self._end(job)
        self._answer("cancelled", id=job)

    def _answer(self, kind: str, body: bytes = b"", **header: Any) -> None:
        self._ends.add(Frame({"type": kind, **header}, body))
        self._running.discard(header["id"])

    def _fail(self, job: str, error: BaseException) -> None:
        end_fork(self._process)
        if isinstance(error, (ArgumentError, ResultError)):
            told = str(error)
            self._capture.error(told, job)
        else:
            told = exception_reason(error, self._code_root)
            self._capture.error(json.loads(told)["error_traceback"] or told, job)
        self._end(job)
        body = json.dumps({"error": told}).encode()
        self._answer("result", body, id=job, stream=self._kind in ("generator", "async-generator"))

    def _end(self, job: str) -> None:
        end_fork(self._process)
        self._progress.end(job)
        self._capture.end_request(job)


def _input(frame: Frame) -> Any:
    try:
        return json.loads(frame.payload.decode())
    except RecursionError:
        raise ArgumentError("The input is nested too deeply for Python to read.") from None
    except ValueError:
        # The platform has checked that it is JSON.
        raise ArgumentError(
            "The input has a number of too many digits for Python to read; send it as a string."
        ) from None
