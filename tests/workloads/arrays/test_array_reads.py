"""Cells are read right by every library, in every pattern, from arrays of every kind and layout."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driving import drive, need_drivers, open_job
from one_trial import one_pass

from core.language import DatasetError, InvalidParameter
from core.vocabulary import Completed, Dataset, open_dataset, registry
from workloads.arrays.array_parameters import READS

CASES = [(kind, reader) for kind, readers in READS.items() for reader in readers]


@pytest.fixture(autouse=True)
def drivers() -> None:
    for reader in ("zarr", "zarrs", "tensorstore", "h5py", "netcdf4"):
        need_drivers("arrays", reader=reader)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A group of Zarr 2 as a user has it, with zeros, NaN and an array in Fortran's order."""
    import numpy as np
    import zarr

    group = zarr.open_group(tmp_path / "own.zarr", mode="w", zarr_format=2)
    group.create_array("small", data=np.arange(9, dtype="u1"))
    cells = np.random.default_rng(3).normal(size=(12, 10, 7)).astype(">f8")
    cells[3:5] = np.nan
    cells[6] = 0
    made = group.create_array(
        "deep/large", shape=cells.shape, dtype=cells.dtype, chunks=(5, 4, 7), order="F"
    )
    made[...] = cells
    return tmp_path / "own.zarr"


@pytest.mark.parametrize("pattern", ["chunk", "series", "map", "all"])
@pytest.mark.parametrize(("kind", "reader"), CASES)
def test_that_every_reader_reads_every_pattern_right(
    made: Callable[[str], Dataset], kind: str, reader: str, pattern: str
) -> None:
    dataset = made(kind)
    driven = drive("arrays", dataset.path, reader=reader, pattern=pattern, most=50)
    assert driven.clean, (driven.errors, driven.complaints)
    whole = sum(result.nbytes for _, result in driven.results)
    assert pattern != "all" or whole == 20**3 * 4


@pytest.mark.parametrize("threads", [1, 3])
def test_that_all_cells_count_as_bytes_with_any_number_of_threads(
    made: Callable[[str], Dataset], threads: int
) -> None:
    trial = one_pass("arrays", made("zarr"), reader="zarr", pattern="map", threads=threads)
    assert trial.outcome == Completed()
    assert trial.throughput
    assert trial.byte_rate == pytest.approx(trial.throughput * 20 * 20 * 4, rel=0.1)


@pytest.mark.parametrize("reader", READS["zarr"])
def test_that_a_users_own_group_is_read_and_compared_by_another_library(
    own: Path, reader: str
) -> None:
    # zarrs says itself that it takes no numbers in another byte order than the machine's.
    driven = drive("arrays", own, reader=reader, pattern="all")
    assert not driven.complaints
    assert driven.clean or (reader == "zarrs" and driven.errors)
    assert [result.shape for _, result in driven.results] in ([(12, 10, 7)], [])
    assert drive("arrays", own, reader=reader, array="small").clean


def test_that_an_array_that_is_not_there_is_refused_with_those_that_are(own: Path) -> None:
    with pytest.raises(InvalidParameter) as refusal:
        open_job("arrays", own, array="smal")
    assert "deep/large, small" in str(refusal.value)


@pytest.mark.parametrize(("kind", "reader"), [*CASES, ("hdf5", "zarr"), ("zarr", "h5py")])
def test_that_a_part_is_converted_once_and_read_as_the_original_says(
    made: Callable[[str], Dataset], cache: Path, kind: str, reader: str
) -> None:
    values = {"reader": reader, "chunks": "3x5x20", "codec": "none"}
    shards = {"shards": "9x5x20"} if reader in READS["zarr"] else {}
    for _ in range(2):
        assert drive("arrays", made(kind).path, **values, **shards).clean
    (place,) = (cache / "arrays").glob("[!.]*")
    if shards:
        grid = json.loads((place / "zarr.json").read_text())["chunk_grid"]
        assert grid["configuration"]["chunk_shape"] == [9, 5, 20]


def test_that_no_more_is_converted_than_is_wanted(made: Callable[[str], Dataset]) -> None:
    wanted = 5 * 20 * 20 * 4
    values = {"chunks": "5x20x20", "subset": wanted, "pattern": "all"}
    driven = drive("arrays", made("zarr").path, **values)
    assert driven.clean
    assert sum(result.nbytes for _, result in driven.results) == wanted


def test_that_settings_reach_the_library(made: Callable[[str], Dataset]) -> None:
    import zarr

    before = zarr.config.get("async.concurrency")
    job = open_job("arrays", made("zarr").path, concurrency=3)
    assert zarr.config.get("async.concurrency") == 3
    job.close()
    assert zarr.config.get("async.concurrency") == before


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"reader": "h5py"}, "reader"),
        ({"chunks": "2x2x2", "shards": "3x2x2"}, "shards"),
        ({"shards": "2x2x2"}, "shards"),
        ({"reader": "h5py", "chunks": "2x2x2", "codec": "zstd"}, "codec"),
        ({"store": "s3"}, "address"),
        ({"chunks": "2x2"}, "chunks"),
    ],
)
def test_that_what_does_not_fit_is_refused(
    made: Callable[[str], Dataset], values: dict[str, Any], name: str
) -> None:
    with pytest.raises(InvalidParameter) as refusal:
        open_job("arrays", made("zarr").path, **values)
    assert refusal.value.name == name


def test_that_a_trial_of_processes_reads_netcdf(made: Callable[[str], Dataset]) -> None:
    trial = one_pass("arrays", made("netcdf"), reader="netcdf4", processes=2)
    assert trial.outcome == Completed()
    assert trial.operations


def test_that_what_a_folder_of_zarr_holds_is_said(own: Path) -> None:
    facts = registry.dataset_kind("zarr").facts(own)
    assert (facts["arrays"], facts["largest"], facts["shape"]) == (2, "deep/large", "12x10x7")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.nc", b"CDF\x01" + bytes(99), "nccopy"),
        ("a.h5", b"", "does not begin as HDF5"),
        ("a.zarr/zarr.json", b'{"zarr_format": 3, "node_type": "ar', "zarr.json is damaged or"),
        ("a.zarr/.zarray", b'{"zarr_format": 2}', "shape"),
        ("a.zarr/.zgroup", b"{}", "no array of numbers"),
        ("a.zarr/c/0", b"", "does not begin as Zarr"),
    ],
)
def test_that_what_is_none_is_refused_with_the_cause(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    place = tmp_path / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    with pytest.raises(DatasetError) as refusal:
        open_dataset(tmp_path / name.partition("/")[0], ("zarr", "netcdf", "hdf5"))
    assert said in str(refusal.value)


def test_that_texts_are_passed_over_though_they_have_more_cells(tmp_path: Path) -> None:
    import h5py
    import numpy as np
    import zarr

    group = zarr.open_group(tmp_path / "own.zarr", zarr_format=2)
    group.create_array("texts", data=np.array(["one", "two", "three"] * 99))
    group.create_array("numbers", data=np.arange(9.0))
    with h5py.File(tmp_path / "own.h5", "w") as file:
        file["numbers"] = np.arange(9.0)
        times = h5py.h5s.create_simple((99,))
        h5py.h5d.create(file.id, b"times", h5py.h5t.UNIX_D32LE, times)
    for path, reader in ((tmp_path / "own.zarr", "zarr"), (tmp_path / "own.h5", "h5py")):
        with pytest.raises(InvalidParameter, match="there are: numbers"):
            drive("arrays", path, reader=reader, array="texts")
    driven = drive("arrays", tmp_path / "own.zarr", pattern="all")
    assert driven.clean
    assert [result.nbytes for _, result in driven.results] == [72]


def test_that_what_the_comparing_library_cannot_decode_is_refused_before_the_clock(
    tmp_path: Path,
) -> None:
    import h5py
    import numpy as np

    with h5py.File(tmp_path / "own.h5", "w") as file:  # with a filter that h5py alone has
        file.create_dataset("cells", data=np.arange(900.0), chunks=(90,), compression="lzf")
    with pytest.raises(DatasetError, match=r"netcdf4 does not read .*: undefined filter"):
        drive("arrays", tmp_path / "own.h5", reader="h5py")


@pytest.mark.parametrize("reader", ["h5py", "netcdf4"])
def test_that_a_file_on_which_netcdf4_would_crash_is_refused(tmp_path: Path, reader: str) -> None:
    import h5py
    import numpy as np

    with h5py.File(tmp_path / "own.nc", "w") as file:
        file["cells"] = np.arange(9.0)
        file.create_dataset("deep/texts", data=np.array([b"one"]), fillvalue=b"none")
    with pytest.raises(DatasetError, match="makes netCDF4 crash: its texts deep/texts"):
        drive("arrays", tmp_path / "own.nc", reader=reader)
