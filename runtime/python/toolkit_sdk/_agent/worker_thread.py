"""Starts the threads of a worker. A thread that fails ends its worker, but not the agent, which has other workers."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable

# Called with the name of the thread and the exception that it raised.
on_fault: contextvars.ContextVar[Callable[[str, BaseException], None]] = contextvars.ContextVar("on_fault")


def start_thread(name: str, work: Callable[[], None]) -> threading.Thread:
    """Starts a thread of the worker that the calling thread belongs to.

    Args:
        name: The thread's name, for error messages.
        work: The thread's work. Any exception that it raises is a bug, and ends the worker.
    """
    context = contextvars.copy_context()

    def run() -> None:
        try:
            context.run(work)
        except BaseException as error:
            context[on_fault](name, error)

    thread = threading.Thread(target=run, daemon=True, name=name)
    thread.start()
    return thread
