"""Tiles of imagery, read and written by key in files, on HDFS, in S3, Accumulo and Cassandra."""

from core import Counter, Entry, KindEntry, ServerUse
from workloads.shared.servers import WIRE_COUNTERS
from workloads.tiles.stores import STORES

_SPARK = ServerUse(
    server="spark",
    at={"reader": "rdd"},
    parameter="master",
    values={"spark_secret": "lab:spark/secret"},
)

WORKLOADS = (
    Entry(
        name="tiles",
        title="Tiles of imagery",
        purpose="How many threads read or write the tiles of a layer best, in which store?",
        load="workloads.tiles.tiles_workload:TilesOfImagery",
        leading=("throughput", "time_each"),
        time_each="Time per tile",
        counters=(
            Counter(name="windows", per="second"),
            *(
                Counter(name=name, per="operation", better="" if name == "requests" else "less")
                for name in dict.fromkeys(name for store in STORES for name in store.tallies)
            ),
            *WIRE_COUNTERS,
        ),
        servers=(*(use for store in STORES if (use := store.server())), _SPARK),
        addresses={
            **{f"{store}://*": {"store": store} for store in ("accumulo", "cassandra", "hdfs")},
            **{
                f"{scheme}://*.pmtiles": {"store": "pmtiles", "depth": "fetch"}
                for scheme in ("s3", "http", "https")
            },
        },
        unreadable={
            "*://*.mbtiles": (
                "MBTiles are a database of SQLite, which needs a file here",
                "fetch it and choose the file, or convert it to PMTiles",
            )
        },
    ),
    Entry(
        name="gets",
        title="Plain gets",
        purpose="How fast does this store hand out these objects at all?",
        load="workloads.tiles.plain_gets:PlainGets",
        servers=tuple(use for one in STORES if one.clients and (use := one.server())),
        place=2,
    ),
)

DATASET_KINDS = (
    KindEntry(
        name="tile-layer", title="layer of tiles", load="workloads.tiles.tile_datasets:TileLayer"
    ),
    KindEntry(
        name="opaque-tile-layer",
        title="layer of opaque tiles",
        load="workloads.tiles.tile_datasets:OpaqueLayer",
    ),
    KindEntry(
        name="mbtiles", title="MBTiles file", load="workloads.tiles.tile_datasets:MbtilesFile"
    ),
    KindEntry(
        name="pmtiles", title="PMTiles archive", load="workloads.tiles.tile_datasets:PmtilesFile"
    ),
    KindEntry(
        name="xyz",
        title="folder of tiles by zoom",
        load="workloads.tiles.tile_datasets:XyzTiles",
    ),
)
