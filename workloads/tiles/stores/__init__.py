"""The table of stores; to import it imports no driver."""

from collections.abc import Mapping

from core import Driver
from workloads.tiles.stores.store import ASLEEP, StoreEntry

OBJECT_TALLIES = ("requests", "retries", "refusals", "backoff seconds")
"""What clients of objects with names count."""
SET_UP = 'make .venv EXTRAS="tiles"'

_PMTILES = Driver(module="pmtiles", distribution="pmtiles", install='make .venv EXTRAS="rasters"')
_BOTO3 = Driver(module="boto3", distribution="boto3", install=SET_UP)
_HDFS = Driver(module="hdfs_native", distribution="hdfs-native", install=SET_UP)
_JPYPE = Driver(module="jpype", distribution="jpype1", install=SET_UP)
_CASSANDRA = Driver(module="cassandra", distribution="cassandra-driver", install=SET_UP)

STORES: tuple[StoreEntry, ...] = (
    StoreEntry(
        name="file",
        title="Files in a folder, one for each tile.",
        load="workloads.tiles.stores.file_store:FileStore",
        remote=False,
        naming="ADDRESS/LAYER/KEY",
    ),
    StoreEntry(
        name="xyz",
        title="Files in folders by zoom and column, as maps on the web ask for them.",
        load="workloads.tiles.stores.xyz_store:XyzStore",
        remote=False,
        naming="ADDRESS/LAYER/ZOOM/COLUMN/ROW.png",
        suffix="",
    ),
    StoreEntry(
        name="mbtiles",
        title="An MBTiles file, which is a database of SQLite, with a connection for each thread.",
        load="workloads.tiles.stores.mbtiles_store:MbtilesStore",
        remote=False,
        naming="ADDRESS/LAYER.mbtiles",
        suffix=".mbtiles",
    ),
    StoreEntry(
        name="pmtiles",
        title="A PMTiles archive, read by ranges, whose directories are kept; also behind S3 or plain http.",
        load="workloads.tiles.stores.pmtiles_store:PmtilesStore",
        remote=False,
        naming="ADDRESS/LAYER.pmtiles",
        drivers=(_PMTILES,),
        tallies=(*OBJECT_TALLIES, "directories"),
        suffix=".pmtiles",
        ranges=True,
    ),
    StoreEntry(
        name="s3",
        title="Objects in an S3 bucket, one for each tile.",
        load="workloads.tiles.stores.s3_store:S3Store",
        naming="s3://BUCKET/PREFIX/LAYER/KEY",
        drivers=(_BOTO3,),
        remote=True,
        tallies=OBJECT_TALLIES,
        linked=True,
        login={"access_key": "lab:s3/access-key", "secret_key": "lab:s3/secret-key"},
        in_front="proxy",
        clients=True,
    ),
    StoreEntry(
        name="http",
        title="Files behind a web server, one for each tile.",
        load="workloads.tiles.stores.http_store:HttpStore",
        naming="http://HOST:PORT/PATH/LAYER/KEY",
        remote=True,
        tallies=OBJECT_TALLIES,
        linked=True,
        login={},
        in_front="proxy",
        clients=True,
    ),
    StoreEntry(
        name="hdfs",
        title="A MapFile on HDFS, through hdfs-native.",
        load="workloads.tiles.stores.hdfs_store:HdfsStore",
        naming="hdfs://HOST:PORT/PATH/LAYER, a MapFile of LongWritable and BytesWritable",
        drivers=(_HDFS,),
        remote=True,
        tallies=(ASLEEP,),
        login={},
    ),
    StoreEntry(
        name="accumulo",
        title="A table of Accumulo, through its own Java client.",
        load="workloads.tiles.stores.accumulo_store:AccumuloStore",
        naming="NAMESPACE.tiles_LAYER, with the key in eight bytes as the row",
        drivers=(_JPYPE,),
        remote=True,
        login={"user": "root", "password": "lab:accumulo/password"},
    ),
    StoreEntry(
        name="cassandra",
        title="A table of Cassandra, through cassandra-driver.",
        load="workloads.tiles.stores.cassandra_store:CassandraStore",
        naming="KEYSPACE.tiles_LAYER (key bigint PRIMARY KEY, value blob)",
        drivers=(_CASSANDRA,),
        remote=True,
        tallies=("requests", "retries"),
        login={"user": "sluice", "password": "lab:cassandra/password"},
    ),
)

BY_NAME: Mapping[str, StoreEntry] = {entry.name: entry for entry in STORES}
LAYOUTS: tuple[str, ...] = tuple(entry.name for entry in STORES if entry.suffix is not None)
"""The stores with tiles by zoom, column and row; kinds of datasets have the same names."""
