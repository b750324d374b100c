"""Variables that declarations read for their `env`. They are read when you deploy, so they are not set on
workers.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager


class _Declared:
    """The names of the variables, set by the handler."""

    names: Sequence[str] = ()


def declare_variables(names: Sequence[str]) -> None:
    """Sets the names of the variables that the project's declarations read."""
    _Declared.names = names


@contextmanager
def declarations_readable() -> Generator[None, None, None]:
    """Sets the missing variables to an empty string while a module is loaded.

    `env={"TOKEN": os.environ["TOKEN"]}` of one endpoint must not prevent other endpoints in the same file from loading,
    and they must not get its value.
    """
    missing = [name for name in _Declared.names if name not in os.environ]
    os.environ.update(dict.fromkeys(missing, ""))
    try:
        yield
    finally:
        for name in missing:
            if os.environ.get(name) == "":
                del os.environ[name]
