"""Reads what this node has for workers: cores, memory, GPUs and interpreters."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Any

from .container_limits import limited_cores, limited_memory

_OLDEST_MINOR = 10
_NEWEST_MINOR = 14
# Seconds after which a driver that does not respond counts as missing.
_PROBE_TIMEOUT = 10.0


def capacity() -> dict[str, Any]:
    """Cores, bytes of memory, the names of the GPUs, and the interpreters by their minor version.

    In a container, cores and memory are those that its limits allow.
    """
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cores": max(1, int(min(cores, limited_cores() or cores))),
        "memory": min(memory, limited_memory() or memory),
        "gpus": _gpus(),
        "pythons": _pythons(),
    }


def _gpus() -> list[str]:
    command = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    try:
        probe = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return []  # There is no driver.
    try:
        listed, _ = probe.communicate(timeout=_PROBE_TIMEOUT)
    except subprocess.TimeoutExpired:
        # Does not wait for its end: a process that waits for a device only ends when the device responds.
        probe.kill()
        sys.stderr.write(f"nvidia-smi did not respond within {_PROBE_TIMEOUT:.0f} s: this node offers no GPUs.\n")
        return []
    if probe.returncode != 0:
        return []  # The driver does not work.
    return [name for line in listed.splitlines() if (name := line.strip())]


def _pythons() -> dict[str, str]:
    versions = [f"3.{minor}" for minor in range(_OLDEST_MINOR, _NEWEST_MINOR + 1)]
    found = {version: path for version in versions if (path := shutil.which(f"python{version}"))}
    return {f"{sys.version_info.major}.{sys.version_info.minor}": sys.executable, **found}
