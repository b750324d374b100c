"""The queue-based functions of the corpus."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import enum
from typing import Any, Literal

from toolkit_sdk import Endpoint


class Shade(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


@Endpoint(name="typed", cpu="cpu3c-1-2", workers=(0, 1))
def typed(
    text: str,
    times: int = 1,
    ratio: float = 0.5,
    loud: bool = False,
    tags: list[str] | None = None,
    options: dict[str, int] | None = None,
    mode: Literal["plain", "wide"] = "plain",
    day: datetime.date | None = None,
    pair: tuple[int, str] | None = None,
    shade: Shade = Shade.RED,
    point: Point | None = None,
    data: bytes | None = None,
    *,
    note: str = "",
):
    """Say which value each parameter got."""
    return {name: repr(value) for name, value in sorted(locals().items())}


@Endpoint(name="echo", cpu="cpu3c-1-2", workers=(0, 1), max_concurrency=16)
async def echo(value: Any = None, how: str = "return", **more: Any):
    """Return the value, what another module makes of it, or nothing because of an exception."""
    if how == "sleep":
        await asyncio.sleep(value)
        return "slept"
    if how == "return":
        return {"value": value, "more": more} if more else value
    if how == "peer":
        from api import louder

        return await louder(text=value)
    if how == "peer fails":
        from api import fail

        return await fail(kind=value)
    if how == "peer bytes":
        from api import backwards

        return repr(await backwards(data=b"\xff\x00" + value.encode()))
    from shared.outcomes import outcome, trouble

    return trouble(value) if how == "raise" else outcome(value)


@Endpoint(name="steps", cpu="cpu3c-1-2", workers=(0, 1))
def steps(number: int = 3, fails_at: int = -1, crashes: bool = False):
    """Yield numbers."""
    if crashes:
        import os

        os._exit(7)
    for step in range(number):
        if step == fails_at:
            raise RuntimeError(f"no step {step}")
        yield {"step": step, "text": "ß" * step}


@Endpoint(name="greeter", cpu="cpu3c-1-2", workers=(0, 1))
class Greeter:
    def __init__(self):
        self.mark = "!"

    def greet(self, name: str = "you", mark: str | None = None):
        """Greet."""
        return f"Hello {name}{mark or self.mark}"
