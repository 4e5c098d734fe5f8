"""Tiles in a user's own program: what *Copy for my code* offers, by store.

The stores on HDFS and in Accumulo are reached from Java, so their users get the setting of
GeoTrellis, whose one pool of threads serves all stores since its version 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from textwrap import indent
from typing import NamedTuple

from core import Dataset, DatasetError, InvalidParameter, Load
from workloads.shared.servers import s3_address
from workloads.shared.snippets import in_threads, secret_in_code
from workloads.tiles.layer_files import heading_of
from workloads.tiles.layer_in_store import address_of, layer_of
from workloads.tiles.stores.store import CASSANDRA_ADDRESS, parse_address, table_name
from workloads.tiles.tile_parameters import TileParameters


class _StoreCalls(NamedTuple):
    """How a store is used in Python, each as lines."""

    opened: str
    """Makes the client."""
    keys: str
    """Finds the names of all tiles."""
    get: str
    """The function that reads one, or several as a list."""
    put: str
    """The function that writes one."""
    several: bool = False


def tiles_in_code(parameters: TileParameters, load: Load, dataset: Dataset) -> Mapping[str, str]:
    """The same reads or writes by Python, and the setting of GeoTrellis."""
    layer, raw = "my-layer", False
    if parameters.direction == "read":
        with suppress(DatasetError):
            heading = heading_of(dataset.path)
            layer, raw = layer_of(heading), heading.form.payload == "raw"
    of_store = {"file": _file, "s3": _s3, "cassandra": _cassandra}.get(parameters.store)
    code = {"GeoTrellis": f"geotrellis.blocking-thread-pool.threads = {load.threads}"}
    with suppress(InvalidParameter):  # of an address that is none
        if of_store is not None:
            calls = of_store(parameters, load, layer)
            code = {"Python": _python(parameters, load, calls, raw=raw), **code}
    return code


def _python(parameters: TileParameters, load: Load, calls: _StoreCalls, *, raw: bool) -> str:
    start = "from concurrent.futures import ThreadPoolExecutor\n"
    if parameters.direction == "write":
        objects = "objects = {key: bytes(100_000) for key in range(100)}  # yours\n"
        written = in_threads(
            "put(key, value) or len(value)", "key, value", "[*objects.items()]", load
        )
        return f"{start}{calls.opened}{objects}\n{calls.put}\n{written}"
    tile = "len(zlib.decompress({}))" if parameters.depth == "decode" and not raw else "len({})"
    start += "import zlib  # then decode the tile\n" if "zlib" in tile else ""
    amount, item, items = tile.format("get(key)"), "key", "keys"
    if calls.several:
        start += "from itertools import batched\n"
        amount = f"sum({tile.format('one')} for one in get(some))"
        item, items = "some", f"[*batched(keys, {parameters.batch})]"
    if parameters.reader == "rdd":
        return _spark(parameters, start, calls, in_threads(amount, item, items, load, "yield {}"))
    timed = in_threads(amount, item, items, load)
    return f"{start}{calls.opened}{calls.keys}\n{calls.get}\n{timed}"


def _spark(parameters: TileParameters, start: str, calls: _StoreCalls, timed: str) -> str:
    """A partition opens the store in the process that reads it."""
    partitions = f", {parameters.partitions}" if parameters.partitions else ""
    inside = indent(f"keys = [*keys]\n{calls.opened}\n{calls.get}\n{timed}", "    ")
    return (
        f"{start}from pyspark import SparkContext\n{calls.opened}{calls.keys}\n"
        f"def read(keys):  # of one partition\n{inside}\n"
        f'spark = SparkContext("{parameters.master}")\n'
        f'print(spark.parallelize(keys{partitions}).mapPartitions(read).sum(), "bytes")\n'
    )


def _file(parameters: TileParameters, load: Load, layer: str) -> _StoreCalls:
    folder = f"{address_of(parameters)}/{layer}"
    return _StoreCalls(
        opened=f"from pathlib import Path\nfolder = Path({folder!r})\n",
        keys="keys = [file.name for file in folder.iterdir() if file.name.isdigit()]\n",
        get="def get(key):\n    return (folder / key).read_bytes()\n",
        put=(
            "folder.mkdir(parents=True, exist_ok=True)\n"
            "def put(key, value):\n    (folder / str(key)).write_bytes(value)\n"
        ),
    )


def _s3(parameters: TileParameters, load: Load, layer: str) -> _StoreCalls:
    p, place = parameters, s3_address(parameters.address)
    bucket, prefix = f"Bucket={place.bucket!r}", f"{place.prefix}{layer}/"
    mode = "standard" if p.retry_mode == "exponential" else p.retry_mode
    named = {
        "endpoint_url": repr(place.endpoint) if place.endpoint else "",
        "region_name": repr(p.region) if p.region else "",
        "aws_access_key_id": _key(p.access_key, "AWS_ACCESS_KEY_ID"),
        "aws_secret_access_key": _key(p.secret_key, "AWS_SECRET_ACCESS_KEY"),
    }
    given = "".join(f"    {name}={value},\n" for name, value in named.items() if value)
    style = "path" if p.path_style else "virtual"
    return _StoreCalls(
        opened=f"""\
import os
import boto3
from botocore.config import Config
s3 = boto3.client(
    "s3",
{given}    config=Config(
        max_pool_connections={p.pool_size or load.threads},
        retries={{"total_max_attempts": {p.attempts}, "mode": "{mode}"}},
        s3={{"addressing_style": "{style}"}},
    ),
)
""",
        keys=f"""\
pages = s3.get_paginator("list_objects_v2").paginate({bucket}, Prefix={prefix!r})
names = [one["Key"] for page in pages for one in page.get("Contents", ())]
keys = [name for name in names if name.rpartition("/")[2].isdigit()]
""",
        get=f'def get(key):\n    return s3.get_object({bucket}, Key=key)["Body"].read()\n',
        put=(
            "def put(key, value):\n"
            f'    s3.put_object({bucket}, Key=f"{prefix}{{key}}", Body=value)\n'
        ),
    )


def _key(reference: str, usual: str) -> str:
    return secret_in_code(reference, usual) if reference else ""


def _cassandra(parameters: TileParameters, load: Load, layer: str) -> _StoreCalls:
    p, address = parameters, parse_address(parameters.address, CASSANDRA_ADDRESS)
    table = f'"{address.parts[0]}"."{table_name(layer)}"'
    password = secret_in_code(p.password, "CASSANDRA_PASSWORD")
    login = f", auth_provider=PlainTextAuthProvider({p.user!r}, {password})" if p.user else ""
    hosts = [host for host, _ in address.hosts]
    one = """\
def get(key):
    return session.execute(select, (key,)).one().value
"""
    several = f"""\
def get(keys):
    arguments = [(key,) for key in keys]
    answers = execute_concurrent_with_args(session, select, arguments, concurrency={p.concurrency})
    return [answer.one().value for _, answer in answers]
"""
    return _StoreCalls(
        opened=f"""\
import os
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import Cluster
from cassandra.concurrent import execute_concurrent_with_args
session = Cluster({hosts}, port={address.hosts[0][1]}{login}).connect()
""",
        keys=f"keys = [row.key for row in session.execute('SELECT key FROM {table}')]\n",
        get=f"select = session.prepare('SELECT value FROM {table} WHERE key = ?')\n"
        + (several if p.batch > 1 else one),
        put=f"""\
session.execute('CREATE TABLE IF NOT EXISTS {table} (key bigint PRIMARY KEY, value blob)')
insert = session.prepare('INSERT INTO {table} (key, value) VALUES (?, ?)')
def put(key, value):
    session.execute(insert, (key, value))
""",
        several=p.batch > 1,
    )
