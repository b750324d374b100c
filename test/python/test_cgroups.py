"""Memory limits by cgroups. This machine's kernel may not allow cgroups, so the tests run on a virtual machine."""

from __future__ import annotations

from pathlib import Path

from virtual_machine import run_tests


def test_the_kernel_enforces_memory_limits_of_workers_where_cgroups_can_be_created(tmp_path: Path) -> None:
    passed, printed = run_tests(["cases_of_cgroups.py"], tmp_path, 900)
    assert passed, printed
