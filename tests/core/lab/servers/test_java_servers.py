"""Real servers in Java, each started by its recipe: what holds for all, and what clients see."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from patience import PATIENCE
from serving import ODD, PLAIN, Running

from core.lab.recipe import Kit, Site
from core.lab.servers import accumulo, cassandra, recipe_of
from core.lab.servers.spark import spark_defaults
from core.language import SluiceError, report_to_nobody

SERVERS = ("accumulo", "cassandra", "hdfs", "spark")


def on(*names: str) -> pytest.MarkDecorator:
    """A test of each of these servers."""
    servers = [pytest.param(name, marks=pytest.mark.lab(name)) for name in names]
    return pytest.mark.parametrize("server", servers, indirect=True)


every_server = on(*SERVERS)


@every_server
def test_that_the_address_is_on_loopback_and_tells_no_secret(server: Running) -> None:
    address = urlsplit(server.server.address)
    assert address.hostname == "127.0.0.1"
    assert address.port == server.site.ports["main"]
    assert not [one for one in server.site.secrets.values() if one in server.server.address]


@every_server
def test_that_what_a_client_needs_is_a_secret_of_the_site(server: Running) -> None:
    assert set(server.server.secrets.values()) == set(server.site.secrets.values())


@every_server
def test_that_no_secret_is_among_the_arguments_of_a_process(server: Running) -> None:
    arguments = server.arguments()
    assert any(str(server.site.folder) in word for word in arguments)
    for secret in server.site.secrets.values():
        assert not [word for word in arguments if secret in word]


@every_server
def test_that_no_secret_is_printed(server: Running) -> None:
    said = server.said()
    assert said
    assert not [secret for secret in server.site.secrets.values() if secret in said]


@every_server
def test_that_only_its_owner_can_read_a_file_with_a_secret(server: Running) -> None:
    assert stat.S_IMODE(server.site.folder.stat().st_mode) == 0o700
    for path in (path for path in server.site.folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        if any(secret.encode() in content for secret in server.site.secrets.values()):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


@every_server
def test_that_it_listens_on_loopback_alone(server: Running) -> None:
    listening = server.listening()
    assert set(server.site.ports.values()) <= {port for _, port in listening}
    assert {address.removeprefix("::ffff:") for address, _ in listening} == {"127.0.0.1"}


@pytest.mark.parametrize("name", PLAIN)
def test_that_a_folder_that_a_server_cannot_have_is_refused_with_a_remedy(
    name: str, tmp_path: Path
) -> None:
    kit = Kit(folder=tmp_path, report=report_to_nobody)
    site = Site(folder=tmp_path / ODD, logs=tmp_path, ports={}, secrets={})
    with pytest.raises(SluiceError, match="SLUICE_LAB="):
        recipe_of(name).start(kit, site)


@on("hdfs")
def test_that_a_file_below_the_address_is_read_as_it_was_written(server: Running) -> None:
    from hdfs_native import Client

    address = urlsplit(server.server.address)
    client = Client(f"hdfs://{address.netloc}")
    path, content = f"{address.path}/file", random.Random(1).randbytes(3 << 20)
    with client.create(path) as file:
        file.write(content)
    with client.read(path) as file:
        assert file.read() == content
    assert client.delete(path)


@on("hdfs")
def test_that_readiness_leaves_nothing_but_the_folder(server: Running) -> None:
    from hdfs_native import Client

    address = urlsplit(server.server.address)
    assert server.server.ready()
    assert list(Client(f"hdfs://{address.netloc}").list_status(address.path)) == []


@contextmanager
def session(server: Running, user: str, password: str) -> Iterator[Any]:
    from cassandra.auth import PlainTextAuthProvider
    from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
    from cassandra.policies import RoundRobinPolicy

    cluster = Cluster(
        ["127.0.0.1"],
        port=server.site.ports["main"],
        auth_provider=PlainTextAuthProvider(user, password),
        protocol_version=5,
        execution_profiles={
            EXEC_PROFILE_DEFAULT: ExecutionProfile(load_balancing_policy=RoundRobinPolicy())
        },
    )
    try:
        yield cluster.connect()
    finally:
        cluster.shutdown()


@on("cassandra")
def test_that_the_user_of_the_lab_writes_and_reads(server: Running) -> None:
    with session(server, cassandra.USER, server.server.secrets["password"]) as asked:
        asked.set_keyspace(cassandra.KEYSPACE)
        asked.execute("CREATE TABLE tiles (key bigint PRIMARY KEY, value blob)")
        asked.execute("INSERT INTO tiles (key, value) VALUES (%s, %s)", (7, b"seven"))
        assert asked.execute("SELECT value FROM tiles WHERE key = 7").one().value == b"seven"
        asked.execute("DROP TABLE tiles")


@on("cassandra")
@pytest.mark.parametrize(
    ("user", "password"), [(cassandra.USER, "not the password"), ("cassandra", "cassandra")]
)
def test_that_nobody_else_is_let_in(server: Running, user: str, password: str) -> None:
    from cassandra import AuthenticationFailed
    from cassandra.cluster import NoHostAvailable

    with pytest.raises(NoHostAvailable) as refused, session(server, user, password):
        pass
    (why,) = refused.value.errors.values()
    assert isinstance(why, AuthenticationFailed)


# The password comes through standard input.
CLIENT = """
import json, sys
import jpype

asked = json.load(sys.stdin)
jpype.startJVM(asked["jvm"], "-Xmx96m", "-XX:-UsePerfData", classpath=asked["jars"])
client = jpype.JClass("org.apache.accumulo.core.client.Accumulo").newClient()
client = client.to(asked["instance"], asked["zookeepers"]).as_(asked["user"], asked["password"])
client = client.build()
print(json.dumps(sorted(map(str, client.tableOperations().list()))))
print(json.dumps(sorted(map(str, client.namespaceOperations().list()))))
with client.createScanner("accumulo.metadata") as scanner:
    print(json.dumps(len(list(scanner))))
client.close()
"""


def ask(server: Running, password: str) -> subprocess.CompletedProcess[str]:
    home = Path(os.path.realpath(server.kit.java())).parent.parent
    (jvm,) = home.rglob("server/libjvm.*")
    wanted = {
        "jvm": str(jvm),
        "jars": [str(jar) for jar in server.kit.jars("lib")],
        "instance": accumulo.INSTANCE,
        "zookeepers": f"127.0.0.1:{server.site.ports['main']}",
        "user": accumulo.USER,
        "password": password,
    }
    return subprocess.run(
        [sys.executable, "-c", CLIENT],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE,
        check=False,
    )


@on("accumulo")
def test_that_the_user_of_the_lab_scans_and_finds_the_namespace(server: Running) -> None:
    asked = ask(server, server.server.secrets["password"])
    assert asked.returncode == 0, asked.stderr
    tables, namespaces, entries = map(json.loads, asked.stdout.splitlines())
    assert accumulo.NAMESPACE in namespaces
    assert not [table for table in tables if table.startswith(f"{accumulo.NAMESPACE}.")]
    assert entries


@on("accumulo")
def test_that_another_password_is_refused(server: Running) -> None:
    asked = ask(server, "not the password")
    assert asked.returncode == 1
    assert "BAD_CREDENTIALS" in asked.stderr


@on("accumulo")
def test_that_what_each_of_its_servers_says_is_among_the_logs(server: Running) -> None:
    logs = {path.name.partition("_")[0] for path in server.logs.glob("*") if path.is_file()}
    assert {"TabletServer", "Manager", "ZooKeeperServerMain", "accumulo.log"} <= logs


APPLICATION = """
import sys
from pyspark import SparkConf, SparkContext

conf = SparkConf().setMaster(sys.argv[1]).setAppName("test")
conf.set("spark.ui.enabled", "false").set("spark.driver.host", "127.0.0.1")
conf.set("spark.driver.bindAddress", "127.0.0.1").set("spark.executor.memory", "512m")
with SparkContext(conf=conf) as context:
    print(context.parallelize(range(100), 2).map(lambda number: number * number).sum())
"""


@contextmanager
def application(server: Running, folder: Path, defaults: str) -> Iterator[subprocess.Popen[str]]:
    """One that runs with these settings, and ends with its Java in the end."""
    settings = folder / "spark-defaults.conf"
    settings.touch(mode=0o600)
    settings.write_text(defaults, "utf-8")
    environment = {**os.environ, **server.server.commands[0].env}
    environment |= {"SPARK_CONF_DIR": str(folder), "PYSPARK_PYTHON": sys.executable}
    with subprocess.Popen(
        [sys.executable, "-c", APPLICATION, server.server.address],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as running:  # fmt: skip
        try:
            yield running
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)


@on("spark")
def test_that_an_application_with_the_secret_is_carried_out_by_the_worker(
    server: Running, tmp_path: Path
) -> None:
    with application(server, tmp_path, spark_defaults(server.server.secrets["secret"])) as running:
        printed, complaints = running.communicate(timeout=5 * PATIENCE)
    assert running.returncode == 0, complaints
    assert printed.strip() == "328350"


@on("spark")
def test_that_an_application_without_the_secret_is_refused(server: Running, tmp_path: Path) -> None:
    with application(server, tmp_path, "") as running:
        assert running.stderr is not None
        assert running.stdout is not None
        # It would try three times, each for 20 seconds that nobody can change.
        assert any("Failed to connect to master" in line for line in running.stderr)
        os.killpg(running.pid, signal.SIGKILL)
        assert "328350" not in running.stdout.read()
