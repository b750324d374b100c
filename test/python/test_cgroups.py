"""Limits on memory by cgroups: the kernel of this machine may not allow them, so they are tried on one that does."""

from __future__ import annotations

from pathlib import Path

from virtual_machine import run_tests


def test_the_kernel_keeps_workers_to_their_memory_where_cgroups_can_be_made(tmp_path: Path) -> None:
    passed, printed = run_tests(["cases_of_cgroups.py"], tmp_path, 900)
    assert passed, printed
