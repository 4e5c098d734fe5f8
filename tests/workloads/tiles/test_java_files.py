"""Hadoop's own classes and Java's compiler as the judges of what is written here for them.

Both need jars that the lab fetches: SLUICE_TEST_HADOOP_JARS and SLUICE_TEST_ACCUMULO_JARS are the
folders where they are.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from workloads.tiles.stores.mapfile import MapData, MapFileWriter, MapIndex

HERE = Path(__file__).parent
HELPER = HERE.parents[2] / "workloads" / "tiles" / "stores" / "java"
TILES = 400
HADOOP = os.environ.get("SLUICE_TEST_HADOOP_JARS", "")
ACCUMULO = os.environ.get("SLUICE_TEST_ACCUMULO_JARS", "")
needs_hadoop = pytest.mark.skipif(not HADOOP, reason="SLUICE_TEST_HADOOP_JARS is not set")
needs_accumulo = pytest.mark.skipif(not ACCUMULO, reason="SLUICE_TEST_ACCUMULO_JARS is not set")


def tile(key: int) -> bytes:
    """What `java/MapFiles.java` writes."""
    return bytes([key % 256]) * (key % 50)


def map_files(*arguments: str | int | Path) -> str:
    """What `java/MapFiles.java` prints."""
    return subprocess.run(
        ["java", "-cp", f"{HADOOP}/*", HERE / "java" / "MapFiles.java", *map(str, arguments)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        timeout=600,
    ).stdout.strip()


def opened(folder: Path) -> tuple[MapData, bytes]:
    data, index = (folder / "data").read_bytes(), (folder / "index").read_bytes()
    entries = MapIndex(lambda start, size: index[start : start + size], len(index))
    return MapData(entries, lambda start, size: data[start : start + size], len(data)), data


@needs_hadoop
@pytest.mark.slow
@pytest.mark.parametrize("interval", [1, 7, 128])
@pytest.mark.parametrize("compression", ["NONE", "RECORD", "BLOCK"])
def test_that_what_hadoop_writes_is_read_here(
    compression: str, interval: int, tmp_path: Path
) -> None:
    map_files("write", tmp_path / "layer", TILES, compression, interval)
    found, data = opened(tmp_path / "layer")

    def read(start: int, size: int) -> bytes:
        return data[start : start + size]

    written = {key: tile(key) for key in range(0, 3 * TILES, 3)}
    asked = range(-1, 3 * TILES + 1)
    assert {key: found.get(read, key) for key in asked} == {key: written.get(key) for key in asked}
    assert found.get_many(read, asked) == written
    assert dict(found.walk(read)) == written
    assert found.count(read) == TILES


@needs_hadoop
@pytest.mark.slow
@pytest.mark.parametrize("interval", [1, 7, 128])
def test_that_what_is_written_here_is_read_by_hadoop(interval: int, tmp_path: Path) -> None:
    folder = tmp_path / "layer"
    folder.mkdir()
    with (folder / "data").open("wb") as file:
        writer = MapFileWriter(file.write, interval)
        for key in range(0, 3 * TILES, 3):
            writer.append(key, tile(key))
    (folder / "index").write_bytes(writer.index())
    assert map_files("read", folder, TILES) == str(TILES)


@needs_accumulo
@pytest.mark.slow
def test_that_the_classes_shipped_are_what_the_compiler_makes_of_the_source(
    tmp_path: Path,
) -> None:
    options = ("--release", "17", "-g:none", "-proc:none", "-Xlint:all", "-Werror")
    places = ("-cp", f"{ACCUMULO}/*", "-d", str(tmp_path))
    subprocess.run(
        ["javac", *options, *places, str(HELPER / "AccumuloTiles.java")], check=True, timeout=600
    )
    made = {path.name: path.read_bytes() for path in tmp_path.glob("*.class")}
    assert made == {path.name: path.read_bytes() for path in HELPER.glob("*.class")}
    assert made
