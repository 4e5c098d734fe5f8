"""Generates FASTA files and SeqRepo snapshots: random bases, the same bytes for the same shape."""

from __future__ import annotations

import math
import os
import random
import sqlite3
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from hashlib import md5, sha512
from itertools import batched, chain
from pathlib import Path
from typing import Any

from core import ReportProgress, flag, integer, real
from workloads.fasta.bgzf_oracle import compress
from workloads.fasta.fai_oracle import fai
from workloads.fasta.fai_table import FaiRecord
from workloads.fasta.fasta_files import beside, gzi_of
from workloads.fasta.snapshots import ALIASES, SEQUENCE_INFO, SEQUENCES
from workloads.shared.datasets import usual_sum
from workloads.shared.threads import mapped

_PACKED, _PLAIN = 0.36, 1.02  # bytes of a base, with BGZF and with the ends of lines
_NAMED = 60  # bytes of a sequence's name, and of its line in the index
_ALIASED = 940  # bytes of a sequence's aliases in the databases of a snapshot
_DATABASES = 60_000  # bytes of empty ones


def _median_length(default: int) -> Any:
    return integer(
        default,
        low=1,
        high=10_000_000,
        scale="log10",
        unit="bases",
        help="Median length of a sequence; lengths are log-normal.",
    )


@dataclass(frozen=True, kw_only=True)
class _Files:
    files: int = integer(128, low=1, high=10_000, scale="log10", help="Files of sequences.")


@dataclass(frozen=True, kw_only=True)
class Sequences:
    """What all shapes have; the bytes follow from it."""

    sequences: int = integer(
        2000,
        low=1,
        high=1_000_000,
        scale="log10",
        help="Sequences in each file; opening a file costs as much as its index is long.",
    )
    median_length: int = _median_length(300)
    spread: float = real(
        0.8,
        low=0,
        high=3,
        help="Standard deviation of the logarithm of the lengths; 0 makes all equally long.",
    )
    seed: int = integer(1, low=0, high=2**31 - 1, help="Seed of all sequences and names.")

    def bytes_of(self, files: int, base: float, sequence: int) -> int:
        """Bytes of files whose bases and sequences take so many each."""
        count = files * self.sequences
        return round(base * usual_sum(count, self.median_length, self.spread) + sequence * count)


@dataclass(frozen=True, kw_only=True)
class SequencesShape(Sequences):
    median_length: int = _median_length(2000)
    compressed: bool = flag(True, help="Compress with BGZF, as SeqRepo and most archives do.")

    @property
    def room(self) -> int:
        return self.bytes_of(1, _PACKED if self.compressed else _PLAIN, _NAMED)


@dataclass(frozen=True, kw_only=True)
class FolderShape(SequencesShape, _Files):
    median_length: int = _median_length(300)

    @property
    def room(self) -> int:
        return self.bytes_of(self.files, _PACKED if self.compressed else _PLAIN, _NAMED)


@dataclass(frozen=True, kw_only=True)
class SeqrepoShape(Sequences, _Files):
    @property
    def room(self) -> int:
        return self.bytes_of(self.files, _PACKED, _ALIASED) + _DATABASES


_LETTERS = bytes(b"ACGT"[byte & 3] for byte in range(256))
_ALPHABET = [(letter, letter.encode()) for letter in "ACGT"]
_LONGEST = 200_000_000
_LINE = 60
_SEQREPO_LINE = 100
_TOGETHER = 300
"""Rows of a statement: each lets go of the GIL, and waits for it again."""
_ADDED = "2020-01-01 00:00:00"
# Accessions by kind, in twentieths, roughly as NCBI's transcripts are shared out.
_ACCESSIONS = ("NM",) * 12 + ("NR",) * 3 + ("XM",) * 4 + ("XR",)
_META_TABLE = """
create table meta (key text not null, value text not null);
create unique index meta_key_idx on meta(key);
insert into meta values ('schema version', '1');
"""
_SEQUENCE_TABLE = """
create table seqinfo (
    seq_id text primary key, len integer not null, alpha text not null,
    added timestamp not null default current_timestamp, relpath text not null);
"""
_ALIAS_TABLE = """
create table seqalias (
    seqalias_id integer primary key, seq_id text not null, namespace text not null,
    alias text not null, added timestamp not null default current_timestamp,
    is_current int not null default 1);
"""
_SEQUENCE_INDEXES = "create unique index seqinfo_seq_id_idx on seqinfo(seq_id);"
_ALIAS_INDEXES = """
create unique index seqalias_unique_ns_alias_idx on seqalias(namespace, alias) where is_current = 1;
create index seqalias_seq_id_idx on seqalias(seq_id);
create index seqalias_namespace_idx on seqalias(namespace);
create index seqalias_alias_idx on seqalias(alias);
"""


@dataclass(frozen=True)
class _Written:
    """What the databases need to know about a sequence file."""

    relpath: str
    sequences: list[tuple[str, int | str, str]]  # id, length, letters
    aliases: list[tuple[str, int | str, str]]  # id, namespace, alias


def make(shape: Sequences, folder: Path, report: ReportProgress) -> Path:
    """What a shape declares, in an empty folder; the folder, or the file in it."""
    match shape:
        case SeqrepoShape():
            _make_snapshot(shape, folder, report)
        case FolderShape():

            def write(number: int) -> None:
                _make_file(shape, folder / f"sequences{number + 1:05}.fa", f"{shape.seed}/{number}")

            for done, _ in enumerate(_side_by_side(write, shape.files), 1):
                report("writing sequences", done, shape.files, "file")
        case SequencesShape():
            report("writing sequences", 0, shape.sequences, "sequence")
            return _make_file(shape, folder / "sequences.fa", f"{shape.seed}")
    return folder


def _side_by_side[Made](work: Callable[[int], Made], files: int) -> Iterator[Made]:
    # zlib lets go of the GIL, so threads help.
    return mapped(os.cpu_count() or 1, "writing", work, range(files))


def _make_file(shape: SequencesShape, path: Path, seed: str) -> Path:
    """A file of random sequences named `seq1`, `seq2`, …, alike in all files, with its indexes."""
    path = path.with_name(f"{path.name}.gz") if shape.compressed else path
    drawn = enumerate(_bases(random.Random(seed), shape), start=1)
    _write(path, ((f"seq{number}", bases) for number, bases in drawn), _LINE, shape.compressed)
    return path


def _make_snapshot(shape: SeqrepoShape, folder: Path, report: ReportProgress) -> None:
    """A snapshot in SeqRepo's layout, with accessions and SeqRepo's digest aliases."""
    (folder / SEQUENCES).mkdir()
    with (
        closing(_database(folder / SEQUENCE_INFO, _SEQUENCE_TABLE)) as info,
        closing(_database(folder / ALIASES, _ALIAS_TABLE)) as aliases,
    ):
        entered: set[str] = set()
        files = _side_by_side(lambda n: _snapshot_file(shape, folder, n), shape.files)
        for done, file in enumerate(files, 1):
            _enter(file, entered, info, aliases)
            report("writing sequences", done, shape.files, "file")
        report("indexing aliases")
        info.executescript(_SEQUENCE_INDEXES)
        aliases.executescript(_ALIAS_INDEXES)


def _bases(drawn: random.Random, shape: Sequences) -> Iterator[bytes]:
    middle = math.log(shape.median_length)
    for _ in range(shape.sequences):
        length = round(drawn.lognormvariate(middle, shape.spread))
        yield drawn.randbytes(min(max(length, 1), _LONGEST)).translate(_LETTERS)


def _write(path: Path, sequences: Iterable[tuple[str, bytes]], line: int, compressed: bool) -> None:
    """A FASTA file of named bases and, beside it, its indexes."""
    records: list[FaiRecord] = []
    content: list[bytes] = []
    offset = 0
    for name, bases in sequences:
        length = len(bases)
        lines = [bases[start : start + line] for start in range(0, length, line)]
        text = b"\n".join([b">%b" % name.encode(), *lines, b""])
        width = min(line, length)
        records.append(FaiRecord(name, length, offset + len(name) + 2, width, width + 1))
        content.append(text)
        offset += len(text)
    whole = b"".join(content)
    with path.open("wb") as file:
        file.writelines(compress(whole) if compressed else (whole,))
    beside(path, ".fai").write_bytes(fai(records))
    if compressed:
        beside(path, ".gzi").write_bytes(gzi_of(path))


def _snapshot_file(shape: SeqrepoShape, root: Path, number: int) -> _Written:
    hour, minute = divmod(number, 60)
    folder = f"2020/{101 + hour // 24:04}/{hour % 24:02}{minute:02}"
    relpath = f"{folder}/{1577836800 + 60 * number}.0.fa.bgz"
    path = root / SEQUENCES / relpath
    path.parent.mkdir(parents=True, exist_ok=True)
    named: dict[str, bytes] = {}
    aliases: list[tuple[str, int | str, str]] = []
    first = number * shape.sequences + 1
    drawn = random.Random(f"{shape.seed}/{number}")
    for count, bases in enumerate(_bases(drawn, shape), start=first):
        seq_id = urlsafe_b64encode(sha512(bases).digest()[:24]).decode()
        if seq_id not in named:
            named[seq_id] = bases
            # Two of the digests that SeqRepo gives: more would only make the database take longer.
            aliases.append((seq_id, "VMC", f"GS_{seq_id}"))
            aliases.append((seq_id, "MD5", md5(bases, usedforsecurity=False).hexdigest()))
        kind = _ACCESSIONS[drawn.randrange(len(_ACCESSIONS))]
        aliases.append((seq_id, "NCBI", f"{kind}_{count:06}.{1 + count % 4}"))
    _write(path, named.items(), _SEQREPO_LINE, True)
    sequences: list[tuple[str, int | str, str]] = [
        (name, len(bases), "".join([letter for letter, one in _ALPHABET if one in bases]))
        for name, bases in named.items()
    ]
    return _Written(relpath, sequences, aliases)


def _database(path: Path, table: str) -> sqlite3.Connection:
    database = sqlite3.connect(path)
    # Nobody reads it before it is complete, and an unfinished one is deleted.
    without_journal = "pragma journal_mode = off; pragma synchronous = off;"
    database.executescript(without_journal + _META_TABLE + table)
    return database


def _insert(
    database: sqlite3.Connection, into: str, file: str, rows: list[tuple[str, int | str, str]]
) -> None:
    """Rows, each with its `file` if there is one, and when all were added."""
    row = f"(?, ?, ?, {f"'{file}', " * bool(file)}'{_ADDED}')"
    for some in batched(rows, _TOGETHER):
        values = ", ".join([row] * len(some))
        database.execute(f"insert into {into} values {values}", [*chain.from_iterable(some)])


def _enter(
    file: _Written, entered: set[str], info: sqlite3.Connection, aliases: sqlite3.Connection
) -> None:
    """Enter a file's sequences; a sequence from an earlier file keeps its place and digests."""
    fresh = [row for row in file.sequences if row[0] not in entered]
    rows = [row for row in file.aliases if row[0] not in entered or row[1] == "NCBI"]
    entered.update(row[0] for row in fresh)
    with info, aliases:
        _insert(info, "seqinfo (seq_id, len, alpha, relpath, added)", file.relpath, fresh)
        _insert(aliases, "seqalias (seq_id, namespace, alias, added)", "", rows)
