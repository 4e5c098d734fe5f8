"""Accumulo as its recipe starts it, asked by its own client in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE
from serving import Running

from core.lab.servers.accumulo import INSTANCE, NAMESPACE, USER

pytestmark = [
    pytest.mark.lab("accumulo"),
    pytest.mark.parametrize("server", ["accumulo"], indirect=True),
]

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
        "instance": INSTANCE,
        "zookeepers": f"127.0.0.1:{server.site.ports['main']}",
        "user": USER,
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


def test_that_the_user_of_the_lab_scans_and_finds_the_namespace(server: Running) -> None:
    asked = ask(server, server.server.secrets["password"])
    assert asked.returncode == 0, asked.stderr
    tables, namespaces, entries = map(json.loads, asked.stdout.splitlines())
    assert NAMESPACE in namespaces
    assert not [table for table in tables if table.startswith(f"{NAMESPACE}.")]
    assert entries


def test_that_another_password_is_refused(server: Running) -> None:
    asked = ask(server, "not the password")
    assert asked.returncode == 1
    assert "BAD_CREDENTIALS" in asked.stderr


def test_that_what_each_of_its_servers_says_is_among_the_logs(server: Running) -> None:
    logs = {path.name.partition("_")[0] for path in server.logs.glob("*") if path.is_file()}
    assert {"TabletServer", "Manager", "ZooKeeperServerMain", "accumulo.log"} <= logs
