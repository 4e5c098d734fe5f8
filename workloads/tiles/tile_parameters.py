"""The parameters of reading and writing tiles, and of adopting a layer."""

from __future__ import annotations

from dataclasses import dataclass

from core import (
    Driver,
    Option,
    build,
    choice,
    flag,
    integer,
    location,
    real,
    same_as,
    secret,
    text,
    values_of,
)
from workloads.shared.objects import USUAL, ClientParameters
from workloads.shared.servers import LinkParameters, S3Parameters
from workloads.tiles.stores import LAYOUTS, STORES
from workloads.tiles.tile_codec import FASTAVRO

_S3 = {"store": ("s3", "pmtiles")}
_LINKED = {
    "store": tuple(entry.name for entry in STORES if entry.linked or entry.ranges),
    "reader": ("collection",),
}
_OBJECTS = {"store": tuple(entry.name for entry in STORES if entry.clients or entry.ranges)}
_TO_CLIENTS = {"store": tuple(entry.name for entry in STORES if entry.clients)}
_BOTOCORE = (USUAL, "boto3", "s3fs")
_HDFS = {"store": ("hdfs",)}
_ACCUMULO = {"store": ("accumulo",)}
_CASSANDRA = {"store": ("cassandra",)}
_READ = {"direction": ("read",)}
_RDD = {"direction": ("read",), "reader": ("rdd",)}
PYSPARK = Driver(module="pyspark", distribution="pyspark", install='make .venv EXTRAS="spark"')
LEANEST = "obstore"
"""The client with the least work for each object, on S3 and behind plain http."""
OPAQUE = ("opaque-tile-layer", *LAYOUTS)
"""Kinds of datasets whose tiles nobody here can decode."""
_MASTERS = r"local(\[(\d+|\*)\])?|local-cluster\[\d+,\d+,\d+\]|spark://\S+"


@dataclass(frozen=True, kw_only=True)
class TileParameters:
    """Where tiles are, and how they are read or written."""

    store: str = choice(
        "file",
        options={entry.name: entry.option for entry in STORES},
        by_dataset={name: name for name in LAYOUTS},
        help="What holds the tiles.",
    )
    client: str = same_as(ClientParameters, "client", only_when=_OBJECTS)
    address: str = location(
        "",
        help="Where the store is, such as s3://bucket/prefix?endpoint=http://host:port; empty = where the dataset is, or for other files a folder in the cache.",
    )
    direction: str = choice(
        "read",
        options={
            "read": "Read the tiles of a layer, which is written once and used again.",
            "write": "Write tiles into a layer of the trial's own, which is read back, compared and removed.",
        },
        help="Whether tiles are read or written.",
    )
    batch: int = integer(
        1,
        low=1,
        high=1000,
        scale="log2",
        unit="tiles",
        help="Tiles in each operation. Several go through the store's own batch call, if it has one.",
    )
    window: int = integer(
        0,
        low=0,
        high=4096,
        unit="tiles",
        help="Columns and rows of the square that a request covers; the seed draws where. 0 = the whole layer.",
    )
    reader: str = choice(
        "collection",
        options={
            "collection": "One pool of the load's threads reads a request.",
            "rdd": Option(
                help="A request is a job of Spark's; each partition has a pool of the load's threads.",
                driver=PYSPARK,
            ),
        },
        only_when=_READ,
        help="Who reads the tiles of a request.",
    )
    master: str = text(
        "local[*]",
        pattern=_MASTERS,
        only_when=_RDD,
        help="Master of Spark: local[CORES], local-cluster[WORKERS,CORES,MB] or spark://host:port; local[*] = all cores here.",
    )
    partitions: int = integer(
        0,
        low=0,
        high=4096,
        only_when=_RDD,
        unit="partitions",
        help="Partitions of a request; 0 = one for each core of Spark.",
    )
    spark_secret: str = secret(
        only_when=_RDD,
        help="Secret that a master shares with its applications; empty = it needs none.",
    )
    depth: str = choice(
        "decode",
        options={
            "decode": Option(help="Fetch, inflate and decode into bands.", driver=FASTAVRO),
            "fetch": "Fetch the objects and leave them as they are, which tells the store's share.",
        },
        only_when=_READ,
        by_dataset=dict.fromkeys(OPAQUE, "fetch"),
        help="How far tiles are read.",
    )
    user: str = text(
        "",
        only_when={"store": ("accumulo", "cassandra", "hdfs")},
        help="Name to log in with; empty = none, or on HDFS this process's.",
    )
    password: str = secret(
        only_when={"store": ("accumulo", "cassandra")},
        help="Password to log in with; empty = none.",
    )
    timeout: float = same_as(
        S3Parameters,
        "timeout",
        only_when={"store": ("accumulo", "cassandra", "hdfs", "http", "pmtiles", "s3")},
    )
    create: bool = flag(
        False,
        only_when={"store": ("accumulo", "cassandra")},
        help="Create a missing keyspace or namespace. A keyspace has no copies.",
    )
    access_key: str = same_as(S3Parameters, "access_key", only_when=_S3)
    secret_key: str = same_as(S3Parameters, "secret_key", only_when=_S3)
    region: str = same_as(S3Parameters, "region", only_when=_S3)
    path_style: bool = same_as(S3Parameters, "path_style", only_when=_S3)
    pool_size: int = same_as(S3Parameters, "connections", only_when=_S3)
    retry_mode: str = choice(
        "exponential",
        options={
            "exponential": "Wait a random time up to the base, which doubles with every attempt.",
            "standard": "As botocore's mode of that name.",
            "adaptive": "As botocore's mode of that name, which also slows all requests down.",
            "legacy": "As botocore's mode of that name, its default.",
        },
        only_when={**_S3, "client": _BOTOCORE},
        help="How a failed or refused request is repeated.",
    )
    attempts: int = same_as(S3Parameters, "attempts", default=10, only_when=_OBJECTS)
    backoff_base: float = real(
        0.052,
        low=0,
        high=60,
        only_when={**_OBJECTS, "retry_mode": ("exponential",)},
        unit="seconds",
        help="Longest wait before the first repetition; it doubles with each.",
    )
    round_trip: float = same_as(LinkParameters, "round_trip", only_when=_LINKED)
    link_bandwidth: int = same_as(LinkParameters, "link_bandwidth", only_when=_LINKED)
    request_rate: float = same_as(LinkParameters, "request_rate", only_when=_LINKED)
    index_interval: int = integer(
        1,
        low=1,
        high=4096,
        only_when=_HDFS,
        scale="log2",
        unit="entries",
        help="Entries of a MapFile from one in its index to the next; Hadoop's default is 128.",
    )
    reader_cache: int = integer(
        16,
        low=1,
        high=1024,
        only_when=_HDFS,
        scale="log2",
        unit="readers",
        help="Most readers of MapFiles kept open.",
    )
    batch_threads: int = integer(
        8,
        low=1,
        high=256,
        only_when=_ACCUMULO,
        scale="log2",
        unit="threads",
        help="Query threads of a BatchScanner, write threads of a BatchWriter.",
    )
    concurrency: int = integer(
        100,
        low=1,
        high=1000,
        only_when=_CASSANDRA,
        scale="log2",
        unit="requests",
        help="Most requests of a batch on their way at once.",
    )
    protocol: str = choice(
        "auto",
        options={
            "auto": "The highest that driver and server know.",
            "3": "Of Cassandra 2.1.",
            "4": "Of Cassandra 2.2 to 4, and of services that speak like it.",
            "5": "Of Cassandra 4 and 5.",
            "6": "Not finished in Cassandra 5.",
            "65": "Of DataStax Enterprise 5.1.",
            "66": "Of DataStax Enterprise 6.",
        },
        only_when=_CASSANDRA,
        help="Version of Cassandra's own protocol.",
    )
    java_heap: int = integer(
        512 << 20,
        low=64 << 20,
        high=64 << 30,
        only_when=_ACCUMULO,
        scale="log2",
        unit="bytes",
        help="Most memory for the objects of Accumulo's client, which runs in Java.",
    )
    jars: str = location(
        "",
        only_when=_ACCUMULO,
        help="Folder with the jars of Accumulo's client; empty = those that the lab has fetched.",
    )


@dataclass(frozen=True, kw_only=True)
class LayerPlace:
    """A layer in a store, and how the store is reached: as it will be in trials."""

    layer: str = text(
        "",
        pattern=r"[^/\s]+|",
        help="Name of the layer in the store: its folder, or the name of its table after tiles_.",
    )
    store: str = same_as(TileParameters, "store")
    client: str = same_as(TileParameters, "client")
    address: str = same_as(TileParameters, "address")
    threads: int = integer(
        8, low=1, high=256, scale="log2", help="Threads that read its tiles, once."
    )
    user: str = same_as(TileParameters, "user")
    password: str = same_as(TileParameters, "password")
    timeout: float = same_as(TileParameters, "timeout")
    access_key: str = same_as(TileParameters, "access_key")
    secret_key: str = same_as(TileParameters, "secret_key")
    region: str = same_as(TileParameters, "region")
    path_style: bool = same_as(TileParameters, "path_style")
    retry_mode: str = same_as(TileParameters, "retry_mode")
    attempts: int = same_as(TileParameters, "attempts")
    backoff_base: float = same_as(TileParameters, "backoff_base")
    batch_threads: int = same_as(TileParameters, "batch_threads")
    concurrency: int = same_as(TileParameters, "concurrency")
    protocol: str = same_as(TileParameters, "protocol")
    java_heap: int = same_as(TileParameters, "java_heap")
    jars: str = same_as(TileParameters, "jars")


@dataclass(frozen=True, kw_only=True)
class GetsParameters:
    """Where the layer is, and how the store is reached: as for reading tiles."""

    store: str = same_as(
        TileParameters,
        "store",
        options={
            entry.name: entry.option for entry in STORES if entry.clients or entry.name == "file"
        },
        by_dataset={},
    )
    address: str = same_as(TileParameters, "address")
    window: int = same_as(TileParameters, "window")
    timeout: float = same_as(TileParameters, "timeout")
    access_key: str = same_as(TileParameters, "access_key")
    secret_key: str = same_as(TileParameters, "secret_key")
    region: str = same_as(TileParameters, "region")
    path_style: bool = same_as(TileParameters, "path_style")
    pool_size: int = same_as(TileParameters, "pool_size")
    attempts: int = same_as(TileParameters, "attempts")
    round_trip: float = same_as(TileParameters, "round_trip", only_when=_TO_CLIENTS)
    link_bandwidth: int = same_as(TileParameters, "link_bandwidth", only_when=_TO_CLIENTS)
    request_rate: float = same_as(TileParameters, "request_rate", only_when=_TO_CLIENTS)


def as_tiles(parameters: GetsParameters) -> TileParameters:
    """The same for reading tiles."""
    return build(TileParameters, values_of(parameters) | {"client": LEANEST, "depth": "fetch"})
