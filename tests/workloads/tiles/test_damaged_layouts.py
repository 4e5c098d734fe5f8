"""Files by zoom that are damaged, odd or of other versions: one sentence each, or read right."""

from __future__ import annotations

import gzip
import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from driving import drive, need_drivers
from layout_files import PNG, READ, TILES, write_mbtiles, write_pmtiles, write_xyz, written

from core.language import SluiceError
from core.tell.cli import main
from core.vocabulary import open_dataset
from workloads.tiles.stores import LAYOUTS

SMALL = dict(list(TILES.items())[:8])


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_drivers("tiles", store="pmtiles")
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))


def patched(path: Path, at: int, data: bytes) -> Path:
    content = bytearray(path.read_bytes())
    content[at : at + len(data)] = data
    path.write_bytes(content)
    return path


def cut(path: Path, to: int) -> Path:
    path.write_bytes(path.read_bytes()[:to])
    return path


def in_sql(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    return path


def archive(folder: Path) -> Path:
    return write_pmtiles(folder / "a.pmtiles", SMALL)


def database(folder: Path) -> Path:
    return write_mbtiles(folder / "a.mbtiles", SMALL)


def empty(path: Path) -> Path:
    path.write_bytes(b"")
    return path


def leaf_of_itself(folder: Path) -> Path:
    """The root names itself as a directory below it."""
    from pmtiles.tile import Entry, deserialize_header, serialize_directory, serialize_header

    path = archive(folder)
    header = dict(deserialize_header(path.read_bytes()[:127]))
    root = serialize_directory([Entry(0, 0, 200, 0)])
    root = serialize_directory([Entry(0, 0, len(root), 0)])
    header |= {"root_length": len(root), "leaf_directory_offset": 127}
    header |= {"leaf_directory_length": len(root), "tile_data_length": 0, "metadata_length": 0}
    path.write_bytes(serialize_header(header) + root + bytes(400))  # type: ignore[arg-type]
    return path


def sea(folder: Path) -> Path:
    """One tile of very many places, as no reader can hold."""
    from pmtiles.tile import Entry, deserialize_header, serialize_directory, serialize_header

    path = archive(folder)
    content = path.read_bytes()
    header = dict(deserialize_header(content[:127]))
    root = serialize_directory([Entry(0, 0, 20, 1 << 40)])
    header |= {"root_offset": len(content), "root_length": len(root)}
    path.write_bytes(serialize_header(header) + content[127:] + root)  # type: ignore[arg-type]
    return path


def flipped_directory(folder: Path) -> Path:
    path = archive(folder)
    return patched(path, 140, bytes([path.read_bytes()[140] ^ 0x55]))


def mixed(folder: Path) -> Path:
    write_xyz(folder / "mixed", SMALL)
    return write_xyz(folder / "mixed", {(3, 6, 1): b"\xff\xd8\xff"}, "jpg")


def led_out(folder: Path) -> Path:
    path = write_xyz(folder / "linked", SMALL)
    (folder / "secret.png").write_bytes(PNG)
    (path / "3" / "0" / "2.png").symlink_to(folder / "secret.png")
    return path


DAMAGES: list[tuple[str, Callable[[Path], Path], str]] = [
    ("an empty archive", lambda at: empty(at / "a.pmtiles"), "damaged: it is empty"),
    ("an archive cut in its tiles", lambda at: cut(archive(at), 400), "damaged: it has 400 B of"),
    ("an archive cut in its header", lambda at: cut(archive(at), 60), "60 B of 127 B"),
    ("version 2", lambda at: patched(archive(at), 7, b"\2"), "PMTiles of version 2 .convert it"),
    ("version 4", lambda at: patched(archive(at), 7, b"\4"), "PMTiles of version 4"),
    ("other bytes at its beginning", lambda at: patched(archive(at), 0, b"nothing"), "does not begin"),
    ("a flipped bit in a directory", flipped_directory, "its directory at byte 127"),
    ("directories in zstd", lambda at: patched(archive(at), 97, b"\4"), "directories in zstd"),
    ("a compression that nobody knows", lambda at: patched(archive(at), 98, b"\x77"), "is damaged"),
    ("a directory below itself", leaf_of_itself, "its directories have no end"),
    ("a trillion tiles", sea, "too many tiles: 1,099,511,627,776 .give a part"),
    ("an empty database", lambda at: empty(at / "a.mbtiles"), "damaged: it is empty"),
    ("a text", lambda at: patched(database(at), 0, b"nothing at all!!"), "no database of SQLite"),
    ("a database cut off", lambda at: cut(database(at), 5000), "malformed|is damaged"),
    ("no table", lambda at: in_sql(database(at), "DROP TABLE tiles"), "no such table: tiles"),
    ("other columns", lambda at: in_sql(database(at), "ALTER TABLE tiles RENAME tile_row TO y"),
     "no such column: tile_row"),
    ("no tiles", lambda at: in_sql(database(at), "DELETE FROM tiles"), "has no tiles"),
    ("a tile without bytes", lambda at: in_sql(database(at), "UPDATE tiles SET tile_data = NULL"),
     "tile 0/0/0 has no bytes"),
    ("a tile that is a text", lambda at: in_sql(database(at), "UPDATE tiles SET tile_data = 'x'"),
     "tile 0/0/0 has no bytes"),
    ("a column that its zoom lacks", lambda at: in_sql(
        database(at), "INSERT INTO tiles VALUES (2, 4, 0, x'00')"), "2/4/0, which no zoom has"),
    ("a row that is none", lambda at: in_sql(
        database(at), "INSERT INTO tiles VALUES (2, 1, NULL, x'00')"), "2/1/None, which no zoom has"),
    ("a tile twice", lambda at: in_sql(
        database(at), "INSERT INTO tiles SELECT * FROM tiles LIMIT 1"), "has tile 0/0/0 twice"),
    ("tiles of several kinds", mixed, "tiles of several kinds: jpg, png"),
    ("a link out of it", led_out, "leads out of the folder"),
    ("a row that its zoom lacks", lambda at: write_xyz(at / "beyond", {(2, 1, 4): PNG}),
     "2/1/4, which no zoom has"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("make", "told"), [row[1:] for row in DAMAGES], ids=[row[0] for row in DAMAGES]
)
def test_that_damage_is_one_sentence_with_a_remedy(
    make: Callable[[Path], Path], told: str, tmp_path: Path
) -> None:
    path = make(tmp_path)
    kind = {".pmtiles": "pmtiles", ".mbtiles": "mbtiles"}.get(path.suffix, "xyz")
    with pytest.raises(SluiceError, match=told) as raised:
        drive("tiles", path, store=kind, depth="fetch")
    assert raised.value.remedy


@pytest.mark.parametrize("row", [1, 9, 13, 22], ids=lambda at: DAMAGES[at][0])
def test_that_a_command_says_it_without_a_traceback(
    row: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, make, told = DAMAGES[row]
    short = ["--duration", "0", "--repeats", "1", "--no-floor"]
    assert main(["measure", "tiles", "--dataset", str(make(tmp_path)), *short]) in (1, 2)
    shown = "".join(capsys.readouterr())
    assert re.search(told, shown)
    assert "Traceback" not in shown


@pytest.mark.parametrize("layout", LAYOUTS)
def test_that_any_flipped_bytes_are_named_or_do_not_matter(layout: str, tmp_path: Path) -> None:
    drawn = random.Random(11)
    for number in range(40):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = written(layout, folder, SMALL)
        files = [path] if path.is_file() else sorted(path.rglob("*.png"))
        file = drawn.choice(files)
        for _ in range(drawn.choice((1, 3))):
            size = file.stat().st_size
            patched(file, drawn.randrange(min(size, 600)), drawn.randbytes(1))
        try:
            driven = drive("tiles", path, store=layout, depth="fetch")
        except SluiceError:
            continue
        assert driven.clean


def test_that_what_is_odd_but_allowed_is_read(tmp_path: Path) -> None:
    """A view over images and places, gzipped tiles, empty ones, no metadata, and other files."""
    tiles = {place: gzip.compress(tile) for place, tile in SMALL.items()}
    path = write_mbtiles(tmp_path / "plain.mbtiles", tiles | {(1, 1, 1): b""})
    in_sql(
        path,
        "ALTER TABLE tiles RENAME TO images",
        "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM images",
    )
    assert drive("tiles", path, store="mbtiles", depth="fetch").clean
    folder = write_xyz(tmp_path / "with more", SMALL)
    for name in ("openlayers.html", "tilemapresource.xml", "3/0/1.png.aux.xml", "3/0/9@2x.png"):
        (folder / name).write_text("?")
    (folder / "2024" / "11").mkdir(parents=True)
    driven = drive("tiles", folder, store="xyz", depth="fetch")
    assert driven.clean
    assert len(driven.results) == len(SMALL)


def test_that_directories_without_compression_are_read(tmp_path: Path) -> None:
    from pmtiles.tile import Compression, deserialize_header, serialize_header

    content = archive(tmp_path).read_bytes()
    header = dict(deserialize_header(content[:127]))
    root = gzip.decompress(content[127 : 127 + header["root_length"]])
    header |= {"root_offset": len(content), "root_length": len(root)}
    header["internal_compression"] = Compression.NONE
    path = tmp_path / "plain.pmtiles"
    path.write_bytes(serialize_header(header) + content[127:] + root)  # type: ignore[arg-type]
    driven = drive("tiles", path, store="pmtiles", depth="fetch")
    assert driven.clean
    assert len(driven.results) == len(SMALL)


def test_that_a_database_that_is_written_is_refused(tmp_path: Path) -> None:
    """What is in its log is not seen by a reader that takes no lock."""
    path = database(tmp_path)
    with closing(sqlite3.connect(path)) as writing:
        writing.execute("PRAGMA journal_mode = WAL")
        writing.execute("INSERT INTO tiles VALUES (1, 0, 0, x'01')")
        writing.commit()
        with pytest.raises(SluiceError, match="not written to its end"):
            drive("tiles", path, store="mbtiles", depth="fetch")
    assert len(READ["mbtiles"](path)) == len(SMALL) + 1
    assert drive("tiles", path, store="mbtiles", depth="fetch").clean


def test_that_photographs_by_day_are_no_tiles(tmp_path: Path) -> None:
    day = tmp_path / "2016" / "08"
    day.mkdir(parents=True)
    (day / "24.jpg").write_bytes(b"\xff\xd8\xff")
    assert open_dataset(tmp_path).kind == "files"


def test_that_a_folder_with_a_damaged_file_is_one_of_files(tmp_path: Path) -> None:
    cut(archive(tmp_path), 400)
    assert open_dataset(tmp_path).kind == "files"
