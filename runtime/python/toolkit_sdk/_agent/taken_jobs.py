"""Reads the jobs in the platform's response to a take. Inputs stay JSON text, for the process that runs the job."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from .json_members import members, object_members


@dataclass(frozen=True)
class TakenJob:
    """One job that the worker has taken."""

    id: str
    input: bytes
    """JSON."""
    attempt: str | None
    execution_timeout: float | None
    """Seconds; None if the job has no timeout of its own."""


def decode_taken(body: bytes) -> list[TakenJob]:
    """The jobs in a response, which is one job or a list of jobs.

    Raises:
        ValueError: It is not a response to a take.
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
    """Reads each job without its input, so that an input that Python cannot read does not affect the other jobs.

    Python cannot read JSON that is too deep, or numbers that are too long.
    """
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
