"""The locks of the lab's servers: complete, pinned, and as their roots ask for."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import msgspec
import pytest

from core.lab.recipe import Artefact
from core.lab.servers.java_servers import Lock, locked_jars, read_lock

pytestmark = pytest.mark.quick

SERVERS = ("accumulo", "cassandra", "hdfs")


def artefacts() -> list[Artefact]:
    return [jar for server in SERVERS for jar in locked_jars(server)]


def test_that_every_artefact_is_pinned_by_size_and_digest() -> None:
    assert len(artefacts()) > len(SERVERS)
    for artefact in artefacts():
        assert re.fullmatch("[0-9a-f]{64}", artefact.sha256)
        assert artefact.bytes > 0


@pytest.mark.parametrize("server", SERVERS)
def test_that_a_lock_holds_what_it_is_resolved_from_and_nothing_left_out(server: str) -> None:
    lock = read_lock(server)
    names = {jar.coordinates for jar in lock.jars}
    assert set(lock.roots) <= names
    assert not [name for left in lock.left_out for name in names if fnmatch(name, f"{left}:*")]
    assert all(lock.left_out.values())


@pytest.mark.parametrize("server", SERVERS)
def test_that_no_jar_takes_the_place_of_another(server: str) -> None:
    names = [jar.name for jar in locked_jars(server)]
    assert len(set(names)) == len(names)
    assert {str(Path(name).parent) for name in names} == {"lib"}


def test_that_a_jar_is_asked_for_by_its_coordinates_and_kept_under_its_file_name() -> None:
    (root,) = read_lock("cassandra").roots
    version = root.split(":")[2]
    (found,) = (one for one in locked_jars("cassandra") if one.url == f"maven:{root}")
    assert found.name == f"lib/cassandra-all-{version}.jar"


def test_that_a_classifier_stands_behind_the_version() -> None:
    text = b'{"roots": [], "jars": [{"coordinates": "g:a:1:linux", "sha256": "", "bytes": 1}]}'
    (jar,) = msgspec.json.decode(text, type=Lock).jars
    assert jar.file == "a-1-linux.jar"
