"""The map of the code in ARCHITECTURE.md is true, and workloads use what the guide offers them."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import core

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
ROOM = re.compile(r"^\| `((?:core|app)/[^`]+)`", re.MULTILINE)
ROOMS = ROOM.findall(MAP)
MOST_SHOWN = {
    "core.desk": 17,
    "core.judge": 89,
    "core.language": 87,
    "core.measure": 161,
    "core.run": 37,
    "core.vocabulary": 270,
    "core.workflow": 16,
}
"""Names of each floor that others use: to be lowered, not raised."""
TOPS = ("app/", "core/", "workloads/", "resources/", "packaging/", "tests/")


@cache
def floors() -> dict[str, int]:
    """The rooms of core by the floor that the map puts them on, the highest floor first."""
    parts = [re.findall(r"`(core/[^`]+)/`", part) for part in MAP.split("\n### ")[1:]]
    islands = next(at for at, rooms in enumerate(parts) if "core/lab" in rooms)
    return {room: at for at, rooms in enumerate(parts[:islands]) for room in rooms}


@cache
def floor_of(module: str) -> int | None:
    """The floor of a module, by the longest room that it is in; None on no floor."""
    path = module.replace(".", "/") + "/"
    rooms = [room for room in floors() if path.startswith(room + "/")]
    return floors()[max(rooms, key=len)] if rooms else None


def test_that_no_import_goes_up_from_one_floor_of_the_map_to_a_higher_one() -> None:
    up = []
    for file in sorted((ROOT / "core").rglob("*.py")):
        module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        here = floor_of(module)
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            up += [f"{module} -> {name}" for name in names if rises(here, floor_of(name))]
    assert up == []
    assert len(set(floors().values())) == 7


def rises(start: int | None, end: int | None) -> bool:
    return start is not None and end is not None and end < start


@cache
def faces() -> dict[tuple[str, str], str]:
    """The module behind each name of a floor's face, by the floor and the name."""
    return {
        (".".join(listing.relative_to(ROOT).parent.parts), name): home
        for listing in (ROOT / "core").rglob("*/__init__.pyi")
        for home, name in re.findall(
            r"^from (\S+) import (\w+)", listing.read_text("utf-8"), re.MULTILINE
        )
    }


def modules_known_to(place: str) -> dict[str, set[str]]:
    """The modules of core behind the names that the files there import from faces."""
    known: dict[str, set[str]] = {}
    for file in sorted((ROOT / "core").rglob("*.py")):
        path = file.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(file.read_text("utf-8"))) if path.startswith(place) else ():
            if isinstance(node, ast.ImportFrom) and node.module:
                homes = {faces().get((node.module, one.name), node.module) for one in node.names}
                known.setdefault(path, set()).update(homes)
    return known


def test_that_the_lab_knows_the_machine_and_how_parameters_are_declared_alone() -> None:
    of_words = ("declarations", "parameters", "workload")
    allowed = ("core.lab", "core.language", "core.measure.machine")
    allowed += tuple(f"core.vocabulary.{one}" for one in of_words)
    for path, modules in modules_known_to("core/lab/").items():
        strange = {one for one in modules if one.startswith("core") and one != "core"}
        assert not {one for one in strange if not one.startswith(allowed)}, path


def test_that_only_what_carries_out_a_plan_knows_the_cluster() -> None:
    knowing = {
        path
        for path, modules in modules_known_to("core/").items()
        if any(one.startswith("core.measure.cluster") for one in modules)
        and not path.startswith(("core/measure/cluster/", "core/tell/cli/"))
    }
    assert knowing == {"core/run/engine.py", "core/run/admission.py"}


@pytest.mark.parametrize(("floor", "most"), MOST_SHOWN.items())
def test_that_a_face_shows_what_others_use_and_no_more(floor: str, most: int) -> None:
    shown = {name for face, name in faces() if face == floor}
    used = {
        one.name
        for file in sorted((ROOT / "core").rglob("*.py*"))
        if file.suffix in {".py", ".pyi"}
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == floor
        for one in node.names
    }
    assert shown <= used
    assert len(shown) <= most


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


MOST = 81
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
