"""Functions of other endpoints of the same app, called from a worker."""

from __future__ import annotations

import json
from typing import Any

from conftest import StartWorker
from protocol_platform import ProtocolPlatform


def test_a_peers_function_is_called_over_http_and_other_names_come_from_the_real_module(
    start_worker: StartWorker, platform: ProtocolPlatform, packages: bytes
) -> None:
    manifest = {
        "resources": {
            "sentiment": {
                "functions": [
                    {
                        "name": "score",
                        "module": "peer",
                        "file": "peer.py",
                        "async": False,
                    }
                ]
            }
        },
        "routes": {},
        "handlers": {},
    }
    stub = """
from toolkit_sdk._dispatch import real_attribute, remote_function
score = remote_function(endpoint="sentiment", module="peer", name="score",
    parameters=(("text", "positional-or-keyword", True),), is_async=False, route=None, description="Scores.")
def __getattr__(name):
    return real_attribute(__name__, "peer.py", name)
"""
    files = {
        "peer.py": "LIMIT = 7\ndef score(text): raise AssertionError('local')\n",
        "_toolkit/stubs/peer.py": stub,
        "toolkit_manifest.json": json.dumps(manifest),
    }
    source = """
import os
from toolkit_sdk import Endpoint
@Endpoint(name="other")
def other(n: int): raise AssertionError("local")
@Endpoint(name="endpoint")
def run(text):
    from peer import LIMIT, score
    return [score(text), LIMIT, score.__doc__, other(3)]
"""

    def peers(handler: Any, body: bytes) -> tuple[int, Any] | None:
        if not handler.path.startswith("/v2/peer-"):
            return None
        given = json.loads(body)["input"]
        return 200, {
            "id": "sync-1",
            "status": "COMPLETED",
            "output": {"from": handler.path.split("/")[2], **given},
        }

    platform.route = peers
    for name in ("sentiment", "other"):
        location = {
            "id": f"peer-{name}",
            "kind": "queue",
            "url": f"{platform.url}/v2/peer-{name}",
        }
        platform.endpoints[f"shop/production/{name}"] = location
    start_worker(source, files, stubs={"peer": "_toolkit/stubs/peer.py"}, dependencies=packages)
    expected = [
        {"from": "peer-sentiment", "text": "fine"},
        7,
        "Scores.",
        {"from": "peer-other", "n": 3},
    ]
    for _ in range(2):
        assert platform.run({"text": "fine"}) == {"output": expected}
    assert len(platform.lookups) == 2  # One for each peer; then they are cached.
