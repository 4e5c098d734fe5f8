"""The parameters of reading arrays: by which library, from where, and which cells."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import mod
from typing import override

from core import InvalidParameter, Option, choice, integer, same_as, text, tr
from workloads.arrays.array_kinds import DRIVERS, SHAPE, Array, Hdf5, NetCdf, Zarr, shape_of, slab
from workloads.shared.objects import S3FS
from workloads.shared.served import ServedParameters
from workloads.shared.servers import S3Parameters

_ZARR_READERS = ("zarr", "zarrs", "tensorstore")
READS = {"zarr": _ZARR_READERS, "netcdf": ("netcdf4", "h5py"), "hdf5": ("h5py",)}
"""The readers of each kind of data, the usual one first."""
_TITLES = {
    "zarr": "zarr-python, on remote data through obstore.",
    "zarrs": "zarr-python with the pipeline zarrs, in Rust.",
    "tensorstore": "tensorstore, in C++.",
    "h5py": "h5py. HDF5 has one lock for all threads of a process.",
    "netcdf4": "netCDF4, from files only. Use processes: it crashes where two threads read.",
}
"""What each reader is, for the form and for the command line's help."""
_BY_OBSTORE = {"store": ("s3",), "reader": ("zarr", "zarrs", "h5py")}
_KINDS = {end: kind.name for kind in (Zarr, Hdf5, NetCdf) for end in kind.ends}
"""By the ends of addresses."""


@dataclass(frozen=True, kw_only=True)
class ArrayParameters(ServedParameters):
    """A setting of a reader, and the cells that it is asked for."""

    reader: str = choice(
        "zarr",
        options={name: Option(help=_TITLES[name], driver=DRIVERS[name]) for name in DRIVERS},
        by_dataset={"hdf5": "h5py", "netcdf": "netcdf4"},
        help="Library that reads the array.",
    )
    array: str = text("", help="Path of the array in the group or file; empty = the largest.")
    pattern: str = choice(
        "chunk",
        options={
            "chunk": "A chunk at random.",
            "series": "All of the first axis at a random point of the others, as a time series.",
            "map": "All of the others at a random index of the first axis, as a map.",
            "all": "The whole array in order, in slabs of whole chunks of about 64 MiB.",
        },
        help="The cells that each operation selects.",
    )
    concurrency: int = integer(
        0,
        low=0,
        high=4096,
        unit="requests",
        only_when={"reader": _ZARR_READERS},
        help="Chunks that one operation asks for at once: async.concurrency of zarr, chunk_concurrent_maximum of zarrs, the store's limit in tensorstore. 0 = the library's own.",
    )
    io_threads: int = integer(
        0,
        low=0,
        high=1024,
        unit="threads",
        only_when={"reader": _ZARR_READERS},
        help="Threads of the library's own that decode: threading.max_workers of zarr and zarrs, data_copy_concurrency of tensorstore. 0 = the library's own number.",
    )
    chunk_cache: int = integer(
        0,
        low=0,
        high=1 << 40,
        unit="bytes",
        only_when={"reader": ("tensorstore", "h5py", "netcdf4")},
        help="Memory for decoded chunks: cache_pool of tensorstore, rdcc_nbytes of h5py, the chunk cache of netCDF4. 0 = none is kept.",
    )
    client: str = choice(
        "obstore",
        options={
            "obstore": "obstore, compiled from Rust.",
            "s3fs": Option(help="s3fs of fsspec, whose own blocks are of 50 MiB.", driver=S3FS),
        },
        only_when={"store": ("s3",), "reader": ("h5py",)},
        help="What h5py reads the file through.",
    )
    block_size: int = integer(
        64 << 10,
        low=1 << 10,
        high=1 << 30,
        scale="log2",
        unit="bytes",
        only_when={"store": ("s3", "http"), "reader": ("h5py",)},
        help="Bytes that the client fetches ahead: block_size of s3fs, buffer_size of obstore.",
    )
    chunks: str = text(
        "",
        pattern=SHAPE,
        help="Shape of chunks, such as 1x256x256, into which a part of it is converted first; empty = as it is.",
    )
    shards: str = text(
        "",
        pattern=SHAPE,
        only_when={"reader": _ZARR_READERS},
        help="Shape of shards, whole numbers of chunks, into which a part of it is converted first; empty = none.",
    )
    codec: str = choice(
        "as-is",
        options={
            "as-is": "As the array is; of one that is converted gzip in HDF5, else zstd.",
            "zstd": "Zstandard, which HDF5 does not bring along.",
            "blosc": "Blosc with LZ4 and shuffled bytes, which HDF5 does not bring along.",
            "gzip": "Gzip, level 4.",
            "none": "Not compressed.",
        },
        help="How chunks are compressed, into which a part of it is converted first.",
    )
    subset: int = integer(
        256 << 20, low=1, high=1 << 40, unit="bytes", help="Most bytes of cells that are converted."
    )
    path_style: bool = same_as(S3Parameters, "path_style", only_when=_BY_OBSTORE)

    @property
    def converts(self) -> bool:
        """Whether the array is converted before it is read."""
        return bool(self.chunks or self.shards or self.codec != "as-is")

    @property
    @override
    def kind_there(self) -> str:
        return _KINDS.get(self.ending, "zarr" if self.store == "http" else "")

    def part_of(self, array: Array) -> Array:
        """The first rows of an array, as they are to be converted; raises InvalidParameter."""
        chunks, shards = shape_of(self.chunks) or array.chunks, shape_of(self.shards)
        if len(chunks) != len(array.shape):
            why = tr("the array has {axes} axes", axes=len(array.shape))
            raise InvalidParameter("chunks", why, tr("give as many numbers, with an x between two"))
        return replace(
            array,
            form=3 if self.reader in _ZARR_READERS else 0,
            dtype=array.dtype.newbyteorder("="),
            shape=slab(array.shape, array.dtype.itemsize, self.subset, (shards or chunks)[0]),
            chunks=chunks,
            shards=shards,
            codec=self.codec,
        )

    @override
    def refuse(self, kind: str) -> None:
        shards, chunks = shape_of(self.shards), shape_of(self.chunks)
        readers = READS.get(self.kind_there or kind, ())
        if not self.converts and self.reader not in readers:
            why = tr("{reader} does not read {kind}", reader=self.reader, kind=kind)
            remedy = tr("choose {readers}, or set chunks to convert", readers=", ".join(readers))
            raise InvalidParameter("reader", why, remedy)
        if self.as_it_is and self.converts:
            why = tr("what is at the address is read as it is")
            raise InvalidParameter("chunks", why, tr("leave out chunks, shards and codec"))
        if self.reader not in _ZARR_READERS and self.codec in ("zstd", "blosc"):
            why = tr("HDF5 does not bring {codec} along", codec=self.codec)
            raise InvalidParameter("codec", why, tr("choose gzip or none"))
        if len(shards) not in (0, len(chunks)) or any(map(mod, shards, chunks)):
            why = tr("a shard has a whole number of chunks along each axis")
            raise InvalidParameter("shards", why, tr("set chunks too, and shards to multiples"))
        if self.remote and self.reader == "netcdf4":
            why = tr("netCDF4 reads files only")
            raise InvalidParameter("store", why, tr("choose file, or the reader h5py"))
