"""Modules of the project that a worker loads."""

from __future__ import annotations

from pathlib import Path

import pytest
from toolkit_sdk._worker.loading import load_module

from conftest import StartWorker
from protocol_platform import ProtocolPlatform


def test_a_module_that_failed_to_load_is_loaded_again(tmp_path: Path) -> None:
    file = tmp_path / "often_broken.py"
    file.write_text("raise RuntimeError('not yet')\n")
    with pytest.raises(RuntimeError, match="not yet"):
        load_module(str(tmp_path), "often_broken", file.name)
    file.write_text("VALUE = 1\n")
    loaded = load_module(str(tmp_path), "often_broken", file.name)
    assert loaded.VALUE == 1
    assert load_module(str(tmp_path), "often_broken", file.name) is loaded


def test_variables_that_a_declaration_reads_at_deploy_do_not_prevent_its_file_from_loading(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
import os
from toolkit_sdk import Endpoint

@Endpoint(name="other", env={"TOKEN": os.environ["DEPLOY_TOKEN"]})
def other(): pass

@Endpoint(name="endpoint", env={"OWN": os.environ["OWN"]})
def run():
    import peer
    return [os.environ["OWN"], os.environ.get("DEPLOY_TOKEN", "not set"), peer.SIZE]
"""
    stub = "from toolkit_sdk._dispatch import real_attribute\n"
    stub += "def __getattr__(name): return real_attribute(__name__, 'peer.py', name)\n"
    start_worker(
        source,
        {"peer.py": "import os\nREAD = os.environ['DEPLOY_TOKEN']\nSIZE = 7\n", "_toolkit/stubs/peer.py": stub},
        stubs={"peer": "_toolkit/stubs/peer.py"},
        variables=("DEPLOY_TOKEN", "OWN"),
        env={"OWN": "mine"},
    )
    assert platform.run({}) == {"output": ["mine", "not set", 7]}


def test_packages_under_src_are_found_by_workers_and_their_children(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    source = """
import subprocess, sys
from package import SIZE

def run():
    child = subprocess.run([sys.executable, "-c", "import package; print(package.SIZE)"], capture_output=True)
    return [SIZE, int(child.stdout)]
"""
    start_worker(source, {"src/package/__init__.py": "SIZE = 7\n"})
    assert platform.run({}) == {"output": [7, 7]}
