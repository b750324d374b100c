"""The threads of a worker: one that fails ends its worker, never the agent, which has others."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable

# Called with the thread's name and what it raised.
on_fault: contextvars.ContextVar[Callable[[str, BaseException], None]] = contextvars.ContextVar("on_fault")


def start_thread(name: str, work: Callable[[], None]) -> threading.Thread:
    """Starts a thread of the worker whose thread this is.

    Args:
        name: What it does, as faults name it.
        work: Its work; whatever that raises is a fault of ours.
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
