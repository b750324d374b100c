"""Finds the project of a script: its root folder, its app name and its `.env`."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, cast

# A folder with one of these is a project's root.
ROOT_MARKERS = ("pyproject.toml", "requirements.txt", ".toolkit", ".git")


def toolkit_home() -> Path:
    """TOOLKIT_HOME, or `~/.toolkit` if it is not set."""
    return Path(os.environ.get("TOOLKIT_HOME") or Path.home() / ".toolkit").absolute()


def project_root(file: str) -> Path | None:
    """The nearest folder above the file that is a project's root; None if there is none.

    The toolkit's own home folder does not count as a marker, and the user's home folder is never a root.
    """
    home = Path.home().resolve()
    state = toolkit_home().resolve()
    for folder in Path(file).resolve().parents:
        if folder == home:
            continue
        if any((folder / marker).exists() and (folder / marker).resolve() != state for marker in ROOT_MARKERS):
            return folder
    return None


def app_name(root: Path) -> str:
    """`[tool.toolkit] app` in pyproject.toml, else its `[project] name`, else the folder's name."""
    try:
        text = (root / "pyproject.toml").read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return root.name
    config = _parse(text)
    for table, key in ((("tool", "toolkit"), "app"), (("project",), "name")):
        found: Any = config
        for part in table:
            found = cast("dict[str, Any]", found).get(part) if isinstance(found, dict) else None
        value = cast("dict[str, Any]", found).get(key) if isinstance(found, dict) else None
        if isinstance(value, str) and value:
            return value
    return root.name


def _parse(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib

        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            return {}
    return read_names(text)


_TABLE = re.compile(r"^\s*\[\s*([A-Za-z0-9_.\- \"']+?)\s*\]\s*(?:#.*)?$")
_STRING = re.compile(r"""^\s*(app|name)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*(?:#.*)?$""")


def read_names(text: str) -> dict[str, Any]:
    """The two names in a pyproject.toml, for Python 3.10, which cannot read TOML.

    Understands only plain tables and plain strings, which is how these two are written.
    """
    found: dict[str, Any] = {}
    table = ""
    for line in text.splitlines():
        header = _TABLE.match(line)
        if header:
            table = re.sub(r"[\s\"']", "", header[1])
            continue
        entry = _STRING.match(line)
        if entry and (table, entry[1]) == ("project", "name"):
            found["project"] = {"name": entry[2] or entry[3]}
        elif entry and (table, entry[1]) == ("tool.toolkit", "app"):
            found["tool"] = {"toolkit": {"app": entry[2] or entry[3]}}
    return found


_VARIABLE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$")
_QUOTED = re.compile(r"""^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*(?:#.*)?$""")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def dotenv(root: Path) -> dict[str, str]:
    """The variables in the project's `.env`: `NAME=value`, with optional quotes and `export`. `#` begins a comment."""
    try:
        text = (root / ".env").read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    values: dict[str, str] = {}
    for line in text.splitlines():
        match = _VARIABLE.match(line)
        if match is None:
            continue
        quoted = _QUOTED.match(match[2])
        if quoted is None:
            values[match[1]] = re.sub(r"(^|\s)#.*$", "", match[2]).strip()
        elif quoted[2] is not None:
            values[match[1]] = quoted[2]
        else:
            values[match[1]] = re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), quoted[1])
    return values
