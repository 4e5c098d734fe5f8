"""The lab's servers as targets of runs that are killed, and as victims themselves."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil
from killing import CHILD, PARENT, SERVER, Target
from marking import arguments_of
from patience import PATIENCE
from victims import Killable

from core.lab.lab_folder import ServerState
from core.measure import cache_folder
from core.measure.machine.lab_records import lab_credentials

VICTIMS = (PARENT, CHILD, SERVER)
WITHOUT_SERVER = (PARENT, CHILD)
OF_STORES = {
    "file": WITHOUT_SERVER,
    "s3": VICTIMS,
    "hdfs": VICTIMS,
    "accumulo": VICTIMS,
    "cassandra": VICTIMS,
}
"""What is killed, by the name of the store."""
_KEYS = ("SLUICE_TEST_ACCESS_KEY", "SLUICE_TEST_SECRET_KEY")
_OF_CASSANDRA, _OF_ACCUMULO = "SLUICE_TEST_CASSANDRA", "SLUICE_TEST_ACCUMULO"
VARIABLES = (*_KEYS, _OF_CASSANDRA, _OF_ACCUMULO)
"""In which secrets are."""


def in_files(folder: Path) -> Target:
    """A folder."""
    return Target(store="file", values={"address": str(folder)}, listed=_names_in_folder(folder))


def target_of(state: ServerState, lab: Path, *, kill_server: bool) -> Target:
    """A server of the lab in that folder; its secrets go into this process's environment.

    The lab forgets the secrets of a server that has died.
    """
    secrets = lab_credentials(lab).get(state.name, {})
    server = _VICTIMS[state.name](state) if kill_server else None
    return _TARGETS[state.name](state.address, secrets, server)


type _Secrets = Mapping[str, str]


def _s3(address: str, secrets: _Secrets, server: Killable | None) -> Target:
    given = (secrets["access-key"], secrets["secret-key"])
    os.environ.update(zip(_KEYS, given, strict=True))
    return Target(
        store="s3",
        values={
            "address": address,
            "access_key": f"env:{_KEYS[0]}",
            "secret_key": f"env:{_KEYS[1]}",
        },
        listed=_names_in_s3(address.partition("endpoint=")[2], *given),
        server=server,
    )


def _cassandra(address: str, secrets: _Secrets, server: Killable | None) -> Target:
    os.environ[_OF_CASSANDRA] = secrets["password"]
    port = int(address.partition("127.0.0.1:")[2].partition("/")[0])
    return Target(
        store="cassandra",
        values={
            "address": address,
            "user": "sluice",
            "password": f"env:{_OF_CASSANDRA}",
            "timeout": PATIENCE / 2,
        },
        listed=_names_in_cassandra(port, "sluice", secrets["password"]),
        server=server,
    )


def _hdfs(address: str, secrets: _Secrets, server: Killable | None) -> Target:
    return Target(
        store="hdfs",
        values={"address": address, "timeout": PATIENCE / 2},
        listed=_names_in_hdfs(address),
        server=server,
    )


def _accumulo(address: str, secrets: _Secrets, server: Killable | None) -> Target:
    os.environ[_OF_ACCUMULO] = secrets["password"]
    (core,) = (cache_folder() / "lab").glob("accumulo-*/**/accumulo-core-*.jar")
    jars = sorted(core.parent.glob("*.jar"))
    return Target(
        store="accumulo",
        values={
            "address": address,
            "user": "root",
            "password": f"env:{_OF_ACCUMULO}",
            "timeout": PATIENCE / 4,
            "jars": str(core.parent),
        },
        listed=_names_in_accumulo(address, secrets["password"], jars),
        server=server,
    )


_TARGETS: Mapping[str, Callable[[str, _Secrets, Killable | None], Target]] = {
    "s3": _s3,
    "cassandra": _cassandra,
    "hdfs": _hdfs,
    "accumulo": _accumulo,
}


def _only(state: ServerState) -> psutil.Process:
    (number,) = state.processes.values()
    return psutil.Process(number)


def _tablet_server(state: ServerState) -> psutil.Process:
    """The one of Accumulo's processes that has the tiles; the lab's own has started it."""
    (found,) = (
        one
        for one in _only(state).children(recursive=True)
        if "org.apache.accumulo.tserver.TabletServer" in arguments_of(one)
    )
    return found


_VICTIMS: Mapping[str, Callable[[ServerState], Killable]] = {
    "s3": lambda state: Killable(_only(state)),
    "cassandra": lambda state: Killable(_only(state)),
    "hdfs": lambda state: Killable(
        _only(state), lambda argv: [word for word in argv if word != "-format"]
    ),
    "accumulo": lambda state: Killable(_tablet_server(state)),
}


type Listed = Callable[[], set[str]]
"""What is in a store, as the store itself tells it: without the code under test."""


def _names_in_folder(folder: Path) -> Listed:
    """The names in a folder."""
    return lambda: {path.name for path in folder.glob("*")}


def _names_in_s3(endpoint: str, access_key: str, secret_key: str) -> Listed:
    """Buckets, and in each of them the first part of all keys and of uploads in parts."""
    import boto3
    from botocore.config import Config

    def listed() -> set[str]:
        s3: Any = boto3.client(
            "s3",
            endpoint_url=endpoint,
            aws_access_key_id=access_key,
            aws_secret_access_key=secret_key,
            region_name="us-east-1",
            config=Config(s3={"addressing_style": "path"}),
        )
        found = set()
        for bucket in (one["Name"] for one in s3.list_buckets()["Buckets"]):
            found.add(bucket)
            for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket):
                keys = [one["Key"] for one in page.get("Contents", ())]
                found |= {f"{bucket}/{key.partition('/')[0]}" for key in keys}
            uploads = s3.list_multipart_uploads(Bucket=bucket).get("Uploads", ())
            found |= {f"upload {bucket}/{one['Key']}" for one in uploads}
        s3.close()
        return found

    return listed


def _names_in_cassandra(port: int, user: str, password: str) -> Listed:
    """Tables of all keyspaces but Cassandra's own, and the layers that have a manifest."""

    def listed() -> set[str]:
        from cassandra.auth import PlainTextAuthProvider
        from cassandra.cluster import Cluster

        login = PlainTextAuthProvider(user, password)
        with Cluster(["127.0.0.1"], port=port, auth_provider=login, protocol_version=5) as cluster:
            session = cluster.connect()
            rows = session.execute("SELECT keyspace_name, table_name FROM system_schema.tables")
            tables = {f"{one[0]}.{one[1]}" for one in rows if not one[0].startswith("system")}
            manifests = {one for one in tables if one.endswith(".layer_manifests")}
            told = {
                f"manifest of {row[0]}"
                for table in manifests
                for row in session.execute(f"SELECT layer FROM {table}")
            }
            return tables - manifests | told

    return listed


def _names_in_hdfs(address: str) -> Listed:
    """The names in the folder that an address means."""

    def listed() -> set[str]:
        from hdfs_native import Client

        authority, _, folder = address.removeprefix("hdfs://").partition("/")
        return {one.path for one in Client(f"hdfs://{authority}").list_status(f"/{folder}")}

    return listed


def _names_in_accumulo(address: str, password: str, jars: Sequence[Path]) -> Listed:
    """All tables but Accumulo's own; Java runs in this process from then on."""

    def listed() -> set[str]:
        from workloads.tiles.stores.accumulo_store import start_java

        jpype = start_java(jars, 512 << 20)
        place, instance, _ = address.removeprefix("accumulo://").split("/")
        begin = jpype.JClass("org.apache.accumulo.core.client.Accumulo")
        client = begin.newClient().to(instance, place).as_("root", password).build()
        try:
            tables = {str(one) for one in client.tableOperations().list()}
        finally:
            client.close()
        return {one for one in tables if not one.startswith("accumulo.")}

    return listed
