"""A worker as others write them: it speaks the wire facts of the protocol and knows nothing of toolkit_sdk.

Tests choose by its endpoint's variables and by the input of jobs how it behaves.
"""

import array
import base64
import hashlib
import http.server
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

TOKEN = os.environ["RUNPOD_AI_API_KEY"]
WORKER = os.environ["RUNPOD_POD_ID"]
running: set[str] = set()
returned: set[str] = set()
stopping: list[bool] = []


def call(url, body=None, timeout=100):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers={"Authorization": TOKEN})
    if data is not None:
        request.add_header("Content-Type", "application/x-www-form-urlencoded")
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        text = answer.read()
        return answer.status, json.loads(text) if text else None


def url_of(template, job):
    return os.environ[template].replace("$RUNPOD_POD_ID", WORKER).replace("$ID", job)


def work(job):
    given = job["input"]
    if "sleep" in given:
        time.sleep(given["sleep"])
    if "give_back" in given and job["id"] not in returned:
        returned.add(job["id"])
        return {"status": "IN_QUEUE", "counted": given["give_back"] == "counted"}
    if "leave" in given:
        left = subprocess.Popen(["sleep", "600"], start_new_session=True)
        return {"output": {"left": left.pid, "pid": os.getpid()}}
    if "import" in given:
        return {"output": importlib.import_module(given["import"]).VALUE}
    if "crash" in given:
        os._exit(3)
    if "fail_first" in given and job["id"] not in returned:
        returned.add(job["id"])
        return {"error": given["fail_first"]}
    if "fail" in given:
        return {"error": json.dumps({"error_type": "ValueError", "error_message": given["fail"]})}
    for line in range(given.get("print", 0)):
        print(f"line {line} {'x' * 1000}", flush=True)
    if "yields" in given:
        for value in given["yields"]:
            call(url_of("RUNPOD_WEBHOOK_POST_STREAM", job["id"]), {"output": value})
        time.sleep(given.get("sleep_after", 0))
        return {}
    return {
        "output": {
            "echo": given,
            "pid": os.getpid(),
            "worker": WORKER,
            "cards": os.environ.get("CUDA_VISIBLE_DEVICES"),
            "version": os.environ.get("VERSION"),
            "variables": sorted(os.environ),
        }
    }


def ping():
    while True:
        url = url_of("RUNPOD_WEBHOOK_PING", "") + "&job_id=" + ",".join(running)
        try:
            call(url)
        except OSError:
            pass
        time.sleep(int(os.environ["RUNPOD_PING_INTERVAL"]) / 1000)


def drain(*_):
    stopping.append(True)
    if not running:
        os._exit(0)


def serve_queue():
    signal.signal(signal.SIGTERM, drain)
    threading.Thread(target=ping, daemon=True).start()
    # In this address $ID is the worker, in the others it is the job.
    take = os.environ["RUNPOD_WEBHOOK_GET_JOB"].replace("$ID", WORKER)
    while True:
        try:
            status, job = call(take + "&job_in_progress=0")
        except urllib.error.HTTPError as error:
            sys.exit(f"refused: {error.code}")
        except OSError:
            time.sleep(0.1)
            continue
        if status != 200:
            continue
        running.add(job["id"])
        print(f"working on {job['id']}", flush=True)
        result = work(job)
        running.discard(job["id"])
        done = url_of("RUNPOD_WEBHOOK_POST_OUTPUT", job["id"]) + "&isStream=" + ("true" if result == {} else "false")
        while True:
            try:
                call(done, result)
                break
            except urllib.error.HTTPError as error:
                print(f"result refused with {error.code}", flush=True)
                break
            except OSError:
                time.sleep(0.1)
        if stopping:
            sys.exit(0)


lock = threading.Lock()
in_hand = {"now": 0, "most": 0}
released = threading.Event()
closed: list[str] = []  # Paths of the connections that have ended.


class Routes(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served = 0  # On this connection.

    def answer(self, status, body, headers=()):
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        if self.path == "/ping":
            return self.answer(200, {})
        if self.path == "/ws":
            return self.echo_frames()
        if self.path == "/upgrade" and self.headers.get("Upgrade"):
            self.send_response(101)
            self.send_header("Connection", "Upgrade")
            self.send_header("Upgrade", self.headers["Upgrade"])
            self.end_headers()
            line = self.rfile.readline()
            self.wfile.write(b"echo " + line)
            self.wfile.flush()
            self.close_connection = True
            return None
        if self.path == "/deaf":  # Accepts no more connections.
            self.server.socket.shutdown(socket.SHUT_RDWR)
        if self.path.startswith("/slow"):
            with lock:
                in_hand["now"] += 1
                in_hand["most"] = max(in_hand.values())
            time.sleep(float(self.path.partition("=")[2] or 0.3))
            with lock:
                in_hand["now"] -= 1
            return self.answer(200, {"most": in_hand["most"], "worker": WORKER})
        if self.path.startswith("/raw="):
            # What is written is the test's; the connection stays open when the path ends with "&keep".
            data, _, keep = self.path.removeprefix("/raw=").partition("&")
            self.wfile.write(bytes.fromhex(data))
            self.close_connection = not keep
            return None
        if self.path == "/bye":
            self.answer(200, {})
            # Without a word of it in the response.
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            closed.append(self.path)
            return None
        if self.path == "/closed":
            return self.answer(200, {"closed": closed})
        if self.path == "/held":
            self.begin_stream()
            released.wait(60)
            self.send_piece(b"released")
            return self.send_piece(b"")
        if self.path == "/release":
            released.set()
            return self.answer(200, {})
        if self.path == "/endless":
            self.begin_stream()
            try:
                while True:
                    self.send_piece(bytes(65536))
            except OSError:
                closed.append(self.path)
                self.close_connection = True
            return None
        if self.path == "/large":
            self.send_response(200)
            self.send_header("Content-Length", "20000000")
            self.end_headers()
            self.wfile.write(array.array("I", range(5_000_000)).tobytes())
            return None
        if self.path == "/cards":
            return self.answer(200, {"cards": os.environ.get("CUDA_VISIBLE_DEVICES")})
        if self.path == "/served":
            self.served += 1
            return self.answer(200, {"served": self.served})
        if self.path == "/reset" and self.served > 0:
            # Only a kept connection ends so.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.connection.close()
            self.close_connection = True
            return None
        if self.path.startswith("/stream"):
            pause = float(self.path.partition("=")[2] or 0.05)
            self.begin_stream()
            for number in range(3):
                self.send_piece(f"piece {number}\n".encode())
                time.sleep(pause)
            return self.send_piece(b"")
        self.read_body()
        return self.answer(
            200,
            {
                "path": self.path,
                "headers": {k.lower(): v for k, v in self.headers.items()},
            },
        )

    do_HEAD = do_OPTIONS = do_GET

    def begin_stream(self):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def send_piece(self, data):
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def echo_frames(self):
        """A WebSocket that sends each message back, and prints how it was closed."""
        accept = hashlib.sha1((self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode())
        self.send_response(101)
        self.send_header("Connection", "Upgrade")
        self.send_header("Upgrade", "websocket")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(accept.digest()).decode())
        self.end_headers()
        self.close_connection = True
        while True:
            head = self.rfile.read(2)
            size = head[1] & 0x7F if head else 0
            if size == 126:
                size = int.from_bytes(self.rfile.read(2), "big")
            mask = self.rfile.read(4)
            data = bytes(byte ^ mask[at % 4] for at, byte in enumerate(self.rfile.read(size)))
            if not head or head[0] & 0xF == 8:
                # As if it had something to save first.
                time.sleep(0.3)
                print(f"closed with {int.from_bytes(data[:2], 'big')}", flush=True)
                return
            length = bytes([size]) if size < 126 else b"\x7e" + size.to_bytes(2, "big")
            self.wfile.write(bytes([head[0]]) + length + data)

    def read_body(self):
        size, read = int(self.headers.get("Content-Length", 0)), 0
        if self.headers.get("Transfer-Encoding") == "chunked":
            while chunk := int(self.rfile.readline() or b"0", 16):
                read += len(self.rfile.read(chunk))
                self.rfile.readline()
            self.rfile.readline()
        while read < size:
            read += len(self.rfile.read(min(65536, size - read)))
        return read

    def do_POST(self):
        read = self.read_body()
        if self.path == "/die":
            with open(os.environ.get("DEATHS", os.devnull), "a") as deaths:
                deaths.write(f"{self.headers['X-Request-Id']}\n")
            os._exit(9)
        self.answer(
            200,
            {"bytes": read, "version": os.environ.get("VERSION"), "worker": WORKER},
        )

    def log_message(self, *_):
        pass


if "FAIL_START" in os.environ:
    print("Traceback: this worker was told to fail", flush=True)
    sys.exit(7)
if "MANUAL" in os.environ:
    time.sleep(3600)  # The test speaks the protocol in its place.
if "PORT" in os.environ:
    http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Routes).serve_forever()
serve_queue()
