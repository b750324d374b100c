"""Workers that run a command: real processes that know the protocol by its environment alone."""

from __future__ import annotations

import sys
import urllib.request

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import is_alive, part_of, until

# A worker as others write them: takes a job, works, posts the result; knows nothing of the toolkit.
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


def test_a_command_pulls_jobs_and_keeps_its_own_leases(start_command: StartWorker, platform: ProtocolPlatform) -> None:
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


def test_a_command_finds_code_and_packages_in_the_order_of_workers(
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


def test_a_load_balanced_command_is_ready_once_its_health_route_says_so(
    start_command: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_command(["python", "serve.py"], {"serve.py": SERVING}, kind="load-balanced")
    worker.await_report("ready")
    with urllib.request.urlopen(f"{worker.address}/anything") as answer:
        assert answer.status == 200
    assert worker.stop() == 0


def test_a_command_whose_health_route_is_missing_is_told_so(
    start_command: StartWorker, platform: ProtocolPlatform
) -> None:
    source = SERVING.replace('200 if self.path != "/ping" or time.monotonic() - begun > 0.5 else 204', "404")
    worker = start_command(["python", "serve.py"], {"serve.py": source}, kind="load-balanced")
    until(lambda: "The command answers 404 to GET /ping; it gets requests once that is 200." in worker.messages())
    assert worker.states() == ["starting"]


def test_a_command_that_dies_is_told_with_its_last_lines_and_ends_the_worker(
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


def test_a_command_that_ends_well_ends_its_worker(start_command: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_command(["sh", "-c", "echo done"], {"app.py": ""})
    assert worker.await_end(20) == 0
    assert worker.states() == ["starting"]
    assert worker.messages() == ["done"]


def test_a_stop_is_passed_on_and_waited_for(start_command: StartWorker, platform: ProtocolPlatform) -> None:
    script = "trap 'echo stopping; sleep 0.3; echo stopped; exit 0' TERM; echo up; while :; do sleep 0.05; done"
    worker = start_command(["sh", "-c", script], {"app.py": ""})
    until(lambda: "up" in worker.messages())
    assert worker.stop() == 0
    assert worker.messages() == ["up", "stopping", "stopped"]


def test_a_command_and_what_it_started_die_with_the_supervisor(
    start_command: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_command(["sh", "-c", "echo $$; exec sleep 600"], {"app.py": ""})
    until(lambda: bool(worker.messages()))
    child = int(worker.messages()[0])
    assert is_alive(child)
    worker.agent.kill()
    until(lambda: not is_alive(child))


def test_what_a_dead_command_left_running_is_ended(start_command: StartWorker, platform: ProtocolPlatform) -> None:
    worker = start_command(["sh", "-c", "sleep 600 & echo $!; exit 3"], {"app.py": ""})
    assert worker.await_end(20) == 1
    assert not is_alive(int(worker.messages()[0]))
