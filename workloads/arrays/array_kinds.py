"""Kinds of datasets that hold arrays: Zarr folders, HDF5 and NetCDF files; what an array is.

The metadata of Zarr is read here.  Files are opened by children only, which damaged ones may crash.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any, ClassVar, override

from core import (
    Dataset,
    DatasetError,
    DatasetKind,
    Driver,
    InvalidParameter,
    ReportProgress,
    content_of,
    integer,
    listed,
    reading,
    regular_files,
    text,
    tr,
)

DRIVERS = {
    name.lower(): Driver(module=name, distribution=name, install='make .venv EXTRAS="arrays"')
    for name in ("zarr", "zarrs", "tensorstore", "h5py", "netCDF4")
}
SHAPE = r"([1-9]\d*(x[1-9]\d*)*)?"
_NODES = ("zarr.json", ".zarray", ".zgroup")
_NUMBERS = re.compile(r"[<>|][biufc]\d|bool|u?int|b?float|complex")
"""How the types of numbers begin, in Zarr 2 and 3."""
_HDF5 = b"\x89HDF\r\n\x1a\n"
_CELL, _PACKED, _NAMED, _MOST, _USER_BLOCK = 4, 0.66, 8, 64 << 20, 2048


def shape_of(written: str) -> tuple[int, ...]:
    """The shape in a text such as `1x256x256`; empty for an empty one."""
    return tuple(map(int, written.split("x"))) if written else ()


@dataclass(frozen=True, kw_only=True)
class Array:
    """An array in a folder or a file, or what is written."""

    SAMPLE: ClassVar[str] = "sluice_sample"
    """The attribute with the seed of generated cells."""

    name: str = ""
    """Its path within; empty = the folder itself."""
    shape: tuple[int, ...]
    form: int = 0
    """Version of Zarr."""
    seed: int | None = None
    """Of generated cells, which are a formula of their place."""
    chunks: tuple[int, ...] = ()
    """The smallest shape that is decoded at once, where a library has opened it."""
    dtype: Any = None
    shards: tuple[int, ...] = ()
    codec: str = ""
    """How one that is written is compressed; empty = as is usual."""


def chosen(arrays: Iterable[Array], name: str, path: object) -> Array:
    """The array of that name, or the one with the most cells; raises SluiceError."""
    every = {one.name: one for one in arrays if one.shape and all(one.shape)}
    if not every:
        raise DatasetError(tr("{path} has no array of numbers", path=path), tr("name other data"))
    if name.strip("/") in every:
        return every[name.strip("/")]
    if name:
        names = ", ".join(map(listed, sorted(every)[:_NAMED]))
        why = tr("{path} has no array of numbers named {name!r}", path=path, name=name)
        raise InvalidParameter("array", why, tr("there are: {names}", names=names))
    return max(every.values(), key=lambda one: (prod(one.shape), one.name))


def zarr_arrays(folder: Path) -> Iterator[Array]:
    """The arrays of Zarr at or below a folder; raises DatasetError for damaged metadata."""
    for root, folders, files in os.walk(folder):
        place, document = Path(root), next((one for one in _NODES[:2] if one in files), "")
        if document and (array := _array_in(place / document)):
            name = "" if place == folder else place.relative_to(folder).as_posix()
            yield replace(array, name=name)
            folders.clear()  # which hold chunks


def _array_in(file: Path) -> Array | None:
    """The array that a document of Zarr describes, if it is one; raises DatasetError."""
    try:
        with reading(file):
            node = json.loads(content_of(file, _MOST))
        if node.get("node_type", "array") != "array":
            return None
        shape, seed = tuple(map(int, node["shape"])), node.get("attributes", {}).get(Array.SAMPLE)
        numbers = _NUMBERS.match(str(node.get("data_type") or node["dtype"]))
        return Array(shape=shape if numbers else (), form=int(node["zarr_format"]), seed=seed)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        why = tr("{path} is damaged or of another version: {why}", path=file, why=repr(error))
        raise DatasetError(why, tr("copy it again, or name Zarr 2 or 3")) from error


@dataclass(frozen=True, kw_only=True)
class ArrayShape:
    """A generated array of three axes, float32, whose cells are a formula of their place."""

    times: int = integer(32, low=1, high=10**6, scale="log2", help="Length of the first axis.")
    rows: int = integer(512, low=1, high=10**6, scale="log2", help="Length of the second axis.")
    columns: int = integer(512, low=1, high=10**6, scale="log2", help="Length of the third axis.")
    chunks: str = text(
        "16x64x64", pattern=r"\d+x\d+x\d+", help="Shape of chunks: three numbers with x between."
    )
    seed: int = integer(1, low=0, high=2**20, help="Seed of the cells.")

    @property
    def room(self) -> int:
        """About how many bytes on disk it takes; a file's last block is not full."""
        chunks, axes = shape_of(self.chunks), (self.times, self.rows, self.columns)
        count = prod(-(-length // one) for length, one in zip(axes, chunks, strict=False))
        return round(_CELL * _PACKED * prod(axes)) + 2048 * count + 8192


def array_files(path: Path) -> list[Path]:
    """The files of a folder, but for what says how it was generated, or the file itself."""
    return sorted(file for file in regular_files(path) if file.name != "sluice-dataset.json")


class _Arrays(DatasetKind):
    shape = ArrayShape
    ends: tuple[str, ...]
    """Of names that say that something is of this kind."""

    @override
    def files(self, path: Path) -> Sequence[Path]:
        return array_files(path)

    @override
    def explain(self, path: Path) -> DatasetError | None:
        if path.suffix.lower() not in self.ends or not path.exists():
            return None
        return DatasetError(
            tr("{path} does not begin as {title} does", path=path, title=self.title),
            tr("copy it again; NetCDF of before version 4 is converted by nccopy -4"),
        )

    @override
    def facts(self, path: Path) -> Mapping[str, int | str]:
        return {"files": len(self.files(path))}

    @override
    def make(self, shape: Any, folder: Path, report: ReportProgress) -> Path:
        from workloads.arrays.array_cells import sample_cells, write_array

        form = 3 if self.name == Zarr.name else 0
        DRIVERS["zarr" if form else "h5py"].require()
        place = folder if form else folder / f"array{self.ends[0]}"
        chunks, axes = shape_of(shape.chunks), (shape.times, shape.rows, shape.columns)
        array = Array(shape=axes, dtype="<f4", chunks=chunks, seed=shape.seed, form=form)
        write_array(array, sample_cells(axes, shape.seed), place, report)
        return place


class Zarr(_Arrays):
    """A folder with an array or a group of Zarr 2 or 3."""

    name = "zarr"
    title = "Zarr"
    ends = (".zarr",)

    @override
    def recognises(self, path: Path) -> bool:
        return any((path / name).is_file() for name in _NODES)

    @override
    def open(self, path: Path) -> Dataset:
        chosen(zarr_arrays(path), "", path)
        return super().open(path)

    @override
    def facts(self, path: Path) -> Mapping[str, int | str]:
        arrays = [*zarr_arrays(path)]
        largest = chosen(arrays, "", path)
        shape = {"format": f"Zarr {largest.form}", "shape": "x".join(map(str, largest.shape))}
        name = {"largest": largest.name} if largest.name else {}
        return {**super().facts(path), "arrays": len(arrays), **name, **shape}


class Hdf5(_Arrays):
    """An HDF5 file; one that is named as NetCDF is NetCDF."""

    name = "hdf5"
    title = "HDF5"
    ends: tuple[str, ...] = (".h5", ".hdf5", ".he5")

    @override
    def recognises(self, path: Path) -> bool:
        # Behind what a program may have put before it, which has a length of two to some power.
        return path.is_file() and _HDF5 in content_of(path, _USER_BLOCK + len(_HDF5))


class NetCdf(Hdf5):
    """A NetCDF 4 file, which is an HDF5 file that is named so."""

    name = "netcdf"
    title = "NetCDF 4"
    ends = (".nc", ".nc4", ".cdf", ".netcdf")

    @override
    def recognises(self, path: Path) -> bool:
        return path.suffix.lower() in self.ends and super().recognises(path)
