"""The platform's end of an agent's connection, for tests: sends orders and collects reports."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

SECRET = "what-the-platform-and-its-agents-share"
PACKAGE = Path(__file__).resolve().parents[2] / "runtime" / "python"


class AgentLink:
    """A node agent's process, and the socket that it dials."""

    def __init__(
        self,
        folder: Path,
        cache: Path,
        lease_interval: float = 0.1,
        home: Path | None = None,
        launcher: Sequence[str] = (sys.executable,),
    ) -> None:
        self.logs = folder / "logs"
        self.work = folder / "work"
        self._folder = folder
        self._cache = cache
        self.home = home or folder
        self._launcher = launcher
        self._lease_interval = lease_interval
        self._changed = threading.Condition()
        self._connection: socket.socket | None = None
        self.secret = SECRET
        self.refusals = 0
        """Connections on which the agent sent no proof, because this side's proof was wrong."""
        self.hellos: list[dict[str, Any]] = []
        self.reports: list[dict[str, Any]] = []
        self.leases: list[dict[str, list[str] | None]] = []
        self.ended: dict[str, dict[str, Any]] = {}
        self._listen()
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        token = self.home / "agent.token"
        token.write_text(f"{SECRET}\n")
        token.chmod(0o600)
        # The agent may run as another user.
        os.chown(token, self.home.stat().st_uid, -1)
        start = {
            "node": "local",
            "platform": f"unix:{self._folder / 'agent.sock'}",
            "token": str(token),
            "lock": str(self._folder / "agent.lock"),
            "logs": str(self.logs),
            "work": str(self.work),
            "cache": str(self._cache),
            "home": str(self.home),
        }
        with (self._folder / "agent.log").open("ab") as log:
            return subprocess.Popen(
                [*self._launcher, "-m", "toolkit_sdk._agent", json.dumps(start)],
                cwd=self._folder,
                env={"PATH": os.environ["PATH"], "PYTHONPATH": str(PACKAGE)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def start_second(self) -> subprocess.Popen[bytes]:
        """Another agent for the same node."""
        return self._start()

    def order(self, kind: str, **fields: Any) -> None:
        """Sends an order once the agent is connected."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._connection is not None, 60), self.log()
            assert self._connection is not None
            _send(self._connection, {"type": kind, **fields})

    def await_end(self, worker: str, seconds: float = 60) -> int:
        """Waits for a worker's end. Returns its exit code; if negative, the signal that ended it."""
        with self._changed:
            assert self._changed.wait_for(lambda: worker in self.ended, seconds), self.log()
            ended = self.ended[worker]
        return ended["code"] if ended["signal"] is None else -signal.Signals[ended["signal"]]

    def go_away(self) -> None:
        """Acts like a platform that ends: stops listening and breaks the connection."""
        self._socket.close()
        with suppress(FileNotFoundError):
            os.unlink(self._folder / "agent.sock")
        self.break_connection()

    def break_connection(self) -> None:
        with self._changed:
            if self._connection is not None:
                self._connection.shutdown(socket.SHUT_RDWR)

    def come_back(self) -> None:
        self._listen()

    def kill(self) -> None:
        """Kills the agent with SIGKILL."""
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.kill()
        self.go_away()

    def log(self) -> str:
        return (self._folder / "agent.log").read_text()

    def children(self) -> list[int]:
        """The processes of the agent's workers."""
        return [pid for pid in self._children() if _name(pid) != "toolkit-zygote" and not _compiles(pid)]

    def zygotes(self) -> list[int]:
        """The processes that the agent's workers are forked from."""
        return [pid for pid in self._children() if _name(pid) == "toolkit-zygote"]

    def _children(self) -> list[int]:
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in listed.split()]

    def _listen(self) -> None:
        # Bound by its folder's descriptor: the paths of test folders may be too long for a socket.
        self._socket = socket.socket(socket.AF_UNIX)
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            self._socket.bind(f"/proc/self/fd/{folder}/agent.sock")
        finally:
            os.close(folder)
        # The agent may run as another user.
        (self._folder / "agent.sock").chmod(0o666)
        self._socket.listen()
        threading.Thread(target=self._accept, args=(self._socket,), daemon=True).start()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                threading.Thread(target=self._read, args=(connection,), daemon=True).start()

    def _read(self, connection: socket.socket) -> None:
        incoming = connection.makefile("rb")
        with suppress(OSError):
            try:
                nonces = f"{_receive(incoming)['nonce']}:a-nonce"
            except (ValueError, KeyError):
                return  # Not the agent: a function can connect too, and send anything.
            _send(connection, {"type": "proof", "nonce": "a-nonce", "proof": _proof(self.secret, "platform", nonces)})
            if _receive(incoming).get("proof") == _proof(SECRET, "agent", nonces):
                while message := _receive(incoming):
                    self._take(connection, message)
            else:
                self.refusals += 1
        with self._changed:
            if self._connection is connection:
                self._connection = None

    def _take(self, connection: socket.socket, message: dict[str, Any]) -> None:
        kind = message.pop("type")
        with self._changed:
            if kind == "hello":
                self.hellos.append(message)
                _send(connection, {"type": "welcome", "leaseInterval": self._lease_interval, "patience": 60})
                self._connection = connection
            elif kind == "state":
                self.reports.append(message)
            elif kind == "leases":
                self.leases.append(message["workers"])
                _send(connection, {"type": "alive"})
            elif kind == "ended":
                self.ended[message["worker"]] = message
            self._changed.notify_all()

    def reports_of(self, state: str) -> list[dict[str, Any]]:
        """The reports with a state since the reports were last cleared."""
        with self._changed:
            return [report for report in self.reports if report["state"] == state]

    def await_report(self, state: str, seconds: float = 60) -> dict[str, Any]:
        """Waits for the first report with a state since the reports were last cleared."""

        def found() -> dict[str, Any] | None:
            return next((report for report in self.reports if report["state"] == state), None)

        with self._changed:
            assert self._changed.wait_for(found, seconds), f"no report {state}: {self.reports} {self.log()}"
            report = found()
            assert report is not None
            return report


def _receive(incoming: BinaryIO) -> dict[str, Any]:
    """The next message; empty at the end of the stream, which can be within a message of a killed agent."""
    head = incoming.read(4)
    body = incoming.read(struct.unpack(">I", head)[0]) if len(head) == 4 else b""
    return json.loads(body) if body else {}


def _proof(secret: str, side: str, nonces: str) -> str:
    return hmac.new(secret.encode(), f"{side}:{nonces}".encode(), hashlib.sha256).hexdigest()


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def _compiles(pid: int) -> bool:
    try:
        return b"compileall" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return False


def _send(connection: socket.socket, message: dict[str, Any]) -> None:
    data = json.dumps(message).encode()
    connection.sendall(struct.pack(">I", len(data)) + data)
