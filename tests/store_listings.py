"""What is in a store of tiles, as the store itself tells it: without the code under test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

type Listed = Callable[[], set[str]]


def in_folder(folder: Path) -> Listed:
    """The names in a folder."""
    return lambda: {path.name for path in folder.glob("*")}


def in_s3(endpoint: str, access_key: str, secret_key: str) -> Listed:
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


def in_cassandra(port: int, user: str, password: str) -> Listed:
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


def in_hdfs(address: str) -> Listed:
    """The names in the folder that an address means."""

    def listed() -> set[str]:
        from hdfs_native import Client

        authority, _, folder = address.removeprefix("hdfs://").partition("/")
        return {one.path for one in Client(f"hdfs://{authority}").list_status(f"/{folder}")}

    return listed


def in_accumulo(address: str, password: str, jars: Sequence[Path]) -> Listed:
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
