"""Agent and platform on one machine prove to each other that they know the secret, without sending it."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import socket
from typing import Any

from .frames import encode_frame, read_frame

_NONCE_BYTES = 32


def shake_hands(connection: socket.socket, secret: str) -> None:
    """Does the handshake on a new connection to the platform of this machine.

    Args:
        connection: A connection on which nothing has been sent yet.
        secret: The secret that both sides have read.

    Raises:
        ConnectionError: The other side is not the platform.
    """
    nonce = os.urandom(_NONCE_BYTES).hex()
    connection.sendall(encode_frame({"type": "challenge", "nonce": nonce}))
    # The platform sends nothing else before it has the agent's proof, so the buffer holds no byte of a later frame.
    with connection.makefile("rb") as incoming:
        answer = _members(read_frame(incoming))
    nonces = f"{nonce}:{answer.get('nonce')}"
    if not hmac.compare_digest(str(answer.get("proof")).encode(), _proof(secret, "platform", nonces).encode()):
        raise ConnectionError("the other side is not the platform")
    connection.sendall(encode_frame({"type": "proof", "proof": _proof(secret, "agent", nonces)}))


def _members(frame: bytes | None) -> dict[str, Any]:
    try:
        return dict(json.loads(frame or b""))
    except (ValueError, TypeError):
        return {}


def _proof(secret: str, side: str, nonces: str) -> str:
    """The proof of one side. It differs for the two sides, so that neither can send back the other's proof."""
    return hmac.new(secret.encode(), f"{side}:{nonces}".encode(), hashlib.sha256).hexdigest()
