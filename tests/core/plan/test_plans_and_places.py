"""The order of a plan's trials, and where a dataset is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import building
import msgspec
import pytest

from core.catalog.dataset import AnyFiles, Dataset, location_of

pytestmark = pytest.mark.quick


def test_that_slots_are_numbered_without_gaps_and_each_block_holds_every_spec() -> None:
    specs = tuple(building.spec(threads=threads) for threads in (1, 2, 4, 8))
    slots = building.plan(specs, repeats=3, seed=5).slots()
    assert [slot.index for slot in slots] == list(range(12))
    for block in range(3):
        held = {slot.spec.digest for slot in slots if slot.block == block}
        assert held == {spec.digest for spec in specs}
    assert slots == building.plan(specs, repeats=3, seed=5).slots()
    assert slots != building.plan(specs, repeats=3, seed=6).slots()


@pytest.mark.skipif(sys.platform != "linux", reason="only there a name can be any bytes")
def test_that_a_path_that_is_not_unicode_can_be_told_and_found_again(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9 %41")
    folder.mkdir()
    (folder / "x.fa").write_text(">a\nACGT\n")
    dataset = AnyFiles().open(folder)
    told = msgspec.json.encode(dataset)
    again = msgspec.json.decode(told, type=Dataset)
    assert again.location.startswith("file:///")
    assert again.path == folder
    assert again.local
    assert building.spec(data=again).digest


def test_that_an_ordinary_path_is_told_as_it_is(tmp_path: Path) -> None:
    assert location_of(tmp_path / "café %41") == str(tmp_path / "café %41")
