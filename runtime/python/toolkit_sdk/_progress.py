"""What the user's code says about how far its job is → whoever reports it; a queue-based worker does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class _Reporter:
    """Reports the values in this process; None where no jobs run."""

    report: Callable[[object], None] | None = None


def report_progress(report: Callable[[object], None]) -> None:
    """Sets what each value of `progress` is passed to."""
    _Reporter.report = report


def progress(value: object) -> None:
    """Shows a value as the `output` of the running job until the job ends.

    Call it as often as you like, in plain and async functions, in generators and in threads that they start. At most
    four values a second are sent, and the last one always wins. A value may have 1 MB; a larger one is not shown, which
    the job's log says once.

    Outside of a job it does nothing: in scripts, in routes of load-balanced endpoints, in processes that the function
    starts. With `max_concurrency` above 1, start threads by `asyncio.to_thread` or `contextvars.copy_context().run`;
    otherwise it is not known which job they belong to.

    Args:
        value: Anything that JSON can hold, such as `0.5` or `{"done": 3, "of": 10}`. Bytes become base64 text.

    Raises:
        TypeError: JSON cannot hold the value.
    """
    if _Reporter.report is not None:
        _Reporter.report(value)
