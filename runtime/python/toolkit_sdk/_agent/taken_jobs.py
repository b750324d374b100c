"""The platform's answer to a take → the jobs in it, their inputs still as JSON text for the process that runs them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from .json_members import members, object_members


@dataclass(frozen=True)
class TakenJob:
    """One job as it was taken."""

    id: str
    input: bytes
    """JSON."""
    attempt: str | None
    execution_timeout: float | None
    """Seconds; None when the job names none."""


def decode_taken(body: bytes) -> list[TakenJob]:
    """The jobs of an answer: one, or a list of them.

    Raises:
        ValueError: This is no answer to a take.
    """
    try:
        decoded = json.loads(body)
    except json.JSONDecodeError:
        raise
    except (RecursionError, ValueError):
        return _decode_apart(body.decode())
    jobs = cast("list[dict[str, Any]]", decoded if isinstance(decoded, list) else [decoded])
    return [_job(each, json.dumps(each.get("input")).encode()) for each in jobs]


def _decode_apart(text: str) -> list[TakenJob]:
    """An input that Python cannot read, too deep or with too long a number, harms no other job of the answer."""
    jobs = [object_members(each) for each in (members(text) if text.lstrip().startswith("[") else [text])]
    return [
        _job({name: json.loads(value) for name, value in job.items() if name != "input"}, job["input"].encode())
        for job in jobs
    ]


def _job(fields: dict[str, Any], given: bytes) -> TakenJob:
    policy: dict[str, float] = fields.get("policy") or {}
    milliseconds = policy.get("executionTimeout")
    return TakenJob(
        id=fields["id"],
        input=given,
        attempt=None if fields.get("attempt") is None else str(fields["attempt"]),
        execution_timeout=milliseconds / 1000 if milliseconds else None,
    )
