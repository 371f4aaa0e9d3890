"""The floors of lib/src: as they are, and that an include upward and a circle are found."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "c_layers.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("c_layers", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["c_layers"] = module
    spec.loader.exec_module(module)
    return module


def tree(folder: Path, **files: str) -> Path:
    """Files by "room_name_h" -> what they include."""
    for name, include in files.items():
        room, stem, suffix = name.split("_")
        (folder / room).mkdir(exist_ok=True)
        (folder / room / f"{stem}.{suffix}").write_text(f'#include "{include}"\n')
    return folder


def test_the_library_keeps_its_floors(tool: ModuleType) -> None:
    assert list(tool.upward(tool.SOURCES)) == []
    assert list(tool.circles(tool.SOURCES)) == []
    rooms = {path.name for path in tool.SOURCES.iterdir()}
    assert rooms == {room for floor in tool.FLOORS for room in floor}


def test_an_include_upward_is_found(tool: ModuleType, tmp_path: Path) -> None:
    root = tree(tmp_path, base_a_c="engine/b.h", engine_b_h="base/a.h")
    [line] = tool.upward(root)
    assert line == 'base/a.c includes "engine/b.h": engine is not below base'


def test_neighbours_do_not_know_each_other(tool: ModuleType, tmp_path: Path) -> None:
    root = tree(tmp_path, lanes_a_c="device/b.h", device_b_h="base/none.h")
    [line] = tool.upward(root)
    assert "device is not below lanes" in line


def test_a_room_without_a_floor_is_found(tool: ModuleType, tmp_path: Path) -> None:
    [line] = tool.upward(tree(tmp_path, cellar_a_c="stdio.h"))
    assert "cellar has no floor" in line


def test_a_circle_is_found(tool: ModuleType, tmp_path: Path) -> None:
    root = tree(tmp_path, base_a_h="base/b.h", base_b_h="base/c.h", base_c_c="base/a.h")
    (root / "base" / "c.h").write_text("")
    [line] = tool.circles(root)
    assert line.startswith("a circle: base/")
