"""Kinds of datasets that hold arrays: Zarr folders, HDF5 and NetCDF files.

The metadata of Zarr is read here.  Files are opened by children only, which damaged ones may crash.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, override

from core import (
    Dataset,
    DatasetError,
    DatasetKind,
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

SHAPE = r"([1-9]\d*(x[1-9]\d*)*)?"
ARRAY_2, GROUP_2, NODE_3 = ".zarray", ".zgroup", "zarr.json"
SAMPLE = "sluice_sample"
"""The attribute with the seed of generated cells."""
_HDF5 = b"\x89HDF\r\n\x1a\n"
_USER_BLOCKS = (0, 512, 1024, 2048)
"""Where HDF5 begins in a file, behind what a program has put before it."""
_NUMBERS = re.compile(r"[<>|][biufc]\d|bool|u?int|b?float|complex")
"""How the types of numbers begin, in Zarr 2 and 3."""
_CELL, _PACKED, _NAMED, _MOST, _MADE = 4, 0.66, 8, 64 << 20, "sluice-dataset.json"


def shape_of(written: str) -> tuple[int, ...]:
    """The shape in a text such as `1x256x256`; empty for an empty one."""
    return tuple(map(int, written.split("x"))) if written else ()


@dataclass(frozen=True, kw_only=True)
class FoundArray:
    """An array in a folder or a file."""

    name: str
    """Its path within; empty = the folder itself."""
    shape: tuple[int, ...]
    form: int = 0
    """Version of Zarr."""
    seed: int | None = None
    """Of generated cells, which are a formula of their place."""
    of_numbers: bool = True
    chunks: tuple[int, ...] = ()
    """The smallest shape that is decoded at once, where a library has opened it."""
    dtype: Any = None

    def size(self) -> tuple[int, str]:
        """Cells, and what decides between arrays with as many."""
        return prod(self.shape), self.name


def chosen(arrays: Iterable[FoundArray], name: str, path: object) -> FoundArray:
    """The array of that name, or the one with the most cells; raises SluiceError."""
    every = {one.name: one for one in arrays if one.of_numbers and one.shape and all(one.shape)}
    if not every:
        raise DatasetError(tr("{path} has no array of numbers", path=path), tr("name other data"))
    if name.strip("/") in every:
        return every[name.strip("/")]
    if name:
        names = ", ".join(map(listed, sorted(every)[:_NAMED]))
        why = tr("{path} has no array of numbers named {name!r}", path=path, name=name)
        raise InvalidParameter("array", why, tr("there are: {names}", names=names))
    return max(every.values(), key=FoundArray.size)


def zarr_arrays(folder: Path) -> Iterator[FoundArray]:
    """The arrays of Zarr at or below a folder; raises DatasetError for damaged metadata."""
    for place, folders, files in os.walk(folder):
        name = next((name for name in (NODE_3, ARRAY_2) if name in files), "")
        if name and (array := _array_in(Path(place, name), folder)):
            yield array
            folders.clear()  # which hold chunks


def _array_in(file: Path, root: Path) -> FoundArray | None:
    """The array that a file describes, if it is one; raises DatasetError."""
    attributes = file.with_name(".zattrs")
    try:
        document = _json(file)
        if document.get("node_type", "array") != "array":
            return None
        if file.name == ARRAY_2 and attributes.is_file():
            document["attributes"] = _json(attributes)
        path = file.parent.relative_to(root)
        return FoundArray(
            name="" if path == Path() else path.as_posix(),
            shape=tuple(map(int, document["shape"])),
            form=int(document["zarr_format"]),
            seed=document.get("attributes", {}).get(SAMPLE),
            of_numbers=bool(_NUMBERS.match(str(document.get("data_type") or document["dtype"]))),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        why = f"{type(error).__name__}: {error}"
        raise DatasetError(
            tr("{path} is damaged or of another version: {why}", path=file, why=why),
            tr("copy it again, or name Zarr 2 or 3"),
        ) from error


def _json(file: Path) -> Any:
    with reading(file):
        return json.loads(content_of(file, _MOST))


@dataclass(frozen=True, kw_only=True)
class ArrayShape:
    """A generated array of three axes, float32, whose cells are a formula of their place."""

    times: int = integer(32, low=1, high=10**6, scale="log2", help="Length of the first axis.")
    rows: int = integer(512, low=1, high=10**6, scale="log2", help="Length of the second axis.")
    columns: int = integer(512, low=1, high=10**6, scale="log2", help="Length of the third axis.")
    chunks: str = text(
        "16x64x64", pattern=SHAPE, help="Shape of chunks: three numbers with an x between two."
    )
    seed: int = integer(1, low=0, high=2**20, help="Seed of the cells.")

    @property
    def axes(self) -> tuple[int, ...]:
        return self.times, self.rows, self.columns

    @property
    def room(self) -> int:
        """About how many bytes on disk it takes; a file's last block is not full."""
        chunks = shape_of(self.chunks)
        count = prod(-(-length // one) for length, one in zip(self.axes, chunks, strict=False))
        return round(_CELL * _PACKED * prod(self.axes)) + 2048 * count + 8192


def array_files(path: Path) -> list[Path]:
    """The files of a folder, but for what says how it was generated, or the file itself."""
    return sorted(file for file in regular_files(path) if file.name != _MADE)


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
        from workloads.arrays.array_cells import Form, SampleCells, write_hdf5, write_zarr

        zarr, chunks = self.name == Zarr.name, shape_of(shape.chunks)
        if len(chunks) != len(shape.axes):
            raise InvalidParameter("chunks", tr("it has no three numbers"), tr("such as 16x64x64"))
        form = Form(
            read=SampleCells(shape.axes, shape.seed).read,
            dtype="<f4",
            shape=shape.axes,
            chunks=chunks,
            marks={SAMPLE: shape.seed},
        )
        place = folder if zarr else folder / f"array{self.ends[0]}"
        (write_zarr if zarr else write_hdf5)(form, place, report)
        return place


class Zarr(_Arrays):
    """A folder with an array or a group of Zarr 2 or 3."""

    name = "zarr"
    title = "Zarr"
    ends = (".zarr",)

    @override
    def recognises(self, path: Path) -> bool:
        return any((path / name).is_file() for name in (NODE_3, ARRAY_2, GROUP_2))

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
        try:
            head = content_of(path, _USER_BLOCKS[-1] + len(_HDF5))
        except OSError:
            return False
        return any(head.startswith(_HDF5, at) for at in _USER_BLOCKS)


class NetCdf(Hdf5):
    """A NetCDF 4 file, which is an HDF5 file that is named so."""

    name = "netcdf"
    title = "NetCDF 4"
    ends = (".nc", ".nc4", ".cdf", ".netcdf")

    @override
    def recognises(self, path: Path) -> bool:
        return path.suffix.lower() in self.ends and super().recognises(path)
