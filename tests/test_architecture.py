"""The map of the code in ARCHITECTURE.md is true, and workloads use what the guide offers them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import core

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
ROOM = re.compile(r"^\| `((?:core|app)/[^`]+)`", re.MULTILINE)
ROOMS = ROOM.findall(MAP)
TOPS = ("app/", "core/", "workloads/", "resources/", "packaging/", "tests/")


def test_that_the_map_is_two_pages() -> None:
    assert len(MAP.encode()) < 10_000


@pytest.mark.parametrize("top", ["core", "app"])
def test_that_every_folder_of_code_is_a_room_on_the_map(top: str) -> None:
    folders = {f"{top}/{path.parent.name}/" for path in (ROOT / top).glob("*/__init__.py")}
    assert folders == {room for room in ROOMS if room.startswith(top) and room.count("/") == 2}


@pytest.mark.parametrize("top", ["core", "app"])
def test_that_nothing_but_doors_stands_outside_the_rooms(top: str) -> None:
    loose = {path.name for path in (ROOT / top).glob("*.py")}
    assert loose - {"__init__.py", "__main__.py"} <= {Path(room).name for room in ROOMS}


def test_that_every_place_that_the_map_names_is_there() -> None:
    named = {place for place in re.findall(r"`([\w./-]+)`", MAP) if place.startswith(TOPS)}
    assert len(named) > 40
    assert not sorted(place for place in named if not (ROOT / place).exists())


MOST = 80
"""What somebody who writes a workload may have to look through."""


def listed() -> list[str]:
    page = (ROOT / "resources" / "guide" / "05-your-own.md").read_text("utf-8")
    part = page.partition("## What `core` offers to it")[2].partition("\n## ")[0]
    return re.findall(r"^\| [^|]+ \| `(\w+)` \|", part, re.MULTILINE)


def imported() -> dict[str, Path]:
    """Every name that some workload imports from `core`, and where."""
    found = {}
    for file in sorted((ROOT / "workloads").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.ImportFrom(module="core", names=names):
                    found.update({one.name: file for one in names})
                case ast.Import(names=names):
                    assert not any(one.name.split(".")[0] == "core" for one in names), file
    return found


@pytest.mark.quick
def test_that_workloads_import_what_the_guide_offers_and_nothing_else() -> None:
    offered = set(listed())
    found = imported()
    assert {name: file for name, file in found.items() if name not in offered} == {}
    assert offered - found.keys() == set(), "nobody needs them"


@pytest.mark.quick
def test_that_the_list_for_authors_is_short_and_names_each_once() -> None:
    names = listed()
    assert len(set(names)) == len(names) <= MOST
    assert set(names) <= set(core.__all__)
