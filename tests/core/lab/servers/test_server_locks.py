"""The locks of the lab's servers: complete, pinned, and as their roots ask for."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path

import msgspec
import pytest

from core.lab.recipe import Artefact, Kit
from core.lab.servers.java_servers import Lock, locked_jars, read_lock
from core.measure import resources_folder

SERVERS = ("accumulo", "cassandra", "hdfs")


def artefacts() -> list[Artefact]:
    return [jar for server in SERVERS for jar in locked_jars(server)]


@pytest.mark.quick
def test_that_every_artefact_is_pinned_by_size_and_digest() -> None:
    assert len(artefacts()) > len(SERVERS)
    for artefact in artefacts():
        assert re.fullmatch("[0-9a-f]{64}", artefact.sha256)
        assert artefact.bytes > 0


@pytest.mark.quick
@pytest.mark.parametrize("server", SERVERS)
def test_that_a_lock_holds_what_it_is_resolved_from_and_nothing_left_out(server: str) -> None:
    lock = read_lock(server)
    names = {jar.coordinates for jar in lock.jars}
    assert set(lock.roots) <= names
    assert not [name for left in lock.left_out for name in names if fnmatch(name, f"{left}:*")]
    assert all(lock.left_out.values())


@pytest.mark.quick
@pytest.mark.parametrize("server", SERVERS)
def test_that_no_jar_takes_the_place_of_another(server: str) -> None:
    names = [jar.name for jar in locked_jars(server)]
    assert len(set(names)) == len(names)
    assert {str(Path(name).parent) for name in names} == {"lib"}


@pytest.mark.quick
def test_that_a_jar_is_asked_for_by_its_coordinates_and_kept_under_its_file_name() -> None:
    (root,) = read_lock("cassandra").roots
    version = root.split(":")[2]
    (found,) = (one for one in locked_jars("cassandra") if one.url == f"maven:{root}")
    assert found.name == f"lib/cassandra-all-{version}.jar"


@pytest.mark.quick
def test_that_a_classifier_stands_behind_the_version() -> None:
    text = b'{"roots": [], "jars": [{"coordinates": "g:a:1:linux", "sha256": "", "bytes": 1}]}'
    (jar,) = msgspec.json.decode(text, type=Lock).jars
    assert jar.file == "a-1-linux.jar"


JAVA_17 = 61
"""The version of the form of class files."""

LAB = resources_folder() / "lab"
LOCK_SERVERS = Path(__file__).parents[4] / "packaging" / "lock_servers.py"


def compiler() -> str:
    """The version of javac; empty where there is none."""
    if shutil.which("javac") is None:
        return ""
    said = subprocess.run(["javac", "-version"], capture_output=True, text=True, check=True)
    return (said.stdout or said.stderr).split()[-1]


@pytest.mark.quick
def test_that_every_source_has_a_class_for_java_17() -> None:
    sources = sorted(LAB.glob("*.java"))
    assert sources
    for source in sources:
        content = source.with_suffix(".class").read_bytes()
        assert content[:4] == b"\xca\xfe\xba\xbe"
        assert int.from_bytes(content[6:8]) == JAVA_17


@pytest.mark.lab("accumulo")
@pytest.mark.skipif(not compiler().startswith("17."), reason="other compilers make other bytes")
def test_that_the_classes_are_what_the_compiler_makes_of_the_sources(
    kits: Callable[[str], Kit], tmp_path: Path
) -> None:
    compile_into = runpy.run_path(str(LOCK_SERVERS))["compile_into"]
    compile_into(tmp_path, kits("accumulo").jars("lib"))
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in LAB.glob("*.class")}
