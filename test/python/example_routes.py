"""A load-balanced endpoint with routes of many kinds, for tests."""

from __future__ import annotations

APP = """
import os
from typing import Annotated
from fastapi import Body, Header, HTTPException, Request, Response
from pydantic import BaseModel
from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu5c-4-8")

class Order(BaseModel):
    item: str
    count: int = 1

@api.post("/single")
def single(text: str):
    return {"text": text}

@api.post("/typed")
def typed(count: int, ratio: float = 0.5, tags: list[str] = []):
    print("counting", count)
    return [count, ratio, tags]

@api.get("/items/{item}")
def item(item: int, q: str | None = None, tags: list[str] = []):
    return {"item": item, "q": q, "tags": tags}

@api.delete("/items/{item}")
async def remove(item: str, force: bool = False):
    return {"removed": item, "force": force}

@api.post("/order")
def order(order: Order):
    return order

@api.get("/headers")
def headers(request: Request, x_mark: Annotated[str, Header()] = "none"):
    return {"secret": request.headers.get("x-toolkit-gateway-secret"), "mark": x_mark, "path": request.url.path}

@api.get("/fail")
def fail():
    raise ValueError("no such thing")

@api.get("/cancelled")
async def cancelled():
    import asyncio

    task = asyncio.create_task(asyncio.sleep(60))
    task.cancel()
    await task

@api.get("/exits")
def exits():
    raise SystemExit(3)

@api.get("/nan")
def nan():
    return {"scores": [1.0, float("nan")]}

@api.get("/teapot")
def teapot():
    raise HTTPException(418, "short and stout")

@api.get("/dies")
def dies():
    os._exit(7)

@api.get("/slow")
def slow():
    import time
    print("slow began")
    time.sleep(1)
    return "slept"

class Upload(BaseModel):
    data: bytes
    name: str = ""

@api.post("/upload")
def upload(data: bytes, parts: list[bytes] = [], more: "dict[str, bytes] | None" = None, array: bytearray = b""):
    return [data[::-1], parts, more, type(array).__name__]

@api.post("/upload/model")
async def upload_model(
    upload: Upload | None = None,
    marked: Annotated[bytes, Body()] = b"",
    given: bytes = Body(b"none"),
    x_raw: Annotated[bytes, Header()] = b"",
):
    assert (given, x_raw) in ((b"none", b""), (b"a", b"no base64"))
    return {"data": upload and upload.data, "marked": marked, "upload": upload}

@api.get("/bytes/{key}")
def key(key: bytes, q: bytes | None = None, tags: list[bytes] = [], array: bytearray | None = None):
    return {"key": key, "types": [type(each).__name__ for each in (key, q, *tags, array)], "length": len(key)}

@api.get("/raw")
def raw():
    return Response(b"\\xff\\xfe", media_type="application/octet-stream")

@api.get("/one")
def one(): return two()

@api.get("/two")
def two(): return "two"
"""
ROUTES = [
    ("POST", "/single", "single"),
    ("POST", "/typed", "typed"),
    ("GET", "/items/{item}", "item"),
    ("DELETE", "/items/{item}", "remove"),
    ("POST", "/order", "order"),
    ("GET", "/headers", "headers"),
    ("GET", "/fail", "fail"),
    ("GET", "/cancelled", "cancelled"),
    ("GET", "/exits", "exits"),
    ("GET", "/nan", "nan"),
    ("GET", "/teapot", "teapot"),
    ("GET", "/dies", "dies"),
    ("GET", "/slow", "slow"),
    ("POST", "/upload", "upload"),
    ("POST", "/upload/model", "upload_model"),
    ("GET", "/bytes/{key}", "key"),
    ("GET", "/raw", "raw"),
    ("GET", "/one", "one"),
    ("GET", "/two", "two"),
]
