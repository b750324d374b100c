"""Python reads what TypeScript writes: tests with the fixtures that both sides share."""

from __future__ import annotations

import dataclasses
import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from toolkit_sdk._agent import protocol as agent_protocol
from toolkit_sdk._manifest import functions_of_manifest
from toolkit_sdk._worker import protocol

from agent_link import AgentLink
from worker_process import until

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "test" / "fixtures"

CLASSES: list[dict[str, Any]] = json.loads((FIXTURES / "classes.json").read_text())
REFUSALS = {
    "none": "has no public method of its own, so its endpoint has nothing to serve",
    "several": r"has \d public methods .*, but its endpoint serves exactly one",
    "unbound": "is a static or class method, but an endpoint calls a method of an instance",
    "arguments": "requires the argument .*, but a worker creates its instance without arguments",
}


@pytest.mark.parametrize("form", CLASSES, ids=[form["title"] for form in CLASSES])
def test_a_class_is_accepted_or_refused_as_by_the_toolkit(form: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "declared.py"
    file.write_text("\n".join(["from toolkit_sdk import Endpoint", *form["source"]]))
    if "refused" in form:
        with pytest.raises(TypeError, match=REFUSALS[form["refused"]]):
            runpy.run_path(str(file))
        return
    module = runpy.run_path(str(file))
    declared = module["Model"] if "Model" in module else module["Outer"].Model
    served = [name for name, value in vars(declared).items() if name[0] != "_" and hasattr(value, "__toolkit_target__")]
    assert served == [form["method"]]
    assert callable(getattr(declared.__wrapped__(), form["method"]))


def test_all_fields_of_an_assignment_are_read() -> None:
    body = json.loads((FIXTURES / "protocol" / "assignment.json").read_text())
    assignment = agent_protocol.decode_assignment(body)
    assert assignment.endpoint_name == "sentiment"
    assert assignment.kind == "queue"
    assert [part.role for part in assignment.parts] == ["dependencies", "code"]
    assert dataclasses.asdict(assignment.parts[1]) == body["parts"][1]
    assert assignment.env == body["env"]
    assert (assignment.max_concurrency, assignment.execution_timeout) == (1, 600)


def test_the_fields_of_an_assignment_match_the_contract() -> None:
    body = json.loads((FIXTURES / "protocol" / "assignment.json").read_text())
    contract = (ROOT / "runtime" / "contract" / "workerProtocol.ts").read_text()
    fields = re.search(r"export interface Assignment \{(.*?)\n\}", contract, re.DOTALL)
    assert fields is not None
    assert re.findall(r"^  (\w+)\??:", fields[1], re.MULTILINE) == list(body)


def test_an_agent_reads_its_settings_and_orders_and_sends_the_hello_that_the_platform_reads(tmp_path: Path) -> None:
    agent = json.loads((FIXTURES / "protocol" / "agent.json").read_text())
    start = agent_protocol.AgentStart(**agent["start"])
    assert start.lock == agent["start"]["lock"]
    order = next(each["order"] for each in agent["orders"] if each["type"] == "start")
    order["assignment"] = json.loads((FIXTURES / "protocol" / order["assignment"]).read_text())
    decoded = agent_protocol.decode_order(order)
    assert (decoded.worker, decoded.platform) == (order["worker"], order["platform"])
    assert decoded.assignment.endpoint_name == "sentiment"
    hello = next(each for each in agent["reports"] if each["type"] == "hello")
    link = AgentLink(tmp_path, tmp_path / "cache")
    try:
        until(lambda: bool(link.hellos))
        assert {"type": "hello", **link.hellos[0]}.keys() == hello.keys()
        assert link.hellos[0]["protocol"] == hello["protocol"]
    finally:
        link.close()


def test_headers_and_limits_match_the_contract() -> None:
    contract = (ROOT / "runtime" / "contract" / "workerProtocol.ts").read_text()
    for name in (
        protocol.GATEWAY_SECRET_HEADER,
        protocol.REQUEST_ID_HEADER,
        protocol.BLOCKED_HEADER,
        protocol.REQUEST_NUMBER_HEADER,
        protocol.AWAITED_REQUEST_HEADER,
        agent_protocol.ATTEMPT_HEADER,
    ):
        assert f"'{name}'" in contract
    limits = (ROOT / "runtime" / "contract" / "limits.ts").read_text()
    assert f"orphanTimeout: {agent_protocol.ORPHAN_TIMEOUT:.0f} * SECOND" in limits
    assert f"logBytes: {agent_protocol.LOG_BYTES // 1_000_000} * MB" in limits
    assert f"resultBytes: {protocol.RESULT_BYTES // 1_000_000} * MB" in limits
    assert f"errorBytes: {protocol.ERROR_BYTES // 1_000_000} * MB" in limits


def test_a_manifest_says_which_endpoint_serves_a_function(tmp_path: Path) -> None:
    (tmp_path / "toolkit_manifest.json").write_bytes((FIXTURES / "manifest" / "tutorial.json").read_bytes())
    found = functions_of_manifest(str(tmp_path))
    assert found["lb_worker", "analyze"] == ("tutorial-api",)
    assert found["gpu_worker", "sentiment"] == ("tutorial-gpu",)
    assert found["cpu_worker", "words"] == ("words",)
