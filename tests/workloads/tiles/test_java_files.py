"""Hadoop's own classes and Java's compiler as the judges of what is written here for them.

Both need jars that the lab fetches, and Java's compiler.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from core.lab.kits import kit_of
from core.lab.servers import recipe_of
from core.language import report_to_nobody
from workloads.tiles.stores.mapfile import MapData, MapFileWriter, MapIndex

HERE = Path(__file__).parent
HELPER = HERE.parents[2] / "workloads" / "tiles" / "stores" / "java"
TILES = 400
COMPRESSIONS = ("NONE", "RECORD", "BLOCK")
INTERVALS = (1, 7, 128)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("javac") is None, reason="there is no compiler for Java"),
]


@pytest.fixture(scope="session")
def hadoop_jars() -> Path:
    """The folder of the jars of HDFS; of the session, because each test has a cache of its own."""
    return kit_of(recipe_of("hdfs"), report_to_nobody).jars("lib")[0].parent


@pytest.fixture(scope="session")
def accumulo_jars() -> Path:
    """The folder of the jars of Accumulo."""
    return kit_of(recipe_of("accumulo"), report_to_nobody).jars("lib")[0].parent


def tile(key: int) -> bytes:
    """What `java/MapFiles.java` writes."""
    return bytes([key % 256]) * (key % 50)


def map_files(jars: Path, does: str, *folders: Path) -> list[str]:
    """The lines that `java/MapFiles.java` prints; its start takes seconds."""
    quick = "-XX:TieredStopAtLevel=1"
    return subprocess.run(
        [
            "java",
            quick,
            "-cp",
            f"{jars}/*",
            HERE / "java" / "MapFiles.java",
            does,
            str(TILES),
            *folders,
        ],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        timeout=600,
    ).stdout.split()


@pytest.fixture(scope="module")
def by_hadoop(hadoop_jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a layer of each compression and interval, by these."""
    folder = tmp_path_factory.mktemp("hadoop")
    wanted = (f"{compression}-{interval}" for compression in COMPRESSIONS for interval in INTERVALS)
    map_files(hadoop_jars, "write", *(folder / name for name in wanted))
    return folder


def opened(folder: Path) -> tuple[MapData, bytes]:
    data, index = (folder / "data").read_bytes(), (folder / "index").read_bytes()
    entries = MapIndex(lambda start, size: index[start : start + size], len(index))
    return MapData(entries, lambda start, size: data[start : start + size], len(data)), data


@pytest.mark.lab("hdfs")
@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_that_what_hadoop_writes_is_read_here(
    compression: str, interval: int, by_hadoop: Path
) -> None:
    found, data = opened(by_hadoop / f"{compression}-{interval}")

    def read(start: int, size: int) -> bytes:
        return data[start : start + size]

    written = {key: tile(key) for key in range(0, 3 * TILES, 3)}
    asked = range(-1, 3 * TILES + 1)
    assert {key: found.get(read, key) for key in asked} == {key: written.get(key) for key in asked}
    assert found.get_many(read, asked) == written
    assert dict(found.walk(read)) == written
    assert found.count(read) == TILES


@pytest.mark.lab("hdfs")
def test_that_what_is_written_here_is_read_by_hadoop(tmp_path: Path, hadoop_jars: Path) -> None:
    folders = [tmp_path / str(interval) for interval in INTERVALS]
    for folder, interval in zip(folders, INTERVALS, strict=True):
        folder.mkdir()
        with (folder / "data").open("wb") as file:
            writer = MapFileWriter(file.write, interval)
            for key in range(0, 3 * TILES, 3):
                writer.append(key, tile(key))
        (folder / "index").write_bytes(writer.index())
    assert map_files(hadoop_jars, "read", *folders) == [str(TILES)] * len(folders)


@pytest.mark.lab("accumulo")
def test_that_the_classes_shipped_are_what_the_compiler_makes_of_the_source(
    tmp_path: Path, accumulo_jars: Path
) -> None:
    options = ("--release", "17", "-g:none", "-proc:none", "-Xlint:all", "-Werror")
    places = ("-cp", f"{accumulo_jars}/*", "-d", str(tmp_path))
    subprocess.run(
        ["javac", *options, *places, str(HELPER / "AccumuloTiles.java")], check=True, timeout=600
    )
    made = {path.name: path.read_bytes() for path in tmp_path.glob("*.class")}
    assert made == {path.name: path.read_bytes() for path in HELPER.glob("*.class")}
    assert made
