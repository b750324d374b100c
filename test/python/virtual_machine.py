"""A small machine with its own kernel, emulated by qemu: for what this machine may not allow, such as cgroups."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
_KERNEL = ROOT / ".cache" / "kernel" / "vmlinuz"
_STDLIB = Path(sysconfig.get_path("stdlib"))
# Parts of Python's library that no test needs.
_LEFT_OUT = {"site-packages", "test", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3", "pydoc_data"}
_PYTEST = ("_pytest", "pytest", "pluggy", "iniconfig", "packaging", "pygments")
# A file's path, mode, time and content.
File = tuple[str, int, int, bytes]
# The machine's first program: mounts the usual file systems, then runs the tests.
_INIT = """#!{python} -BS
import ctypes, fcntl, os, socket, struct, subprocess, sys
libc = ctypes.CDLL(None)
for kind, folder in (("proc", "/proc"), ("sysfs", "/sys"), ("devtmpfs", "/dev"), ("cgroup2", "/sys/fs/cgroup")):
    os.makedirs(folder, exist_ok=True)
    libc.mount(b"none", folder.encode(), kind.encode(), 0, None)
os.makedirs("/dev/shm", exist_ok=True)
os.makedirs("/tmp", exist_ok=True)
libc.mount(b"none", b"/dev/shm", b"tmpfs", 0, None)
with socket.socket() as any_socket:
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14x", b"lo", 0x41))
os.environ.update(PATH="{path}:/bin", HOME="/root", PYTHONPATH="{packages}")
command = [{python!r}, "-m", "pytest", "--color=no", "-p", "no:cacheprovider", *{tests!r}]
done = subprocess.run(command, cwd={folder!r}, check=False)
print("the tests ended with", done.returncode, flush=True)
libc.reboot(0x4321FEDC)
"""


def run_tests(tests: list[str], folder: Path, seconds: float) -> tuple[bool, str]:
    """Runs tests of this folder on the machine, as root.

    Args:
        tests: Arguments of pytest.
        folder: Folder for the machine's image.
        seconds: Seconds that the tests may take.

    Returns:
        Whether they passed, and their output.
    """
    assert _KERNEL.exists(), f"There is no kernel at {_KERNEL}: run `node test/setup/kernel.ts`."
    image = folder / "image"
    image.write_bytes(b"".join(_archive(_files(tests))))
    command = ["qemu-system-x86_64", "-M", "q35,accel=tcg", "-cpu", "max", "-smp", "2", "-m", "1024", "-nographic"]
    command += ["-no-reboot", "-nodefaults", "-serial", "stdio", "-kernel", str(_KERNEL), "-initrd", str(image)]
    command += ["-append", "console=ttyS0 quiet panic=-1 rdinit=/init"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False)
        printed = (done.stdout + done.stderr).decode("utf-8", "replace")
    except subprocess.TimeoutExpired as error:
        printed = (error.stdout or b"").decode("utf-8", "replace")
    return "the tests ended with 0" in printed, printed


def _files(tests: list[str]) -> Iterator[File]:
    """The files of the machine."""
    python = Path(os.path.realpath(sys.executable))
    packages = Path(sysconfig.get_path("purelib"))
    init = _INIT.format(python=str(python), path=python.parent, packages=packages, tests=tests, folder=str(HERE))
    yield "/init", 0o100755, 0, init.encode()
    folders = [_STDLIB, *(packages / name for name in _PYTEST), ROOT / "runtime/python", HERE]
    found = [python, *(path for folder in folders for path in _walk(folder))]
    found += [packages / "py.py", *(path for name in _PYTEST for path in packages.glob(f"{name}-*/METADATA"))]
    shared = [path for path in found if path.suffix == ".so" or path == python]
    listed = subprocess.run(["ldd", *map(str, shared)], capture_output=True, text=True, check=False).stdout
    libraries = {
        Path(word) for line in listed.splitlines() for word in line.split() if word.startswith("/") and ":" not in word
    }
    for path in [*found, *libraries]:
        about = path.stat()
        # Keeps the time, so that Python uses existing byte code: compiling on the machine takes a minute.
        yield str(path), about.st_mode, int(about.st_mtime), path.read_bytes()


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir() and path.name not in _LEFT_OUT:
            yield from _walk(path)
        elif path.is_file() and path.suffix not in (".a", ".whl"):
            yield path


def _archive(files: Iterator[File]) -> Iterator[bytes]:
    """A cpio archive, which the kernel unpacks into memory."""
    made: set[str] = set()

    def entry(name: str, mode: int, time: int, content: bytes) -> bytes:
        made.add(name)
        fields = [len(made), mode, 0, 0, 1, time, len(content), 0, 0, 0, 0, len(name) + 1, 0]
        head = b"070701" + "".join(f"{field:08X}" for field in fields).encode() + name.encode() + b"\0"
        return head + bytes(-len(head) % 4) + content + bytes(-len(content) % 4)

    for path, mode, time, content in files:
        name = path.lstrip("/")
        for parent in reversed(Path(name).parents):
            if str(parent) not in (".", *made):
                yield entry(str(parent), 0o040755, 0, b"")
        yield entry(name, mode, time, content)
    yield entry("TRAILER!!!", 0, 0, b"")
