"""HDFS: a name node and one data node in one process of Java.  It knows no passwords."""

from __future__ import annotations

import functools
import socket
from pathlib import Path

from core.lab.recipe import Kit, Recipe, Server, ServerCommand, Site
from core.lab.servers.java_servers import (
    class_path,
    jvm_options,
    locked_jars,
    require_plain_folder,
    temporary,
)
from core.vocabulary import Driver

DRIVER = Driver(
    module="hdfs_native", distribution="hdfs-native", install="pip install sluice[tiles]"
)
FOLDER = "/sluice"
_HEAP = "384m"
_PATIENCE = 5.0  # seconds for a connection
_PROBE = f"{FOLDER}/.ready"


def _start(kit: Kit, site: Site) -> Server:
    require_plain_folder(site)
    DRIVER.require()
    port, details = site.ports["main"], site.folder / "details.json"
    settings = {
        "dfs.permissions.enabled": "false",
        "dfs.replication": "1",
        "hadoop.tmp.dir": str(temporary(site)),
        "hdfs.minidfs.basedir": str(site.folder / "dfs"),
    }
    cluster = ServerCommand(
        name="hdfs",
        argv=(
            str(kit.java()),
            *jvm_options(site, heap=_HEAP),
            "-XX:+UseSerialGC",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            f"-Dtest.build.data={site.folder}",
            "org.apache.hadoop.test.MiniDFSClusterManager",
            *("-format", "-datanodes", "1"),
            *("-nnport", str(port), "-httpport", str(site.ports["http"])),
            *("-writeDetails", str(details)),
            *(word for name, value in settings.items() for word in ("-D", f"{name}={value}")),
        ),
        env=class_path(kit),
    )
    return Server(
        commands=(cluster,),
        ready=functools.partial(_ready, details, port),
        address=f"hdfs://127.0.0.1:{port}{FOLDER}",
        grace=20.0,
    )


def _ready(details: Path, port: int) -> bool:
    """Whether a file can be written and read.  The cluster writes its details when it is up."""
    if not details.exists():
        return False
    # The client itself would ask a closed port for three minutes.
    socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE).close()
    from hdfs_native import Client

    client = Client(f"hdfs://127.0.0.1:{port}")
    client.mkdirs(FOLDER, create_parent=True)
    with client.create(_PROBE) as file:
        file.write(b"ready")
    with client.read(_PROBE) as file:
        content = file.read()
    return bool(client.delete(_PROBE)) and content == b"ready"


HDFS = Recipe(
    name="hdfs",
    title="HDFS of Hadoop 3.4",
    start=_start,
    artefacts=locked_jars("hdfs"),
    ports=("main", "http"),
    java=True,
)
