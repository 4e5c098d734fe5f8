"""One node of Cassandra, with a password."""

from __future__ import annotations

import contextlib
import functools
import socket
from collections.abc import Iterator
from typing import Any

from core.lab.recipe import Kit, Recipe, Server, ServerCommand, Site
from core.lab.servers.java_servers import class_path, jvm_options, locked_jars, temporary
from core.measure import resources_folder
from core.vocabulary import Driver

DRIVER = Driver(
    module="cassandra", distribution="cassandra-driver", install="pip install sluice[tiles]"
)
USER = "sluice"
KEYSPACE = "sluice"
_HEAP = "768m"
_SETTINGS_FILE = "cassandra.yaml"
_FIRST = "cassandra"  # user and password of every new Cassandra
_PATIENCE = 10.0  # seconds for one answer

# YAML is a superset of JSON's strings; concurrent_* and memory are for a small machine.  Kept
# credentials would let the dropped user of every new Cassandra in for two seconds more.
_SETTINGS = """\
cluster_name: sluice
num_tokens: 1
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
authenticator: PasswordAuthenticator
authorizer: CassandraAuthorizer
role_manager: CassandraRoleManager
credentials_validity: 0ms
listen_address: 127.0.0.1
rpc_address: 127.0.0.1
native_transport_port: {port}
storage_port: {storage}
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters: [{{seeds: "127.0.0.1:{storage}"}}]
commitlog_sync: periodic
commitlog_sync_period: 10000ms
commitlog_segment_size: 8MiB
memtable_allocation_type: heap_buffers
concurrent_reads: 16
concurrent_writes: 16
compaction_throughput: 0MiB/s
auto_snapshot: false
slow_query_log_timeout: 0ms
data_file_directories: ["{folder}/data"]
commitlog_directory: "{folder}/commitlog"
saved_caches_directory: "{folder}/saved_caches"
hints_directory: "{folder}/hints"
cdc_raw_directory: "{folder}/cdc"
"""


def _start(kit: Kit, site: Site) -> Server:
    DRIVER.require()
    port, password = site.ports["main"], site.secrets["password"]
    # Quotes and backslashes in a path are escaped as in JSON.
    folder = str(site.folder).replace("\\", "\\\\").replace('"', '\\"')
    settings = _SETTINGS.format(port=port, storage=site.ports["storage"], folder=folder)
    (site.folder / _SETTINGS_FILE).write_text(settings, "utf-8")
    daemon = ServerCommand(
        name="cassandra",
        argv=(
            str(kit.java()),
            *_options(kit, site),
            "org.apache.cassandra.service.CassandraDaemon",
        ),
        env=class_path(kit, site.folder),
    )
    return Server(
        commands=(daemon,),
        ready=functools.partial(_ready, port, password),
        address=f"cassandra://127.0.0.1:{port}/{KEYSPACE}",
        secrets={"password": password},
        grace=30.0,
    )


def _options(kit: Kit, site: Site) -> tuple[str, ...]:
    (agent,) = (jar for jar in kit.jars("lib") if jar.name.startswith("jamm-"))
    lab = resources_folder() / "lab"
    places = {
        "cassandra.config": (site.folder / _SETTINGS_FILE).as_uri(),
        "cassandra.logdir": str(site.folder),
        "cassandra.storagedir": str(site.folder),
        "jna.tmpdir": str(temporary(site)),
        "logback.configurationFile": str(lab / "cassandra-logback.xml"),
    }
    return (
        f"@{lab / 'cassandra.options'}",
        *jvm_options(site, heap=_HEAP),
        f"-Xms{_HEAP}",
        f"-javaagent:{agent}",
        *(f"-D{name}={value}" for name, value in places.items()),
    )


def _ready(port: int, password: str) -> bool:
    """Whether our user's query is answered; the first time, that user replaces the known one."""
    # The driver does much before it finds a port closed, and is asked ten times a second.
    socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE).close()
    try:
        with _session(port, USER, password) as session:
            _settle(session)
    except PermissionError:
        with _session(port, _FIRST, _FIRST) as session:
            session.execute(
                f"CREATE ROLE IF NOT EXISTS {USER} "
                f"WITH PASSWORD = '{password.replace("'", "''")}' AND SUPERUSER = true AND LOGIN = true"
            )
        with _session(port, USER, password) as session:
            _settle(session)
    return True


def _settle(session: Any) -> None:
    session.execute(f"DROP ROLE IF EXISTS {_FIRST}")
    session.execute(
        f"CREATE KEYSPACE IF NOT EXISTS {KEYSPACE} "
        "WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
    )
    session.execute("SELECT release_version FROM system.local").one()


@contextlib.contextmanager
def _session(port: int, user: str, password: str) -> Iterator[Any]:
    """Requests as a user; a failure is an OSError, wrong credentials are a PermissionError."""
    from cassandra import AuthenticationFailed, DriverException
    from cassandra.auth import PlainTextAuthProvider
    from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, NoHostAvailable
    from cassandra.policies import RoundRobinPolicy

    profile = ExecutionProfile(load_balancing_policy=RoundRobinPolicy(), request_timeout=_PATIENCE)
    cluster = Cluster(
        ["127.0.0.1"],
        port=port,
        auth_provider=PlainTextAuthProvider(user, password),
        connect_timeout=_PATIENCE,
        control_connection_timeout=_PATIENCE,
        execution_profiles={EXEC_PROFILE_DEFAULT: profile},
        executor_threads=1,
        protocol_version=5,
    )
    try:
        yield cluster.connect()
    except NoHostAvailable as unavailable:
        refused = any(isinstance(why, AuthenticationFailed) for why in unavailable.errors.values())
        raise (PermissionError if refused else ConnectionError)(str(unavailable)) from unavailable
    except DriverException as failure:
        raise ConnectionError(str(failure)) from failure
    finally:
        cluster.shutdown()


CASSANDRA = Recipe(
    name="cassandra",
    title="Cassandra 5.0",
    start=_start,
    artefacts=locked_jars("cassandra"),
    ports=("main", "storage"),
    secrets=("password",),
    java=True,
)
