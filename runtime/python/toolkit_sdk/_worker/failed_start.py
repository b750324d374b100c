"""A function that cannot be loaded: what the agent and the log are told, before the process ends."""

from __future__ import annotations

import json
import os

from .frames import FrameLink
from .output_capture import OutputCapture


def failure_sentence(what: str, told: str) -> str:
    """One sentence for what cannot be loaded or made, and its structured reason."""
    body = json.loads(told)
    return f"{what}: {body['error_type']}: {body['error_message']}"


def tell_unhealthy(link: FrameLink, capture: OutputCapture, sentence: str, told: str) -> None:
    """Says why the function cannot be loaded, and ends the process."""
    capture.error(json.loads(told)["error_traceback"] or sentence)
    link.send("unhealthy", told.encode(), reason=sentence)
    os._exit(0)
