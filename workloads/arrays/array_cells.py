"""Generated cells, how arrays are written, and how results are compared."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core import ReportProgress, tr

if TYPE_CHECKING:
    from workloads.arrays.array_kinds import Array

type Region = tuple[slice, ...]
"""Start and stop along each axis."""
type Read = Callable[[Region], Any]
"""Gives the cells of a region as an array of numpy's."""

_AT_ONCE, _GZIP = 16 << 20, 4
_SLAB, _DRAWN = 64 << 20, 10_000
"""Most bytes that an operation reads of everything, and most selections."""


def slab(shape: tuple[int, ...], itemsize: int, most: int, step: int) -> tuple[int, ...]:
    """The shape of whole rows, a multiple of `step`: as many as `most` bytes hold, at least one."""
    rows = max(1, most // max(1, prod(shape[1:]) * itemsize * step)) * step
    return (min(shape[0], rows), *shape[1:])


def selections(pattern: str, array: Array, seed: int) -> list[Region]:
    """The regions that operations read."""
    shape = array.shape
    sizes: Mapping[str, tuple[int, ...]] = {
        "chunk": array.chunks,
        "series": (shape[0], *[1] * (len(shape) - 1)),
        "map": (1, *shape[1:]),
        "all": slab(shape, array.dtype.itemsize, _SLAB, array.chunks[0]),
    }
    size = sizes[pattern]
    grid = [-(-length // one) for length, one in zip(shape, size, strict=True)]
    numbers: Sequence[int] = range(prod(grid))
    if pattern != "all":
        numbers = random.Random(seed).sample(numbers, min(len(numbers), _DRAWN))
    starts = np.transpose(np.unravel_index(numbers, grid)) * size
    ends = np.minimum(starts + size, shape)
    return [tuple(map(slice, *of)) for of in zip(starts.tolist(), ends.tolist(), strict=True)]


def sample_cells(shape: tuple[int, ...], seed: int) -> Read:
    """Generated cells: a formula of their place, never zero, each different in its low bits."""

    def read(region: Region) -> Any:
        place: Any = np.uint64(int(seed) << 40)
        smooth: Any = 0
        for axis, along in enumerate(np.ogrid[region]):
            # Not by the first length, so that the beginning of a longer array is the same.
            place = place + along.astype(np.uint64) * np.uint64(prod(shape[axis + 1 :]))
            smooth = smooth + (along >> (3 if axis else 0))
        mixed = (place ^ (place >> np.uint64(17))) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        noise = (mixed >> np.uint64(52)).astype(np.int64)
        return (1 + ((smooth & 255) << 12) + noise).astype("<f4")  # at most 2^24, so exact

    return read


def difference(expected: Any, result: Any) -> str:
    """What is wrong with cells; empty where they are the same bit by bit, in any byte order."""
    got, right = np.asarray(result), np.asarray(expected)
    native = right.dtype.newbyteorder("=")
    if got.shape != right.shape or got.dtype.newbyteorder("=") != native:
        return tr("cells of another shape or type: {said}", said=f"{got.shape} {got.dtype}")
    bits = [np.ascontiguousarray(one, native).reshape(-1).view("u1") for one in (got, right)]
    if bits[0].tobytes() == bits[1].tobytes():
        return ""
    wrong = int((bits[0] != bits[1]).reshape(-1, native.itemsize).any(1).sum())
    return tr("{wrong:,} of {count:,} cells are others", wrong=wrong, count=right.size)


def write_array(array: Array, read: Read, place: Path, report: ReportProgress) -> None:
    """Write a folder of Zarr, if it has a form, or a file of HDF5."""
    with (_zarr if array.form else _hdf5)(array, place) as data:
        if array.seed is not None:
            data.attrs[array.SAMPLE] = int(array.seed)
        step = (array.shards or array.chunks)[0]
        # Piece by piece, each of whole chunks.
        size = slab(array.shape, data.dtype.itemsize, _AT_ONCE, step)[0]
        for first in range(0, array.shape[0], size):
            report("writing the array", first, array.shape[0])
            rows = slice(first, min(first + size, array.shape[0]))
            region = (rows, *(slice(0, length) for length in array.shape[1:]))
            data[region] = read(region)


@contextmanager
def _zarr(array: Array, place: Path) -> Iterator[Any]:
    import zarr
    from zarr import codecs

    compressors: Mapping[str, Any] = {
        "blosc": codecs.BloscCodec(cname="lz4", shuffle="shuffle"),
        "gzip": codecs.GzipCodec(level=_GZIP),
        "none": None,
    }
    yield zarr.create_array(
        store=str(place),
        shape=array.shape,
        dtype=array.dtype,
        chunks=array.chunks,
        shards=array.shards or None,
        compressors=compressors.get(array.codec, codecs.ZstdCodec()),
        overwrite=True,
    )


@contextmanager
def _hdf5(array: Array, place: Path) -> Iterator[Any]:
    """That is NetCDF 4, too."""
    import h5py

    packed = {} if array.codec == "none" else {"compression": "gzip", "compression_opts": _GZIP}
    chunks = tuple(map(min, array.chunks, array.shape))
    with h5py.File(place, "w", track_order=True, locking=False) as file:
        data = file.create_dataset("data", array.shape, array.dtype, chunks=chunks, **packed)
        for axis, length in enumerate(array.shape):
            scale = file.create_dataset(f"axis{axis}", data=np.arange(length))
            scale.make_scale()
            data.dims[axis].attach_scale(scale)
        yield data
