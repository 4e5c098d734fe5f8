"""The libraries that read arrays, each with its own settings.

What they take for the whole process, such as zarr's configuration, is set while a reader is open.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from core import DatasetError, tr
from workloads.arrays.array_kinds import Array, Read, Region, chosen, slab, zarr_arrays
from workloads.arrays.array_parameters import ArrayParameters
from workloads.shared.objects.s3_login import s3_login
from workloads.shared.served import Served
from workloads.shared.servers import REFUSALS, REQUESTS, RETRIES, count_attempts

_NUMBERS, _UNCHUNKED = "biufc", 1 << 20
_METRICS = {REQUESTS: "http/request_started", RETRIES: "kvstore/s3/retries"}
"""tensorstore's own; of what it repeats to web servers there is none."""


class Opened(NamedTuple):
    """An array that a library has open."""

    array: Array
    read: Read
    counts: Callable[[], Mapping[str, float]] = dict
    """What the library itself has counted in this process."""


def _zarr_store(path: Path, served: Served | None) -> Any:
    """A folder of Zarr as zarr-python reaches it; raises SluiceError."""
    from zarr.storage import LocalStore, ObjectStore

    if served is None:
        return LocalStore(path, read_only=True)
    return ObjectStore(served.obstore(f"{served.name}/"), read_only=True)


def _kvstore(path: Path, served: Served | None) -> dict[str, Any]:
    """The same as tensorstore reaches it, which takes keys from the environment."""
    if served is None:
        return {"driver": "file", "path": f"{path}/"}
    if served.place.s3 is None:
        return {"driver": "http", "base_url": f"{served.url}/"}
    login, address = s3_login(served.place.s3), served.place.s3.address
    os.environ |= {"AWS_ACCESS_KEY_ID": login.key, "AWS_SECRET_ACCESS_KEY": login.secret}
    os.environ |= {"AWS_SESSION_TOKEN": login.token} if login.token else {}
    host = urlsplit(address.endpoint).netloc
    return {
        "driver": "s3",
        "bucket": address.bucket,
        "path": f"{served.name}/",
        "aws_region": login.region,
        "aws_credentials": {"type": "environment"},
        **({"endpoint": address.endpoint, "host_header": host} if host else {}),
    }


def _blocks_of(served: Served, one: ArrayParameters, counts: Counter[str]) -> Any:
    """A file on a server, block by block, and what its client counts; raises SluiceError."""
    if served.place.s3 and one.client == "s3fs":
        from workloads.shared.objects.s3fs_client import file_system

        waiting = {"read_timeout": served.place.timeout}
        files = file_system(served.place.s3, config_kwargs=waiting)
        counts.update({REQUESTS: 0, RETRIES: 0, REFUSALS: 0})
        count_attempts(files.connect(), lambda name, by: counts.update({name: by}))
        name = f"{served.place.s3.address.bucket}/{served.name}"
        return files.open(name, block_size=one.block_size)
    import obstore

    file = obstore.open_reader(served.obstore(), served.name, buffer_size=one.block_size)
    # Python's own bytes, which h5py insists on.
    return SimpleNamespace(seek=file.seek, tell=file.tell, read=lambda size: bytes(file.read(size)))


def _chosen_zarr(one: ArrayParameters, path: Path, served: Served | None) -> Array:
    """The array that the parameters name; what is on a server is listed by zarr-python."""
    if served is None or not one.as_it_is:
        return chosen(zarr_arrays(path), one.array, path)
    import zarr

    inside = one.array.strip("/")
    # To try both formats takes requests side by side, which go on where one of them has failed.
    document = served._replace(name=f"{served.name}/{inside}/zarr.json".replace("//", "/"))
    form: Any = 3 if document.content() else 2
    node: Any = zarr.open(_zarr_store(path, served), path=inside, mode="r", zarr_format=form)
    nodes: Any = node.members(max_depth=None) if isinstance(node, zarr.Group) else [("", node)]
    arrays = (
        Array(name=array.path, shape=array.shape, form=form, seed=array.attrs.get(Array.SAMPLE))
        for _, array in nodes
        if not isinstance(array, zarr.Group)
    )
    return chosen(arrays, one.array, served)


def _zarr(one: ArrayParameters, path: Path, served: Served | None, resources: ExitStack) -> Opened:
    """zarr-python, also with zarrs: one array and one thread of asyncio for all."""
    import zarr
    from zarr.core.sync import cleanup_resources

    array, store = _chosen_zarr(one, path, served), _zarr_store(path, served)
    limits = {"zarr": "async.concurrency", "zarrs": "codec_pipeline.chunk_concurrent_maximum"}
    settings: dict[str, Any] = {"threading.max_workers": one.io_threads or None}
    if one.concurrency:
        settings |= {limits[one.reader]: one.concurrency}
    if one.reader == "zarrs":  # which else leaves what it does not know to zarr-python, in silence
        settings |= {
            "codec_pipeline.path": "zarrs.ZarrsCodecPipeline",
            "codec_pipeline.strict": True,
        }
    resources.enter_context(zarr.config.set(settings))
    resources.callback(cleanup_resources)
    form: Any = array.form or None
    data = zarr.open_array(store, path=array.name, mode="r", zarr_format=form)
    return Opened(replace(array, chunks=data.chunks, dtype=data.dtype), data.__getitem__)


def _tensorstore(
    one: ArrayParameters, path: Path, served: Served | None, resources: ExitStack
) -> Opened:
    """tensorstore: one array, whose own threads read and decode."""
    import tensorstore

    array = _chosen_zarr(one, path, served)
    limits = {"file": "file_io", "s3": "s3_request", "http": "http_request"}
    most = {limits[one.store]: one.concurrency, "data_copy": one.io_threads}
    context = {f"{name}_concurrency": {"limit": count} for name, count in most.items() if count}
    spec = {
        "driver": "auto",
        "kvstore": _kvstore(path, served),
        "path": f"{array.name}/" if array.name else "",
        "context": {**context, "cache_pool": {"total_bytes_limit": one.chunk_cache}},
    }
    longest = served.place.repeating if served else None
    data: Any = tensorstore.open(spec, open=True, read=True).result(longest)
    chunks, dtype = data.chunk_layout.read_chunk.shape, data.dtype.numpy_dtype

    def read(region: Region) -> Any:
        return data[region].read().result(longest)

    def counted(name: str) -> float:
        metric = f"/tensorstore/{_METRICS[name]}"
        metrics: Any = tensorstore.experimental_collect_matching_metrics(metric)
        return float(sum(value["value"] for one in metrics for value in one["values"]))

    told = {"s3": (REQUESTS, RETRIES), "http": (REQUESTS,)}.get(one.store, ())
    opened = replace(array, chunks=chunks, dtype=dtype)
    return Opened(opened, read, lambda: {name: counted(name) for name in told})


def _described(name: str, data: Any, chunks: Any, seed: Any = None) -> Array:
    """`chunks`: their shape, where it has any."""
    chunked = isinstance(chunks, list | tuple)
    return Array(
        name=name.strip("/"),
        shape=data.shape,
        seed=None if seed is None else int(seed),
        chunks=tuple(chunks) if chunked else slab(data.shape, data.dtype.itemsize, _UNCHUNKED, 1),
        dtype=data.dtype,
    )


def _h5py(one: ArrayParameters, path: Path, served: Served | None, resources: ExitStack) -> Opened:
    """h5py: one file, of which HDF5's lock lets in one thread at a time."""
    import h5py

    counts: Counter[str] = Counter()
    file, locking = (_blocks_of(served, one, counts), {}) if served else (path, {"locking": False})
    opened = h5py.File(file, "r", rdcc_nbytes=one.chunk_cache, **locking)
    root, arrays = resources.enter_context(opened), list[Array]()

    def add(name: str, data: Any) -> None:
        with suppress(TypeError, ValueError):  # of a type that numpy has not
            if isinstance(data, h5py.Dataset) and data.shape and data.dtype.kind in _NUMBERS:
                arrays.append(_described(name, data, data.chunks, data.attrs.get(Array.SAMPLE)))

    root.visititems(add)
    array = chosen(arrays, one.array, path)
    return Opened(array, root[array.name].__getitem__, lambda: counts)


def _variables(group: Any) -> Iterator[Array]:
    for name, data in group.variables.items():
        if data.shape and getattr(data.dtype, "kind", "text") in _NUMBERS:
            seed = data.getncattr(Array.SAMPLE) if Array.SAMPLE in data.ncattrs() else None
            yield _described(f"{group.path}/{name}", data, data.chunking(), seed)
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
        name = root.visititems(look)
    if name:
        why = tr(
            "{path} makes netCDF4 crash: its texts {name} have one length and a fill value",
            path=path,
            name=name,
        )
        raise DatasetError(why, tr("copy the array alone into another file, or convert it to Zarr"))


def _netcdf4(
    one: ArrayParameters, path: Path, served: Served | None, resources: ExitStack
) -> Opened:
    """netCDF4: one file, as a file for each thread does not keep several from crashing, either."""
    import netCDF4

    _require_closable(path)
    warnings.filterwarnings("ignore", "WARNING: .*skipping", UserWarning)
    file = resources.enter_context(netCDF4.Dataset(path, "r"))
    array = chosen(_variables(file), one.array, path)
    data = file[array.name]
    data.set_auto_maskandscale(False)
    data.set_var_chunk_cache(size=one.chunk_cache)
    return Opened(array, data.__getitem__)


READERS = {"zarr": _zarr, "zarrs": _zarr, "tensorstore": _tensorstore}
READERS |= {"h5py": _h5py, "netcdf4": _netcdf4}
