"""The map of the code in ARCHITECTURE.md is true."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
ROOM = re.compile(r"^\| `((?:core|app)/[^`]+)` \|", re.MULTILINE)
ROOMS = ROOM.findall(MAP)
TOPS = ("app/", "core/", "workloads/", "resources/", "packaging/", "tests/")


def layers(name: str) -> list[str]:
    """The rooms in a contract of import-linter, from the top down, as paths."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    (found,) = (one for one in contracts["contracts"] if one["name"] == name)
    return [layer.replace(".", "/") for layer in found["layers"]]


@pytest.mark.parametrize(
    ("top", "contract"),
    [
        ("core", "The rooms of core, from the top down"),
        ("app", "The rooms of the app, from the top down"),
    ],
)
def test_that_each_floor_of_the_map_has_its_rooms_in_the_order_that_imports_are_held_to(
    top: str, contract: str
) -> None:
    held = layers(contract)
    floors = [
        [room.removesuffix("/").removesuffix(".py") for room in ROOM.findall(floor)]
        for floor in MAP.split("\n### ")
    ]
    drawn = [[room for room in floor if room.startswith(top)] for floor in floors]
    assert sorted(room for floor in drawn for room in floor) == sorted(held)
    for floor in drawn:
        assert floor == sorted(floor, key=held.index)


def test_that_the_map_is_two_pages() -> None:
    assert len(MAP.encode()) < 10_000


@pytest.mark.parametrize("top", ["core", "app"])
def test_that_every_folder_of_code_is_a_room_on_the_map(top: str) -> None:
    folders = {f"{top}/{path.parent.name}/" for path in (ROOT / top).glob("*/__init__.py")}
    assert folders == {room for room in ROOMS if room.startswith(top) and room.endswith("/")}


@pytest.mark.parametrize("top", ["core", "app"])
def test_that_nothing_but_doors_stands_outside_the_rooms(top: str) -> None:
    loose = {path.name for path in (ROOT / top).glob("*.py")}
    assert loose - {"__init__.py", "__main__.py"} <= {Path(room).name for room in ROOMS}


def test_that_every_place_that_the_map_names_is_there() -> None:
    named = {place for place in re.findall(r"`([\w./-]+)`", MAP) if place.startswith(TOPS)}
    assert len(named) > 40
    assert not sorted(place for place in named if not (ROOT / place).exists())
