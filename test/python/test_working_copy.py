"""Working copies of code that consists of several layers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from toolkit_sdk._agent.working_copy import working_copy


def layer(folder: Path, files: dict[str, str], removed: list[str] | None = None) -> Path:
    if removed is not None:
        files = {**files, "_toolkit/removed.json": json.dumps(removed)}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "target"


def test_later_layers_add_replace_and_remove(tmp_path: Path, target: Path) -> None:
    base = layer(tmp_path / "base", {"a.py": "1", "pkg/__init__.py": "", "pkg/b.py": "2", "old/c.py": "3"})
    change = layer(tmp_path / "change", {"a.py": "changed", "pkg/d.py": "4"}, ["old/c.py", "pkg/b.py"])
    working_copy([base, change], target)
    assert contents(target) == {"a.py": "changed", "pkg/__init__.py": "", "pkg/d.py": "4"}
    assert not (target / "old").exists()
    assert contents(base)["a.py"] == "1"


def test_a_module_becomes_a_package_and_back(tmp_path: Path, target: Path) -> None:
    base = layer(tmp_path / "base", {"m.py": "1", "p/__init__.py": "2", "data": "file"})
    change = layer(
        tmp_path / "change", {"m/__init__.py": "3", "p": "now a file", "data/x": "4"}, ["m.py", "p/__init__.py", "data"]
    )
    working_copy([base, change], target)
    assert contents(target) == {"m/__init__.py": "3", "p": "now a file", "data/x": "4"}


def test_a_file_replaces_an_empty_folder(tmp_path: Path, target: Path) -> None:
    base = layer(tmp_path / "base", {"a.py": "1"})
    (base / "data").mkdir()
    working_copy([base, layer(tmp_path / "change", {"data": "a file"})], target)
    assert contents(target) == {"a.py": "1", "data": "a file"}


def test_byte_code_of_layers_is_not_copied_so_that_a_package_without_modules_is_removed(
    tmp_path: Path, target: Path
) -> None:
    base = layer(tmp_path / "base", {"a.py": "1", "p/__init__.py": "2", "p/__pycache__/__init__.cpython-311.pyc": "3"})
    working_copy([base, layer(tmp_path / "change", {}, ["p/__init__.py"])], target)
    assert contents(target) == {"a.py": "1"}
    assert not (target / "p").exists()


def test_a_layer_cannot_remove_files_outside_of_the_folder(tmp_path: Path, target: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("mine")
    for name in ("../outside.py", str(outside), "a/../../outside.py"):
        change = layer(tmp_path / "change", {}, [name])
        with pytest.raises(ValueError, match="not a path inside"):
            working_copy([change], target)
    assert outside.read_text() == "mine"
