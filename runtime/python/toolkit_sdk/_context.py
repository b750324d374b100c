"""Where a call goes: app, environment, platform and key, read from the process's environment and the project."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._project import app_name, dotenv, project_root, toolkit_home
from .errors import CallError

DEFAULT_ENVIRONMENT = "production"
CREDENTIALS_FILE = "the credentials file"
"""A source of keys, for messages."""
_START = 'Run "toolkit platform start".'


@dataclass(frozen=True)
class AppContext:
    """All that a call needs to know, except the function."""

    app: str
    environment: str
    platform: str
    """Base URL, without a trailing slash."""
    key: str = field(repr=False)
    key_source: str
    """Where the key came from, for messages: `PLATFORM_API_KEY`, `.env`, the credentials file."""
    instance: str | None
    """The embedded platform's instance id. If `GET /` returns another one, the address belongs to another program."""


def app_context(endpoint: str, file: str | None) -> AppContext:
    """The context of a call.

    Args:
        endpoint: The endpoint's name, for messages.
        file: The declaring module's file; None on workers, whose environment has all of the context.

    Raises:
        CallError: The app is unknown, or there is no platform or no key to use.
    """
    root = None if file is None else project_root(file)
    project = {} if root is None else dotenv(root)
    app = _setting("TOOLKIT_APP", project) or (app_name(root) if root is not None else None)
    if app is None:
        if file is None:
            raise CallError(
                f'The app of the endpoint "{endpoint}" is unknown.',
                'Use "toolkit dev", or set TOOLKIT_APP and TOOLKIT_ENV.',
            )
        raise CallError(
            f'The app of the endpoint "{endpoint}" is unknown: {file} is not in a project.',
            'Move the file into a project, use "toolkit dev", or set TOOLKIT_APP and TOOLKIT_ENV.',
        )
    environment = _setting("TOOLKIT_ENV", project) or DEFAULT_ENVIRONMENT
    platform, key, source, instance = _platform_and_key(project)
    _require_sendable(key, source)
    return AppContext(app, environment, platform, key, source, instance)


def _setting(name: str, project: Mapping[str, str]) -> str | None:
    return os.environ.get(name) or project.get(name) or None


def _platform_and_key(project: Mapping[str, str]) -> tuple[str, str, str, str | None]:
    own_key = _usable_key(os.environ.get("PLATFORM_API_KEY"))
    project_key = _usable_key(project.get("PLATFORM_API_KEY"))
    platform = os.environ.get("PLATFORM_API_URL")
    instance = None
    if not platform and project.get("PLATFORM_API_URL"):
        platform = project["PLATFORM_API_URL"].rstrip("/")
        if project_key is None:
            raise CallError(
                f"The project's .env sets PLATFORM_API_URL to {platform} but no PLATFORM_API_KEY, "
                "so your own key was not sent there.",
                "If you trust that address, set PLATFORM_API_URL in your environment, or put the key into the same "
                ".env.",
            )
        return platform, project_key, "PLATFORM_API_KEY in the project's .env", None
    if not platform:
        platform, instance = _embedded_platform()
    platform = platform.rstrip("/")
    if own_key is not None:
        return platform, own_key, "the environment variable PLATFORM_API_KEY", instance
    if project_key is not None:
        return platform, project_key, "PLATFORM_API_KEY in the project's .env", instance
    kept = _usable_key(_kept_key(platform))
    if kept is None:
        raise CallError(
            f"There is no key for the platform at {platform}.",
            'Set PLATFORM_API_KEY in the environment or in .env, or run "toolkit login".',
        )
    return platform, kept, CREDENTIALS_FILE, instance


def _usable_key(key: str | None) -> str | None:
    """The key without spaces around it; None for an empty one or a placeholder of `.env.example` (`<…>`)."""
    key = (key or "").strip()
    return None if not key or (key.startswith("<") and key.endswith(">")) else key


def _require_sendable(key: str, source: str) -> None:
    """Refuses a key that no header can carry. Sending it would fail with a message that shows the key."""
    if not all("!" <= letter <= "~" for letter in key):
        raise CallError(
            f"The value of {source} is not a key: it contains a space, a line break or a character that is not ASCII.",
            repair_of(source),
        )


def repair_of(source: str) -> str:
    """What to do about a wrong key."""
    return 'Store a new one with "toolkit login".' if source == CREDENTIALS_FILE else "Check PLATFORM_API_KEY."


def _embedded_platform() -> tuple[str, str]:
    """URL and instance of the platform on this machine. Does not check that it is running."""
    record = _read_json(toolkit_home() / "platform.json")
    if record is None:
        raise CallError("No platform is running on this machine, and PLATFORM_API_URL is not set.", _START)
    return record["url"], record["instance"]


def _kept_key(platform: str) -> str | None:
    kept = _read_json(toolkit_home() / "credentials.json") or {}
    for address, entry in kept.items():
        if address.rstrip("/") == platform:
            return entry["key"]
    return None


def _read_json(path: Path) -> dict[str, Any] | None:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    try:
        return json.loads(text)
    except ValueError as error:
        raise CallError(
            f"{path} cannot be read as JSON: {error}.",
            'Delete it. "toolkit platform start" and "toolkit login" create it again.',
        ) from error
