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
