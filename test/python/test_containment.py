"""What user code sees of the machine, and what is left of it when its worker has ended."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from toolkit_sdk._agent.working_copy import working_copy
from toolkit_sdk._worker.containment import LANDLOCK, MOUNT_NAMESPACE, NONE

from agent_link import PACKAGE
from conftest import StartWorker
from protocol_platform import ProtocolPlatform
from worker_process import part_of, until

DEPENDENCY = {"_toolkit/dependencies/all/dependency.py": "VALUE = 7\n"}
WRITES = """
import os, sys
from pathlib import Path
def run(write):
    found = sorted(name for name in os.listdir() if name != "_toolkit")
    if write:
        Path("leftover.txt").write_text("mine")
        Path("app.py").write_text("raise SystemExit('changed')")
    return found
"""


def test_files_that_a_worker_writes_to_its_code_folder_are_removed_with_it(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(WRITES, {"pkg/data.txt": "1"})
    fresh = ["app.py", "pkg", "toolkit_manifest.json"]
    assert platform.submit({"write": True}).result()["output"] == fresh
    assert platform.submit({"write": False}).result()["output"] == ["app.py", "leftover.txt", *fresh[1:]]
    worker.stop()
    worker.order_again()
    assert platform.submit({"write": False}).result()["output"] == fresh


def test_a_command_runs_in_its_own_copy_of_the_code(start_command: StartWorker) -> None:
    command = ["sh", "-c", "ls; echo more >> notes.txt; cat notes.txt"]
    worker = start_command(command, {"notes.txt": "notes\n"})
    worker.await_end()
    worker.order_again()
    worker.await_end()
    assert worker.messages().count("notes") == worker.messages().count("more") == 2


def test_the_next_agent_removes_the_folder_of_a_worker_whose_agent_was_killed(start_worker: StartWorker) -> None:
    worker = start_worker(WRITES)
    worker.await_report("ready")
    leftover = worker.agent.work / "worker-1"
    assert leftover.is_dir()
    worker.agent.kill()
    worker.agent.hellos.clear()
    following = worker.agent.start_second()
    until(lambda: worker.agent.hellos != [])
    assert not leftover.exists()
    following.kill()
    following.wait()


def test_a_working_copy_keeps_modes_and_times_and_does_not_link_files(tmp_path: Path) -> None:
    code = tmp_path / "code"
    (code / "bin").mkdir(parents=True)
    script = code / "bin" / "script"
    script.write_text("#!/bin/sh")
    script.chmod(0o555)
    os.utime(script, (1, 1))
    working_copy([code], tmp_path / "copy")
    copied = (tmp_path / "copy" / "bin" / "script").stat()
    assert (copied.st_mode & 0o777, copied.st_mtime) == (0o755, 1)
    assert copied.st_ino != script.stat().st_ino


IMPORTS = """
import os, sys
import toolkit_sdk
def run():
    import dependency, helper
    return [os.path.isfile(module.__cached__) for module in (toolkit_sdk, dependency, helper)]
"""


def test_workers_load_byte_code_from_the_agent_and_write_none(
    start_worker: StartWorker, platform: ProtocolPlatform
) -> None:
    worker = start_worker(IMPORTS, {"helper.py": "VALUE = 1\n"}, dependencies=part_of(DEPENDENCY, end=False))
    worker.await_report("importing")
    before = set(worker.cache.rglob("*.pyc"))
    assert platform.submit({}).result()["output"] == [False, False, False]
    assert set(worker.cache.rglob("*.pyc")) == before == set()
    modules = {"zygote", "dependency", "helper"}
    until(lambda: {path.name.partition(".")[0] for path in worker.cache.rglob("*.pyc")} >= modules)
    worker.stop()
    worker.order_again()
    assert platform.submit({}).result()["output"] == [True, True, True]


LOOKS = """
import os, sys, tempfile
from pathlib import Path

def attempt(look):
    try:
        return look()
    except OSError as error:
        return type(error).__name__

def run(home):
    import dependency
    home = Path(home)
    own = Path(dependency.__file__)
    Path("own.txt").write_text("mine")
    with tempfile.TemporaryFile() as temporary:
        temporary.write(b"1")
    return {
        "key": attempt((home / "credentials.json").read_text),
        "key by a relative path": attempt(Path("../../../../credentials.json").read_text),
        "key by the agent's root": attempt(Path(f"/proc/{os.getppid()}/root{home}/credentials.json").read_text),
        "other worker": attempt((home / "platform/work/other/secret.txt").read_text),
        "write": attempt(lambda: (home / "new.txt").write_text("")),
        "dependency": attempt(lambda: own.write_text("")),
        "its byte code": attempt(lambda: (own.parent / "new.pyc").write_text("")),
        "value": dependency.VALUE,
        "null": Path("/dev/null").read_text(),
    }
"""
AS_COMMAND = (
    LOOKS
    + """
import json
print(json.dumps(run(sys.argv[1])))
"""
)
ROOT = ["env"]
# Like root in most containers.
ROOT_WITHOUT_MOUNTS = ["setpriv", "--bounding-set=-sys_admin"]
USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
WAYS = [(ROOT, MOUNT_NAMESPACE), (USER, MOUNT_NAMESPACE), (ROOT_WITHOUT_MOUNTS, LANDLOCK)]


@pytest.fixture
def machine() -> Iterator[Path]:
    """A folder that any user may enter, with a user's home folder, a TOOLKIT_HOME, and a folder for temporary files."""
    folder = Path(tempfile.mkdtemp())
    for path in ("ada/.toolkit/platform/work/other", "ada/.toolkit/cache", "tmp"):
        (folder / path).mkdir(parents=True)
    (folder / "ada/.toolkit/credentials.json").write_text("the owner's key")
    (folder / "ada/.toolkit/platform/work/other/secret.txt").write_text("another worker's")
    yield folder
    shutil.rmtree(folder)


def interpreter(launcher: Sequence[str]) -> str:
    """A supported Python that the launcher's user may run."""
    check = "import sys; sys.exit(sys.version_info < (3, 10))"
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        # Run by a shell, because setpriv itself has more rights.
        if subprocess.run([*launcher, "sh", "-c", f"exec {python} -c '{check}'"], check=False).returncode == 0:
            return python
    needed = "Python 3.10 or newer at /usr/bin/python3, for all users"
    pytest.fail(f"`{shlex.join(launcher)}` cannot run any Python: the tests need {needed}.")


def options(machine: Path, launcher: Sequence[str]) -> dict[str, Any]:
    """Options of `start_worker` for a worker on this machine."""
    if launcher == USER:
        for path in (machine, *machine.rglob("*")):
            os.chown(path, 65534, 65534)
    return {
        "home": machine / "ada/.toolkit",
        "launcher": ["env", f"TMPDIR={machine}/tmp", *launcher, interpreter(launcher)],
        "environment": {"TMPDIR": f"{machine}/tmp"},
        "dependencies": part_of(DEPENDENCY, end=False),
    }


def found(home: Path, launcher: Sequence[str]) -> str:
    """The method that `toolkit doctor` prints."""
    return subprocess.check_output(
        [*launcher, "-m", "toolkit_sdk._agent.hiding", str(home)],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(PACKAGE)},
        text=True,
    ).strip()


def check(seen: dict[str, Any]) -> None:
    """Checks that nothing hidden was seen, and everything else was."""
    refused = {"FileNotFoundError", "PermissionError", "OSError"}
    assert (seen.pop("value"), seen.pop("null")) == (7, "")
    assert {name: result for name, result in seen.items() if result not in refused} == {}


@pytest.mark.parametrize(("launcher", "way"), WAYS, ids=["root", "user", "root in a container"])
def test_a_function_cannot_see_the_owners_key_or_other_workers_or_change_its_dependencies(
    start_worker: StartWorker, platform: ProtocolPlatform, machine: Path, launcher: list[str], way: str
) -> None:
    given = options(machine, launcher)
    assert found(given["home"], given["launcher"]) == way
    worker = start_worker(LOOKS, **given)
    result = platform.submit({"home": str(given["home"])}).result()
    assert "output" in result, result["error"]
    check(result["output"])
    worker.stop()


@pytest.mark.parametrize(("launcher", "way"), WAYS, ids=["root", "user", "root in a container"])
def test_a_command_sees_no_more_than_a_function(
    start_command: StartWorker, machine: Path, launcher: list[str], way: str
) -> None:
    given = options(machine, launcher)
    assert found(given["home"], given["launcher"]) == way
    worker = start_command(["python", "look.py", str(given["home"])], {"look.py": AS_COMMAND}, **given)
    worker.await_end()
    check(json.loads(worker.messages()[0]))


def test_workers_run_and_doctor_reports_it_if_the_machine_cannot_hide_anything(
    start_worker: StartWorker, platform: ProtocolPlatform, machine: Path
) -> None:
    given = options(machine, ROOT_WITHOUT_MOUNTS)
    # Landlock would forbid new files next to TOOLKIT_HOME, where temporary files are created now.
    (machine / "tmp").rmdir()
    (machine / "tmp").symlink_to(machine / "ada")
    assert found(given["home"], given["launcher"]) == NONE
    start_worker(LOOKS, **given)
    seen = platform.submit({"home": str(given["home"])}).result()["output"]
    assert seen["key"] == "the owner's key"
