"""The routes of the corpus."""

import asyncio
import datetime
import enum
import hashlib
from typing import Annotated, Any, Literal

from fastapi import Cookie, Header, HTTPException, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from pydantic import BaseModel
from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu3c-1-2", workers=(0, 1))


class Shade(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Order(BaseModel):
    name: str
    amount: int = 1
    parts: list["Order"] = []


@api.get("/items/{item_id}")
def item(item_id: int, color: str = "red", day: datetime.date | None = None):
    """One item."""
    return {"id": item_id, "color": color, "day": repr(day)}


@api.delete("/items/{item_id}")
def remove(item_id: int, force: bool = False):
    return {"removed": item_id, "force": force}


@api.get("/files/{path:path}")
def file(path: str):
    return {"path": path}


@api.get("/größe/{part}")
def size(part: str):
    return part


@api.get("/search")
def search(q: str, limit: int = 10, tags: list[str] = [], exact: bool = False, ratio: float = 0.5):  # noqa: B006
    return {"q": q, "limit": limit, "tags": tags, "exact": exact, "ratio": ratio}


@api.post("/typed")
def typed(
    text: str,
    times: int = 1,
    ratio: float = 0.5,
    loud: bool = False,
    tags: list[str] | None = None,
    options: dict[str, int] | None = None,
    mode: Literal["plain", "wide"] = "plain",
    day: datetime.date | None = None,
    shade: Shade = Shade.RED,
    data: bytes = b"",
    parts: list[bytes] = [],  # noqa: B006
):
    return {name: repr(value) for name, value in sorted(locals().items())}


@api.post("/orders/{customer}")
async def order(customer: str, order: Order, note: str | None = None):
    return {"customer": customer, "order": order, "note": note}


@api.post("/louder")
async def louder(text: str):
    await asyncio.sleep(0)
    return text.upper()


@api.post("/backwards")
async def backwards(data: bytes) -> bytes:
    return data[::-1]


@api.get("/bytes/{data}")
def decoded(data: bytes, more: bytes | None = None):
    return {"data": repr(data), "more": repr(more)}


@api.post("/echo")
def echo(value: Any = None):
    return value


@api.put("/echo/{name}")
def put(name: str, value: int):
    return {name: value}


@api.patch("/echo/{name}")
async def patch(name: str, value: list[int]):
    return {name: value}


@api.post("/fail")
def fail(kind: str):
    from shared.outcomes import trouble

    return trouble(kind)


@api.post("/fail/async")
async def fail_async(kind: str):
    from shared.outcomes import trouble

    return trouble(kind)


@api.post("/outcome")
def outcome(kind: str):
    from shared.outcomes import outcome as of_kind

    return of_kind(kind)


@api.post("/refuse")
def refuse(status: int, detail: Any = None):
    raise HTTPException(status, detail, headers={"x-why": "refused"})


@api.get("/numbers")
def numbers(count: int = 3):
    return StreamingResponse((f"{number}\n" for number in range(count)), media_type="text/plain")


@api.get("/events")
async def events(count: int = 3):
    async def each():
        for number in range(count):
            yield f"id: {number}\ndata: größe {number}\n\n"
            await asyncio.sleep(0.01)

    return StreamingResponse(each(), media_type="text/event-stream")


@api.get("/broken-stream")
def broken_stream():
    def each():
        yield "begun"
        raise ValueError("broken off")

    return StreamingResponse(each(), media_type="text/plain")


@api.get("/binary")
def binary():
    return Response(bytes(range(256)) * 10, media_type="application/octet-stream")


@api.get("/big")
def big(size: int):
    return "x" * size


@api.get("/answers/{kind}")
def answers(kind: str):
    return {
        "html": HTMLResponse("<p>höhe</p>"),
        "text": PlainTextResponse("höhe"),
        "nothing": Response(status_code=204),
        "moved": RedirectResponse("/elsewhere"),
        "made": Response(b'{"a": 1}', 201, media_type="application/json"),
        "teapot": PlainTextResponse("short and stout", 418),
        "empty": Response(b""),
    }[kind]


@api.post("/raw")
async def raw(request: Request):
    body = await request.body()
    return {"bytes": len(body), "hash": hashlib.sha256(body).hexdigest()}


@api.get("/seen")
def seen(
    request: Request,
    x_own: Annotated[str | None, Header()] = None,
    accept: Annotated[str | None, Header()] = None,
    user_agent: Annotated[str | None, Header()] = None,
    referer: Annotated[str | None, Header()] = None,
    authorization: Annotated[str | None, Header()] = None,
    session: Annotated[str | None, Cookie()] = None,
):
    return {
        "path": request.url.path,
        "query": request.url.query,
        "method": request.method,
        "own": x_own,
        "accept": accept,
        "agent": user_agent,
        "referer": referer,
        "authorization": authorization,
        "session": session,
        "names": sorted(request.headers),
    }


@api.get("/cookie")
def cookie():
    response = PlainTextResponse("baked")
    response.set_cookie("session", "abc")
    return response


@api.post("/peer")
async def peer(text: str):
    from jobs import typed as peer_typed

    return await asyncio.to_thread(peer_typed, text)


@api.post("/count")
def count(*numbers: int, **more: str):
    return {"numbers": numbers, "more": more}
