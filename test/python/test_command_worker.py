"""Workers that run a command: real processes that know the protocol only from their environment."""

from __future__ import annotations

import sys
import urllib.request

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import is_alive, part_of, until

# A worker that knows nothing about the toolkit: takes a job, works, and posts the result.
PULLING = """
import json, os, urllib.request
def ask(url, data=None):
    headers = {"Authorization": os.environ["RUNPOD_AI_API_KEY"], "Content-Type": "application/x-www-form-urlencoded"}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers)) as answer:
        return answer.status, answer.read()
me = os.environ["RUNPOD_POD_ID"]
print("started", flush=True)
while True:
    status, body = ask(os.environ["RUNPOD_WEBHOOK_GET_JOB"].replace("$ID", me) + "&job_in_progress=0")
    if status != 200:
        continue
    job = json.loads(body)
    ping = os.environ["RUNPOD_WEBHOOK_PING"].replace("$RUNPOD_POD_ID", me)
    ask(ping + "&job_id=" + job["id"])
    output = work(job["input"])
    url = os.environ["RUNPOD_WEBHOOK_POST_OUTPUT"].replace("$RUNPOD_POD_ID", me).replace("$ID", job["id"])
    ask(url + "&isStream=false", json.dumps({"output": output}).encode())
"""

SERVING = """
import http.server, os, time
begun = time.monotonic()
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path != "/ping" or time.monotonic() - begun > 0.5 else 204)
        self.end_headers()
    def log_message(self, *args): pass
http.server.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""


def test_a_command_takes_jobs_and_renews_its_own_leases(start_command: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_command(["python", "serve.py"], {"serve.py": f"def work(given): return given['n'] + 1\n{PULLING}"})
    job = platform.submit({"n": 41})
    assert job.result() == {"output": 42}
    assert worker.states() == ["starting"]
    named = [ping["job_id"] for ping in platform.pings if "job_id" in ping]
    assert named == [[job.id]]
    until(lambda: "started" in worker.messages())
    children = worker.children()
    assert worker.stop() == 0
    assert not any(is_alive(pid) for pid in children)


def test_a_command_finds_code_and_packages_in_the_same_order_as_workers(
    start_command: StartWorker, platform: ProtocolPlatform
) -> None:
    dependencies = part_of(
        {
            "_toolkit/dependencies/own/shipped/__init__.py": "VALUE = 'shipped'",
            "_toolkit/dependencies/own/extra.pth": "more\n",
            "_toolkit/dependencies/own/more/by_pth.py": "VALUE = 'pth'",
            "_toolkit/dependencies/own/both.py": "VALUE = 'dependency'",
            "_toolkit/dependencies/all/shipped/__init__.py": "VALUE = 'of another set'",
        },
        end=False,
    )
    work = """
import os, shutil, subprocess, sys
import both, by_pth, neighbour, shipped
def work(given):
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    child = subprocess.run([f"python{version}", "-c", "import shipped; print(shipped.VALUE)"], stdout=-1, text=True)
    foreign = [path for path in sys.path if "site-packages" in path]
    return {
        "values": [both.VALUE, by_pth.VALUE, neighbour.VALUE, shipped.VALUE, child.stdout.strip()],
        "executables": [os.path.samefile(sys.executable, given["executable"]), sys.prefix == given["prefix"]],
        "cwd": os.path.exists("serve.py"), "foreign": foreign, "mode": os.environ["MODE"],
    }
"""
    files = {
        "serve.py": work + PULLING,
        "both.py": "VALUE = 'code'",
        "src/neighbour.py": "VALUE = 'src'",
    }
    start_command(["python3", "serve.py"], files, dependencies=dependencies, dependencySet="own", env={"MODE": "fast"})
    assert platform.run({"executable": sys.executable, "prefix": sys.prefix})["output"] == {
        "values": ["code", "pth", "src", "shipped", "shipped"],
        "executables": [True, True],
        "cwd": True,
        "foreign": [],
        "mode": "fast",
    }


def test_a_load_balanced_command_is_ready_once_its_health_route_answers_200(
    start_command: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_command(["python", "serve.py"], {"serve.py": SERVING}, kind="load-balanced")
    worker.await_report("ready")
    with urllib.request.urlopen(f"{worker.address}/anything") as answer:
        assert answer.status == 200
    assert worker.stop() == 0


def test_a_missing_health_route_of_a_command_is_logged(start_command: StartWorker, platform: ProtocolPlatform) -> None:
    source = SERVING.replace('200 if self.path != "/ping" or time.monotonic() - begun > 0.5 else 204', "404")
    worker = start_command(["python", "serve.py"], {"serve.py": source}, kind="load-balanced")
    message = "The command returns 404 for GET /ping; it gets requests once it returns 200."
    until(lambda: message in worker.messages())
    assert worker.states() == ["starting"]


def test_a_command_that_fails_is_reported_with_its_last_lines_and_ends_the_worker(
    start_command: StartWorker, platform: ProtocolPlatform
) -> None:
    source = "import sys\nprint('loading')\nsys.exit('no weights')\n"
    worker = start_command(["python", "serve.py", "--fast mode"], {"serve.py": source})
    report = worker.await_report("unhealthy")
    assert report["reason"] == "The command `python serve.py '--fast mode'` ended with exit code 1."
    assert sorted(report["lines"]) == ["loading", "no weights"]
    assert worker.await_end(20) == 1
    levels = {line["message"]: line["level"] for line in worker.log_lines()}
    assert (levels["loading"], levels["no weights"]) == ("info", "warning")


def test_a_command_that_cannot_be_run_is_named(start_command: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_command(["./serve.sh"], {"app.py": ""})
    report = worker.await_report("unhealthy")
    assert report["lines"] == ["./serve.sh cannot be run: No such file or directory."]
    assert worker.await_end(20) == 1


def test_a_command_that_exits_with_0_ends_its_worker(start_command: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_command(["sh", "-c", "echo done"], {"app.py": ""})
    assert worker.await_end(20) == 0
    assert worker.states() == ["starting"]
    assert worker.messages() == ["done"]


def test_a_stop_ends_the_command_and_waits_for_it(start_command: StartWorker, platform: ProtocolPlatform) -> None:
    script = "trap 'echo stopping; sleep 0.3; echo stopped; exit 0' TERM; echo up; while :; do sleep 0.05; done"
    worker = start_command(["sh", "-c", script], {"app.py": ""})
    until(lambda: "up" in worker.messages())
    assert worker.stop() == 0
    assert worker.messages() == ["up", "stopping", "stopped"]


def test_a_command_ends_with_its_agent(start_command: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_command(["sh", "-c", "echo $$; exec sleep 600"], {"app.py": ""})
    until(lambda: bool(worker.messages()))
    child = int(worker.messages()[0])
    assert is_alive(child)
    worker.agent.kill()
    until(lambda: not is_alive(child))


def test_processes_that_an_ended_command_left_are_killed(
    start_command: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_command(["sh", "-c", "sleep 600 & echo $!; exit 3"], {"app.py": ""})
    assert worker.await_end(20) == 1
    assert not is_alive(int(worker.messages()[0]))


def test_a_command_that_takes_more_memory_than_it_has_is_ended(start_command: StartWorker) -> None:
    source = "import time\nheld = b'x' * 300_000_000\ntime.sleep(60)\n"
    worker = start_command(["python", "hold.py"], {"hold.py": source}, memoryBytes=200_000_000)
    assert "The command used more than" in worker.await_report("unhealthy")["reason"]
