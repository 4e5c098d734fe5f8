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

from core import DatasetError, Tell, tell_nobody, tr
from workloads.fasta.bgzf import Content
from workloads.fasta.fai import Record
from workloads.fasta.indexes import Source, kept
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
        of = tr("1 base", "{count:,} bases", count=wanted)
        return f"{'short' if len(bases) < wanted else 'long'}: {len(bases):,} of {of}"
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

    def __init__(
        self, place: Path, compute: Callable[[bool], Drawn], tell: Tell = tell_nobody
    ) -> None:
        self.fetches, self.left_out = kept(place, Drawn, lambda: compute(False), tell)
        self._place = place
        self._tell = tell
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
            drawn = kept(self._place, Drawn, lambda: self._compute(True), self._tell, anew=True)
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
    # Draws are with replacement, so a place can be wanted often; its answer is worked out once.
    by_file: dict[str, dict[_Slice, Wanted]] = {}
    for one in wanted:
        by_file.setdefault(one.file, {})[_slice(one)] = one
    total = sum(one.stop - one.start for some in by_file.values() for one in some.values())
    expected: dict[_Slice, Expected] = {}
    done = 0
    for file, slices in by_file.items():
        source = sources[file]
        tell("preparing answers", done, total, "bases")
        with source.form.open(source.path) as content:
            records = records_of(source, content, list(slices.values()))
            # In the order of the file, so that each BGZF block is inflated once.
            for key in sorted(slices, key=lambda key: (records[key[1]].offset, key[2])):
                tell("preparing answers", done, total, "bases")
                one = slices[key]
                bases = _bases(content, records[one.sequence], one.start, one.stop)
                if len(bases) != one.stop - one.start:
                    raise DatasetError(
                        tr("{path} was changed while it was read", path=source.path),
                        tr("measure on data that nobody writes"),
                    )
                expected[key] = expected_of(bases.decode("ascii", "replace"))
                done += len(bases)
    return [Fetch(*one[:4], expected[_slice(one)]) for one in wanted]


type _Slice = tuple[str, str, int, int]


def _slice(one: Wanted) -> _Slice:
    return one.file, one.sequence, one.start, one.stop


def _bases(content: Content, record: Record, start: int, stop: int) -> bytes:
    if start == stop:
        return b""
    begin, end = record.place(start), record.place(stop - 1) + 1
    return content.read(begin, end - begin).translate(None, SPACE + b"\n")
