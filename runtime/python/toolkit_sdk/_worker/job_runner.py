"""Runs the jobs of a queue-based endpoint: plain functions in threads, async functions on one event loop.

Each yield of a generator is sent at once.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import threading
from typing import TYPE_CHECKING, Any

from toolkit_sdk._progress import report_progress

from .binding import ArgumentError, Binder
from .failures import exception_reason, user_traceback
from .frames import Frame, FrameLink
from .job_results import Chunks, ResultError, end_fork, output_of
from .output_capture import OutputCapture, current_request
from .progress_reports import ProgressReports
from .runner_setup import RunnerSetup
from .served_instance import ServedInstance

if TYPE_CHECKING:
    import asyncio


class JobRunner:
    """Receives jobs over the link, runs the function, and sends the results back."""

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
        """Prepares the runner. Starts nothing yet.

        Args:
            link: The link to the agent.
            setup: The settings from the agent.
            capture: Turns prints into log lines.
            binder: Holds the function, and binds inputs to its arguments.
            running: Ids of the running jobs. The runner keeps this set up to date.
            instance: The class's one instance, if the function is a method.
        """
        self._instance = instance
        self._loop: asyncio.AbstractEventLoop | None = None
        self._link = link
        self._capture = capture
        self._progress = ProgressReports(link, capture)
        self._binder = binder
        self._running = running
        self._answering = threading.Lock()
        """Held while a response is sent."""
        self._code_root = setup.code_root
        self._threads = setup.max_concurrency
        self._process = os.getpid()
        self._cancelled: set[str] = set()
        """Jobs whose tasks were cancelled. A function can also raise CancelledError itself."""
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
        """Runs jobs until the link ends."""
        report_progress(self._progress.report)
        if self._kind in ("coroutine", "async-generator"):
            self._serve_on_loop()
        else:
            self._serve_on_threads()
        with self._answering:
            is_idle = not self._running
        if not is_idle:
            os._exit(1)  # The function has closed the link: the supervisor closes it only when no job is running.
        self._close()
        os._exit(0)

    def _close(self) -> None:
        try:
            if self._instance is not None:
                self._instance.close(self._loop)
        except BaseException as error:
            self._capture.error(user_traceback(error, self._code_root))

    def _serve_on_threads(self) -> None:
        reading = threading.Lock()

        def next_job() -> Frame | None:
            # A free thread reads the link itself, because passing a job to it would take longer than a short function.
            with reading:
                while (frame := self._link.receive()) is not None:
                    # "cancel" is ignored, because a thread cannot be stopped. The supervisor replaces the process.
                    if frame.type == "job":
                        self._begin([frame])
                        return frame
            return None

        def work() -> None:
            try:
                while (job := next_job()) is not None:
                    self._run_plain(job)
            except BaseException:
                # Not even the failure could be reported, for example because memory is exhausted. The supervisor
                # handles the end of this process.
                os._exit(1)

        for number in range(self._threads):
            threading.Thread(target=work, daemon=True, name=f"job-{number}").start()
        self._link.send("ready")
        self._link.await_end()

    def _serve_on_loop(self) -> None:
        import asyncio  # Late: it takes half of the process's start time, and plain functions do not need it.

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
                self._report_cancelled(job)
            elif task.exception() is not None:
                os._exit(1)  # Not even the failure could be reported. The supervisor handles the end of this process.

        def cancel(job: str) -> None:
            if job in tasks:
                self._cancelled.add(job)
                tasks[job].cancel()

        threading.Thread(target=self._run_loop, args=(loop,), daemon=True, name="jobs").start()
        self._link.send("ready")
        while frames := self._link.receive_all():
            jobs = [frame for frame in frames if frame.type == "job"]
            self._begin(jobs)
            loop.call_soon_threadsafe(start, jobs)
            for frame in frames:
                if frame.type == "cancel":
                    loop.call_soon_threadsafe(cancel, frame.header["id"])

    def _run_loop(self, loop: asyncio.AbstractEventLoop) -> None:
        """Runs the loop until the user's code ends it. Without a loop no job can end, so this ends the process too."""
        while True:
            try:
                loop.run_forever()
            except (SystemExit, KeyboardInterrupt):
                continue  # Raised by a task of the user's code. Only what awaits that task fails.
            except BaseException as error:
                self._capture.error(user_traceback(error, self._code_root))
            self._capture.error(
                "The event loop on which this worker runs its jobs has ended; a function must not stop or close it."
            )
            os._exit(1)

    def _begin(self, jobs: list[Frame]) -> None:
        ids = [job.header["id"] for job in jobs]
        self._running.update(ids)
        self._progress.begin(ids)

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
            self._report_cancelled(job)
        except BaseException as error:
            self._fail(job, error)

    def _finish(self, job: str, body: bytes, *, stream: bool) -> None:
        self._end(job)
        self._answer("result", body, id=job, stream=stream)

    def _report_cancelled(self, job: str) -> None:
        self._cancelled.discard(job)
        self._end(job)
        self._answer("cancelled", id=job)

    def _answer(self, kind: str, body: bytes = b"", **header: Any) -> None:
        with self._answering:
            # Before the response is sent: the supervisor may end the link as soon as it has the response.
            self._running.discard(header["id"])
            try:
                self._link.send(kind, body, **header)
            except OSError:
                os._exit(1)  # The function has closed the link.

    def _fail(self, job: str, error: BaseException) -> None:
        end_fork(self._process)
        if isinstance(error, (ArgumentError, ResultError)):
            reason = str(error)
            self._capture.error(reason, job)
        else:
            reason = exception_reason(error, self._code_root)
            self._capture.error(json.loads(reason)["error_traceback"] or reason, job)
        self._end(job)
        body = json.dumps({"error": reason}).encode()
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
        # The platform has already checked that it is JSON.
        raise ArgumentError(
            "The input has a number with too many digits for Python to read; send it as a string."
        ) from None
