"""A dropped raster, array or map picks work, reader and settings, by what kinds of data say."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core import Request

SIDE = 64


def raster(place: Path) -> None:
    numpy, tifffile = pytest.importorskip("numpy"), pytest.importorskip("tifffile")
    tifffile.imwrite(place, numpy.arange(SIDE * SIDE, dtype="u2").reshape(SIDE, SIDE))


def zarr(place: Path) -> None:
    array = pytest.importorskip("zarr").create_array(
        str(place), shape=(SIDE, SIDE), chunks=(16, 16), dtype="u1"
    )
    array[:] = 1


def hdf5(place: Path) -> None:
    with pytest.importorskip("h5py").File(place, "w") as file:
        file.create_dataset("values", data=list(range(SIDE)))


def netcdf(place: Path) -> None:
    with closing(pytest.importorskip("netCDF4").Dataset(place, "w")) as file:
        file.createDimension("x", SIDE)
        file.createVariable("values", "u1", ("x",))[:] = 1


def mbtiles(place: Path) -> None:
    with closing(sqlite3.connect(place)) as base, base:
        base.execute("create table metadata (name text, value text)")
        base.execute("create table tiles (zoom_level, tile_column, tile_row, tile_data blob)")
        base.execute("insert into tiles values (0, 0, 0, ?)", (b"\x89PNG\r\n\x1a\n",))


@pytest.mark.parametrize(
    ("make", "name", "workload", "chosen"),
    [
        (raster, "image.tif", "raster", {"store": "file"}),
        (zarr, "cube.zarr", "arrays", {"store": "file"}),
        (hdf5, "cube.h5", "arrays", {"reader": "h5py"}),
        (netcdf, "cube.nc", "arrays", {"reader": "netcdf4"}),
        (mbtiles, "map.mbtiles", "tiles", {"store": "mbtiles", "depth": "fetch"}),
    ],
)
def test_that_what_is_dropped_is_asked_of_the_work_that_reads_it(
    tmp_path: Path, make: object, name: str, workload: str, chosen: dict[str, str]
) -> None:
    place = tmp_path / name
    assert callable(make)
    make(place)
    asked, unused = Request.dropped([place], Request())
    assert (asked.workload, asked.dataset, unused) == (workload, place, ())
    assert asked.values.items() >= chosen.items()
    assert asked.axes[0].name == "threads"
