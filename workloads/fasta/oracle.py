"""What every fetch must return, read from the bytes by our own code.

Indexes beside the data are never trusted.  A file is read completely to find its sequences, and
its indexes must fit them.  In a snapshot, which can be far larger, indexes are hints: the sequence
at the given place is read completely, and must begin with its name, have the given layout, and have
the digest that is its name.  BGZF blocks are found by walking their headers.  So a wrong index or a
faulty library is noticed, and a reader is blamed for neither.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from core import DatasetError, Tell, tr
from workloads.fasta.bgzf import Content
from workloads.fasta.fai import Record
from workloads.fasta.indexes import Source
from workloads.fasta.keeping import kept
from workloads.fasta.sampling import Wanted
from workloads.fasta.scanning import SPACE

_SHORT = 64

type Expected = str | tuple[int, bytes]
"""The bases themselves, or for many bases their number and digest."""


class Fetch(NamedTuple):
    """One item of work and its right answer."""

    where: str
    name: str
    start: int
    stop: int
    expected: Expected


def told(item: Fetch) -> str:
    """A fetch in messages: `NCBI:NM_1, bases 0 to 5`."""
    where = f"{item.where}:{item.name}" if item.where else item.name
    return f"{where}, bases {item.start:,} to {item.stop:,}"


def expected_of(bases: str) -> Expected:
    """The compact form in which bases are compared."""
    if len(bases) <= _SHORT:
        return bases
    return len(bases), hashlib.blake2b(bases.encode(), digest_size=8).digest()


def complaint(expected: Expected, bases: object) -> str:
    """What is wrong with fetched bases; empty when right."""
    if not isinstance(bases, str):
        return f"not text but {type(bases).__name__}"
    wanted = len(expected) if isinstance(expected, str) else expected[0]
    if len(bases) != wanted:
        return f"{'short' if len(bases) < wanted else 'long'}: {len(bases):,} of {wanted:,} bases"
    return "" if expected_of(bases) == expected else "wrong bases"


class Drawn(NamedTuple):
    """What is kept of a draw."""

    fetches: list[Fetch]
    left_out: list[str]
    """Why files of a folder were left out of it."""


class Answers:
    """The fetches, and the check of their results.

    Answers are kept between trials.  Before a reader is blamed, its answers are computed again from
    the data, once: the data may have changed unnoticed, or since the trial began.
    """

    def __init__(self, place: Path, compute: Callable[[bool], Drawn]) -> None:
        self.fetches, self.left_out = kept(place, Drawn, lambda: compute(False))
        self._place = place
        self._compute = compute
        self._lock = Lock()
        self._anew: dict[tuple[str, str, int, int], Expected] | None = None
        self._fault = ""

    def complaint(self, item: Fetch, bases: object) -> str:
        """What is wrong with fetched bases; empty when right."""
        if not complaint(item.expected, bases):
            return ""
        with self._lock:
            if self._anew is None:
                self._work_out_anew()
        expected = (self._anew or {}).get(item[:4])
        if expected is None:
            return self._fault or "the data was changed"
        return complaint(expected, bases)

    def _work_out_anew(self) -> None:
        try:
            drawn = kept(self._place, Drawn, lambda: self._compute(True), anew=True)
            self._anew = {fetch[:4]: fetch.expected for fetch in drawn.fetches}
        except DatasetError as error:
            self._anew, self._fault = {}, str(error)


def answer(
    wanted: Sequence[Wanted],
    sources: Mapping[str, Source],
    records_of: Callable[[Source, Content, Sequence[Wanted]], Mapping[str, Record]],
    tell: Tell,
) -> list[Fetch]:
    """The fetches with their right answers, in the same order; raises DatasetError.

    `records_of` gives the records of all wanted sequences of a file.
    """
    by_file: dict[str, list[int]] = {}
    for place, one in enumerate(wanted):
        by_file.setdefault(one.file, []).append(place)
    expected: dict[int, Expected] = {}
    for done, (file, places) in enumerate(by_file.items()):
        tell("preparing answers", done, len(by_file), "file")
        source = sources[file]
        with source.form.open(source.path) as content:
            records = records_of(source, content, [wanted[place] for place in places])
            # In the order of the file, so that each BGZF block is inflated once.
            for place in sorted(places, key=lambda p: records[wanted[p].sequence].offset):
                one = wanted[place]
                bases = _bases(content, records[one.sequence], one.start, one.stop)
                if len(bases) != one.stop - one.start:
                    raise DatasetError(
                        tr("{path} was changed while it was read", path=source.path),
                        tr("measure on data that nobody writes"),
                    )
                expected[place] = expected_of(bases.decode("ascii", "replace"))
    return [Fetch(*one[:4], expected[place]) for place, one in enumerate(wanted)]


def _bases(content: Content, record: Record, start: int, stop: int) -> bytes:
    if start == stop:
        return b""
    begin, end = record.place(start), record.place(stop - 1) + 1
    return content.read(begin, end - begin).translate(None, SPACE + b"\n")
