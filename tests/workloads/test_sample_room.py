"""What generated data takes on disk is said before it is made, and refused where it has no room."""

import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from driving import small

from core.judge import study_names
from core.language import DatasetError
from core.measure import make_dataset, sample_room
from core.run import SampleData
from core.vocabulary import DatasetKind, Workload, build, declared, registry, values_of
from workloads.signal.signal_parameters import POD5_DRIVER, PYSLOW5_DRIVER

KINDS = [name for name, entry in registry.dataset_kinds().items() if entry.kind().shape is not None]
OTHERWISE: dict[str, Any] = {
    "compressed": False,
    "variants": False,
    "payload": "raw",
    "spread": 0.0,
    "noise": 9,
    "depth": 2,
    "segments": 3,
}
"""Values other than the usual ones, for kinds that have such a parameter."""
AMOUNTS: dict[str, Any] = {
    "files": 6,
    "sequences": 300,
    "reads": 200,
    "median_length": 2500,
    "spread": 1.2,
    "records": 3000,
    "columns": 6,
    "rows": 5,
    "tile_size": 128,
    "bands": 3,
    "size": 30_000,
}
"""Enough of everything for the content to be most of it."""


def kind_of(name: str) -> DatasetKind:
    if name == "signal" and not (POD5_DRIVER.installed and PYSLOW5_DRIVER.installed):
        pytest.skip("pod5 or pyslow5 is missing")
    return registry.dataset_kind(name)


def shapes_of(kind: DatasetKind) -> list[Any]:
    """A small shape, and one that is different in all that changes the size of things."""
    assert kind.shape is not None
    names = {one.name for one in declared(kind.shape)}
    usual = small(kind.shape)
    shapes = [{}, OTHERWISE, AMOUNTS, AMOUNTS | OTHERWISE]
    given = [{name: value for name, value in one.items() if name in names} for one in shapes]
    return [build(kind.shape, values_of(usual) | one) for one in given]


@pytest.mark.parametrize("place", range(4), ids=["small", "other", "more", "more and other"])
@pytest.mark.parametrize("name", KINDS)
def test_that_generated_data_takes_about_what_its_shape_says(
    tmp_path: Path, name: str, place: int
) -> None:
    kind = kind_of(name)
    shape = shapes_of(kind)[place]
    make_dataset(name, shape, tmp_path / "made")
    looks = [file.stat() for file in (tmp_path / "made").rglob("*") if file.is_file()]
    content = sum(look.st_size for look in looks)
    on_disk = max(content, 512 * sum(look.st_blocks for look in looks))
    slack = 50_000 if place < 2 else 0  # headers and manifests are all that the smallest data is
    assert content / 1.5 - slack <= kind.room(shape) <= 1.5 * on_disk + slack


@pytest.mark.parametrize("name", KINDS)
def test_that_more_of_everything_takes_more(name: str) -> None:
    kind = registry.dataset_kind(name)
    assert kind.shape is not None
    usual, sample = small(kind.shape), kind.shape()
    assert 0 < kind.room(usual) < kind.room(sample)


class _Usage(NamedTuple):
    total: int = 1000
    used: int = 900
    free: int = 100


@pytest.mark.parametrize("name", KINDS)
def test_that_data_with_no_room_on_the_disk_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    kind = kind_of(name)
    assert kind.shape is not None
    monkeypatch.setattr(shutil, "disk_usage", lambda _: _Usage())
    with pytest.raises(DatasetError, match=r"has room for 100 .*, but .* are needed"):
        make_dataset(name, kind.shape(), tmp_path / "made")
    assert not (tmp_path / "made").exists()


def test_that_the_room_is_told_before_the_first_byte(tmp_path: Path) -> None:
    said: list[tuple[str, bool]] = []

    def report(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        said.append((doing, any(tmp_path.rglob("*.gz"))))

    make_dataset(
        "seqrepo", small(registry.dataset_kind("seqrepo").shape), tmp_path / "made", report
    )  # type: ignore[arg-type]
    assert said[0][0].startswith("making data, about ")
    assert said[0][0].endswith(" on disk")
    assert not said[0][1]


@pytest.mark.parametrize("name", study_names())
def test_that_the_room_of_a_studys_data_is_known(name: str) -> None:
    assert SampleData("", name).room() > 0
    assert SampleData("", name, full=True).room() > 0


def test_that_a_workloads_sample_has_a_size() -> None:
    workload: Workload[Any] = registry.load_workload("fasta")
    kind = registry.dataset_kind(workload.dataset_kinds[0])
    assert sample_room("fasta") == kind.room(kind.sample())
