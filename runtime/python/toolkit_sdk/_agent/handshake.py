"""Agent and platform of one machine prove to each other that they have read the secret, which neither of them sends."""

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
    """Goes first on a connection to the platform of this machine.

    Args:
        connection: Nothing was sent on it yet.
        secret: What both have read.

    Raises:
        ConnectionError: What answers is not the platform.
    """
    nonce = os.urandom(_NONCE_BYTES).hex()
    connection.sendall(encode_frame({"type": "challenge", "nonce": nonce}))
    # The platform says nothing else before it has the agent's proof: no byte of a later frame is read here.
    with connection.makefile("rb") as incoming:
        answer = _members(read_frame(incoming))
    nonces = f"{nonce}:{answer.get('nonce')}"
    if not hmac.compare_digest(str(answer.get("proof")).encode(), _proof(secret, "platform", nonces).encode()):
        raise ConnectionError("what answered is not the platform")
    connection.sendall(encode_frame({"type": "proof", "proof": _proof(secret, "agent", nonces)}))


def _members(frame: bytes | None) -> dict[str, Any]:
    try:
        return dict(json.loads(frame or b""))
    except (ValueError, TypeError):
        return {}


def _proof(secret: str, side: str, nonces: str) -> str:
    """Differs for the two sides, so that neither can send the other's proof back."""
    return hmac.new(secret.encode(), f"{side}:{nonces}".encode(), hashlib.sha256).hexdigest()
