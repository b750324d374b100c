"""The package as users see it: names, version, types, and what an import loads."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import generate_hardware
import pytest
import toolkit_sdk
from toolkit_sdk import CpuInstanceType, Endpoint, GpuGroup, GpuType

ROOT = Path(__file__).resolve().parents[2]


def test_the_hardware_enums_match_the_table() -> None:
    table = json.loads(generate_hardware.TABLE.read_text())
    assert generate_hardware.MODULE.read_text() == generate_hardware.hardware_module(table)
    assert GpuGroup.ADA_24.value == "ADA_24"
    assert GpuType.NVIDIA_L4.value == "NVIDIA_L4"
    assert CpuInstanceType.CPU3C_1_2.value == "cpu3c-1-2"


def test_the_version_is_that_of_the_toolkit() -> None:
    assert toolkit_sdk.__version__ == json.loads((ROOT / "package.json").read_text())["version"]


def test_only_these_names_are_exported() -> None:
    public = {name for name in vars(toolkit_sdk) if not name.startswith("_")} - {
        "endpoint",
        "errors",
        "hardware",
    }
    assert public | {"__version__"} == set(toolkit_sdk.__all__)


def test_the_package_is_typed() -> None:
    assert (Path(toolkit_sdk.__file__).parent / "py.typed").exists()


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, toolkit_sdk; print('\\n'.join(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "runtime" / "python")},
    ).stdout.split()
    heavy = {
        "httpx",
        "asyncio",
        "inspect",
        "dataclasses",
        "json",
        "http.client",
        "fastapi",
        "pathlib",
        "socket",
    }
    assert not heavy & set(loaded)


def test_declaring_keeps_name_docstring_signature_and_kind() -> None:
    @Endpoint(
        name="plain",
        gpu=GpuGroup.ANY,
        workers=(0, 1),
        idle_timeout=5,
        dependencies=["x"],
        env={"A": "b"},
    )
    def plain(text: str, times: int = 2) -> str:
        """Repeats."""
        return text * times

    @Endpoint()
    async def asynchronous(text: str) -> str:
        return text

    @Endpoint()
    def yields(n: int):
        yield n

    @Endpoint()
    async def yields_async(n: int):
        yield n

    api = Endpoint(name="api", cpu="cpu5c-4-8")

    @api.get("/a/{x}")
    @api.post("/b")
    def routed(x: int) -> int:
        return x

    assert (plain.__name__, plain.__doc__) == ("plain", "Repeats.")
    assert str(inspect.signature(plain)) in (
        "(text: str, times: int = 2) -> str",
        "(text: 'str', times: 'int' = 2) -> 'str'",
    )
    assert inspect.iscoroutinefunction(asynchronous)
    assert not inspect.iscoroutinefunction(plain)
    assert inspect.isgeneratorfunction(yields)
    assert inspect.isasyncgenfunction(yields_async)
    assert list(inspect.signature(routed).parameters) == ["x"]


def test_workers_can_be_one_number() -> None:
    assert Endpoint(name="x", workers=4).workers == (0, 4)


class _Nothing:
    SIZE = 3

    def _helper(self): ...

    def close(self): ...

    @property
    def size(self): ...


class _Two(_Nothing):
    def one(self): ...

    async def two(self): ...


class _Static:
    @staticmethod
    def one(): ...


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda: Endpoint(lambda: None), "write @Endpoint() above a function"),  # type: ignore[arg-type]
        (lambda: Endpoint()(3), "An endpoint decorates a function or a class, not 3."),  # type: ignore[arg-type]
        (lambda: Endpoint(name="x").get("/")(3), "A route decorates a function, not 3."),  # type: ignore[arg-type]
        (lambda: Endpoint(name="x").get("/")(dict), "dict is a class, but a route runs a function"),
        (lambda: Endpoint()(_Nothing), "has no public method of its own, so its endpoint has nothing to serve"),
        (lambda: Endpoint()(_Two), "has 2 public methods (one, two), but its endpoint serves exactly one"),
        (lambda: Endpoint()(_Static), "is a static or class method, but an endpoint calls a method of an instance"),
    ],
)
def test_a_declaration_of_the_wrong_type_is_a_type_error(declare, message: str) -> None:
    with pytest.raises(TypeError, match=message.replace("(", r"\(").replace(")", r"\)")):
        declare()


def test_every_module_starts_with_a_docstring() -> None:
    for path in Path(toolkit_sdk.__file__).parent.rglob("*.py"):
        assert path.read_text().startswith('"""'), path
