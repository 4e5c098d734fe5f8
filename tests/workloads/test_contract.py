"""The names of `core` that the guide offers to authors of workloads, and who keeps to them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import core

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
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


def test_that_workloads_import_what_the_guide_offers_and_nothing_else() -> None:
    offered = set(listed())
    found = imported()
    assert {name: file for name, file in found.items() if name not in offered} == {}
    assert offered - found.keys() == set(), "nobody needs them"


def test_that_the_list_for_authors_is_short_and_names_each_once() -> None:
    names = listed()
    assert len(set(names)) == len(names) <= MOST
    assert set(names) <= set(core.__all__)
