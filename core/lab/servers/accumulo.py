"""Accumulo with ZooKeeper, a manager, a tablet server and a collector of garbage."""

from __future__ import annotations

from core.lab.recipe import Kit, Recipe, Server, ServerCommand, Site
from core.lab.servers.java_servers import (
    class_path,
    jvm_options,
    locked_jars,
    require_plain_folder,
    temporary,
)
from core.measure import resources_folder

INSTANCE = "sluice"
NAMESPACE = "sluice"
USER = "root"
_HEAPS = {"zookeeper": 64, "manager": 128, "tablet server": 512, "collector": 64}  # MiB
_HEAP = "96m"  # of the program that starts and stops the others


def _start(kit: Kit, site: Site) -> Server:
    require_plain_folder(site)
    port, password = site.ports["main"], site.secrets["password"]
    ready, lab = site.folder / "ready", resources_folder() / "lab"
    properties = {
        "folder": str(site.folder / "cluster"),
        "logs": str(site.logs),
        "ready": str(ready),
        "port": str(port),
        "instance": INSTANCE,
        "namespace": NAMESPACE,
        "password": password,
        **{f"memory.{name.replace(' ', '.')}": str(size) for name, size in _HEAPS.items()},
    }
    # java.util.Properties reads UTF-8, and a backslash as the start of an escape.
    lines = [f"{name}={value}\n".replace("\\", "\\\\") for name, value in properties.items()]
    settings = site.write_secret("lab.properties", "".join(lines))
    # The processes that it starts take their options from the environment alone.  They touch all
    # memory that they begin with, which would be a part of the machine's.
    logging = (lab / "log4j2.properties").as_uri()
    inherited = f'-Xms32m -Dlog4j2.configurationFile={logging} "-Djava.io.tmpdir={temporary(site)}"'
    cluster = ServerCommand(
        name="accumulo",
        argv=(str(kit.java()), *jvm_options(site, heap=_HEAP), "AccumuloLab", str(settings)),
        env={**class_path(kit, lab), "JAVA_TOOL_OPTIONS": inherited},
    )
    return Server(
        commands=(cluster,),
        ready=ready.exists,
        address=f"accumulo://127.0.0.1:{port}/{INSTANCE}/{NAMESPACE}",
        secrets={"password": password},
        stop="close stdin",
        grace=60.0,
    )


ACCUMULO = Recipe(
    name="accumulo",
    title="Accumulo 2.1 with ZooKeeper",
    start=_start,
    artefacts=locked_jars("accumulo"),
    secrets=("password",),
    java=True,
)
