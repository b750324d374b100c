"""The process that serves a load-balanced endpoint: where it listens, how it begins to serve, and how it ends."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from toolkit_sdk._worker.listening import address_of, listen

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import SECRET, until

SEEN = """
from fastapi import Request

def seen(request: Request):
    return request.client and request.client.host
"""


def test_a_worker_listens_in_its_own_folder_where_only_its_user_can_connect(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_routes(SEEN, [("GET", "/seen", "seen")])
    path = Path(worker.address.removeprefix("unix:"))
    assert "worker-1" in path.parts
    assert path.stat().st_mode & 0o777 == 0o600
    worker.stop()
    assert not path.exists()


def test_a_worker_listens_on_a_port_if_the_path_of_its_socket_is_too_long(tmp_path: Path) -> None:
    for name, beginning in (("short", "unix:/"), ("long" * 25, "http://127.0.0.1:")):
        with listen(str(tmp_path / name)) as listener:
            listener.listen()
            address = address_of(listener)
            assert address.startswith(beginning)
            with socket.socket(listener.family) as client:
                client.connect(listener.getsockname())


def test_a_route_sees_the_client_that_the_gateway_names(start_routes: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_routes(SEEN, [("GET", "/seen", "seen")])
    headers = {**SECRET, "x-forwarded-for": "192.0.2.7"}
    assert worker.get("/seen", headers=headers).json() == "192.0.2.7"


def test_the_first_request_of_a_later_worker_loads_no_modules(
    start_routes: StartWorker, platform: ProtocolPlatform
) -> None:
    source = "import sys\nloaded = set(sys.modules)\ndef since():\n    return sorted(set(sys.modules) - loaded)\n"
    worker = start_routes(source, [("GET", "/since", "since")])
    worker.await_report("ready")
    worker.stop()
    worker.agent.reports.clear()
    worker.order_again()
    assert worker.get("/since", headers=SECRET).json() == []


@pytest.mark.parametrize(
    ("ends", "sentence"),
    [
        ("loop.stop()", "The event loop on which this worker serves its requests has ended;"),
        ("loop.create_task(leave())", "The event loop on which this worker serves its requests has ended;"),
        ("loop._selector.close()", "I/O operation on closed"),
    ],
)
def test_a_server_whose_event_loop_a_function_ends_is_restarted(
    start_routes: StartWorker, platform: ProtocolPlatform, ends: str, sentence: str
) -> None:
    source = f"""
import asyncio, sys, time

async def leave():
    sys.exit(3)

def blocks():
    print("blocks")
    time.sleep(600)

async def two():
    return "two"

async def end():
    loop = asyncio.get_running_loop()
    {ends}
    await asyncio.sleep(600)
"""
    worker = start_routes(source, [("GET", "/blocks", "blocks"), ("GET", "/end", "end"), ("GET", "/two", "two")])
    worker.await_report("ready")
    with worker.client(headers=SECRET, timeout=60) as client, ThreadPoolExecutor(2) as threads:
        blocked = threads.submit(client.get, "/blocks")
        until(lambda: "blocks" in worker.messages())
        worker.agent.reports.clear()
        ending = threads.submit(client.get, "/end")
        worker.await_report("ready")
        for each in (blocked, ending):
            assert isinstance(each.exception(), httpx.RemoteProtocolError) or each.result().status_code == 500
    assert worker.get("/two", headers=SECRET).json() == "two"
    assert any(sentence in message for message in worker.messages())
