"""Reports a function that cannot be loaded to the agent and the log, before the process ends."""

from __future__ import annotations

import json
import os

from .frames import FrameLink
from .output_capture import OutputCapture


def failure_sentence(what: str, reason: str) -> str:
    """The sentence about a failed start.

    Args:
        what: What failed, such as `app.py cannot be loaded`.
        reason: The structured reason.
    """
    body = json.loads(reason)
    return f"{what}: {body['error_type']}: {body['error_message']}"


def report_unhealthy(link: FrameLink, capture: OutputCapture, sentence: str, reason: str) -> None:
    """Reports why the function cannot be loaded, and ends the process.

    Args:
        link: The link to the agent.
        capture: Writes the traceback to the log.
        sentence: Why the worker is unhealthy.
        reason: The structured reason that its jobs fail with.
    """
    capture.error(json.loads(reason)["error_traceback"] or sentence)
    link.send("unhealthy", reason.encode(), reason=sentence)
    os._exit(0)
