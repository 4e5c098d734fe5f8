"""Which sequences are fetched: drawn with a seed from the dataset's names, or the user's regions.

A file of regions has lines of BED, regions as samtools writes them, or names of sequences:

chr1<TAB>100<TAB>200    BED: from 0, without its end; more columns are passed over
chr1:101-200            samtools: from 1, with its end; also chr1:-200, chr1:1k, {a:b}:5-9
chr1                    the whole sequence
"""

from __future__ import annotations

import random
import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING, NamedTuple

from core import DatasetError, InvalidParameter, UsageError, tr
from workloads.fasta.fasta_parameters import FastaParameters
from workloads.fasta.snapshots import (
    ALIASES,
    PLACE_OF_SEQUENCE,
    SEQUENCE_INFO,
    SEQUENCE_OF_ALIAS,
    broken,
    connected,
    require_sound_aliases,
)
from workloads.shared.text_lists import lines_of, refused_line

if TYPE_CHECKING:
    from workloads.fasta.fai_table import FaiRows, FaiTable, Numbers

_DIGESTS = ("VMC", "SHA1", "MD5", "SEGUID", "sha512t24u", "ga4gh")
_PREFERRED = "NM_"
_AS_PUBLISHED, _REGION = 5, 1_000
_LONG = 100_000
"""Bases of a mean sequence from which on people fetch regions of it.  Reads, transcripts and genes
are shorter; the contigs of a genome are longer."""
NO_BASES = "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXc"
"""SeqRepo's name for the sequence without bases, which no reader can fetch."""


class PlannedFetch(NamedTuple):
    """One planned fetch: its request, and where the sequence is."""

    where: str
    """Namespace in a snapshot; name of the file otherwise."""
    name: str
    """Alias in a snapshot; name of the sequence otherwise."""
    start: int
    stop: int
    file: str
    sequence: str
    length: int
    """Bases of the whole sequence, as its database or index gives them."""


def from_snapshot(root: Path, parameters: FastaParameters, seed: int) -> list[PlannedFetch]:
    """Accessions drawn from a snapshot; raises InvalidParameter where none has that prefix."""
    drawn = random.Random(seed)
    require_sound_aliases(root)
    if parameters.regions:
        return _listed_in_snapshot(root, Path(parameters.regions))
    named = _named(root, parameters, drawn)
    parameters = _suited(parameters)
    planned: list[PlannedFetch] = []
    with connected(root / SEQUENCE_INFO) as info:
        for namespace, alias, seq_id in named:
            place = info.execute(PLACE_OF_SEQUENCE, (seq_id,)).fetchone()
            if place is None:
                names = {"path": root, "namespace": namespace, "alias": alias}
                cause = tr("{path} has no sequence for its alias {namespace}:{alias}", **names)
                raise broken(cause)
            relpath, length = place
            start, stop = _slice(drawn, parameters, length)
            if seq_id != NO_BASES:
                planned.append(PlannedFetch(namespace, alias, start, stop, relpath, seq_id, length))
    return planned


def _named(
    root: Path, parameters: FastaParameters, drawn: random.Random
) -> list[tuple[str, str, str]]:
    """Namespaces, aliases and sequences drawn; raises DatasetError where a look-up finds others."""
    named: list[tuple[str, str, str]] = []
    with connected(root / ALIASES) as aliases:
        rows = _candidates(aliases, parameters)
        for place in _places(drawn, len(rows), parameters.accessions):
            query = "select namespace, alias, seq_id from seqalias where seqalias_id = ?"
            row = aliases.execute(query, (rows[place],)).fetchone()
            # The row was found by its number, a look-up uses an index: either may be damaged.
            if row is None or aliases.execute(SEQUENCE_OF_ALIAS, row[:2]).fetchall() != [row[2:]]:
                raise broken(
                    tr(
                        "{path} is damaged: its index and its row {row:,} of seqalias differ",
                        path=root / ALIASES,
                        row=rows[place],
                    )
                )
            named.append(row)
    return named


def from_files(
    tables: Mapping[str, FaiTable], parameters: FastaParameters, seed: int
) -> list[PlannedFetch]:
    """Sequences drawn from files, by the names of these; raises InvalidParameter."""
    if parameters.regions:
        return _listed_in_files(tables, Path(parameters.regions))
    if parameters.namespace:
        raise InvalidParameter(
            "namespace", tr("FASTA files have no namespaces"), tr("leave it empty")
        )
    chosen = {file: _rows_in(table.rows, parameters.prefix) for file, table in tables.items()}
    lengths = [table.rows.lengths for table in tables.values()]
    bases = sum(int(some.sum()) for some in lengths)
    parameters = _suited(parameters, bases, sum(int((some > 0).sum()) for some in lengths))
    files = [file for file in chosen if len(chosen[file])]
    if not files:
        raise _nothing(parameters)
    ends = list(accumulate(len(chosen[file]) for file in files))
    drawn = random.Random(seed)
    planned: list[PlannedFetch] = []
    for place in _places(drawn, ends[-1], parameters.accessions):
        number = bisect_right(ends, place)
        file = files[number]
        row = int(chosen[file][place - ends[number]])  # counted from the end of the file's names
        record = tables[file].rows.record(row)
        name, length = record.name, record.length
        start, stop = _slice(drawn, parameters, length)
        planned.append(PlannedFetch(file, name, start, stop, file, name, length))
    return planned


def _rows_in(rows: FaiRows, prefix: str) -> Numbers:
    """The sequences that have bases and begin with that prefix."""
    import numpy as np

    begins = prefix.encode(errors="surrogateescape")
    named = (name.startswith(begins) for name in rows.encoded_names())
    return np.flatnonzero((rows.lengths > 0) & np.fromiter(named, bool, len(rows)))


def _listed_in_files(tables: Mapping[str, FaiTable], path: Path) -> list[PlannedFetch]:
    """What a user lists, in that order; of several files the first that has a name."""
    find: Callable[[str], tuple[str, int] | None]
    if len(tables) == 1:
        ((only, table),) = tables.items()

        def find(name: str) -> tuple[str, int] | None:
            record = table.get(name)
            return None if record is None else (only, record.length)

    else:
        where: dict[str, tuple[str, int]] = {}
        for file, table in tables.items():
            for one in table.rows:
                where.setdefault(one.name, (file, one.length))
        find = where.get
    planned = []
    for region in regions_in(path):
        name, file, length, start, stop = located(path, region, find)
        planned.append(PlannedFetch(file, name, start, stop, file, name, length))
    return planned


def _listed_in_snapshot(root: Path, path: Path) -> list[PlannedFetch]:
    """Likewise; names are aliases, with or without their namespace: `NCBI:NM_1.2`."""
    planned = []
    with connected(root / ALIASES) as aliases, connected(root / SEQUENCE_INFO) as info:

        def find(name: str) -> tuple[tuple[str, str, str, str], int] | None:
            space, _, alias = name.rpartition(":")
            query = f"{_CURRENT} and namespace = ?" if space else _CURRENT
            for namespace, seq_id in aliases.execute(query, (alias, space) if space else (alias,)):
                place = info.execute(PLACE_OF_SEQUENCE, (seq_id,)).fetchone()
                if place is not None and seq_id != NO_BASES:
                    return (namespace, alias, place[0], seq_id), place[1]
            return None

        for region in regions_in(path):
            _, place, length, start, stop = located(path, region, find)
            namespace, alias, relpath, seq_id = place
            planned.append(PlannedFetch(namespace, alias, start, stop, relpath, seq_id, length))
    return planned


_CURRENT = (
    "select namespace, seq_id from seqalias where alias = ? and is_current = 1"
    " and instr(alias, '%') = 0"
)


def _candidates(aliases: Connection, parameters: FastaParameters) -> array[int]:
    """Row numbers of the aliases to draw from, in order."""
    in_namespace = "and namespace = ?" if parameters.namespace else ""
    values = (parameters.namespace,) if parameters.namespace else ()
    # `%` would turn SeqRepo's own look-up of the alias into a pattern.  The table itself decides
    # what there is, not an index, which may be damaged.
    query = (
        "select seqalias_id from seqalias not indexed"
        f" where is_current = 1 and instr(alias, '%') = 0 {in_namespace}"
    )

    def rows(condition: str, *more: str) -> array[int]:
        cursor = aliases.execute(f"{query} {condition} order by seqalias_id", (*values, *more))
        return array("q", (row[0] for row in cursor))

    prefix = parameters.prefix or _PREFERRED
    above = prefix[:-1] + chr(ord(prefix[-1]) + 1)  # all texts that begin with the prefix
    numbers = rows("and alias >= ? and alias < ?", prefix, above)
    if not numbers and not parameters.prefix:
        digests = ", ".join(repr(name) for name in _DIGESTS)
        numbers = rows(f"and namespace not in ({digests})") or rows("")
    if not numbers:
        raise _nothing(parameters)
    return numbers


def _nothing(parameters: FastaParameters) -> UsageError:
    if parameters.prefix:
        texts = {"name": parameters.namespace, "prefix": parameters.prefix}
        cause = tr("no accession begins with {prefix!r}", **texts)
        if parameters.namespace:
            cause = tr("no accession in the namespace {name} begins with {prefix!r}", **texts)
        return InvalidParameter("prefix", cause, tr("leave it empty to draw from all"))
    if parameters.namespace:
        cause = tr("no accession is in the namespace {name!r}", name=parameters.namespace)
        return InvalidParameter("namespace", cause, tr("leave it empty to draw from all"))
    return DatasetError(tr("the dataset names no sequence that has bases"))


def _places(drawn: random.Random, count: int, fetches: int) -> Sequence[int]:
    if fetches <= count:
        return drawn.sample(range(count), fetches)
    return drawn.choices(range(count), k=fetches)


def _suited(parameters: FastaParameters, bases: int = 0, sequences: int = 0) -> FastaParameters:
    """With the part that suits the data, which are so many bases in so many sequences of files."""
    part, length = parameters.slice, parameters.length
    if part == "auto":
        long = length or bases >= _LONG * sequences
        part = "first" if not sequences else "random" if long else "whole"
    usual = _AS_PUBLISHED if part == "first" else _REGION
    return replace(parameters, slice=part, length=length or usual)


def _slice(drawn: random.Random, parameters: FastaParameters, length: int) -> tuple[int, int]:
    if parameters.slice in ("whole", "first"):
        return 0, length if parameters.slice == "whole" else min(parameters.length, length)
    start = drawn.randrange(max(1, length - parameters.length + 1))
    return start, min(start + parameters.length, length)


_HEADS = ("track", "browser")
_NUMBER = r"[\d,]*\.?\d*(?:[eE]\d+)?[kKmMgG]?"
_OF_SAMTOOLS = re.compile(rf"(.+):(?=[-\d])({_NUMBER})(?:(-)({_NUMBER}))?", re.ASCII)
_BRACED = re.compile(r"\{(.+)\}(?::(.*))?")
"""Where a name that has a colon itself stands in braces, as samtools has it."""
_FACTORS = {"k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


class Region(NamedTuple):
    """A part of a named sequence; without a stop up to its end."""

    name: str
    start: int
    stop: int | None
    line: int


class LocatedRegion[Place](NamedTuple):
    """A region's sequence, where it is, how long it is, and the part of it."""

    name: str
    place: Place
    length: int
    start: int
    stop: int


def regions_in(path: Path) -> tuple[Region, ...]:
    """The regions that a file lists, in its order; raises InvalidParameter."""
    lines = lines_of(path, "regions")
    regions = tuple(
        _region(path, number, line)
        for number, line in lines
        if not line.startswith("#") and line.split()[0] not in _HEADS
    )
    if not regions:
        raise InvalidParameter("regions", tr("{path} lists no region", path=path))
    return regions


def _region(path: Path, number: int, line: str) -> Region:
    columns = line.split("\t") if "\t" in line else line.split()
    name = columns[0].strip()
    if len(columns) == 1:
        return Region(name, 0, None, number)
    numbers = [column.strip() for column in columns[1:3]]
    if len(numbers) < 2 or not all(one.isdecimal() for one in numbers):
        why = tr("a line has a name, or a name, a start and an end in whole numbers")
        remedy = tr("put # before what is no region, such as a heading")
        raise refused_line(path, number, why, "regions", remedy)
    start, stop = map(int, numbers)
    _require_bases(path, number, start, stop)
    return Region(name, start, stop, number)


def _require_bases(path: Path, line: int, start: int, stop: int) -> None:
    if start >= stop:
        why = (
            tr("the region from {start:,} to {stop:,} has no bases", start=start, stop=stop)
            if start == stop
            else tr("the region from {start:,} to {stop:,} goes backwards", start=start, stop=stop)
        )
        remedy = tr("leave it out, or write the smaller number first")
        raise refused_line(path, line, why, "regions", remedy)


def located[Place](
    path: Path, region: Region, find: Callable[[str], tuple[Place, int] | None]
) -> LocatedRegion[Place]:
    """Where a region's sequence is, and which part of it; raises InvalidParameter.

    `find` gives what is known of a name, and its length.
    """
    name, start, stop, line = region
    sequence = find(name)
    if stop is None and (parts := _as_samtools(name)) is not None:
        shorter, begin, end = parts
        if sequence is None:
            name, start, stop, sequence = shorter, begin, end, find(shorter)
        elif find(shorter) is not None:
            why = tr("{name} is a sequence, and a part of {other}", name=name, other=shorter)
            whole, part = "{" + name + "}", "{" + shorter + "}" + name[len(shorter) :]
            remedy = tr("write {whole} or {part}", whole=whole, part=part)
            raise refused_line(path, line, why, "regions", remedy)
    if sequence is None:
        why = tr("the dataset has no sequence {name}", name=region.name)
        raise refused_line(path, line, why, "regions", _other_name(name, find))
    place, length = sequence
    stop = length if stop is None else stop
    if start < length:
        _require_bases(path, line, start, stop)
    if not 0 <= start < stop <= length:
        why = tr(
            "{name} has 1 base, so not this part of it",
            "{name} has {count:,} bases, so not this part of it",
            count=length,
            name=name,
        )
        raise refused_line(path, line, why, "regions")
    return LocatedRegion(name, place, length, start, stop)


def _as_samtools(written: str) -> tuple[str, int, int | None] | None:
    """The name, start and stop of `chr1:101-200`, `chr1:-200`, `chr1:1k`, `{a:b}:5-9`."""
    name, part = braced.groups() if (braced := _BRACED.fullmatch(written)) else ("", None)
    if braced and part is None:
        return name, 0, None
    parts = _OF_SAMTOOLS.fullmatch(f"_:{part}" if braced else written)
    if parts is None:
        return None
    name = name or parts[1]
    first, last = _number(parts[2]), _number(parts[4] or "")
    return name, 0 if first is None else first - 1, last


def _number(written: str) -> int | None:
    """As samtools reads it: `1,500`, `1.5k`; None where there is none."""
    digits = written.replace(",", "").lower()
    factor = _FACTORS.get(digits[-1:], 1)
    digits = digits.rstrip("kmg")
    return int(float(digits) * factor) if digits else None


def _other_name(name: str, find: Callable[[str], object]) -> str:
    """What the same sequence may be called there: `chr1` for `1`."""
    bare = name.removeprefix("chr")
    mitochondrial = {"M": ("chrM", "MT"), "MT": ("chrM",)}
    for other in (f"chr{name}", bare, *mitochondrial.get(bare, ())):
        if other and other != name and find(other) is not None:
            return tr("did you mean {name}?", name=other)
    return ""
