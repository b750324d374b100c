"""A small HTTP server with the worker protocol and the endpoint lookup, for tests of workers and of calls."""

from __future__ import annotations

import json
import queue
import re
import select
import socket
import sys
import threading
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "worker-token"
KEY = "caller-key"


@dataclass
class Job:
    id: str
    input: Any
    policy: dict[str, Any] | None = None
    attempt: int = 1
    chunks: list[Any] = field(default_factory=list)
    progress: list[Any] = field(default_factory=list)
    late_progress: list[Any] = field(default_factory=list)
    body: dict[str, Any] | None = None
    is_stream: str | None = None
    done: threading.Event = field(default_factory=threading.Event)
    posts: int = 0
    requeue_error: str | None = None

    def result(self, seconds: float = 60) -> dict[str, Any]:
        assert self.done.wait(seconds), f"job {self.id} got no result"
        assert self.body is not None
        return self.body


class ProtocolPlatform:
    """Answers like a platform, and records what workers do."""

    def __init__(self) -> None:
        self.assignment: dict[str, Any] = {}
        self.parts: dict[str, bytes] = {}
        self.waiting: queue.Queue[Job] = queue.Queue()
        self.jobs: dict[str, Job] = {}
        self.raw_inputs: dict[str, str] = {}
        """Inputs to send to the worker as this text, by job."""
        self.pings: list[dict[str, list[str]]] = []
        self.part_requests: list[tuple[str, str | None]] = []
        self.break_part_after: int | None = None
        self.endpoints: dict[str, dict[str, Any]] = {}
        self.lookups: list[dict[str, Any]] = []
        self.route: Callable[[BaseHTTPRequestHandler, bytes], tuple[int, Any] | None] | None = None
        self.runsync_answers = True
        self.unknown_worker = False
        self.requeued: list[tuple[str, bool]] = []
        self.batches: list[list[str]] = []
        """The jobs of each batch of results."""
        self.batch_refusal: int | None = None
        """The status with which whole batches of results are refused."""
        self.refused_jobs: set[str] = set()
        """Jobs whose results in a batch are refused."""
        self.hold_batches = threading.Event()
        self.hold_batches.set()
        self.hold_parts = threading.Event()
        self.hold_parts.set()
        self.hold_progress = threading.Event()
        self.hold_progress.set()
        self.closing = threading.Event()
        self._reserved: socket.socket | None = None
        self._server = _Server(("127.0.0.1", 0), _handler_of(self))
        self._port = self._server.server_port
        self.url = f"http://127.0.0.1:{self._port}"
        self._serve()

    def _serve(self) -> None:
        server = self._server
        threading.Thread(target=lambda: server.serve_forever(0.02), daemon=True).start()

    def go_away(self) -> None:
        """Acts like a killed platform: stops listening and breaks every connection."""
        self._server.shutdown()
        self._server.server_close()
        self._server.break_connections()
        # Keeps the port without listening on it: another process on this port would get the worker's requests.
        self._reserved = socket.socket()
        self._reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._reserved.bind(("127.0.0.1", self._port))

    def come_back(self) -> None:
        """Listens again, at the same address."""
        assert self._reserved is not None
        self._reserved.close()
        self._server = _Server(("127.0.0.1", self._port), _handler_of(self))
        self._serve()

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def submit(self, input: Any, policy: dict[str, Any] | None = None) -> Job:
        job = Job(f"{uuid.uuid4()}-u1", input, policy)
        self.jobs[job.id] = job
        self.waiting.put(job)
        return job

    def run(self, input: Any) -> dict[str, Any]:
        return self.submit(input).result()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._connections: list[socket.socket] = []
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._connections.append(request)
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores broken connections, which killed workers cause."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def break_connections(self) -> None:
        for connection in self._connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def _handler_of(platform: ProtocolPlatform) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, format: str, *args: object) -> None:
            pass

        def _answer(self, status: int, body: Any = None, headers: dict[str, str] | None = None) -> None:
            data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header(
                "Content-Type",
                "application/octet-stream" if isinstance(body, bytes) else "application/json",
            )
            if status != 204:
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if data:
                self.wfile.write(data)

        def do_GET(self) -> None:
            self._serve(b"")

        def _with_body(self) -> None:
            self._serve(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

        do_POST = do_PUT = do_DELETE = do_PATCH = _with_body

        def _serve(self, body: bytes) -> None:
            url = urlsplit(self.path)
            query = parse_qs(url.query)
            match = re.match(
                r"^/v2/[^/]+/(job-take|job-take-batch|job-done|job-done-batch|job-stream|ping|worker)/(.*)$",
                url.path,
            )
            if match:
                if self.headers.get("Authorization") != TOKEN:
                    self._answer(401, {"error": "wrong token"})
                    return
                if platform.unknown_worker:
                    self._answer(404, {"error": "no such worker"})
                    return
                getattr(self, "_" + match[1].replace("-", "_"))(match[2].split("/"), query, body)
            else:
                self._client(url.path, query, body)

        def _worker(self, rest: list[str], query: dict[str, list[str]], body: bytes) -> None:
            del query
            if rest[1] != "parts":
                self._answer(404, {"error": "no such route"})
            else:
                data = platform.parts[rest[2]]
                wanted = self.headers.get("Range")
                platform.part_requests.append((rest[2], wanted))
                platform.hold_parts.wait(20)
                start = int(wanted[6:-1]) if wanted else 0
                if platform.break_part_after is not None:
                    cut, platform.break_part_after = platform.break_part_after, None
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data[:cut])
                    self.close_connection = True
                    return
                self._answer(206 if wanted else 200, data[start:])

        def _job_take(self, rest: list[str], query: dict[str, list[str]], body: bytes) -> None:
            self._take(1, single=True)

        def _job_take_batch(self, rest: list[str], query: dict[str, list[str]], body: bytes) -> None:
            self._take(int(query["batch_size"][0]), single=False)

        def _take(self, size: int, single: bool) -> None:
            taken: list[Job] = []
            for _ in range(50):
                try:
                    taken.append(platform.waiting.get(timeout=0.1))
                    break
                except queue.Empty:
                    if platform.closing.is_set():
                        break
            if taken and self._is_gone():
                for job in taken:
                    platform.waiting.put(job)
                self.close_connection = True
                return
            while taken and len(taken) < size and not platform.waiting.empty():
                taken.append(platform.waiting.get())
            bodies: list[dict[str, Any]] = [
                {
                    "id": job.id,
                    "input": job.input,
                    "attempt": job.attempt,
                    **({"policy": job.policy} if job.policy else {}),
                }
                for job in taken
            ]
            if not bodies:
                self._answer(204)
            else:
                text = json.dumps(bodies[0] if single else bodies)
                for job in taken:
                    if job.id in platform.raw_inputs:
                        text = text.replace(json.dumps(job.input), platform.raw_inputs[job.id])
                self._answer(200, text.encode())

        def _is_gone(self) -> bool:
            # A platform never assigns a job to a closed connection.
            if not select.select([self.connection], [], [], 0)[0]:
                return False
            return self.connection.recv(1, socket.MSG_PEEK) == b""

        def _job_done(self, rest: list[str], query: dict[str, list[str]], body: bytes) -> None:
            assert self.headers["Content-Type"] == "application/x-www-form-urlencoded"
            job = platform.jobs[rest[1]]
            # Only the toolkit's own workers send the attempt.
            assert self.headers["x-toolkit-attempt"] == (None if platform.assignment["command"] else str(job.attempt))
            if json.loads(body).get("status") == "IN_QUEUE":
                platform.requeued.append((job.id, json.loads(body)["counted"]))
                job.requeue_error = json.loads(body)["error"]
                self._answer(200, {})
                return
            if json.loads(body).get("status") == "IN_PROGRESS":
                (job.late_progress if job.done.is_set() else job.progress).append(json.loads(body)["output"])
                platform.hold_progress.wait(20)
                self._answer(200, {})
                return
            job.posts += 1
            job.is_stream = query["isStream"][0]
            job.body = json.loads(body)
            try:
                self._answer(200, {})
            finally:
                # Also if the worker was killed meanwhile: the result is accepted.
                job.done.set()

        def _job_done_batch(self, rest: list[str], query: dict[str, list[str]], body: bytes) -> None:
            if platform.batch_refusal is not None:
                self._answer(platform.batch_refusal, {"error": "no batches"})
                return
            results: list[dict[str, Any]] = json.loads(body)["results"]
            platform.batches.append([result["id"] for result in results])
            platform.hold_batches.wait(20)
            answers: list[dict[str, Any]] = []
            ended: list[Job] = []
            for result in results:
                job = platform.jobs[result.pop("id")]
                assert result.pop("attempt") == job.attempt
                if job.id in platform.refused_jobs:
                    answers.append({"id": job.id, "status": 409, "error": "not yours"})
                    continue
                job.posts += 1
                job.is_stream = "false"
                job.body = result
                ended.append(job)
                answers.append({"id": job.id, "status": 200})
            try:
                self._answer(200, {"results": answers})
            finally:
                for job in ended:
                    job.done.set()

        def _job_stream(self, rest: list[str], query: dict[str, list[str]], body: bytes) -> None:
            platform.jobs[rest[1]].chunks.append(json.loads(body)["output"])
            self._answer(200, {})

        def _ping(self, rest: list[str], query: dict[str, list[str]], body: bytes) -> None:
            platform.pings.append(query)
            self._answer(200, {})

        def _client(self, path: str, query: dict[str, list[str]], body: bytes) -> None:
            if path == "/" and self.command == "GET":
                self._answer(
                    200,
                    {
                        "service": "toolkit-platform",
                        "instance": "instance-1",
                        "apiVersion": 2,
                        "version": "0.1.0",
                    },
                )
                return
            if self.headers.get("Authorization") != f"Bearer {KEY}":
                self._answer(
                    401,
                    {
                        "error": "The key is wrong.",
                        "code": "UNAUTHORIZED",
                        "hint": None,
                    },
                )
                return
            if platform.route is not None:
                answered = platform.route(self, body)
                if answered is not None:
                    self._answer(*answered)
                    return
            if path == "/graphql":
                variables = json.loads(body)["variables"]
                platform.lookups.append(variables)
                found = platform.endpoints.get(f"{variables['app']}/{variables['environment']}/{variables['name']}")
                self._answer(200, {"data": {"endpoint": found}})
                return
            match = re.match(r"^/v2/[^/]+/(runsync|status)(?:/(.*))?$", path)
            if match is None:
                self._answer(
                    404,
                    {"error": "Not found.", "code": "NOT_FOUND", "hint": None},
                )
                return
            job = platform.submit(json.loads(body)["input"]) if match[1] == "runsync" else platform.jobs[match[2]]
            finished = job.done.wait(10) if platform.runsync_answers or match[1] == "status" else False
            if not finished:
                self._answer(200, {"id": job.id, "status": "IN_PROGRESS"})
                return
            state = "FAILED" if "error" in (job.body or {}) else "COMPLETED"
            terminal = {
                "id": job.id,
                "status": state,
                "delayTime": 1,
                "executionTime": 1,
                "workerId": "worker-1",
            }
            self._answer(200, {**terminal, **(job.body or {})})

    return Handler
