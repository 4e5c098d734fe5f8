"""The lab's servers as targets of runs that are killed, and as victims themselves."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import psutil
import store_listings
from killing import CHILD, PARENT, SERVER, Target
from marking import arguments_of
from patience import PATIENCE
from victims import Killable

from core.host.folders import cache_folder
from core.host.lab_records import lab_credentials
from core.lab.lab_state import ServerState

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
    return Target(
        store="file", values={"address": str(folder)}, listed=store_listings.in_folder(folder)
    )


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
        listed=store_listings.in_s3(address.partition("endpoint=")[2], *given),
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
        listed=store_listings.in_cassandra(port, "sluice", secrets["password"]),
        server=server,
    )


def _hdfs(address: str, secrets: _Secrets, server: Killable | None) -> Target:
    return Target(
        store="hdfs",
        values={"address": address, "timeout": PATIENCE / 2},
        listed=store_listings.in_hdfs(address),
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
        listed=store_listings.in_accumulo(address, secrets["password"], jars),
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
