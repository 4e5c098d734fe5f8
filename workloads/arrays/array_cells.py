"""Generated cells, how arrays are written, and how results are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from core import ReportProgress, tr
from workloads.arrays.drivers import H5PY, ZARR

type Region = tuple[slice, ...]
"""Start and stop along each axis."""
type Read = Callable[[Region], Any]
"""Gives the cells of a region as an array of numpy's."""

NAME = "data"
"""Of the array in a file."""
_AT_ONCE, _GZIP = 16 << 20, 4


def slab(shape: tuple[int, ...], itemsize: int, most: int, step: int) -> tuple[int, ...]:
    """The shape of whole rows, a multiple of `step`: as many as `most` bytes hold, at least one."""
    rows = max(1, most // max(1, prod(shape[1:]) * itemsize * step)) * step
    return (min(shape[0], rows), *shape[1:])


class SampleCells:
    """Generated cells: a formula of their place, never zero, each different in its low bits."""

    def __init__(self, shape: tuple[int, ...], seed: int) -> None:
        self._shape, self._seed = shape, seed

    def read(self, region: Region) -> Any:
        place: Any = np.uint64(self._seed << 40)
        smooth: Any = 0
        for axis, one in enumerate(region):
            along = np.arange(one.start, one.stop, dtype=np.uint64)
            along = along.reshape([-1] + [1] * (len(region) - axis - 1))
            # Not by the first length, so that the beginning of a longer array is the same.
            place = place + along * np.uint64(prod(self._shape[axis + 1 :]))
            smooth = smooth + (along.astype(np.int64) >> (3 if axis else 0))
        mixed = (place ^ (place >> np.uint64(17))) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        noise = (mixed >> np.uint64(52)).astype(np.int64)
        return (1 + ((smooth & 255) << 12) + noise).astype("<f4")  # at most 2^24, so exact


def difference(expected: Any, result: Any) -> str:
    """What is wrong with cells; empty where they are the same bit by bit, in any byte order."""
    got, right = np.asarray(result), np.asarray(expected)
    native = right.dtype.newbyteorder("=")
    if got.shape != right.shape or got.dtype.newbyteorder("=") != native:
        said = f"{'x'.join(map(str, got.shape))} {got.dtype}"
        return tr("cells of another shape or type: {said}", said=said)
    bits = [np.ascontiguousarray(one, native).reshape(-1).view("u1") for one in (got, right)]
    if bits[0].tobytes() == bits[1].tobytes():
        return ""
    wrong = int((bits[0] != bits[1]).reshape(-1, native.itemsize).any(1).sum())
    return tr("{wrong:,} of {count:,} cells are others", wrong=wrong, count=right.size)


@dataclass(frozen=True, kw_only=True)
class Form:
    """What is written, and how."""

    read: Read
    dtype: Any
    shape: tuple[int, ...]
    chunks: tuple[int, ...]
    shards: tuple[int, ...] = ()
    codec: str = "as-is"
    marks: Mapping[str, int] = field(default_factory=dict)
    """Attributes, by which generated cells are known again."""

    def fill(self, array: Any, report: ReportProgress) -> None:
        """Write the cells piece by piece, each of whole chunks."""
        array.attrs.update(self.marks)
        step, itemsize = (self.shards or self.chunks)[0], np.dtype(self.dtype).itemsize
        size = slab(self.shape, itemsize, _AT_ONCE, step)[0]
        for first in range(0, self.shape[0], size):
            report("writing the array", first, self.shape[0])
            rows = slice(first, min(first + size, self.shape[0]))
            region = (rows, *(slice(0, length) for length in self.shape[1:]))
            array[region] = self.read(region)


def write_zarr(form: Form, place: Path, report: ReportProgress) -> None:
    """Write a folder of Zarr 3; raises Unavailable."""
    ZARR.require()
    import zarr
    from zarr import codecs

    made: Mapping[str, Callable[[], Any]] = {
        "blosc": lambda: codecs.BloscCodec(cname="lz4", shuffle="shuffle"),
        "gzip": lambda: codecs.GzipCodec(level=_GZIP),
        "none": lambda: None,
    }
    array = zarr.create_array(
        store=str(place),
        shape=form.shape,
        dtype=form.dtype,
        chunks=form.chunks,
        shards=form.shards or None,
        compressors=made.get(form.codec, codecs.ZstdCodec)(),
        filters=None,
        fill_value=0,
        zarr_format=3,
        overwrite=True,
    )
    form.fill(array, report)


def write_hdf5(form: Form, place: Path, report: ReportProgress) -> None:
    """Write an HDF5 file that is NetCDF 4, too; raises Unavailable."""
    H5PY.require()
    import h5py

    packed = {} if form.codec == "none" else {"compression": "gzip", "compression_opts": _GZIP}
    chunks = tuple(map(min, form.chunks, form.shape))
    with h5py.File(place, "w", track_order=True, locking=False) as file:
        data = file.create_dataset(NAME, form.shape, form.dtype, chunks=chunks, **packed)
        for axis, length in enumerate(form.shape):
            scale = file.create_dataset(f"axis{axis}", data=np.arange(length))
            scale.make_scale()
            data.dims[axis].attach_scale(scale)
        form.fill(data, report)
