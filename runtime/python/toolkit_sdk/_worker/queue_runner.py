"""The process that runs a queue-based endpoint's function: jobs come over the link, results go back over it.

Plain functions run in threads, async ones on one event loop; generators send every yield on its way.
"""

from __future__ import annotations

import inspect
import json
import os
import queue
import signal
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from toolkit_sdk._dispatch import serve_locally
from toolkit_sdk._manifest import CODE_ROOT_VARIABLE
from toolkit_sdk._values import NotJsonError, to_json

from .binding import ArgumentError, Binder
from .failures import exception_reason, reason
from .frames import Frame, FrameLink
from .loading import LoadError, install_stubs, load_function
from .output_capture import OutputCapture, current_request
from .protocol import RESULT_BYTES
from .runner_setup import RunnerSetup, capture_output, connect

if TYPE_CHECKING:
    import asyncio


def run_queue(name: str, function: tuple[str, str, str], stubs: Mapping[str, str]) -> None:
    """Serves jobs until the supervisor ends the link. Never returns.

    Args:
        name: The endpoint's name.
        function: Module, file and name of the endpoint's function.
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
    try:
        binder = Binder(load_function(setup.code_root, *function))
    except LoadError as error:
        tell_unhealthy(link, capture, str(error), reason("LoadError", str(error)))
    except BaseException as error:
        told = exception_reason(error, setup.code_root)
        tell_unhealthy(link, capture, load_sentence(function[1], told), told)
    else:
        _Jobs(link, setup, capture, binder, running).serve()


def load_sentence(file: str, told: str) -> str:
    """One sentence for a module that cannot be loaded."""
    body = json.loads(told)
    return f"{file} cannot be loaded: {body['error_type']}: {body['error_message']}"


def tell_unhealthy(link: FrameLink, capture: OutputCapture, sentence: str, told: str) -> None:
    """Says why the function cannot be loaded, and ends the process."""
    capture.error(json.loads(told)["error_traceback"] or sentence)
    link.send("unhealthy", told.encode(), reason=sentence)
    os._exit(0)


class _Jobs:
    """The jobs of this process."""

    def __init__(
        self, link: FrameLink, setup: RunnerSetup, capture: OutputCapture, binder: Binder, running: set[str]
    ) -> None:
        self._link = link
        self._capture = capture
        self._binder = binder
        self._running = running
        self._code_root = setup.code_root
        self._threads = setup.max_concurrency
        self._process = os.getpid()
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
        self._link.send("ready")
        while (frame := self._link.receive()) is not None:
            if frame.type == "job":
                self._running.add(frame.header["id"])
                submit(frame)
            elif frame.type == "cancel":
                cancel(frame.header["id"])
        os._exit(0)

    def _on_threads(self) -> tuple[Callable[[Frame], None], Callable[[str], None]]:
        waiting: queue.SimpleQueue[Frame] = queue.SimpleQueue()

        def work() -> None:
            while True:
                self._run_plain(waiting.get())

        for number in range(self._threads):
            threading.Thread(target=work, daemon=True, name=f"job-{number}").start()
        # A thread cannot be stopped: the supervisor replaces the process.
        return waiting.put, lambda _: None

    def _on_loop(self) -> tuple[Callable[[Frame], None], Callable[[str], None]]:
        import asyncio  # Half of this process's start, and plain functions need it not.

        loop = asyncio.new_event_loop()
        tasks: dict[str, asyncio.Task[None]] = {}

        def start(frame: Frame) -> None:
            job = frame.header["id"]
            task = loop.create_task(self._run_async(frame))
            tasks[job] = task
            task.add_done_callback(lambda _: tasks.pop(job, None))

        def cancel(job: str) -> None:
            if job in tasks:
                tasks[job].cancel()

        threading.Thread(target=loop.run_forever, daemon=True, name="jobs").start()
        return (
            lambda frame: (loop.call_soon_threadsafe(start, frame), None)[1],
            lambda job: (loop.call_soon_threadsafe(cancel, job), None)[1],
        )

    def _run_plain(self, frame: Frame) -> None:
        job: str = frame.header["id"]
        token = current_request.set(job)
        try:
            args, kwargs = self._binder.bind(json.loads(frame.payload))
            result = self._binder.function(*args, **kwargs)
            if self._kind == "generator":
                chunks = _Chunks(self._link, job)
                for value in result:
                    chunks.add(value)
                self._finish(job, chunks.output(), stream=True)
            else:
                self._finish(job, _output(result), stream=False)
        except BaseException as error:
            self._fail(job, error)
        finally:
            current_request.reset(token)

    async def _run_async(self, frame: Frame) -> None:
        from asyncio import CancelledError

        job: str = frame.header["id"]
        current_request.set(job)
        try:
            args, kwargs = self._binder.bind(json.loads(frame.payload))
            if self._kind == "async-generator":
                chunks = _Chunks(self._link, job)
                async for value in self._binder.function(*args, **kwargs):
                    chunks.add(value)
                self._finish(job, chunks.output(), stream=True)
            else:
                self._finish(job, _output(await self._binder.function(*args, **kwargs)), stream=False)
        except CancelledError:
            self._end(job)
            self._answer("cancelled", id=job)
        except BaseException as error:
            self._fail(job, error)

    def _finish(self, job: str, body: bytes, *, stream: bool) -> None:
        self._end(job)
        self._answer("result", body, id=job, stream=stream)

    def _answer(self, kind: str, body: bytes = b"", **header: object) -> None:
        try:
            self._link.send(kind, body, **header)
        except OSError:
            # The function closed the link. Nobody can be answered, but the end of this process is heard.
            os._exit(1)

    def _fail(self, job: str, error: BaseException) -> None:
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
        if os.getpid() != self._process:
            os._exit(0)  # A child that the function forked and forgot; it may not answer in our name.
        self._capture.end_request(job)
        self._running.discard(job)


class ResultError(Exception):
    """A result that cannot be sent; the message is the whole reason."""


def _output(value: Any) -> bytes:
    if inspect.isgenerator(value):
        raise ResultError("output is a generator; write the function itself as a generator, or return a list.")
    return b'{"output":' + _encode(value, "output") + b"}"


def _encode(value: Any, place: str) -> bytes:
    try:
        data = to_json(value, place)
    except NotJsonError as error:
        raise ResultError(str(error)) from None
    if len(data) > RESULT_BYTES:
        raise ResultError(f"{place} has {len(data):,} bytes; a result may have {RESULT_BYTES:,}.")
    return data


class _Chunks:
    """The yields of one generator: each goes at once, all together are the job's output."""

    def __init__(self, link: FrameLink, job: str) -> None:
        self._link = link
        self._job = job
        self._encoded: list[bytes] = []
        self._size = 0

    def add(self, value: Any) -> None:
        """Sends one yield."""
        data = _encode(value, f"output[{len(self._encoded)}]")
        self._size += len(data) + 1
        if self._size > RESULT_BYTES:
            raise ResultError(f"The yields have more than {RESULT_BYTES:,} bytes together; a result may have no more.")
        self._encoded.append(data)
        self._link.send("chunk", b'{"output":' + data + b"}", id=self._job)

    def output(self) -> bytes:
        """The closing body: the list of all yields."""
        return b'{"output":[' + b",".join(self._encoded) + b"]}"
