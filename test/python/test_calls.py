"""Calls of deployed functions from scripts, over real HTTP to a server that responds like a platform."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toolkit_sdk import CallError, CallTimeoutError, RemoteError, _calls
from toolkit_sdk._context import AppContext
from toolkit_sdk._dispatch import RemoteFunction, Target, remote_function
from toolkit_sdk._http import run
from toolkit_sdk._lookup import Locations

from protocol_platform import KEY, ProtocolPlatform

PACKAGE = Path(__file__).resolve().parents[2] / "runtime" / "python"

MODULE = '''
from toolkit_sdk import Endpoint

@Endpoint(name="sentiment")
def sentiment(text: str, times: int = 1) -> dict:
    """Scores a text."""
    raise AssertionError("runs remotely")
'''
SCRIPT = "from gpu_worker import sentiment\nprint(sentiment('fine'))\n"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "home" / "work" / "shop"
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[project]\nname = "shop"\n')
    (folder / "gpu_worker.py").write_text(MODULE)
    return folder


@pytest.fixture
def run_script(tmp_path: Path, platform: ProtocolPlatform) -> Run:
    """Runs a script in a folder, with the given variables in addition to HOME and PATH."""

    def run_it(folder: Path, script: str = SCRIPT, **environment: str) -> subprocess.CompletedProcess[str]:
        (folder / "script.py").write_text(script)
        return subprocess.run(
            [sys.executable, "script.py"],
            cwd=folder,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(tmp_path / "home"),
                "PYTHONPATH": str(PACKAGE),
                **environment,
            },
            capture_output=True,
            text=True,
            check=False,
        )

    return run_it


def _deploy(platform: ProtocolPlatform, path: str, kind: str = "queue") -> None:
    """Deploys an endpoint as `app/environment/name`."""
    url = platform.url + ("/v2/ep1" if kind == "queue" else "/lb")
    platform.endpoints[path] = {"id": "ep1", "kind": kind, "url": url}


def _answer_jobs(platform: ProtocolPlatform, body: dict[str, Any]) -> list[Any]:
    """Answers every runsync with the body. Returns the list that collects the inputs."""
    inputs: list[Any] = []

    def route(handler: Any, sent: bytes) -> tuple[int, Any] | None:
        if not handler.path.startswith("/v2/ep1/runsync"):
            return None
        inputs.append(json.loads(sent)["input"])
        return 200, {
            "id": "sync-1-u1",
            "status": "FAILED" if "error" in body else "COMPLETED",
            **body,
        }

    platform.route = route
    return inputs


def test_a_script_gets_the_result_of_the_deployed_function(
    project: Path, run_script: Run, platform: ProtocolPlatform
) -> None:
    _deploy(platform, "shop/production/sentiment")
    inputs = _answer_jobs(platform, {"output": {"label": "good"}})
    done = run_script(project, PLATFORM_API_URL=platform.url, PLATFORM_API_KEY=KEY)
    assert (done.stdout, done.stderr) == ("{'label': 'good'}\n", "")
    assert inputs == [{"text": "fine"}]


def test_a_script_without_a_project_raises_the_specified_error(
    tmp_path: Path, run_script: Run, platform: ProtocolPlatform
) -> None:
    elsewhere = tmp_path / "home" / "elsewhere"
    elsewhere.mkdir(parents=True)
    (elsewhere / "gpu_worker.py").write_text(MODULE)
    (tmp_path / "home" / ".toolkit").mkdir()
    (tmp_path / "home" / ".git").mkdir()
    done = run_script(elsewhere, PLATFORM_API_URL=platform.url, PLATFORM_API_KEY=KEY)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert '"sentiment"' in last
    assert "Move the file into a project" in last
    assert "TOOLKIT_APP and TOOLKIT_ENV" in last
    assert str(elsewhere / "gpu_worker.py") in last
    check = "try:\n  sentiment('x')\nexcept toolkit_sdk.CallError: print('call error')\n"
    done = run_script(elsewhere, f"import toolkit_sdk\nfrom gpu_worker import sentiment\n{check}")
    assert done.stdout == "call error\n"
    _deploy(platform, "shop/staging/sentiment")
    _answer_jobs(platform, {"output": 1})
    context = {
        "PLATFORM_API_URL": platform.url,
        "PLATFORM_API_KEY": KEY,
        "TOOLKIT_APP": "shop",
        "TOOLKIT_ENV": "staging",
    }
    assert run_script(elsewhere, **context).stdout == "1\n"


# Title, pyproject.toml, .env, environment, and the app and environment that the call goes to.
CONTEXTS: list[tuple[str, str | None, str, dict[str, str], str]] = [
    ("project name", '[project]\nname = "named"\n', "", {}, "named/production"),
    (
        "toolkit app first",
        '[project]\nname = "a"\n[tool.toolkit]\napp = "b"  # ours\n',
        "",
        {},
        "b/production",
    ),
    ("folder name", "[tool.other]\nname = 'x'\n", "", {}, "shop/production"),
    ("no pyproject but a marker", None, "", {}, "shop/production"),
    (".env names both", "", "TOOLKIT_APP=c\nexport TOOLKIT_ENV='d'\n", {}, "c/d"),
    (
        "environment wins",
        "",
        "TOOLKIT_APP=c\nTOOLKIT_ENV=d\n",
        {"TOOLKIT_APP": "e", "TOOLKIT_ENV": "f"},
        "e/f",
    ),
]


@pytest.mark.parametrize(
    ("pyproject", "dotenv", "environment", "target"),
    [case[1:] for case in CONTEXTS],
    ids=[case[0] for case in CONTEXTS],
)
def test_app_and_environment_are_resolved(
    project: Path,
    run_script: Run,
    platform: ProtocolPlatform,
    pyproject: str | None,
    dotenv: str,
    environment: dict[str, str],
    target: str,
) -> None:
    if pyproject is None:
        (project / "pyproject.toml").unlink()
        (project / "requirements.txt").write_text("")
    else:
        (project / "pyproject.toml").write_text(pyproject)
    (project / ".env").write_text(dotenv)
    _deploy(platform, f"{target}/sentiment")
    _answer_jobs(platform, {"output": target})
    done = run_script(project, PLATFORM_API_URL=platform.url, PLATFORM_API_KEY=KEY, **environment)
    assert done.stdout == f"{target}\n", done.stderr


def test_the_key_and_the_platform_come_from_the_same_source(
    project: Path, run_script: Run, platform: ProtocolPlatform, tmp_path: Path
) -> None:
    _deploy(platform, "shop/production/sentiment")
    _answer_jobs(platform, {"output": "answered"})
    home = tmp_path / "home" / ".toolkit"
    home.mkdir()

    def check(expected: str, dotenv: str = "", **environment: str) -> None:
        (project / ".env").write_text(dotenv)
        done = run_script(project, **environment)
        assert expected in done.stdout + done.stderr, (expected, done.stdout, done.stderr)

    url = platform.url
    check("There is no key for the platform", PLATFORM_API_URL=url)
    check(
        "There is no key for the platform",
        PLATFORM_API_URL=url,
        PLATFORM_API_KEY="<API_KEY>",
    )
    check(
        "There is no key for the platform",
        "PLATFORM_API_KEY=<API_KEY>",
        PLATFORM_API_URL=url,
    )
    check("answered", f"PLATFORM_API_KEY={KEY}  # mine", PLATFORM_API_URL=url)
    check("answered", f'PLATFORM_API_KEY="{KEY}"\nPLATFORM_API_URL={url}')
    check("so your own key was not sent there", f"PLATFORM_API_URL={url}", PLATFORM_API_KEY=KEY)
    check(
        "rejected the key from the environment variable PLATFORM_API_KEY",
        PLATFORM_API_URL=url,
        PLATFORM_API_KEY="wrong",
    )
    check("No platform is running on this machine", PLATFORM_API_KEY=KEY)
    check('Run "toolkit platform start"')
    (home / "credentials.json").write_text(json.dumps({url: {"key": KEY}}))
    check("answered", PLATFORM_API_URL=url)
    (home / "platform.json").write_text(json.dumps({"url": url, "instance": "instance-1"}))
    check("answered")
    check("is not a key of the embedded platform", PLATFORM_API_KEY="wrong")
    (home / "credentials.json").write_text(json.dumps({url: {"key": "wrong"}}))
    check('Run "toolkit platform stop" and "toolkit platform start"')
    check('Store a new one with "toolkit login".', PLATFORM_API_URL=url)
    (home / "credentials.json").write_text("half a file")
    check("credentials.json cannot be read as JSON", PLATFORM_API_URL=url)
    (home / "credentials.json").write_text(json.dumps({url: {"key": KEY}}))
    (home / "platform.json").write_text(json.dumps({"url": url, "instance": "another"}))
    check('Run "toolkit platform start"')


def test_an_endpoint_that_is_not_deployed_is_named(project: Path, run_script: Run, platform: ProtocolPlatform) -> None:
    done = run_script(project, PLATFORM_API_URL=platform.url, PLATFORM_API_KEY=KEY)
    assert 'No endpoint "sentiment" is deployed in the app "shop", environment "production"' in done.stderr


# Calls in this process. The context comes from the environment, as on workers.


@pytest.fixture
def context(platform: ProtocolPlatform, monkeypatch: pytest.MonkeyPatch) -> ProtocolPlatform:
    for name, value in {
        "PLATFORM_API_URL": platform.url,
        "PLATFORM_API_KEY": KEY,
        "TOOLKIT_APP": "shop",
        "TOOLKIT_ENV": "production",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(_calls, "locations", Locations())
    monkeypatch.setattr(_calls.call_flow, "__defaults__", (_calls.locations,))
    return platform


def _stub(
    name: str = "f",
    route: tuple[str, str] | None = None,
    is_async: bool = False,
    *parameters: str,
    returns_bytes: bool = False,
) -> Any:
    return remote_function(
        endpoint=name,
        module="peer",
        name=name,
        parameters=tuple((each.rstrip("?"), "positional-or-keyword", not each.endswith("?")) for each in parameters),
        is_async=is_async,
        route=route,
        description=None,
        returns_bytes=returns_bytes,
    )


def test_arguments_are_sent_by_name_and_without_defaults(
    context: ProtocolPlatform,
) -> None:
    _deploy(context, "shop/production/f")
    inputs = _answer_jobs(context, {"output": None})
    f = _stub("f", None, False, "a", "b?", "c?")
    f(1, c=[3])
    f(b=(2, 3), a={"x": None})
    assert inputs == [{"a": 1, "c": [3]}, {"a": {"x": None}, "b": [2, 3]}]
    with pytest.raises(TypeError, match="missing a required argument: 'a'"):
        f()
    with pytest.raises(TypeError, match="unexpected keyword argument 'd'"):
        f(1, d=2)


def test_an_argument_that_cannot_be_converted_to_json_is_named(context: ProtocolPlatform) -> None:
    _deploy(context, "shop/production/f")
    f = _stub("f", None, False, "a")
    with pytest.raises(TypeError, match=r"Cannot send the arguments: a\.raw\[1\] is a set, which cannot be"):
        f({"raw": [b"x", {1}]})
    with pytest.raises(TypeError, match="Cannot send the arguments: a is NaN"):
        f(float("nan"))


def test_bytes_are_sent_and_returned_as_base64_text(context: ProtocolPlatform) -> None:
    _deploy(context, "shop/production/f")
    inputs = _answer_jobs(context, {"output": "//77"})
    assert _stub("f", None, False, "a", returns_bytes=True)(b"\xff") == b"\xff\xfe\xfb"
    assert _stub("f", None, False, "a")([bytearray(b"a")]) == "//77"
    assert inputs == [{"a": "/w=="}, {"a": ["YQ=="]}]
    _answer_jobs(context, {"output": None})
    assert _stub("f", None, False, returns_bytes=True)() is None
    _answer_jobs(context, {"output": "no bytes"})
    with pytest.raises(CallError, match='has the annotation "-> bytes", but the endpoint returned text'):
        _stub("f", None, False, returns_bytes=True)()


def test_a_route_returns_bytes_as_json_or_as_a_raw_response(context: ProtocolPlatform) -> None:
    _deploy(context, "shop/production/api", "load-balanced")
    seen: list[str] = []

    def route(handler: Any, _: bytes) -> tuple[int, Any] | None:
        if not handler.path.startswith("/lb"):
            return None
        seen.append(handler.path)
        return 200, b"\xff\xfe" if handler.path == "/lb/raw" else "//77"

    context.route = route
    assert _stub("api", ("GET", "/x/{key}"), False, "key", "q?", returns_bytes=True)(b"\xff", b"a") == b"\xff\xfe\xfb"
    assert _stub("api", ("GET", "/raw"), False, returns_bytes=True)() == b"\xff\xfe"
    assert seen == ["/lb/x/%2Fw%3D%3D?q=YQ%3D%3D", "/lb/raw"]


@pytest.mark.parametrize(
    "annotation", ["bytes", '"bytes"', "Optional[bytes]", "bytes | None", '"bytes | None"', '"Optional[bytes]"']
)
def test_a_script_gets_bytes_if_the_function_is_annotated_to_return_them(
    project: Path, run_script: Run, platform: ProtocolPlatform, annotation: str
) -> None:
    _deploy(platform, "shop/production/sentiment")
    _answer_jobs(platform, {"output": "YWJj"})
    module = MODULE.replace("-> dict", f"-> {annotation}")
    (project / "gpu_worker.py").write_text(f"from typing import Optional\n{module}")
    done = run_script(project, PLATFORM_API_URL=platform.url, PLATFORM_API_KEY=KEY)
    assert (done.stdout, done.stderr) == ("b'abc'\n", "")


def test_a_remote_failure_has_type_message_and_traceback(
    context: ProtocolPlatform,
) -> None:
    _deploy(context, "shop/production/f")
    frames = 'Traceback (most recent call last):\n  File "app.py", line 3, in f\nValueError: too short\n'
    error = {
        "error_type": "ValueError",
        "error_message": "too short",
        "error_traceback": frames,
    }
    _answer_jobs(context, {"error": json.dumps(error)})
    with pytest.raises(RemoteError) as caught:
        _stub()()
    failure = caught.value
    assert (failure.error_type, failure.message, failure.endpoint) == (
        "ValueError",
        "too short",
        "f",
    )
    assert failure.job_id == "sync-1-u1"
    assert 'File "app.py", line 3, in f' in str(failure)
    _answer_jobs(context, {"error": 'f is missing the argument "a".'})
    with pytest.raises(RemoteError, match='f is missing the argument "a"'):
        _stub()()


def test_a_connection_that_breaks_after_the_request_is_reported_as_such(context: ProtocolPlatform) -> None:
    _deploy(context, "shop/production/api", "load-balanced")

    def route(handler: Any, _: bytes) -> tuple[int, Any] | None:
        if handler.path.startswith("/lb"):
            handler.connection.shutdown(socket.SHUT_RDWR)
        return None

    context.route = route
    with pytest.raises(CallError, match="The request may have been processed"):
        _stub("api", ("POST", "/x"))()


def test_async_functions_are_awaitable(context: ProtocolPlatform) -> None:
    import asyncio

    _deploy(context, "shop/production/f")
    _answer_jobs(context, {"output": 5})
    f = _stub("f", None, True, "a")

    async def several() -> list[int]:
        return list(await asyncio.gather(*(f(n) for n in range(5))))

    assert asyncio.run(several()) == [5] * 5
    assert asyncio.run(several()) == [5] * 5


def test_routes_are_called_with_path_query_and_body(context: ProtocolPlatform) -> None:
    _deploy(context, "shop/production/api", "load-balanced")
    seen: list[tuple[str, str, Any]] = []

    def route(handler: Any, body: bytes) -> tuple[int, Any] | None:
        if not handler.path.startswith("/lb"):
            return None
        seen.append((handler.command, handler.path, json.loads(body) if body else None))
        return 200, {"fine": True}

    context.route = route
    assert _stub("api", ("POST", "/analyze/{kind}"), False, "kind", "text", "n?")("a b/c", text="hi") == {"fine": True}
    _stub("api", ("GET", "/items/{item}"), False, "item", "q?", "tags?")(7, q="ä&b", tags=["x", "y"])
    _stub("api", ("DELETE", "/items/{item}"), False, "item", "force?")(7, force=True)
    _stub("api", ("PUT", "/empty"), False)()
    assert seen == [
        ("POST", "/lb/analyze/a%20b%2Fc", {"text": "hi"}),
        ("GET", "/lb/items/7?q=%C3%A4%26b&tags=x&tags=y", None),
        ("DELETE", "/lb/items/7?force=true", None),
        ("PUT", "/lb/empty", {}),
    ]


@pytest.mark.parametrize(
    ("status", "body", "error", "message"),
    [
        (
            500,
            {"error": "ValueError: bad", "code": "FUNCTION_ERROR", "request_id": "r1"},
            RemoteError,
            "ValueError: bad",
        ),
        (
            422,
            {"error": 'The parameter "n" is invalid', "code": "VALIDATION_ERROR"},
            RemoteError,
            'parameter "n"',
        ),
        (
            503,
            {"error": "no workers available"},
            CallError,
            "returned 503: no workers available",
        ),
        (
            401,
            {"error": "wrong key"},
            CallError,
            "rejected the key from the environment variable PLATFORM_API_KEY",
        ),
        (
            404,
            {"error": "No route GET /x.", "code": "ROUTE_NOT_FOUND"},
            CallError,
            "returned 404: No route",
        ),
    ],
)
def test_the_error_of_a_route_is_raised(
    context: ProtocolPlatform,
    status: int,
    body: dict[str, Any],
    error: type[Exception],
    message: str,
) -> None:
    _deploy(context, "shop/production/api", "load-balanced")
    context.route = lambda handler, _: (status, body) if handler.path.startswith("/lb") else None
    with pytest.raises(error, match=message):
        _stub("api", ("GET", "/x"))()


def test_a_job_that_takes_longer_than_the_first_wait_is_polled(
    context: ProtocolPlatform,
) -> None:
    _deploy(context, "shop/production/f")
    context.runsync_answers = False
    import threading

    def work() -> None:
        job = context.waiting.get(timeout=10)
        job.body = {"output": job.input}
        job.done.set()

    threading.Thread(target=work).start()
    assert _stub("f", None, False, "a")("slow") == {"a": "slow"}


def test_a_call_that_times_out_names_the_job(context: ProtocolPlatform, monkeypatch: pytest.MonkeyPatch) -> None:
    _deploy(context, "shop/production/f")
    context.runsync_answers = False
    context.route = lambda handler, _: (200, {"id": "j1", "status": "IN_QUEUE"}) if "/v2/" in handler.path else None
    monkeypatch.setattr(_calls, "REQUEST_TIMEOUT", 0.5)
    with pytest.raises(CallTimeoutError, match="may still be provisioning") as caught:
        _stub()()
    assert caught.value.job_id == "j1"
    assert isinstance(caught.value, TimeoutError)


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_location_is_cached_for_300_seconds(context: ProtocolPlatform) -> None:
    _deploy(context, "shop/production/f")
    _answer_jobs(context, {"output": 1})
    clock = _Clock()
    locations = Locations(clock)
    for now, lookups in [(0, 1), (299.9, 1), (300, 2), (599.9, 2), (600.1, 3)]:
        clock.now = now
        assert run(_calls.call_flow(_remote("f"), {}, locations)) == 1
        assert len(context.lookups) == lookups


@pytest.mark.parametrize("old", ["refuses connections", "answers 404"])
def test_an_endpoint_that_moved_is_found_again(context: ProtocolPlatform, old: str) -> None:
    from worker_process import free_port

    _deploy(context, "shop/production/f")
    locations = Locations()
    gone = f"http://127.0.0.1:{free_port()}/v2/ep0" if old == "refuses connections" else f"{context.url}/gone"
    context.endpoints["shop/production/f"]["url"] = gone
    with pytest.raises(CallError):
        run(_calls.call_flow(_remote("f"), {}, locations))
    _deploy(context, "shop/production/f")
    _answer_jobs(context, {"output": "found"})
    assert run(_calls.call_flow(_remote("f"), {}, locations)) == "found"
    assert len(context.lookups) == 2


def test_an_unreachable_platform_is_an_error(monkeypatch: pytest.MonkeyPatch, context: ProtocolPlatform) -> None:
    monkeypatch.setenv("PLATFORM_API_URL", "http://127.0.0.1:9")
    with pytest.raises(CallError, match="cannot be reached"):
        _stub()()


@pytest.mark.parametrize("key", ["se\ncret", "secret ü"])
def test_a_key_that_no_header_can_carry_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, context: ProtocolPlatform, key: str
) -> None:
    monkeypatch.setenv("PLATFORM_API_KEY", key)
    with pytest.raises(CallError, match="variable PLATFORM_API_KEY is not a key") as raised:
        _stub()()
    assert "cret" not in str(raised.value)


def test_a_key_is_not_in_the_repr_of_a_context() -> None:
    assert "secret" not in repr(AppContext("a", "b", "http://x", "secret", "here", None))


def _remote(name: str) -> RemoteFunction:
    from inspect import Signature

    return RemoteFunction(Target(name, None), "peer", name, Signature(), False, None, False)
