"""The parameters of reading arrays: by which library, from where, and which cells."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from core import InvalidParameter, Option, choice, integer, location, same_as, text, tr
from workloads.arrays.array_kinds import SHAPE, shape_of
from workloads.arrays.drivers import H5PY, NETCDF4, OBSTORE, TENSORSTORE, ZARR, ZARRS
from workloads.shared.link import LinkParameters
from workloads.shared.objects import S3FS
from workloads.shared.servers import S3Parameters

_ZARR_READERS = ("zarr", "zarrs", "tensorstore")
READS = {"zarr": _ZARR_READERS, "netcdf": ("netcdf4", "h5py"), "hdf5": ("h5py",)}
"""The readers of each kind of data, the usual one first."""
COMPARED = {"zarr": TENSORSTORE, "zarrs": TENSORSTORE, "tensorstore": ZARR} | {
    "h5py": NETCDF4,
    "netcdf4": H5PY,
}
"""The library that says what is right, by the reader; never the same one."""
_S3, _REMOTE = {"store": ("s3",)}, ("s3", "http")
KINDS_BY_END = {".zarr": "zarr", ".h5": "hdf5", ".hdf5": "hdf5", ".nc": "netcdf", ".nc4": "netcdf"}
"""Kinds of data by the ends of addresses."""
_FILTERS = ("as-is", "gzip", "none")
"""Codecs that HDF5 brings along."""


@dataclass(frozen=True, kw_only=True)
class ArrayParameters:
    """A setting of a reader, and the cells that it is asked for."""

    reader: str = choice(
        "zarr",
        options={
            "zarr": Option(help="zarr-python, on remote data through obstore.", driver=ZARR),
            "zarrs": Option(help="zarr-python with the pipeline zarrs, in Rust.", driver=ZARRS),
            "tensorstore": Option(help="tensorstore, in C++.", driver=TENSORSTORE),
            "h5py": Option(
                help="h5py. HDF5 has one lock for all threads of a process.", driver=H5PY
            ),
            "netcdf4": Option(
                help="netCDF4, from files only. Use processes: it crashes where two threads read.",
                driver=NETCDF4,
            ),
        },
        by_dataset={"hdf5": "h5py", "netcdf": "netcdf4"},
        help="Library that reads the array.",
    )
    store: str = choice(
        "file",
        options={
            "file": "Files of this machine.",
            "s3": Option(help="A bucket of S3, where the data is copied to.", driver=OBSTORE),
            "http": Option(help="A web server that has the data already.", driver=OBSTORE),
        },
        help="Where the array is read from.",
    )
    address: str = location(
        "",
        only_when={"store": _REMOTE},
        help="Array such as s3://bucket/cube.zarr or https://host/cube.h5, read as it is. Or a place in S3 to copy the data to, such as s3://bucket/prefix?endpoint=http://host:port, or the URL of the same data.",
    )
    array: str = text(
        "", help="Path of the array within the group or file; empty = the one with the most cells."
    )
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
        only_when={**_S3, "reader": ("h5py",)},
        help="What h5py reads the file through.",
    )
    block_size: int = integer(
        64 << 10,
        low=1 << 10,
        high=1 << 30,
        scale="log2",
        unit="bytes",
        only_when={"store": _REMOTE, "reader": ("h5py",)},
        help="Bytes that the client fetches ahead: block_size of s3fs, buffer_size of obstore.",
    )
    coalesce_gap: int = integer(
        1 << 20,
        low=0,
        high=1 << 30,
        unit="bytes",
        only_when={"reader": ("zarr",)},
        help="Largest gap in a shard over which two reads are joined.",
    )
    chunks: str = text(
        "",
        pattern=SHAPE,
        help="Shape of chunks, such as 1x256x256, into which up to 256 MiB of it are converted first; empty = as it is.",
    )
    shards: str = text(
        "",
        pattern=SHAPE,
        only_when={"reader": _ZARR_READERS},
        help="Shape of shards, whole numbers of chunks, into which up to 256 MiB of it are converted first; empty = none.",
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
        help="How chunks are compressed, into which up to 256 MiB of it are converted first.",
    )
    access_key: str = same_as(S3Parameters, "access_key", only_when=_S3)
    secret_key: str = same_as(S3Parameters, "secret_key", only_when=_S3)
    region: str = same_as(S3Parameters, "region", only_when=_S3)
    round_trip: float = same_as(LinkParameters, "round_trip", only_when={"store": _REMOTE})
    link_bandwidth: int = same_as(LinkParameters, "link_bandwidth", only_when={"store": _REMOTE})
    request_rate: float = same_as(LinkParameters, "request_rate", only_when={"store": _REMOTE})

    @property
    def converts(self) -> bool:
        """Whether the array is converted before it is read."""
        return bool(self.chunks or self.shards or self.codec != "as-is")

    @property
    def as_it_is(self) -> str:
        """The kind of data at the address itself, whatever the dataset is; else empty."""
        path = urlsplit(self.address).path if self.store != "file" else ""
        return KINDS_BY_END.get(PurePosixPath(path).suffix.lower(), "")

    @property
    def reads_zarr(self) -> bool:
        return self.reader in _ZARR_READERS

    def refusal(self, kind: str) -> InvalidParameter | None:
        """What of it does not fit the rest, or data of that kind."""
        readers, kind = READS.get(self.as_it_is or kind, ()), self.as_it_is or kind
        if not self.converts and self.reader not in readers:
            why = tr("{reader} does not read {kind}", reader=self.reader, kind=kind)
            remedy = tr("choose {readers}, or set chunks to convert", readers=", ".join(readers))
            return InvalidParameter("reader", why, remedy)
        return self._refused_conversion() or self._refused_store()

    def _refused_conversion(self) -> InvalidParameter | None:
        shards, chunks = shape_of(self.shards), shape_of(self.chunks)
        if self.as_it_is and self.converts:
            why = tr("what is at the address is read as it is")
            return InvalidParameter("chunks", why, tr("leave out chunks, shards and codec"))
        if not self.reads_zarr and self.codec not in _FILTERS:
            why = tr("HDF5 does not bring {codec} along", codec=self.codec)
            return InvalidParameter("codec", why, tr("choose gzip or none"))
        parts = [one % chunk for one, chunk in zip(shards, chunks, strict=False)]
        if shards and (len(shards) != len(chunks) or any(parts)):
            why = tr("a shard has a whole number of chunks along each axis")
            return InvalidParameter("shards", why, tr("set chunks too, and shards to multiples"))
        return None

    def _refused_store(self) -> InvalidParameter | None:
        if self.store != "file" and self.reader == "netcdf4":
            why = tr("netCDF4 reads files only")
            return InvalidParameter("store", why, tr("choose file, or the reader h5py"))
        if self.store != "file" and not self.address:
            why = tr("the store {store} needs an address", store=self.store)
            return InvalidParameter("address", why, tr("give its location, without credentials"))
        return None
