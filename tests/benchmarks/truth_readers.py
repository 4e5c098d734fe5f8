"""Readers as their own documentation shows them, for the loops of `truth_loops`.

Nothing is imported from the project.
"""

from __future__ import annotations

import os
import random
import sqlite3
import warnings
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.client import HTTPConnection
from io import BytesIO, FileIO
from itertools import islice, product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

type Perform = Callable[[Any], Any]
type Start = Callable[[int], tuple[Perform, Sequence[Any]]]
"""(thread) → what it performs, and on which items, which start over at their end."""


def sequences(*, reader: str, path: str, length: int) -> Start:
    """Fetches the first bases of sequences drawn at random; each thread has a file of its own."""
    with Path(f"{path}.fai").open() as index:
        sizes = {name: int(size) for name, size, *_ in (line.split("\t") for line in index)}
    names = random.Random(2).choices(list(sizes), k=10_000)
    wanted = [(name, min(length, sizes[name])) for name in names]

    def pysam(thread: int) -> tuple[Perform, Sequence[Any]]:
        from pysam import FastaFile

        fetch = FastaFile(path).fetch
        return lambda item: fetch(*item), [(name, 0, end) for name, end in wanted]

    def pyfaidx(thread: int) -> tuple[Perform, Sequence[Any]]:
        from pyfaidx import Faidx

        fetch = Faidx(path, as_raw=True).fetch
        return lambda item: fetch(*item), [(name, 1, end) for name, end in wanted]

    return pysam if reader == "pysam" else pyfaidx


def tile_schema() -> Any:
    """Of the records in a stored tile."""
    from fastavro import parse_schema

    def record(name: str, **fields: Any) -> dict[str, Any]:
        listed = [{"name": field, "type": kind} for field, kind in fields.items()]
        return {"type": "record", "name": name, "fields": listed}

    band = record("Band", cols="int", rows="int", cells="bytes")
    key = record("SpatialKey", col="int", row="int")
    extent = record("Extent", xmin="double", ymin="double", xmax="double", ymax="double")
    bands = {"type": "array", "items": band}
    tile = record("Tile", key=key, extent=extent, bands=bands)
    return parse_schema({"type": "array", "items": tile})


_ROOM_FOR_TILE = 5 * 2 * 256 * 256 + 1024  # a little more than its bands, so that none is copied


def decoded(stored: Callable[[str], bytes]) -> Perform:
    """Fetches, inflates and decodes the tile of a name."""
    from fastavro import schemaless_reader

    schema = tile_schema()

    def read(name: str) -> Any:
        records = zlib.decompress(stored(name), bufsize=_ROOM_FOR_TILE)
        return schemaless_reader(BytesIO(records), schema)

    return read


def tiles(*, folder: str) -> Start:
    """Tiles, each from a file of its own."""

    def stored(path: str) -> bytes:
        with FileIO(path) as file:
            return file.readall()

    paths = sorted(str(path) for path in Path(folder).iterdir())
    random.Random(2).shuffle(paths)
    read = decoded(stored)
    return lambda thread: (read, paths)


def s3_tiles(
    *, endpoint: str, bucket: str, prefix: str, names: Sequence[str], threads: int
) -> Start:
    """Tiles, each from an object of its own, by one client with a connection for each thread."""
    client = s3_client(endpoint, threads)

    def stored(name: str) -> bytes:
        found: bytes = client.get_object(Bucket=bucket, Key=prefix + name)["Body"].read()
        return found

    wanted = list(names)
    random.Random(2).shuffle(wanted)
    read = decoded(stored)
    return lambda thread: (read, wanted)


def s3_client(endpoint: str, connections: int) -> Any:
    """A client of boto3 for a server of one's own; keys come from the environment."""
    import boto3
    from botocore.config import Config

    config = Config(
        s3={"addressing_style": "path"},
        max_pool_connections=connections,
        retries={"total_max_attempts": 5, "mode": "standard"},
        connect_timeout=10,
        read_timeout=60,
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    return boto3.client("s3", endpoint_url=endpoint, config=config)


def sparse(*, block: int, size: int) -> Start:
    """Reads blocks with a byte between them from one sparse file in memory."""
    import svfsc

    file = svfsc.cSVF("truth", 0.0)
    pieces = [(position, block) for position in range(0, size // block * (block + 1), block + 1)]
    for position, length in pieces:
        file.write(position, random.randbytes(length))
    read = file.read
    return lambda thread: (lambda piece: read(*piece), pieces)


def blow5(*, path: str, batch: int, threads: int) -> Start:
    """Batches of reads in the order of the file, decoded by pyslow5's own threads."""
    import pyslow5

    def reads() -> Iterator[Any]:
        while True:
            file = pyslow5.Open(path, "r")
            if threads == 1:
                yield from file.seq_reads(aux="all")
            else:
                yield from file.seq_reads_multi(threads=threads, batchsize=batch, aux="all")

    def start(thread: int) -> tuple[Perform, Sequence[Any]]:
        coming = reads()
        return lambda _: list(islice(coming, batch)), [None]

    return start


def pod5(*, path: str, mapped: bool, threads: int, share: int) -> Start:
    """So many signals at once, row by row; each thread has a reader, and slices of its own."""
    import pod5

    os.environ.pop("POD5_DISABLE_MMAP_OPEN", None)
    if not mapped:
        os.environ["POD5_DISABLE_MMAP_OPEN"] = "1"

    def start(thread: int) -> tuple[Perform, Sequence[Any]]:
        reader = pod5.Reader(path)
        batch: list[Any] = [-1, None]

        def record(place: tuple[int, int]) -> Any:
            number, row = place
            if batch[0] != number:
                batch[:] = number, reader.get_batch(number)
            return batch[1].get_read(row)

        def read(places: Sequence[tuple[int, int]]) -> Any:
            return [(found, found.signal) for found in map(record, places)]

        places = [
            (number, row)
            for number in range(reader.batch_count)
            for row in range(reader.get_batch(number).num_reads)
        ]
        slices = [places[first : first + share] for first in range(0, len(places), share)]
        return read, [one for one in slices[thread::threads] if len(one) == share]

    return start


# Layers as maps have them, objects, rasters and arrays


type Places = Sequence[tuple[int, int, int]]
"""Zoom, column, and row from the north of tiles, in the order in which they are read."""


def xyz(*, path: str, places: Places) -> Start:
    """Tiles by zoom, column and row, whose names are relative to the open folder."""
    names = ["{}/{}/{}.raw".format(*place) for place in places]
    place, flags = os.open(path, os.O_RDONLY | os.O_DIRECTORY), os.O_RDONLY | os.O_CLOEXEC

    def read(name: str) -> bytes:
        file = os.open(name, flags, dir_fd=place)
        try:
            return os.pread(file, os.fstat(file).st_size, 0)
        finally:
            os.close(file)

    return lambda thread: (read, names)


def mbtiles(*, path: str, places: Places) -> Start:
    """Tiles by place; each thread has a connection that asks for no lock."""
    rows = [(zoom, column, (1 << zoom) - 1 - row) for zoom, column, row in places]
    select = "SELECT tile_data FROM tiles WHERE zoom_level=? AND tile_column=? AND tile_row=?"

    def start(thread: int) -> tuple[Perform, Sequence[Any]]:
        address = f"file:{path}?mode=ro&immutable=1"
        execute = sqlite3.connect(address, uri=True, check_same_thread=False).execute
        return lambda row: execute(select, row).fetchone()[0], rows

    return start


def pmtiles(*, path: str, places: Places) -> Start:
    """Tiles by number: the root is searched, and one range is read.  The root has all of them."""
    from pmtiles.tile import deserialize_directory, deserialize_header, zxy_to_tileid

    file = os.open(path, os.O_RDONLY)
    header = deserialize_header(os.pread(file, 127, 0))
    root = deserialize_directory(os.pread(file, header["root_length"], header["root_offset"]))
    first, data, pread = [one.tile_id for one in root], header["tile_data_offset"], os.pread
    if not all(one.run_length for one in root):
        raise ValueError("the archive has leaves")

    def read(tile: int) -> bytes | None:
        at = bisect_right(first, tile) - 1
        if at < 0:
            return None
        entry = root[at]
        if tile >= entry.tile_id + entry.run_length:
            return None
        return pread(file, entry.length, data + entry.offset)

    tiles = [zxy_to_tileid(*place) for place in places]
    return lambda thread: (read, tiles)


def http_objects(*, client: str, url: str, names: Sequence[str], threads: int) -> Start:
    """Objects of a web server; http.client has a connection for each thread."""
    parts = urlsplit(url)
    if client == "obstore":
        return _obstore_objects(
            _obstore().HTTPStore.from_url(url, **_plain_options(threads)), names
        )
    paths = [f"{parts.path}{name}" for name in names]

    def start(thread: int) -> tuple[Perform, Sequence[Any]]:
        connection = HTTPConnection(parts.netloc, timeout=60)

        def get(path: str) -> bytes:
            connection.request("GET", path)
            return connection.getresponse().read()

        return get, paths

    return start


def s3_objects(
    *, client: str, endpoint: str, bucket: str, names: Sequence[str], threads: int
) -> Start:
    """Objects of S3; keys come from the environment."""
    key, hidden = os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
    if client == "boto3":
        get_object = s3_client(endpoint, threads).get_object
        return lambda thread: (
            lambda name: get_object(Bucket=bucket, Key=name)["Body"].read(),
            names,
        )
    if client == "s3fs":
        from s3fs import S3FileSystem

        files = S3FileSystem(
            key=key,
            secret=hidden,
            endpoint_url=endpoint,
            client_kwargs={"region_name": "us-east-1"},
            config_kwargs={"s3": {"addressing_style": "path"}, "max_pool_connections": threads},
            use_listings_cache=False,
        )
        return lambda thread: (files.cat_file, [f"{bucket}/{name}" for name in names])
    login: Any = {"access_key_id": key, "secret_access_key": hidden}
    config: Any = {"endpoint": endpoint, "region": "us-east-1", **login}
    store = _obstore().S3Store(bucket, config=config, **_plain_options(threads))
    return _obstore_objects(store, names)


def _obstore() -> Any:
    import obstore.store

    return obstore.store


def _plain_options(threads: int) -> Mapping[str, Any]:
    return {"client_options": {"allow_http": True, "pool_max_idle_per_host": str(threads)}}


def _obstore_objects(store: Any, names: Sequence[str]) -> Start:
    from obstore import get

    return lambda thread: (lambda name: bytes(get(store, name).bytes()), names)


def raster(*, path: str, window: int, cache: int) -> Start:
    """Windows side by side in a random order; each thread has the raster open."""
    import rasterio
    from rasterio.windows import Window

    options = {"GDAL_NUM_THREADS": "1", "GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR"}
    # Before GDAL first needs it: its cache is that of the process, whichever thread sets it.
    environment = rasterio.Env(GDAL_CACHEMAX=cache, **options)
    environment.__enter__()
    warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
    with rasterio.open(path) as opened:
        corners = [
            (x, y) for y in range(0, opened.height, window) for x in range(0, opened.width, window)
        ]
    random.Random(2).shuffle(corners)
    windows = [Window(x, y, window, window) for x, y in corners]

    def start(thread: int) -> tuple[Perform, Sequence[Any]]:
        read = rasterio.open(path, sharing=False, driver="GTiff").read
        return lambda one: read(window=one), windows

    return start


def array(*, reader: str, path: str) -> Start:
    """Chunks of the array `data` at random."""
    if reader == "h5py":
        import h5py

        data: Any = h5py.File(path, "r", rdcc_nbytes=0, locking=False)["data"]
    elif reader == "tensorstore":
        import tensorstore

        kvstore = {"driver": "file", "path": f"{path}/"}
        spec: Any = {"driver": "zarr3", "kvstore": kvstore}
        data = tensorstore.open(spec, open=True, read=True).result()
    else:
        import zarr

        if reader == "zarrs":
            pipeline = {"codec_pipeline.path": "zarrs.ZarrsCodecPipeline"}
            zarr.config.set({**pipeline, "codec_pipeline.strict": True})
        data = zarr.open_array(path, mode="r")
    chunks = data.chunk_layout.read_chunk.shape if reader == "tensorstore" else data.chunks
    axes = [range(0, length, one) for length, one in zip(data.shape, chunks, strict=True)]
    regions = [
        tuple(slice(at, at + one) for at, one in zip(corner, chunks, strict=True))
        for corner in product(*axes)
    ]
    random.Random(2).shuffle(regions)
    read = (lambda one: data[one].read().result()) if reader == "tensorstore" else data.__getitem__
    return lambda thread: (read, regions)


READERS: Mapping[str, Callable[..., Start]] = {
    "sequences": sequences,
    "tiles": tiles,
    "s3_tiles": s3_tiles,
    "sparse": sparse,
    "blow5": blow5,
    "pod5": pod5,
    "xyz": xyz,
    "mbtiles": mbtiles,
    "pmtiles": pmtiles,
    "http_objects": http_objects,
    "s3_objects": s3_objects,
    "raster": raster,
    "array": array,
}
