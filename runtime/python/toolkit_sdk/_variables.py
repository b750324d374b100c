"""Variables that declarations read for their `env`: filled at deploy, so a worker has them not under these names."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager


class _Declared:
    """The names, as the handler tells them."""

    names: Sequence[str] = ()


def declare_variables(names: Sequence[str]) -> None:
    """Says which variables the project's declarations read."""
    _Declared.names = names


@contextmanager
def declarations_readable() -> Generator[None, None, None]:
    """While a module is loaded: what its declarations read is there, though empty.

    `env={"TOKEN": os.environ["TOKEN"]}` of one endpoint must not keep its neighbours in the same file from loading,
    and they are not to have its values.
    """
    missing = [name for name in _Declared.names if name not in os.environ]
    os.environ.update(dict.fromkeys(missing, ""))
    try:
        yield
    finally:
        for name in missing:
            if os.environ.get(name) == "":
                del os.environ[name]
