"""What a look at many files costs: calls are counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from calls import calls_in

from core.measure import Inspection
from core.measure.machine.page_cache import drop, residency, share_in_memory
from core.vocabulary import AnyFiles

_FEW, _MANY = 1200, 6000


def _folder(where: Path, count: int) -> Path:
    for number in range(count):
        file = where / f"folder-{number // 100}" / f"{number}.bin"
        if number % 100 == 0:
            file.parent.mkdir(parents=True)
        file.write_bytes(b"x" * (number % 7 + 1))
    return where


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _folder(tmp_path_factory.mktemp("few"), _FEW)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _folder(tmp_path_factory.mktemp("many"), _MANY)


def test_that_a_look_at_many_files_stats_and_opens_each_once(few: Path, many: Path) -> None:
    Inspection.of(few)  # what is loaded once
    of_few = calls_in(lambda: Inspection.of(few))
    of_many = calls_in(lambda: Inspection.of(many))
    assert of_many.total() <= 1.1 * _MANY / _FEW * of_few.total()
    more, looks_at_memory = of_many - of_few, 4096 - _FEW
    assert more["stat"] <= 1.1 * (_MANY - _FEW) + looks_at_memory
    assert more["open"] <= 1.1 * (_MANY - _FEW) + looks_at_memory
    assert more["stat"] > _MANY - _FEW  # they are counted


def test_that_files_are_sorted_as_their_paths_are(tmp_path: Path) -> None:
    for name in ("a/b", "a.b", "a-b/c", "a/b.c/d", "a/b0", "é", "a b/c"):
        file = tmp_path / name
        if name == "a/b":
            file = tmp_path / "a" / "b" / "c"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x")
    files = AnyFiles().files(tmp_path)
    assert list(files) == sorted(files)
    assert len(files) == 7


def test_that_of_very_many_files_a_sample_of_pages_tells_how_much_is_in_memory(many: Path) -> None:
    files = AnyFiles().listed(many)
    drop(files.names[: _MANY // 3])
    before = residency(files.names).fraction
    share = share_in_memory(files)
    after = residency(files.names).fraction  # less where memory is short meanwhile
    assert after - 0.01 <= share <= before + 0.01
