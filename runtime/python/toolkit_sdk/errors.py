"""Exceptions that a call of a deployed function can raise."""

from __future__ import annotations


class CallError(RuntimeError):
    """The call could not be made, or the function did not respond: unknown app, wrong key or address, network failure.

    Attributes:
        hint: What to do next; None when the message says everything.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message if hint is None else f"{message} {hint}")
        self.hint = hint


class CallTimeoutError(CallError, TimeoutError):
    """The call timed out. The job itself continues.

    Attributes:
        job_id: The id of the job, which is still waiting or running; None if it is not known, or for a route.
    """

    def __init__(self, message: str, hint: str | None = None, job_id: str | None = None) -> None:
        super().__init__(message, hint)
        self.job_id = job_id


class RemoteError(RuntimeError):
    """The deployed function or its job failed. If the worker returned a traceback, the text ends with it.

    Attributes:
        error_type: The exception's class on the worker, such as `ValueError`.
        message: The exception's message.
        traceback: The traceback from the worker; empty if the endpoint does not return it.
        endpoint: The endpoint's name.
        job_id: The id of the job, or of the request of a load-balanced endpoint.
    """

    def __init__(self, error_type: str, message: str, traceback: str, endpoint: str, job_id: str | None) -> None:
        super().__init__(error_type, message, traceback, endpoint, job_id)
        self.error_type = error_type
        self.message = message
        self.traceback = traceback
        self.endpoint = endpoint
        self.job_id = job_id

    def __str__(self) -> str:
        where = f'endpoint "{self.endpoint}"' + (f", job {self.job_id}" if self.job_id else "")
        text = f"{self.error_type}: {self.message} ({where})"
        return f"{text}\n\nOn the worker:\n{self.traceback.rstrip()}" if self.traceback.strip() else text
