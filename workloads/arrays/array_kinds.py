"""Arrays: what one is, how one is generated and written, and the kinds of datasets that hold some.

The metadata of Zarr is read here.  Files are opened by children only, which damaged ones may crash.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
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
_AT_ONCE, _GZIP = 16 << 20, 4
_SLAB, _DRAWN = 64 << 20, 10_000
"""Most bytes that an operation reads of everything, and most selections."""

type Region = tuple[slice, ...]
"""Start and stop along each axis."""
type Read = Callable[[Region], Any]
"""Gives the cells of a region as an array of numpy's."""


def shape_of(written: str) -> tuple[int, ...]:
    """The shape in a text such as `1x256x256`; empty for an empty one."""
    return tuple(map(int, written.split("x"))) if written else ()


def slab(shape: tuple[int, ...], itemsize: int, most: int, step: int) -> tuple[int, ...]:
    """The shape of whole rows, a multiple of `step`: as many as `most` bytes hold, at least one."""
    rows = max(1, most // max(1, prod(shape[1:]) * itemsize * step)) * step
    return (min(shape[0], rows), *shape[1:])


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

    def regions(self, pattern: str, seed: int = 0, most: int = _SLAB) -> list[Region]:
        """What operations read of it; `most`: bytes of those that are all of it in order."""
        import numpy as np

        shape, step = self.shape, (self.shards or self.chunks)[0]
        sizes: Mapping[str, tuple[int, ...]] = {
            "chunk": self.chunks,
            "series": (shape[0], *[1] * (len(shape) - 1)),
            "map": (1, *shape[1:]),
            "all": slab(shape, np.dtype(self.dtype).itemsize, most, step),
        }
        size = sizes[pattern]
        grid = [-(-length // one) for length, one in zip(shape, size, strict=True)]
        numbers: Sequence[int] = range(prod(grid))
        if pattern != "all":
            numbers = random.Random(seed).sample(numbers, min(len(numbers), _DRAWN))
        starts = np.transpose(np.unravel_index(numbers, grid)) * size
        ends = np.minimum(starts + size, shape)
        return [tuple(map(slice, *of)) for of in zip(starts.tolist(), ends.tolist(), strict=True)]

    def generated(self, region: Region) -> Any:
        """Generated cells: a formula of their place, never zero, different in their low bits."""
        import numpy as np

        place: Any = np.uint64((self.seed or 0) << 40)
        smooth: Any = 0
        for axis, along in enumerate(np.ogrid[region]):
            # Not by the first length, so that the beginning of a longer array is the same.
            place = place + along.astype(np.uint64) * np.uint64(prod(self.shape[axis + 1 :]))
            smooth = smooth + (along >> (3 if axis else 0))
        # In place: more arrays would push out of the caches what a lone worker reads in between.
        for shift, factor in ((17, 0x9E3779B97F4A7C15), (29, 0xBF58476D1CE4E5B9)):
            place ^= place >> np.uint64(shift)
            place *= np.uint64(factor)
        place >>= np.uint64(52)
        smooth &= 255
        smooth <<= 12
        smooth += 1
        smooth += place.view(np.int64)
        return smooth.astype("<f4")  # at most 2^24, so exact

    def write(self, read: Read, place: Path, report: ReportProgress) -> None:
        """Write a folder of Zarr, if it has a form, or a file of HDF5."""
        with ExitStack() as files:
            data = (_zarr if self.form else _hdf5)(self, place, files)
            if self.seed is not None:
                data.attrs[self.SAMPLE] = self.seed
            pieces = self.regions("all", most=_AT_ONCE)
            for done, region in enumerate(pieces):
                report("writing the array", done, len(pieces))
                data[region] = read(region)


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
        document = next((Path(root, one) for one in _NODES[:2] if one in files), None)
        name = "" if Path(root) == folder else Path(root).relative_to(folder).as_posix()
        if document and (array := _array_in(document, name)):
            yield array
            folders.clear()  # which hold chunks


def _array_in(file: Path, name: str) -> Array | None:
    """The array that a document of Zarr describes, if it is one; raises DatasetError."""
    try:
        with reading(file):
            node = json.loads(content_of(file, _MOST))
        if node.get("node_type", "array") != "array":
            return None
        shape, seed = tuple(map(int, node["shape"])), node.get("attributes", {}).get(Array.SAMPLE)
        if not _NUMBERS.match(str(node.get("data_type") or node["dtype"])):
            shape = ()
        return Array(name=name, shape=shape, form=int(node["zarr_format"]), seed=seed)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        why = tr("{path} is damaged or of another version: {why}", path=file, why=repr(error))
        raise DatasetError(why, tr("copy it again, or name Zarr 2 or 3")) from error


def _zarr(array: Array, place: Path, files: ExitStack) -> Any:
    import zarr
    from zarr import codecs

    compressors: Mapping[str, Any] = {
        "blosc": codecs.BloscCodec(cname="lz4", shuffle="shuffle"),
        "gzip": codecs.GzipCodec(level=_GZIP),
        "none": None,
    }
    return zarr.create_array(
        store=str(place),
        shape=array.shape,
        dtype=array.dtype,
        chunks=array.chunks,
        shards=array.shards or None,
        compressors=compressors.get(array.codec, codecs.ZstdCodec()),
        overwrite=True,
    )


def _hdf5(array: Array, place: Path, files: ExitStack) -> Any:
    """That is NetCDF 4, too."""
    import h5py

    packed = {} if array.codec == "none" else {"compression": "gzip", "compression_opts": _GZIP}
    chunks = tuple(map(min, array.chunks, array.shape))
    file = files.enter_context(h5py.File(place, "w", track_order=True, locking=False))
    data = file.create_dataset("data", array.shape, array.dtype, chunks=chunks, **packed)
    for axis, length in enumerate(array.shape):
        scale = file.create_dataset(f"axis{axis}", data=range(length))
        scale.make_scale()
        data.dims[axis].attach_scale(scale)
    return data


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


class _Arrays(DatasetKind):
    shape = ArrayShape
    ends: tuple[str, ...]
    """Of names that say that something is of this kind."""

    @override
    def files(self, path: Path) -> Sequence[Path]:
        # But for what says how it was generated.
        return sorted(file for file in regular_files(path) if file.name != "sluice-dataset.json")

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
        form = 3 if self.name == Zarr.name else 0
        DRIVERS["zarr" if form else "h5py"].require()
        place = folder if form else folder / f"array{self.ends[0]}"
        chunks, axes = shape_of(shape.chunks), (shape.times, shape.rows, shape.columns)
        array = Array(shape=axes, dtype="<f4", chunks=chunks, seed=shape.seed, form=form)
        array.write(array.generated, place, report)
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
