"""Creates this worker's one instance of a class before the first job, and closes it after the last."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .loading import LoadError, load_class

if TYPE_CHECKING:
    import asyncio


class ConstructionError(Exception):
    """The class's constructor raised the exception that is the cause of this one."""


class ServedInstance:
    """The instance and its method.

    Args:
        code_root: The artifact's root.
        module: Dotted path of the file.
        file: The file, relative to the root.
        name: `Class.method`.

    Raises:
        LoadError: The module has no such class, or the class no such method.
        ConstructionError: The class cannot be instantiated.
        BaseException: Any exception that the module raises when it is loaded.
    """

    def __init__(self, code_root: str, module: str, file: str, name: str) -> None:
        owner, _, method = name.rpartition(".")
        declared = load_class(code_root, module, file, owner)
        try:
            self._instance: Any = declared()
        except BaseException as error:
            raise ConstructionError(f"The class {owner} of {file} cannot be instantiated") from error
        found = getattr(self._instance, method, None)
        if not callable(found):
            raise LoadError(f"The class {owner} of {file} has no method {method!r}.")
        self.method: Callable[..., Any] = found

    def close(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Calls the instance's `close()`, if it has one.

        Args:
            loop: The event loop on which the jobs ran, for an async `close`; None if there was none.

        Raises:
            BaseException: Any exception that `close()` raises.
        """
        close = getattr(self._instance, "close", None)
        if close is None:
            return
        ending: Any = close()
        if not inspect.isawaitable(ending):
            return
        import asyncio

        if loop is None:
            asyncio.run(_awaited(ending))
        else:
            asyncio.run_coroutine_threadsafe(_awaited(ending), loop).result()


async def _awaited(ending: Any) -> None:
    await ending
