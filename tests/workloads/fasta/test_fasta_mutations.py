"""Damage of all kinds: no reader is blamed that a second opinion agrees with, and nothing passes
as right that it differs from.

The damage is drawn with a seed: bytes, recompressed content, indexes, databases.  SLUICE_MUTATIONS
is how many of each family are tried, with every reader in turn.
"""

import os
import random
import shutil
import sqlite3
import struct
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path

import pysam
import pytest
from driving import open_job
from fasta_decoding import Undecodable, aliases, digests, read_by, sequences
from one_trial import one_pass

from core.language import SluiceError
from core.measure import find_dataset, make_dataset
from core.vocabulary import Completed, Failed, Trial
from workloads.fasta.bgzf_oracle import END_MARKER
from workloads.fasta.make_fasta import SeqrepoShape

COUNT = int(os.environ.get("SLUICE_MUTATIONS", "6"))
MOST = 36
NAMESPACE = "MD5"  # in which every sequence has one alias
ONCE_WRONG: dict[str, tuple[int, ...]] = {
    "plain": (8, 24, 33),
    "BGZF": (22, 28, 33, 89, 117),
    "SeqRepo": (9, 14, 88, 90, 196),
}
"""Numbers of mutations that were judged wrongly once."""
_TOKENS = (
    *(b"\n", b"\r", b"\r\n", b">", b"\n>", b"\n>seq3\n", b" ", b"\t", b"\0", b"\x1c", b"\x1e"),
    *("\u2028".encode(), "\x85".encode(), b"\xff", b";", b"@", b"+", b"N", b"9", b"0", b"-", b"."),
)
_VALUES = (-120, 0, 1, 104480.5, "many", "", b"ABC", 2**62, "NM_000001.1", "x/y.fa.bgz", "\u2028")


def sequence_file(drawn: random.Random) -> bytes:
    """FASTA of some 20 sequences, in lines of one length."""
    width = drawn.choice((7, 60, 100, 10**6))
    newline = drawn.choice((b"\n", b"\n", b"\n", b"\r\n"))
    lines: list[bytes] = []
    for number in range(1, 21):
        bases = bytes(drawn.choices(b"ACGTNacgt", k=drawn.choice((1, 30, 60, 61, 600, 3000))))
        lines.append(b">seq%d%s" % (number, drawn.choice((b"", b" some kind", b"\tx"))))
        lines += [bases[start : start + width] for start in range(0, len(bases), width)]
    return newline.join(lines) + drawn.choice((newline, newline, b""))


def bgzf(content: bytes, drawn: random.Random) -> bytes:
    """BGZF blocks of any size, some of them empty, and the end marker."""
    packed = [END_MARKER] if drawn.random() < 0.2 else []
    start = 0
    while start < len(content):
        length = drawn.choice((1, 50, 700, 5000, 0xFF00))
        part = content[start : start + length]
        deflate = zlib.compressobj(drawn.choice((0, 1, 9)), zlib.DEFLATED, -15)
        inside = deflate.compress(part) + deflate.flush()
        head = bytes.fromhex("1f8b08040000000000ff060042430200")
        packed.append(head + struct.pack("<H", len(inside) + 25) + inside)
        packed.append(struct.pack("<II", zlib.crc32(part), len(part)))
        if drawn.random() < 0.05:
            packed.append(END_MARKER)
        start += length
    return b"".join((*packed, END_MARKER))


def mutated(data: bytes, drawn: random.Random) -> bytes:
    """The bytes with one thing done to them."""
    place, length = drawn.randrange(len(data) + 1), drawn.choice((1, 1, 2, 8, 61, 500))
    before, span, after = data[:place], data[place : place + length], data[place + length :]
    flipped = bytes(byte ^ (1 << drawn.randrange(8)) for byte in span[:1]) + span[1:]
    appended = drawn.choice((b"\0", b"\n", END_MARKER, drawn.randbytes(length), span))
    return drawn.choice(
        (
            before + flipped + after,
            before + flipped + after,
            before + drawn.choice(_TOKENS) + span + after,
            before + drawn.choice(_TOKENS) + span[1:] + after,
            before + span + span + after,
            before + bytes(len(span)) + after,
            before + after,
            before,
            data + appended,
        )
    )


def mutate(path: Path, drawn: random.Random) -> None:
    """Do something to a file."""
    path.write_bytes(mutated(path.read_bytes(), drawn))


def index(path: Path) -> None:
    """Have samtools make the indexes, where it can."""
    for suffix in (".fai", ".gzi"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    with suppress(pysam.SamtoolsError):
        pysam.faidx(str(path))


def plain(folder: Path, drawn: random.Random) -> Path:
    """A damaged FASTA file, or a whole one with a damaged index."""
    path = folder / "x.fa"
    path.write_bytes(sequence_file(drawn))
    if drawn.random() < 0.7:
        index(path)
    fai = folder / "x.fa.fai"
    if fai.exists() and drawn.random() < 0.4:
        mutate(fai, drawn)
    else:
        mutate(path, drawn)
    if drawn.random() < 0.3:
        index(path)
    return path


def compressed(folder: Path, drawn: random.Random) -> Path:
    """A damaged BGZF file, one of damaged content, or a whole one with a damaged index."""
    path = folder / "x.fa.gz"
    content = sequence_file(drawn)
    path.write_bytes(bgzf(content, drawn))
    if drawn.random() < 0.7:
        index(path)
    match drawn.choice(("file", "file", "content", "fai", "gzi", "gzi")):
        case "content":
            path.write_bytes(bgzf(mutated(content, drawn), drawn))
        case "fai" | "gzi" as suffix if path.with_name(f"{path.name}.{suffix}").exists():
            mutate(path.with_name(f"{path.name}.{suffix}"), drawn)
        case _:
            mutate(path, drawn)
    if drawn.random() < 0.3:
        index(path)
    return path


def snapshot(whole: Path) -> Callable[[Path, random.Random], Path]:
    """What makes damaged copies of a snapshot."""

    def damage(folder: Path, drawn: random.Random) -> Path:
        root = folder / "snapshot"
        shutil.copytree(whole, root)
        path = drawn.choice(sorted(root.rglob("*.bgz")))
        match drawn.choice(("value",) * 4 + ("file", "content", "fai", "gzi", "database", "place")):
            case "value":
                _change_value(root, drawn)
            case "file":
                mutate(path, drawn)
            case "content":
                path.write_bytes(bgzf(mutated(_content(path), drawn), drawn))
                if drawn.random() < 0.7:
                    index(path)
            case "fai" | "gzi" as suffix:
                mutate(path.with_name(f"{path.name}.{suffix}"), drawn)
            case "database":
                mutate(root / drawn.choice(("aliases.sqlite3", "sequences/db.sqlite3")), drawn)
            case _:
                place = root / drawn.choice(("aliases.sqlite3", "sequences/db.sqlite3", str(path)))
                place.unlink()
                drawn.choice((lambda: None, place.mkdir, place.touch))()
        return root

    return damage


def _content(path: Path) -> bytes:
    with pysam.BGZFile(str(path), "rb") as opened:
        return bytes(opened.read())


def _change_value(root: Path, drawn: random.Random) -> None:
    database, table, column = drawn.choice(
        [("sequences/db.sqlite3", "seqinfo", name) for name in ("seq_id", "len", "len", "relpath")]
        + [("aliases.sqlite3", "seqalias", name) for name in ("seq_id", "namespace", "alias")]
    )
    with closing(sqlite3.connect(root / database)) as opened, opened:
        count = opened.execute(f"select max(rowid) from {table}").fetchone()[0]
        row, other = drawn.randint(1, count), drawn.randint(1, count)
        value = drawn.choice(
            [
                *_VALUES,
                *opened.execute(f"select {column} from {table} where rowid = {other}").fetchone(),
            ]
        )
        if column == "len" and drawn.random() < 0.5:
            value = opened.execute(f"select len - 1 from seqinfo where rowid = {row}").fetchone()[0]
        with suppress(sqlite3.IntegrityError):
            opened.execute(f"update {table} set {column} = ? where rowid = {row}", (value,))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small snapshot of some files with several blocks each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_CACHE", str(tmp_path_factory.mktemp("cache")))
        shape = SeqrepoShape(files=3, sequences=12, median_length=9000)
        root = make_dataset("seqrepo", shape, tmp_path_factory.mktemp("made") / "whole").path
    (root / "sluice-dataset.json").unlink()
    return root


def measured(path: Path, reader: str, chosen: dict[str, object]) -> Trial | SluiceError:
    """The trial of one pass over all sequences, or why there is none."""
    try:
        return one_pass("fasta", find_dataset("fasta", path), reader=reader, **chosen)
    except SluiceError as refusal:
        return refusal


def compact(bases: str) -> str | tuple[int, bytes]:
    """The form in which answers are kept."""
    if len(bases) <= 64:
        return bases
    return len(bases), blake2b(bases.encode(), digest_size=8).digest()


def judged(path: Path, reader: str) -> str:
    """In a word how a pass over all sequences ended; fails where that was not just."""
    decoded = second_opinion(path)
    chosen: dict[str, object] = {"slice": "whole", "accessions": len(decoded or ()) or MOST}
    if path.is_dir():
        chosen["namespace"] = NAMESPACE
    ended = measured(path, reader, chosen)
    if isinstance(ended, SluiceError):
        return "refused"
    if isinstance(ended.outcome, Failed):
        known = {"DatasetError", "DamagedDataset", "InvalidParameter"}
        assert ended.outcome.error in known, ended.outcome
        return "refused"
    if isinstance(ended.outcome, Completed) and ended.valid:
        assert decoded is not None
        items = open_job("fasta", path, reader=reader, **chosen).items
        found = {item.name: item.expected for item in items}
        assert found == {name: compact(bases) for name, bases in decoded.items()}
        return "completed"
    if decoded is not None:
        assert _reads_otherwise(path, reader, decoded), (ended.outcome, ended.complaints)
    return "blamed"


def second_opinion(path: Path) -> dict[str, str] | None:
    """The records, or None where it finds them damaged."""
    try:
        return aliases(path, NAMESPACE) if path.is_dir() else sequences(path)
    except Undecodable:
        return None


def _reads_otherwise(path: Path, reader: str, decoded: dict[str, str]) -> bool:
    """Whether a reader differs from the second opinion where it makes its own indexes."""
    files = [path] if path.is_file() else sorted(path.rglob("*.bgz"))
    read: dict[str, str] = {}
    for number, file in enumerate(files):
        found = read_by(reader, file.read_bytes(), path.parent / f"again{number}")
        if found is None:
            return True
        read |= found
    return not set(digests(decoded).values()) <= set(read.values())


@pytest.mark.slow
@pytest.mark.parametrize("family", ["plain", "BGZF", "SeqRepo"])
def test_that_a_mutation_is_judged_as_a_second_opinion_judges_it(
    family: str, whole: Path, tmp_path: Path
) -> None:
    damage = {"plain": plain, "BGZF": compressed, "SeqRepo": snapshot(whole)}[family]
    readers = ("pysam", "pyfaidx", "seqrepo") if family == "SeqRepo" else ("pysam", "pyfaidx")
    endings: Counter[str] = Counter()
    wrong: list[str] = []
    for number in dict.fromkeys((*range(COUNT), *ONCE_WRONG[family])):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = damage(folder, random.Random(f"{family} {number}"))
        try:
            endings[judged(path, readers[number % len(readers)])] += 1
        except AssertionError as error:
            wrong.append(f"{family} {number}: {error}")
    print(family, dict(endings))
    assert not wrong, "\n".join(wrong)
