"""Modules of the project that a worker loads."""

from __future__ import annotations

from pathlib import Path

import pytest
from toolkit_sdk._worker.loading import load_module


def test_a_module_that_failed_to_load_is_loaded_again(tmp_path: Path) -> None:
    file = tmp_path / "often_broken.py"
    file.write_text("raise RuntimeError('not yet')\n")
    with pytest.raises(RuntimeError, match="not yet"):
        load_module(str(tmp_path), "often_broken", file.name)
    file.write_text("VALUE = 1\n")
    loaded = load_module(str(tmp_path), "often_broken", file.name)
    assert loaded.VALUE == 1
    assert load_module(str(tmp_path), "often_broken", file.name) is loaded
