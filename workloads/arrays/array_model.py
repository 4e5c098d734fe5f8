"""What an array is, and the libraries that read arrays, all of one extra."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core import Driver

DRIVERS = {
    name.lower(): Driver(module=name, distribution=name, install='make .venv EXTRAS="arrays"')
    for name in ("zarr", "zarrs", "tensorstore", "h5py", "netCDF4")
}
SHAPE = r"([1-9]\d*(x[1-9]\d*)*)?"
SAMPLE = "sluice_sample"
"""The attribute with the seed of generated cells."""


def shape_of(written: str) -> tuple[int, ...]:
    """The shape in a text such as `1x256x256`; empty for an empty one."""
    return tuple(map(int, written.split("x"))) if written else ()


@dataclass(frozen=True, kw_only=True)
class Array:
    """An array in a folder or a file, or what is written."""

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
