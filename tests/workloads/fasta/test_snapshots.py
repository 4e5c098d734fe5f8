"""Damaged SeqRepo snapshots: the fault is named, and they are never taken for mere files."""

import hashlib
import shutil
import sqlite3
from base64 import urlsafe_b64encode
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pysam
import pytest
from driving import drive, open_job

from core.language import DatasetError
from core.vocabulary import Dataset, registry
from workloads.fasta.bgzf_oracle import BgzfContent, compress
from workloads.fasta.sampling import NO_BASES
from workloads.fasta.snapshots import ALIASES, SEQUENCE_INFO

WANTED = ("seqrepo", "fasta", "fasta-folder")
READERS = ("pysam", "pyfaidx", "seqrepo")


@pytest.fixture
def snapshot(made: Callable[[str], Dataset], tmp_path: Path) -> Path:
    copy = tmp_path / "snapshot"
    shutil.copytree(made("seqrepo").path, copy)
    return copy


def test_that_its_facts_count_what_was_made(snapshot: Path) -> None:
    facts = registry.dataset_kind("seqrepo").facts(snapshot)
    assert facts["files"] == 20
    assert facts["sequences"] == 400
    assert facts["aliases"] == 1200


def test_that_a_missing_file_is_named(snapshot: Path) -> None:
    gone = next(snapshot.rglob("*.bgz"))
    gone.unlink()
    with pytest.raises(DatasetError, match=gone.name):
        registry.open_dataset(snapshot, WANTED)


@pytest.mark.parametrize("left", [0, 1, 27, -40])
def test_that_a_file_cut_off_is_named(snapshot: Path, left: int) -> None:
    cut = next(snapshot.rglob("*.bgz"))
    cut.write_bytes(cut.read_bytes()[:left])
    with pytest.raises(DatasetError, match=f"{cut.name} (is empty|was cut off)"):
        registry.open_dataset(snapshot, WANTED)


def test_that_a_damaged_database_is_named(snapshot: Path) -> None:
    database = snapshot / "sequences" / "db.sqlite3"
    database.write_bytes(database.read_bytes()[:200] + bytes(20_000))
    with pytest.raises(DatasetError, match=r"db\.sqlite3 is damaged"):
        registry.open_dataset(snapshot, WANTED)


def test_that_a_database_being_written_is_left_alone(snapshot: Path) -> None:
    (snapshot / "aliases.sqlite3-journal").write_bytes(b"x")
    with pytest.raises(DatasetError, match="being written"):
        drive("fasta", snapshot)


def change(snapshot: Path, database: str, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(snapshot / database)) as opened, opened:
        opened.execute(statement, values)


def rewrite(path: Path, old: bytes, new: bytes) -> None:
    """Change what a file of sequences holds, as a writer would that knows nothing of digests."""
    with BgzfContent(path) as content:
        whole = b"".join(content.pieces())
    assert old in whole
    changed = whole.replace(old, new, 1)
    path.write_bytes(b"".join(compress(changed)))
    for suffix in (".fai", ".gzi"):
        path.with_name(path.name + suffix).unlink()
    pysam.faidx(str(path))


def a_sequence(snapshot: Path) -> tuple[Path, str, bytes]:
    """A file of sequences, the name of one in it, and its first line."""
    path = sorted(snapshot.rglob("*.bgz"))[3]
    with BgzfContent(path) as content:
        name, line, *_ = b"".join(content.pieces())[1:].split(b"\n")
    return path, name.decode(), line


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("part", ["whole", "first"])
def test_that_bases_that_do_not_match_their_digest_are_damage(
    snapshot: Path, reader: str, part: str
) -> None:
    path, name, line = a_sequence(snapshot)
    other = line[:-1] + (b"A" if line[-1:] != b"A" else b"C")
    rewrite(path, name.encode() + b"\n" + line, name.encode() + b"\n" + other)
    with pytest.raises(DatasetError, match=f"{path.name} is damaged: the bases of {name}"):
        drive("fasta", snapshot, reader=reader, slice=part, namespace="MD5", accessions=400)


def test_that_the_digest_is_that_of_seqrepo(snapshot: Path) -> None:
    """By its published definition, on bases read by htslib."""
    job = open_job("fasta", snapshot, slice="whole", namespace="VMC", accessions=400)
    with job.worker(0) as (look_up, fetch):
        for item in job.items:
            bases = fetch.perform(look_up.perform(item))
            digest = urlsafe_b64encode(hashlib.sha512(bases.encode()).digest()[:24]).decode()
            assert item.name == f"GS_{digest}"
    job.close()


@pytest.mark.parametrize("reader", READERS)
def test_that_a_length_one_short_does_not_pass_as_whole(snapshot: Path, reader: str) -> None:
    path, name, _ = a_sequence(snapshot)
    change(snapshot, SEQUENCE_INFO, "update seqinfo set len = len - 1 where seq_id = ?", name)
    with pytest.raises(
        DatasetError, match=rf"db\.sqlite3 is damaged: it gives {name} a length of [\d,]+"
    ):
        drive("fasta", snapshot, reader=reader, slice="whole", namespace="MD5", accessions=400)
    assert path.is_file()


def test_that_a_sequence_that_is_said_to_have_no_bases_is_not_passed_over(snapshot: Path) -> None:
    _, name, _ = a_sequence(snapshot)
    change(snapshot, SEQUENCE_INFO, "update seqinfo set len = 0 where seq_id = ?", name)
    with pytest.raises(
        DatasetError, match=rf"db\.sqlite3 is damaged: it gives {name} a length of 0, not"
    ):
        drive("fasta", snapshot, namespace="MD5", accessions=400)


def test_that_a_sequence_without_bases_is_not_fetched(snapshot: Path) -> None:
    assert urlsafe_b64encode(hashlib.sha512(b"").digest()[:24]).decode() == NO_BASES
    path, _, _ = a_sequence(snapshot)
    relpath = str(path.relative_to(snapshot / "sequences"))
    added = "insert into seqinfo (seq_id, len, alpha, relpath) values (?, 0, '', ?)"
    change(snapshot, SEQUENCE_INFO, added, NO_BASES, relpath)
    named = "insert into seqalias (seq_id, namespace, alias) values (?, 'MD5', 'empty')"
    change(snapshot, ALIASES, named, NO_BASES)
    with BgzfContent(path) as content:
        whole = b"".join(content.pieces())
    rewrite(path, whole, f">{NO_BASES}\n".encode() + whole)
    driven = drive("fasta", snapshot, namespace="MD5", slice="whole", accessions=401)
    assert driven.clean
    assert {item.name for item, _ in driven.results}.isdisjoint({"empty"})


@pytest.mark.parametrize("length", ["many", "", 104480.5, -120, b"12"])
def test_that_a_length_that_cannot_be_is_told_with_its_row(snapshot: Path, length: object) -> None:
    change(snapshot, SEQUENCE_INFO, "update seqinfo set len = ? where rowid = 3", length)
    with pytest.raises(DatasetError, match=r"db\.sqlite3 is damaged: row 3 of seqinfo") as refused:
        registry.open_dataset(snapshot, WANTED)
    assert f"len {length!r}" in str(refused.value)


@pytest.mark.parametrize("column", ["relpath", "seq_id"])
def test_that_a_blob_for_a_name_is_told_with_its_row(snapshot: Path, column: str) -> None:
    change(snapshot, SEQUENCE_INFO, f"update seqinfo set {column} = x'414243' where rowid = 3")
    with pytest.raises(DatasetError, match=rf"row 3 of seqinfo has .*{column} b'ABC'"):
        registry.open_dataset(snapshot, WANTED)


@pytest.mark.parametrize("column", ["alias", "namespace", "seq_id"])
def test_that_a_blob_for_an_alias_is_told_with_its_row(snapshot: Path, column: str) -> None:
    change(snapshot, ALIASES, f"update seqalias set {column} = x'414243' where rowid = 3")
    for ask in (partial(drive, "fasta"), registry.dataset_kind("seqrepo").facts):
        with pytest.raises(DatasetError, match=rf"row 3 of seqalias has .*{column} b'ABC'"):
            ask(snapshot)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("x" * 3000, "is missing"),
        ("no/such.fa.bgz", "is missing"),
        ("a\0b", "outside of itself"),
        ("../../etc/passwd", "outside of itself"),
    ],
)
def test_that_a_file_that_cannot_be_is_refused(snapshot: Path, name: str, why: str) -> None:
    change(snapshot, SEQUENCE_INFO, "update seqinfo set relpath = ? where rowid = 3", name)
    with pytest.raises(DatasetError, match=why):
        registry.open_dataset(snapshot, WANTED)


def test_that_a_sequence_that_a_file_lacks_is_told(snapshot: Path) -> None:
    other = sorted(snapshot.rglob("*.bgz"))[5].relative_to(snapshot / "sequences")
    _, name, _ = a_sequence(snapshot)
    change(
        snapshot, SEQUENCE_INFO, "update seqinfo set relpath = ? where seq_id = ?", str(other), name
    )
    with pytest.raises(DatasetError, match=f"{other.name} does not hold {name}"):
        drive("fasta", snapshot, namespace="MD5", accessions=400)


def test_that_an_alias_that_its_index_does_not_find_is_damage(snapshot: Path) -> None:
    database = snapshot / ALIASES
    with closing(sqlite3.connect(database)) as opened:
        alias = opened.execute("select alias from seqalias where namespace = 'MD5'").fetchone()[0]
    data = database.read_bytes()
    # The table comes first in the file; what follows are indexes.
    place = data.rindex(alias.encode())
    assert place != data.index(alias.encode())
    other = b"0" if alias[0] != "0" else b"1"
    for place in _places(data, alias.encode())[1:]:
        data = data[:place] + other + data[place + 1 :]
    database.write_bytes(data)
    with pytest.raises(DatasetError, match=r"its index and its row [0-9]+ of seqalias differ"):
        drive("fasta", snapshot, namespace="MD5", accessions=400)


def _places(data: bytes, wanted: bytes) -> list[int]:
    found = [data.find(wanted)]
    while (following := data.find(wanted, found[-1] + 1)) >= 0:
        found.append(following)
    return found


@pytest.mark.parametrize("reader", READERS)
def test_that_an_index_that_lacks_sequences_is_named(snapshot: Path, reader: str) -> None:
    path, name, _ = a_sequence(snapshot)
    index = path.with_name(path.name + ".fai")
    kept = [line for line in index.read_text().splitlines(keepends=True) if name not in line]
    index.write_text("".join(kept))
    with pytest.raises(
        DatasetError, match=r"does not fit .* it lists 19 of 20 sequences"
    ) as refused:
        drive("fasta", snapshot, reader=reader, namespace="MD5", prefix="a", accessions=400)
    assert f"delete {index.name}" in refused.value.remedy


def _gone(_: Path) -> None:
    """Nothing is there."""


def _dangling(place: Path) -> None:
    place.symlink_to("nowhere")


def _text(place: Path) -> None:
    place.write_text("not a database")


@pytest.mark.parametrize("name", [ALIASES, SEQUENCE_INFO])
@pytest.mark.parametrize("instead", [_gone, Path.mkdir, Path.touch, _text, _dangling])
def test_that_a_snapshot_without_a_database_is_no_folder_of_files(
    snapshot: Path, name: str, instead: Callable[[Path], None]
) -> None:
    (snapshot / name).unlink()
    instead(snapshot / name)
    with pytest.raises(
        DatasetError, match=r"snapshot without|cannot be read|not an SQLite"
    ) as told:
        registry.open_dataset(snapshot, WANTED)
    assert Path(name).name in told.value.cause
    assert "fetch the snapshot again" in told.value.remedy


@pytest.mark.parametrize("lost", [None, ALIASES])
def test_that_the_folder_of_a_snapshot_is_no_folder_of_files(
    snapshot: Path, lost: str | None
) -> None:
    if lost:
        (snapshot / lost).unlink()
    (snapshot.parent / "other.fa").write_bytes(b">a\nACGT\n")
    with pytest.raises(DatasetError, match="holds SeqRepo snapshots but is not one") as told:
        registry.open_dataset(snapshot.parent, WANTED)
    assert str(snapshot) in told.value.remedy


def test_that_a_folder_far_above_a_snapshot_is_no_folder_of_files(
    tmp_path: Path, snapshot: Path
) -> None:
    deep = tmp_path / "far" / "above" / "it"
    deep.mkdir(parents=True)
    snapshot.rename(deep / "2024-12-20")
    with pytest.raises(DatasetError, match=r"holds the SeqRepo snapshot .*2024-12-20"):
        registry.open_dataset(tmp_path / "far", WANTED)


def test_that_the_files_of_a_snapshot_can_still_be_read_as_files(snapshot: Path) -> None:
    assert registry.open_dataset(snapshot / "sequences" / "2020", WANTED).kind == "fasta-folder"
    (snapshot / ALIASES).unlink()
    assert registry.open_dataset(snapshot).kind == "files"
