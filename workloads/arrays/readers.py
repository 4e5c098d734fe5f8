"""The libraries that read arrays, each with its own settings.

What they take for the whole process, such as zarr's configuration, is set while a reader is open.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from core import DatasetError, tr
from workloads.arrays.array_cells import Read, Region, slab
from workloads.arrays.array_kinds import SAMPLE, FoundArray, chosen, zarr_arrays
from workloads.arrays.array_parameters import ArrayParameters
from workloads.arrays.remote import Remote

_NUMBERS, _UNCHUNKED = "biufc", 1 << 20
_STARTED = "/tensorstore/http/request_started"


class Opened(NamedTuple):
    """An array that a library has open."""

    array: FoundArray
    worker: Callable[[], AbstractContextManager[Read]]
    """What one thread reads by."""
    requests: Callable[[], float] | None = None
    """How many the library has made in this process, where it counts them itself."""


type Reader = Callable[[ArrayParameters, Path, Remote | None], AbstractContextManager[Opened]]
"""Opens the array that the parameters name in a folder or file, or in its copy on a server."""


def _zarr_settings(one: ArrayParameters) -> Mapping[str, Any]:
    threads = {"threading.max_workers": one.io_threads or None}
    if one.reader == "zarrs":
        return threads | {
            "codec_pipeline.path": "zarrs.ZarrsCodecPipeline",
            # Else it leaves what it does not know to zarr-python, in silence.
            "codec_pipeline.strict": True,
            "codec_pipeline.chunk_concurrent_maximum": one.concurrency or None,
        }
    limit = {"async.concurrency": one.concurrency} if one.concurrency else {}
    return {**threads, **limit, "array.sharding_coalesce_max_gap_bytes": one.coalesce_gap}


@contextmanager
def _zarr(one: ArrayParameters, path: Path, remote: Remote | None) -> Iterator[Opened]:
    """zarr-python, also with zarrs: one array and one thread of asyncio for all."""
    import zarr
    from zarr.core.sync import cleanup_resources
    from zarr.storage import LocalStore, ObjectStore

    chosen_array = chosen(zarr_arrays(path), one.array, path)
    local = LocalStore(path, read_only=True)
    store = ObjectStore(remote.store(), read_only=True) if remote else local
    with zarr.config.set(_zarr_settings(one)):
        try:
            form: Any = chosen_array.form
            data = zarr.open_array(store, path=chosen_array.name, mode="r", zarr_format=form)
            array = replace(chosen_array, chunks=data.chunks, dtype=data.dtype)
            yield Opened(array, lambda: nullcontext(data.__getitem__))
        finally:
            cleanup_resources()


@contextmanager
def _tensorstore(one: ArrayParameters, path: Path, remote: Remote | None) -> Iterator[Opened]:
    """tensorstore: one array, whose own threads read and decode."""
    import tensorstore

    chosen_array = chosen(zarr_arrays(path), one.array, path)
    limits = {"file": "file_io", "s3": "s3_request", "http": "http_request"}
    most = {limits[one.store]: one.concurrency, "data_copy": one.io_threads}
    context = {f"{name}_concurrency": {"limit": count} for name, count in most.items() if count}
    spec = {
        "driver": "zarr3" if chosen_array.form == 3 else "zarr",
        "kvstore": remote.kvstore() if remote else {"driver": "file", "path": f"{path}/"},
        "path": f"{chosen_array.name}/" if chosen_array.name else "",
        "context": {**context, "cache_pool": {"total_bytes_limit": one.chunk_cache}},
    }
    data: Any = tensorstore.open(spec, open=True, read=True).result()
    chunks, dtype = data.chunk_layout.read_chunk.shape, data.dtype.numpy_dtype

    def read(region: Region) -> Any:
        return data[region].read().result()

    def requests() -> float:
        metrics: Any = tensorstore.experimental_collect_matching_metrics(_STARTED)
        return float(sum(value["value"] for one in metrics for value in one["values"]))

    array = replace(chosen_array, chunks=chunks, dtype=dtype)
    yield Opened(array, lambda: nullcontext(read), requests if remote else None)


def _described(name: str, data: Any, chunks: Any, seed: Any) -> FoundArray:
    return FoundArray(
        name=name.strip("/"),
        shape=data.shape,
        seed=None if seed is None else int(seed),
        chunks=tuple(chunks or slab(data.shape, data.dtype.itemsize, _UNCHUNKED, 1)),
        dtype=data.dtype,
    )


@contextmanager
def _h5py(one: ArrayParameters, path: Path, remote: Remote | None) -> Iterator[Opened]:
    """h5py: one file, of which HDF5's lock lets in one thread at a time."""
    import h5py

    file, locking = (remote.file(path.name, one), {}) if remote else (path, {"locking": False})
    with h5py.File(file, "r", rdcc_nbytes=one.chunk_cache, **locking) as root:
        arrays: list[FoundArray] = []

        def add(name: str, data: Any) -> None:
            with suppress(TypeError, ValueError):  # of a type that numpy has not
                if isinstance(data, h5py.Dataset) and data.shape and data.dtype.kind in _NUMBERS:
                    arrays.append(_described(name, data, data.chunks, data.attrs.get(SAMPLE)))

        root.visititems(add)
        chosen_array = chosen(arrays, one.array, path)
        yield Opened(chosen_array, lambda: nullcontext(root[chosen_array.name].__getitem__))


def _chunks(data: Any) -> Any:
    """The shape of a variable's chunks; None where it has none."""
    chunks = data.chunking()
    return chunks if isinstance(chunks, list) else None


def _variables(group: Any) -> Iterator[FoundArray]:
    for name, data in group.variables.items():
        if data.shape and getattr(data.dtype, "kind", "text") in _NUMBERS:
            seed = data.getncattr(SAMPLE) if SAMPLE in data.ncattrs() else None
            yield _described(f"{group.path}/{name}", data, _chunks(data), seed)
    for below in group.groups.values():
        yield from _variables(below)


def _require_closable(path: Path) -> None:
    """Raise DatasetError for a file that netCDF4 crashes on when it closes it."""
    import h5py

    def look(name: str, data: Any) -> str | None:
        with suppress(TypeError, ValueError, AttributeError):  # of another type, or a group
            filled = data.id.get_create_plist().fill_value_defined()
            texts = data.dtype.kind == "S" and data.dtype.itemsize > 1
            return name if texts and filled == h5py.h5d.FILL_VALUE_USER_DEFINED else None
        return None

    with h5py.File(path, "r", locking=False) as root:
        if name := root.visititems(look):
            raise DatasetError(
                tr(
                    "{path} makes netCDF4 crash: its texts {name} have one length and a fill value",
                    path=path,
                    name=name,
                ),
                tr("copy the array alone into another file, or convert it to Zarr"),
            )


@contextmanager
def _netcdf4(one: ArrayParameters, path: Path, remote: Remote | None) -> Iterator[Opened]:
    """netCDF4: a file of its own for each thread, which does not keep several from crashing."""
    import netCDF4

    _require_closable(path)
    warnings.filterwarnings("ignore", "WARNING: .*skipping", UserWarning)
    with netCDF4.Dataset(path, "r") as file:
        chosen_array = chosen(_variables(file), one.array, path)

    @contextmanager
    def worker() -> Iterator[Read]:
        with netCDF4.Dataset(path, "r") as file:
            data = file[chosen_array.name]
            data.set_auto_maskandscale(False)
            if _chunks(data):
                data.set_var_chunk_cache(size=one.chunk_cache)
            yield data.__getitem__

    yield Opened(chosen_array, worker)


READERS: Mapping[str, Reader] = {
    "zarr": _zarr,
    "zarrs": _zarr,
    "tensorstore": _tensorstore,
    "h5py": _h5py,
    "netcdf4": _netcdf4,
}
