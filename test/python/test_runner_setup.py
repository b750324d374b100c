"""What the user's code finds in its process: its variables, its packages, and the scripts of those."""

from __future__ import annotations

from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import part_of


def test_the_function_sees_its_environment_but_no_secrets_of_the_worker(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    environment = {
        "TOOLKIT_APP": "shop",
        "TOOLKIT_ENV": "staging",
        "MODE": "fast",
        "PLATFORM_API_KEY": "scoped",
    }
    source = """
import os, sys
def run():
    everything = "\\0".join(sys.argv) + open(f"/proc/{os.getpid()}/environ").read() + repr(dict(os.environ))
    return {"env": dict(os.environ), "leaks": "worker-token" in everything, "cwd": os.listdir()}
"""
    start_worker(source, {"data.txt": "here"}, env=environment)
    output = platform.run({})["output"]
    assert {name: output["env"].get(name) for name in environment} == environment
    assert not output["leaks"]
    assert not [name for name in output["env"] if name.startswith(("RUNPOD_WEBHOOK", "TOOLKIT_WORKER"))]
    assert {"app.py", "data.txt"} <= set(output["cwd"])


def test_dependencies_are_found_but_not_the_machines_own_packages(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    dependencies = part_of(
        {
            "_toolkit/dependencies/all/shipped/__init__.py": "VALUE = 'shipped'",
            "_toolkit/dependencies/all/extra.pth": "more",
            "_toolkit/dependencies/all/more/by_pth.py": "VALUE = 'pth'",
        },
        end=False,
    )
    source = """
import subprocess, sys
def run():
    import shipped, by_pth
    child = subprocess.run([sys.executable, "-c", "import shipped; print(shipped.VALUE)"], stdout=-1, text=True)
    try:
        import pytest
    except ModuleNotFoundError as error:
        return [shipped.VALUE, by_pth.VALUE, child.stdout.strip(), "pytest" in str(error)]
"""
    start_worker(source, dependencies=dependencies)
    assert platform.run({}) == {"output": ["shipped", "pth", "shipped", True]}


def test_scripts_of_packages_are_on_path_and_run_the_endpoints_python(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    script = "#!/usr/bin/env python3\nimport os, sys, shipped\nprint(shipped.VALUE, os.path.realpath(sys.executable))\n"
    dependencies = part_of(
        {
            "_toolkit/dependencies/all/shipped/__init__.py": "VALUE = 'shipped'",
            "_toolkit/dependencies/all/bin/shipped-command": script,
        },
        end=False,
    )
    source = """
import os, subprocess, sys
def run():
    child = subprocess.run(["shipped-command"], stdout=-1, text=True, check=True)
    value, executable = child.stdout.split()
    return [value, executable == os.path.realpath(sys.executable)]
"""
    start_worker(source, dependencies=dependencies)
    assert platform.run({}) == {"output": ["shipped", True]}
