"""What a node has for workers. In a container, this is what its limits allow."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from toolkit_sdk._agent import capacity
from toolkit_sdk._agent.container_limits import limited_cores, limited_memory

V1 = {
    "/cpu/docker/c1/cpu.cfs_quota_us": "150000",
    "/cpu/docker/c1/cpu.cfs_period_us": "100000",
    "/memory/docker/c1/memory.limit_in_bytes": "2000000000",
    "/memory/memory.limit_in_bytes": "9223372036854771712",
}
V1_INSIDE = {file.replace("/docker/c1", ""): text for file, text in list(V1.items())[:3]}
MOUNTS = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
MOUNTS_V1 = (
    f"{MOUNTS}31 23 0:29 ROOT MOUNT/cpu rw - cgroup cgroup rw,cpuacct,cpu\n"
    "32 23 0:30 ROOT MOUNT/memory rw shared:9 - cgroup cgroup rw,memory\n"
)
MOUNTS_V2 = f"{MOUNTS}31 23 0:29 / MOUNT rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
OWN_V1 = "5:cpu,cpuacct:/docker/c1\n4:memory:/docker/c1\n1:name=systemd:/\n0::/\n"

MACHINES = {
    "version 1": (OWN_V1, MOUNTS_V1.replace("ROOT", "/"), V1, 1.5, 2_000_000_000),
    "version 1, in a container": (OWN_V1, MOUNTS_V1.replace("ROOT", "/docker/c1"), V1_INSIDE, 1.5, 2_000_000_000),
    "version 1, without limits": (
        OWN_V1,
        MOUNTS_V1.replace("ROOT", "/"),
        {"/cpu/docker/c1/cpu.cfs_quota_us": "-1", "/cpu/docker/c1/cpu.cfs_period_us": "100000"},
        None,
        None,
    ),
    "version 2": (
        "0::/pod/c1\n",
        MOUNTS_V2,
        {
            "/pod/cpu.max": "400000 100000",
            "/pod/memory.max": "3000000000",
            "/pod/c1/cpu.max": "max 100000",
            "/pod/c1/memory.max": "max",
        },
        4,
        3_000_000_000,
    ),
    "version 2, in a container": ("0::/\n", MOUNTS_V2, {"/cpu.max": "50000 100000", "/memory.max": "5000"}, 0.5, 5000),
    "no cgroups": ("", MOUNTS, {}, None, None),
}


@pytest.mark.parametrize(("own", "mounts", "files", "cores", "memory"), list(MACHINES.values()), ids=list(MACHINES))
def test_limits_of_the_own_cgroup_and_of_all_above_it_apply(
    own: str, mounts: str, files: Mapping[str, str], cores: float | None, memory: int | None, tmp_path: Path
) -> None:
    (tmp_path / "cgroup").write_text(own)
    (tmp_path / "mountinfo").write_text(mounts.replace("MOUNT", str(tmp_path / "mounted")))
    for name, text in files.items():
        file = Path(f"{tmp_path}/mounted{name}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n")
    assert limited_cores(tmp_path) == cores
    assert limited_memory(tmp_path) == memory


def test_only_processors_that_the_process_may_use_are_counted() -> None:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        assert capacity.capacity()["cores"] == 1
    finally:
        os.sched_setaffinity(0, before)


def test_a_driver_that_hangs_is_reported_and_counts_as_no_gpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(capacity, "_PROBE_TIMEOUT", 1.0)
    assert capacity.capacity()["gpus"] == []
    assert capfd.readouterr().err == "nvidia-smi did not respond within 1 s: this node offers no GPUs.\n"
