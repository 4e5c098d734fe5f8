"""Readers as their own documentation shows them, for the loops of `truth_loops`.

Nothing is imported from the project.
"""

from __future__ import annotations

import os
import random
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO, FileIO
from itertools import islice
from pathlib import Path
from typing import Any

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


READERS: Mapping[str, Callable[..., Start]] = {
    "sequences": sequences,
    "tiles": tiles,
    "s3_tiles": s3_tiles,
    "sparse": sparse,
    "blow5": blow5,
    "pod5": pod5,
}
