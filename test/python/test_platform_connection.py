"""The connection of a worker to its platform."""

from __future__ import annotations

import random
import socket
import threading
from contextlib import suppress

from toolkit_sdk._agent.platform_connection import PlatformConnection


def test_an_abort_ends_a_request_whatever_it_is_doing_at_that_moment() -> None:
    # Accepts connections, and never answers.
    with socket.create_server(("127.0.0.1", 0), backlog=512) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        for _ in range(300):
            connection = PlatformConnection(url, "token")

            def ask(connection: PlatformConnection = connection) -> None:
                with suppress(OSError):
                    connection.request("GET", "/job-take", timeout=5)
                connection.close()

            asking = threading.Thread(target=ask)
            asking.start()
            threading.Event().wait(random.uniform(0, 0.0005))
            connection.abort()
            asking.join(2)
            assert not asking.is_alive(), "the request continues"


def test_the_host_is_that_of_the_platforms_address() -> None:
    with socket.create_server(("127.0.0.2", 0)) as server:
        connection = PlatformConnection(f"http://127.0.0.2:{server.getsockname()[1]}", "token")

        def answer() -> None:
            accepted, _ = server.accept()
            with accepted:
                accepted.recv(4096)
                accepted.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

        answering = threading.Thread(target=answer, daemon=True)
        answering.start()
        assert connection.request("GET", "/job-take", timeout=5).status == 204
        connection.close()
        answering.join(5)
