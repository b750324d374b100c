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

    Call it as often as you like. It works in plain and async functions, in generators, and in threads that they start.
    At most four values per second are sent; a newer value replaces one that is waiting. A value can be up to 1 MB. A
    larger one is not shown, and the job's log has one warning about it.

    Outside a job it does nothing: in scripts, in routes of load-balanced endpoints, and in processes that the
    function starts. With `max_concurrency` above 1, start threads with `asyncio.to_thread` or
    `contextvars.copy_context().run`; otherwise their values are not shown.

    Args:
        value: Anything that can be converted to JSON, such as `0.5` or `{"done": 3, "of": 10}`. Bytes become base64
            text.

    Raises:
        TypeError: The value cannot be converted to JSON.
    """
    if _Reporter.report is not None:
        _Reporter.report(value)
