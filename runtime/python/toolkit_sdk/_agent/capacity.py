"""What this node has for workers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Any

_OLDEST_MINOR = 10
_NEWEST_MINOR = 14
# Seconds: a driver that hangs counts as missing.
_PROBE_TIMEOUT = 10.0


def capacity() -> dict[str, Any]:
    """Cores, bytes of memory, the names of GPUs, and the interpreters by their minor version."""
    return {
        "cores": len(os.sched_getaffinity(0)),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "gpus": _gpus(),
        "pythons": _pythons(),
    }


def _gpus() -> list[str]:
    try:
        listed = subprocess.run(
            ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"],
            capture_output=True,
            check=True,
            text=True,
            timeout=_PROBE_TIMEOUT,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return []  # There is no driver, or none that answers.
    return [name for line in listed.splitlines() if (name := line.strip())]


def _pythons() -> dict[str, str]:
    versions = [f"3.{minor}" for minor in range(_OLDEST_MINOR, _NEWEST_MINOR + 1)]
    found = {version: path for version in versions if (path := shutil.which(f"python{version}"))}
    return {f"{sys.version_info.major}.{sys.version_info.minor}": sys.executable, **found}
