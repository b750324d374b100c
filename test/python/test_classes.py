"""Classes as endpoints: one real instance per worker, and stand-ins everywhere else."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from toolkit_sdk import Endpoint
from toolkit_sdk._dispatch import remote_class, remote_function

from conftest import StartWorker
from protocol_platform import KEY, ProtocolPlatform
from worker_process import until

PACKAGE = Path(__file__).resolve().parents[2] / "runtime" / "python"

MODEL = """
import os
from toolkit_sdk import Endpoint

@Endpoint(name="endpoint")
class Model:
    made = 0

    def __init__(self):
        Model.made += 1
        print("made")

    def predict(self, text: str) -> list:
        return [text, Model.made, os.getpid(), self._helper()]

    def _helper(self):
        return type(self) is Model

    def close(self):
        print("closed")
"""


def test_one_instance_serves_all_jobs_and_is_closed_when_the_worker_stops(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(MODEL, function="Model.predict", maxConcurrency=2)
    worker.await_report("ready")
    until(lambda: worker.messages() == ["made"])
    jobs = [platform.submit({"text": str(number)}) for number in range(6)]
    outputs = [job.result()["output"] for job in jobs]
    assert [output[0] for output in outputs] == [str(number) for number in range(6)]
    assert {(output[1], output[3]) for output in outputs} == {(1, True)}
    assert len({output[2] for output in outputs}) == 1
    assert worker.stop() == 0
    assert worker.messages() == ["made", "closed"]


# Title, method and `close`. `close` prints a line to show that it ran to its end.
KINDS: list[tuple[str, str, str]] = [
    ("plain, async close", "def predict(self, n): return [n]", "async def close(self): print('closed')"),
    ("async, plain close", "async def predict(self, n): return [n]", "def close(self): print('closed')"),
    (
        "async, close on the loop of the jobs",
        "async def predict(self, n):\n        self.loop = asyncio.get_running_loop()\n        return [n]",
        "async def close(self):\n        if asyncio.get_running_loop() is self.loop: print('closed')",
    ),
    ("alias", "def _go(self, n): return [n]\n    predict = _go", "def close(self): print('closed')"),
    ("lambda", "predict = lambda self, n: [n]", "def close(self): print('closed')"),
    ("generator", "def predict(self, n): yield n", "def close(self): print('closed')"),
    ("async generator", "async def predict(self, n):\n        yield n", "def close(self): print('closed')"),
]


@pytest.mark.parametrize(("method", "close"), [kind[1:] for kind in KINDS], ids=[kind[0] for kind in KINDS])
def test_methods_of_every_kind_are_served(
    start_worker: StartWorker, platform: ProtocolPlatform, method: str, close: str
) -> None:
    source = f"""
import asyncio
from toolkit_sdk import Endpoint
@Endpoint(name="endpoint")
class Model:
    {method}
    {close}
"""
    worker = start_worker(source, function="Model.predict")
    assert platform.run({"n": 7}) == {"output": [7]}
    assert platform.run({"m": 7})["error"] == 'predict is missing the argument "n".'
    assert worker.stop() == 0
    assert worker.messages()[-1] == "closed"


def test_a_class_inside_a_class_and_one_that_inherits_are_served(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
from toolkit_sdk import Endpoint

@Endpoint(name="base")
class Base:
    def __init__(self): self.size = 3
    def predict(self): return self.size

class Outer:
    @Endpoint(name="endpoint")
    class Model(Base):
        def __init__(self):
            super().__init__()
            self.size += 1
        def predict(self): return super().predict() + 10
"""
    start_worker(source, function="Outer.Model.predict")
    assert platform.run({}) == {"output": 14}


CANNOT_START: list[tuple[str, str, str, str]] = [
    (
        "a constructor that raises",
        "def __init__(self): raise ValueError('no weights')\n    def predict(self): ...",
        "Model.predict",
        "The class Model of app.py cannot be instantiated: ValueError: no weights",
    ),
    (
        "a constructor that requires arguments",
        "def __init__(self, path): ...\n    def predict(self): ...",
        "Model.predict",
        "The class Model of app.py cannot be instantiated: TypeError: Model.__init__() missing 1 required positional "
        "argument: 'path'",
    ),
    ("no such class", "def predict(self): ...", "Other.predict", "app.py was loaded, but has no class 'Other'."),
    ("no such method", "def other(self): ...", "Model.predict", "The class Model of app.py has no method 'predict'."),
]


@pytest.mark.parametrize(
    ("body", "function", "reason"), [case[1:] for case in CANNOT_START], ids=[case[0] for case in CANNOT_START]
)
def test_an_instance_that_cannot_be_created_is_a_failed_start(
    start_worker: StartWorker, platform: ProtocolPlatform, body: str, function: str, reason: str
) -> None:
    worker = start_worker(f"class Model:\n    {body}\n", function=function)
    assert worker.await_report("unhealthy")["reason"] == reason
    assert json.loads(platform.run({})["error"])["error_message"] in reason


def test_an_exception_in_close_is_logged_and_the_worker_still_stops(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = "class Model:\n    def predict(self): return 1\n    def close(self): 1 / 0\n"
    worker = start_worker(source, function="Model.predict")
    assert platform.run({}) == {"output": 1}
    assert worker.stop() == 0
    assert worker.messages()[-1] == "ZeroDivisionError: division by zero"


def _declared() -> Any:
    @Endpoint(name="elsewhere")
    class Model:
        """Predicts."""

        LABELS = ("a", "b")

        def __init__(self, size: int = 3) -> None:
            raise AssertionError("runs on the worker")

        async def predict(self, text: str) -> str:
            return text

    return Model


def test_outside_of_the_endpoint_an_instance_stands_in_for_the_remote_one() -> None:
    declared = _declared()
    instance = declared()
    assert isinstance(instance, declared)
    assert (declared.__name__, declared.__doc__, instance.LABELS) == ("Model", "Predicts.", ("a", "b"))
    assert inspect.iscoroutinefunction(instance.predict)
    assert list(inspect.signature(instance.predict).parameters) == ["text"]
    with pytest.raises(TypeError, match=r"Model\(\) takes no arguments, because a worker of its endpoint creates"):
        declared(4)
    with pytest.raises(TypeError, match=r"Model\.predict\(\) missing a required argument: 'text'"):
        asyncio.run(instance.predict())


@Endpoint(name="kept")
class Kept:
    def __init__(self, size: int = 3) -> None:
        self.size = size

    def predict(self, text: str) -> str:
        return text * self.size


def test_the_decorated_class_is_available_as_wrapped() -> None:
    real = Kept.__wrapped__  # type: ignore[attr-defined]
    assert real(2).predict("ab") == "abab"
    assert isinstance(real(), Kept)
    assert real is Kept.__wrapped__  # type: ignore[attr-defined]
    assert str(inspect.signature(Kept)) == str(inspect.signature(real))
    assert isinstance(pickle.loads(pickle.dumps(Kept())), Kept)


def test_a_script_calls_plain_and_async_methods_of_classes(tmp_path: Path, platform: ProtocolPlatform) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "shop"\n')
    (tmp_path / "model.py").write_text("""
from toolkit_sdk import Endpoint
@Endpoint()
class Plain:
    def predict(self, text: str, times: int = 1): ...
@Endpoint()
class Async:
    def __init__(self): raise AssertionError("local")
    async def predict(self, text: str): ...
""")
    script = (
        "import asyncio\nfrom model import Plain, Async\n"
        "async def both(): return await asyncio.gather(Async().predict('b'), Async().predict('c'))\n"
        "print(Plain().predict('a', times=2), asyncio.run(both()))\n"
    )

    def answer(handler: Any, body: bytes) -> tuple[int, Any] | None:
        if not handler.path.startswith("/v2/ep-"):
            return None
        output = [handler.path.split("/")[2], json.loads(body)["input"]]
        return 200, {"id": "sync-1", "status": "COMPLETED", "output": output}

    platform.route = answer
    for name in ("Plain", "Async"):
        url = f"{platform.url}/v2/ep-{name}"
        platform.endpoints[f"shop/production/{name}"] = {"id": f"ep-{name}", "kind": "queue", "url": url}
    environment = {"PYTHONPATH": str(PACKAGE), "PLATFORM_API_URL": platform.url, "PLATFORM_API_KEY": KEY}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == (
        "['ep-Plain', {'text': 'a', 'times': 2}] [['ep-Async', {'text': 'b'}], ['ep-Async', {'text': 'c'}]]\n"
    )


def test_a_peers_class_is_called_over_http_and_has_the_attributes_of_the_real_class(
    start_worker: StartWorker, platform: ProtocolPlatform, packages: bytes
) -> None:
    served = {"name": "predict", "class": "Model", "module": "peer", "file": "peer.py", "async": False}
    manifest = {"resources": {"renamed": {"functions": [served]}}, "routes": {}, "handlers": {}}
    stub = """
from toolkit_sdk._dispatch import real_attribute, remote_class, remote_function
Model = remote_class("Model", remote_function(endpoint="model", module="peer", name="Model.predict",
    parameters=(("text", "positional-or-keyword", True),), is_async=False, route=None, description=None))
def __getattr__(name):
    return real_attribute(__name__, "peer.py", name)
"""
    peer = """
from toolkit_sdk import Endpoint
@Endpoint(name="model")
class Model:
    LABELS = ["real"]
    def predict(self, text): raise AssertionError("local")
"""
    files = {"peer.py": peer, "_toolkit/stubs/peer.py": stub, "toolkit_manifest.json": json.dumps(manifest)}
    source = """
def run(text):
    from peer import Model
    model = Model()
    return [model.predict(text), Model.LABELS, isinstance(model, Model), hasattr(Model, "nothing")]
"""

    def answer(handler: Any, body: bytes) -> tuple[int, Any] | None:
        if not handler.path.startswith("/v2/ep9/"):
            return None
        return 200, {"id": "sync-1", "status": "COMPLETED", "output": json.loads(body)["input"]}

    platform.route = answer
    location = {"id": "ep9", "kind": "queue", "url": f"{platform.url}/v2/ep9"}
    platform.endpoints["shop/production/renamed"] = location
    start_worker(source, files, stubs={"peer": "_toolkit/stubs/peer.py"}, dependencies=packages)
    assert platform.run({"text": "fine"}) == {"output": [{"text": "fine"}, ["real"], True, False]}


def test_a_stub_of_a_class_takes_no_arguments() -> None:
    method = remote_function(
        endpoint="m",
        module="m",
        name="Outer.Model.predict",
        parameters=(),
        is_async=False,
        route=None,
        description=None,
    )
    stub = remote_class("Outer.Model", method)
    assert (stub.__name__, stub.__qualname__, stub.__module__) == ("Model", "Outer.Model", "m")
    assert stub().predict.__qualname__ == "Outer.Model.predict"
    with pytest.raises(TypeError, match="takes no arguments"):
        stub(1)
    with pytest.raises(AttributeError, match="has no attribute 'LABELS'"):
        _ = stub.LABELS
