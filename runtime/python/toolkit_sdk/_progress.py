"""Passes the progress values of the user's code to the reporter, which queue-based workers set."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class _Reporter:
    """Reports the values in this process; None in processes that run no jobs."""

    report: Callable[[object], None] | None = None


def report_progress(report: Callable[[object], None]) -> None:
    """Sets the function that receives each value of `progress`."""
    _Reporter.report = report


def progress(value: object) -> None:
    """Shows a value as the `output` of the running job until the job ends.

    Call it as often as you like: in plain and async functions, in generators, and in threads that they start. At most
    four values per second are sent, and the last one always wins. A value can be up to 1 MB. A larger one is not shown,
    and the job's log has one warning about it.

    Outside of a job it does nothing: in scripts, in routes of load-balanced endpoints, and in processes that the
    function starts. With `max_concurrency` above 1, start threads with `asyncio.to_thread` or
    `contextvars.copy_context().run`; otherwise their job is unknown.

    Args:
        value: Anything that JSON can hold, such as `0.5` or `{"done": 3, "of": 10}`. Bytes become base64 text.

    Raises:
        TypeError: JSON cannot hold the value.
    """
    if _Reporter.report is not None:
        _Reporter.report(value)
