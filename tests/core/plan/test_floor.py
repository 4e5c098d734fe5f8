"""The bare files are what others are held against; they answer only where nothing else does."""

from __future__ import annotations

import building
import pytest

from core.plan.floor import floors, same_drive, without_bare_files
from core.plan.spec import RunSpec

pytestmark = pytest.mark.quick

FASTA = [building.spec("fasta", threads=threads) for threads in (1, 2)]
BARE = [building.spec("raw", threads=threads) for threads in (1, 2)]


@pytest.mark.parametrize(
    ("found", "answers"),
    [([*FASTA, *BARE], FASTA), ([*BARE, FASTA[0]], [FASTA[0]]), (FASTA, FASTA), (BARE, BARE)],
)
def test_that_the_bare_files_are_an_answer_only_where_there_is_nothing_else(
    found: list[RunSpec], answers: list[RunSpec]
) -> None:
    assert without_bare_files(found) == tuple(answers)
    results = [building.good(spec, 100.0) for spec in found]
    assert [result.spec for result in without_bare_files(results)] == answers


def test_that_a_floor_is_measured_on_the_cores_of_its_setting_and_is_only_theirs() -> None:
    specs = [building.spec("fasta", cores=cores) for cores in (0, 1)]
    found = floors(specs)
    assert [spec.load.cores for spec in found] == [0, 1]
    for spec, own, other in zip(specs, found, reversed(found), strict=True):
        assert same_drive(spec.load, own.load)
        assert not same_drive(spec.load, other.load)


@pytest.mark.parametrize(("page_cache", "duration"), [("cold", 1.0), ("warm", 0.4), ("as-is", 0.4)])
def test_that_a_floor_from_the_disk_is_measured_longer(page_cache: str, duration: float) -> None:
    (found,) = floors([building.spec("fasta", page_cache=page_cache)])
    assert (found.load.page_cache, found.load.duration) == (page_cache, duration)


def test_that_of_nothing_nothing_is_an_answer() -> None:
    nothing: list[RunSpec] = []
    assert without_bare_files(nothing) == ()
