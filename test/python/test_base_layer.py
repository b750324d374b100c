"""The base layer: packages that a node installs itself, once for all its workers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import is_alive, until


def test_a_base_layer_is_installed_once_per_node(
    start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path
) -> None:
    installer = tmp_path / "uv"
    # Stands in for uv: records its arguments and installs one module into --target.
    installer.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n'
        'while [ "$1" != "--target" ]; do shift; done\necho "VALUE = 41" > "$2/numpy.py"\n'
    )
    installer.chmod(0o755)
    options = {
        "baseLayer": ["numpy==2.0.0"],
        "uv": str(installer),
    }
    worker = start_worker("def run():\n    import numpy\n    return numpy.VALUE + 1\n", **options)
    assert platform.run({}) == {"output": 42}
    worker.stop()
    again = worker.start_again()
    try:
        assert platform.run({}) == {"output": 42}
    finally:
        again.kill()
    calls = (tmp_path / "calls").read_text().splitlines()
    assert len(calls) == 1
    assert "--no-deps" in calls[0]
    assert calls[0].endswith("numpy==2.0.0")


def test_a_base_layer_comes_from_the_builds_index_and_the_function_does_not_see_its_settings(
    start_worker: StartWorker, platform: ProtocolPlatform, tmp_path: Path
) -> None:
    installer = tmp_path / "uv"
    installer.write_text(f'#!/bin/sh\nenv > {tmp_path}/env\necho "$@" > {tmp_path}/arguments\n')
    installer.chmod(0o755)
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://key@index.test/simple\nextra-index-url =\n  https://a.test\n  https://b.test\n"
        "proxy = http://pip-proxy.test\nno-index = yes\n[install]\nfind-links = /one /two\n"
    )
    start_worker(
        "def run():\n    import os\n    return dict(os.environ)\n",
        baseLayer=["numpy==2.0.0"],
        uv=str(installer),
        environment={
            "PIP_CONFIG_FILE": str(tmp_path / "pip.conf"),
            "PIP_CERT": "/certificates.pem",
            "UV_INSECURE_HOST": "c.test",
            "HTTPS_PROXY": "http://proxy.test",
        },
    )
    seen = platform.run({})["output"]
    uv = dict(line.split("=", 1) for line in (tmp_path / "env").read_text().splitlines() if "=" in line)
    assert uv["UV_DEFAULT_INDEX"] == "https://key@index.test/simple"
    assert uv["UV_INDEX"] == "https://a.test https://b.test"
    assert uv["UV_FIND_LINKS"] == "/one,/two"
    assert uv["UV_INSECURE_HOST"] == "c.test"
    assert uv["SSL_CERT_FILE"] == "/certificates.pem"
    assert "ALL_PROXY" not in uv
    assert "--no-index" in (tmp_path / "arguments").read_text()
    assert seen["HTTPS_PROXY"] == "http://proxy.test"
    assert [name for name in seen if name.startswith(("PIP_", "UV_"))] == []


@pytest.mark.parametrize(("provider", "expected"), [(None, "subprocess"), ("disabled", None)])
def test_a_base_layer_uses_an_installed_keyring_unless_it_is_turned_off(
    start_worker: StartWorker,
    platform: ProtocolPlatform,
    tmp_path: Path,
    provider: str | None,
    expected: str | None,
) -> None:
    programs = {"uv": f"env > {tmp_path}/env", "keyring": ""}
    for name, command in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{command}\n")
        (tmp_path / name).chmod(0o755)
    chosen = {} if provider is None else {"PIP_KEYRING_PROVIDER": provider}
    start_worker(
        "def run():\n    return 1\n",
        baseLayer=["numpy==2.0.0"],
        uv=str(tmp_path / "uv"),
        environment={"PATH": f"{tmp_path}:{os.environ['PATH']}", **chosen},
    )
    assert platform.run({}) == {"output": 1}
    uv = dict(line.split("=", 1) for line in (tmp_path / "env").read_text().splitlines() if "=" in line)
    assert uv.get("UV_KEYRING_PROVIDER") == expected


def test_a_base_layer_that_cannot_be_installed_is_reported(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(
        "def run(): pass",
        baseLayer=["numpy==0.0.0.1"],
        uv="/bin/false",
    )
    assert (
        "The packages of the base image (numpy==0.0.0.1) could not be installed"
        in worker.await_report("unhealthy")["reason"]
    )


def test_a_worker_that_is_stopped_while_its_base_layer_is_installed_ends_the_installer(
    start_worker: StartWorker, tmp_path: Path
) -> None:
    (tmp_path / "uv").write_text(
        f"#!/bin/sh\necho $$ > {tmp_path}/new && mv {tmp_path}/new {tmp_path}/pid\nexec sleep 600\n"
    )
    (tmp_path / "uv").chmod(0o755)
    worker = start_worker("def run(): pass", baseLayer=["numpy==2.0.0"], uv=str(tmp_path / "uv"))
    until((tmp_path / "pid").exists)
    assert worker.stop(grace=600) == 0
    assert not is_alive(int((tmp_path / "pid").read_text()))
