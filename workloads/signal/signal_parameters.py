"""The parameters of reading signals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import override

from core import Driver, Option, Unavailable, choice, integer, location, tr

_SET_UP = 'make .venv EXTRAS="signal"'
PYSLOW5_DRIVER = Driver(module="pyslow5", distribution="pyslow5", install=_SET_UP)
POD5_DRIVER = Driver(module="pod5", distribution="pod5", install=_SET_UP)


@dataclass(frozen=True, kw_only=True)
class ZstdDriver(Driver):
    """This machine's zstd beside slow5lib."""

    @property
    @override
    def title(self) -> str:
        return "zstd of this machine"

    @property
    @override
    def version(self) -> str:
        from workloads.signal import zstd_libraries  # ctypes takes longer than declaring parameters

        return zstd_libraries.zstd_version_here() or "not installed"

    @property
    @override
    def installed(self) -> bool:
        return super().installed and self._is_here()

    @override
    def require(self) -> None:
        """Raise `Unavailable` with the remedy unless both are there."""
        PYSLOW5_DRIVER.require()
        if not self._is_here():
            raise Unavailable(tr("unavailable: this machine has no zstd library"), self.remedy)

    @staticmethod
    def _is_here() -> bool:
        from workloads.signal import zstd_libraries

        return zstd_libraries.zstd_here() is not None


ZSTD_DRIVER = ZstdDriver(
    module="pyslow5",
    distribution="pyslow5",
    install="apt-get install libzstd1, or brew install zstd",
)
LIB_POD5_DRIVER = Driver(module="lib_pod5", distribution="lib-pod5", install=_SET_UP)
BLUE_CRAB_DRIVER = Driver(module="blue_crab", distribution="blue-crab", install=_SET_UP)


READERS = {
    "blow5-c": Option(
        help="BLOW5 by slow5lib, batches decoded by its own threads.", driver=PYSLOW5_DRIVER
    ),
    "blow5-pool": Option(
        help="BLOW5 by slow5lib: raw records by one thread, then one task per record in a pool.",
        driver=PYSLOW5_DRIVER,
    ),
    "blow5-zstd": Option(
        help="As blow5-pool, with records decompressed by this machine's zstd, not pyslow5's.",
        driver=ZSTD_DRIVER,
    ),
    "blow5-python": Option(
        help="BLOW5 by pyslow5; with several threads by its calls for many reads.",
        driver=PYSLOW5_DRIVER,
    ),
    "pod5-io": Option(
        help="POD5 by pod5 with plain reads; each thread has a reader of its own.",
        driver=POD5_DRIVER,
    ),
    "pod5-mmap": Option(
        help="POD5 by pod5 through a memory map; each thread has a reader of its own.",
        driver=POD5_DRIVER,
    ),
    "pod5-c-io": Option(
        help="POD5 by lib_pod5's C functions with plain reads, one task per read in a pool.",
        driver=LIB_POD5_DRIVER,
    ),
    "pod5-c-mmap": Option(
        help="POD5 by lib_pod5's C functions through a memory map, one task per read in a pool.",
        driver=LIB_POD5_DRIVER,
    ),
}


@dataclass(frozen=True, kw_only=True)
class SignalParameters:
    """Which library reads, how far, and in which order."""

    reader: str = choice(
        "blow5-pool",
        options=READERS,
        by_dataset={"pod5": "pod5-c-io"},
        help="Library that reads the signals, and how.",
    )
    access: str = choice(
        "sequential",
        options={
            "sequential": "All reads in the order of the file.",
            "random": "Reads by their ids in a shuffled or given order.",
        },
        help="Order of the reads.",
    )
    batch_size: int = integer(
        1000,
        low=1,
        high=1_000_000,
        scale="log2",
        unit="reads",
        help="Reads in each operation, fetched together before they are decoded.",
    )
    depth: str = choice(
        "decode",
        options={
            "decode": "Fetch, decompress and parse.",
            "stages": "As decode, but the whole batch is decompressed before any record is parsed.",
            "fetch": "Fetch the raw records and leave them as they are, which tells the disc's share.",
        },
        only_when={"reader": ("blow5-pool",)},
        help="How far the records are read.",
    )
    compression: str = choice(
        "any",
        options={
            "any": "Whatever there is: the first of zstd, zlib, none and text.",
            "zstd": "Records compressed with zstd.",
            "zlib": "Records compressed with zlib.",
            "none": "Records that are not compressed.",
        },
        only_when={"reader": ("blow5-c", "blow5-pool", "blow5-python")},
        help="Compression of the BLOW5 files to read, in a folder with several.",
    )
    reads: int = integer(
        100_000,
        low=1,
        high=100_000_000,
        scale="log10",
        help="Most reads of each file, from its start. All of them are verified.",
    )
    read_list: str = location(
        "",
        only_when={"access": ("random",)},
        help="File with a read id on each line, read in that order; empty = shuffled by the seed.",
    )
