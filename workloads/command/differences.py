"""In what two outputs differ: lines that are missing, another order, a cut, a byte.

Files are read once, side by side, in pieces; what is remembered of lines is their digests, and no
more of these than fit into some tens of MiB.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple, Protocol

from core import SluiceError, one_line, tr
from workloads.command.content import (
    DAMAGED,
    DECODED,
    NOTHING_KNOWN,
    Content,
    Form,
    form_of,
    pieces_of,
)
from workloads.command.formats import RECORDS, SAM_HEADERS
from workloads.command.program_run import files_below, is_data

_SORT = "LC_ALL=C sort"
_MOST_UNITS = 20_000_000
"""Lines or records that are compared; of more it is only said where they first differ."""
_MOST_APART = 300_000
"""Digests of lines that only one output had so far."""
_SHOWN = 60
_DECOMPRESS = {"gzip": "gzip -dc", "bzip2": "bzip2 -dc", "xz": "xz -dc"}


@dataclass(frozen=True)
class RunOutput:
    """What a run put out, as far as it counts: the folder of its files, what it wrote to stdout."""

    folder: Path | None = None
    stdout: Path | None = None
    seconds: float = 0.0
    """How long the run took."""

    @property
    def files(self) -> Mapping[str, Path]:
        """By the names they have in messages."""
        files = {} if self.stdout is None else {"stdout": self.stdout}
        if self.folder is not None:
            for file in filter(is_data, files_below(self.folder)):
                files[str(file.relative_to(self.folder))] = file
        return files

    @property
    def is_empty(self) -> bool:
        """Whether no file is there, but for what went to stdout; that alone may well be nothing."""
        return self.folder is not None and not any(
            name != "stdout" or file.stat().st_size for name, file in self.files.items()
        )


class Comparer(Protocol):
    """Knows how files are compared."""

    def content(self, file: Path) -> Content:
        """What counts of it."""

    def line_for(self, file: Path) -> str:
        """The line of a shell through which it is compared; empty = as it is."""

    def filtered(self, file: Path, line: str) -> str:
        """The digest of what a line leaves of it; raises SluiceError where it fails."""

    def shown(self, file: Path) -> AbstractContextManager[Path]:
        """A file that holds what that line shows of it; the file itself where there is none."""


class Difference(NamedTuple):
    where: str
    """Empty = there is none."""
    remedy: str = ""
    is_order: bool = False
    """Whether nothing but the order of lines or records differs."""


def difference(right: RunOutput, other: RunOutput, comparer: Comparer) -> Difference:
    """In what `other` differs from what is right, and what to do about it."""
    there, here = right.files, other.files
    if missing := sorted(there.keys() - here.keys()):
        return Difference(tr("{name} is missing", name=missing[0]))
    if more := sorted(here.keys() - there.keys()):
        return Difference(tr("{name} is there in addition", name=more[0]))
    pairs = {
        name: (file, here[name])
        for name, file in there.items()
        if comparer.content(file).digest != comparer.content(here[name]).digest
    }
    if not pairs:
        return Difference("")
    differences = {name: _of_files(*pair, comparer) for name, pair in pairs.items()}
    is_order = all(one.is_order for one in differences.values())
    # What is worse than another order is told first.
    name = next(name for name, one in differences.items() if is_order or not one.is_order)
    where = tr("{name}: {difference}", name=name, difference=differences[name].where)
    if len(pairs) > 1:
        where = tr(
            "{where}, and 1 more file",
            "{where}, and {count:,} more files",
            count=len(pairs) - 1,
            where=where,
        )
    written = _agreeing_filter(list(pairs.values()), comparer)
    return Difference(where, _remedy(written) if written else "", is_order)


def _remedy(written: str) -> str:
    quoted = '"' + written + '"' if "'" in written else f"'{written}'"
    if _SORT in written:
        return tr(
            "nothing but the order of lines differs: give --normalise {filter}", filter=quoted
        )
    return tr("nothing but header lines differ: give --normalise {filter}", filter=quoted)


def _agreeing_filter(pairs: Sequence[tuple[Path, Path]], comparer: Comparer) -> str:
    """The first filter behind which all pairs agree; empty where there is none."""
    for written in _filters_for(pairs[0][0], comparer):
        try:
            if all(
                comparer.filtered(one, written) == comparer.filtered(other, written)
                for one, other in pairs
            ):
                return written
        except SluiceError:  # it is no file of that kind
            continue
    return ""


def _filters_for(file: Path, comparer: Comparer) -> Iterator[str]:
    """Filters that leave out what programs often write in another way each time."""
    if file.is_symlink():
        return
    if line := comparer.line_for(file):
        yield f"{line} | {_SORT}"
        return
    form = comparer.content(file).form
    if form.format == "BAM" and shutil.which("samtools") is not None:
        yield f"{DECODED} | {_SORT}"
    if not form.is_text:
        return
    before = f"{_DECOMPRESS[form.compression]} | " if form.compression else ""
    if form.format == "header":
        first = next(pieces_of(file, form, Counter()), b"")
        header = "@PG" if first.startswith(SAM_HEADERS) else "#"
        yield f"{before}sed '/^{header}/d'"
        yield f"{before}sed '/^{header}/d' | {_SORT}"
    yield before + _SORT


def _of_files(right: Path, other: Path, comparer: Comparer) -> Difference:
    if right.is_symlink() or other.is_symlink():
        return Difference(tr("its link leads elsewhere"))
    content = comparer.content(right)
    damage = comparer.content(other).damage
    if damage and not content.damage:
        plain = _Comparison(NOTHING_KNOWN).of(right, other).where
        return Difference(tr("damaged or cut ({damage}): {where}", damage=damage, where=plain))
    with comparer.shown(right) as readable, comparer.shown(other) as other_readable:
        form = NOTHING_KNOWN
        with suppress(*DAMAGED):
            form = form_of(readable)
            if form == form_of(other_readable):
                return _Comparison(form).of(readable, other_readable)
        return _Comparison(NOTHING_KNOWN).of(readable, other_readable)


def _units(file: Path, form: Form, left_out: Counter[str]) -> Iterator[bytes]:
    """Lines or records; of anything else, pieces."""
    pieces = pieces_of(file, form, left_out, whole=True)
    if not form.is_text:
        yield from pieces
        return
    begun = b""
    for piece in pieces:
        *lines, begun = (begun + piece).split(b"\n")
        yield from (line + b"\n" for line in lines)
    if begun:
        yield begun


class _Comparison:
    """Two files, read side by side as one form."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._has_units = form.is_text or form.format in RECORDS
        self._left_out = Counter[str]()
        self._same = self._bytes_same = 0
        """Units that are the same, and their bytes, before the first that differs."""
        self._first: tuple[bytes, bytes] | None = None
        """The first pair that differs; empty where a file has ended."""
        self._sizes = [0, 0]
        self._counts = [0, 0]
        """Of the units from there on."""
        self._sums = [0, 0]
        """Of the digests of these, in whatever order they come."""
        self._apart = Counter[bytes]()
        """By digest, how many more the second has."""

    def of(self, right: Path, other: Path) -> Difference:
        first = _units(right, self._form, self._left_out)
        for one, two in zip_longest(first, _units(other, self._form, Counter()), fillvalue=b""):
            self._sizes[0] += len(one)
            self._sizes[1] += len(two)
            if self._first is None and one == two:
                self._same += 1
                self._bytes_same += len(one)
                continue
            self._first = self._first or (one, two)
            if self._has_units:
                self._count(one, 0)
                self._count(two, 1)
                if self._counts[0] > _MOST_UNITS:
                    break
        return self._difference()

    def _count(self, unit: bytes, side: int) -> None:
        if not unit:
            return
        digest = blake2b(unit, digest_size=16).digest()
        self._counts[side] += 1
        self._sums[side] += int.from_bytes(digest)
        if len(self._apart) <= _MOST_APART:
            self._apart[digest] += 2 * side - 1
            if not self._apart[digest]:
                del self._apart[digest]

    def _difference(self) -> Difference:
        if self._first is None:
            return Difference("")
        size, here = self._sizes
        at = self._bytes_same + _common(*self._first)
        is_whole = self._counts[0] <= _MOST_UNITS
        if is_whole and at == here:
            return Difference(tr("cut after {here:,} of {size:,} B", here=here, size=size))
        if is_whole and at == size:
            return Difference(tr("{more:,} B too many at its end", more=here - size))
        if self._has_units and is_whole:
            if self._sums[0] == self._sums[1] and self._counts[0] == self._counts[1]:
                return Difference(self._of_order(), is_order=True)
            if len(self._apart) <= _MOST_APART:
                return Difference(self._of_units())
        return Difference(
            tr(
                "byte {at:,} is the first that differs ({here:,} B, there {size:,} B)",
                at=at + 1,
                here=here,
                size=size,
            )
        )

    @property
    def _place(self) -> int:
        """The number of the first line or record that differs, from 1."""
        if not self._form.is_text:
            return self._same  # the first unit is the header
        return self._same + 1 + self._left_out.total()

    def _of_order(self) -> str:
        facts = {"count": self._same + self._counts[0], "place": self._place}
        if self._form.is_text:
            return tr("the same {count:,} lines in another order, from line {place:,} on", **facts)
        facts["count"] -= 1  # the header
        return tr("the same {count:,} records in another order, from number {place:,} on", **facts)

    def _of_units(self) -> str:
        more = sum(count for count in self._apart.values() if count > 0)
        missing = -sum(count for count in self._apart.values() if count < 0)
        facts = {"count": missing or more, "place": self._place, "more": more}
        if not self._form.is_text:
            return _of_records(missing, more, facts) if self._same else tr("its header differs")
        if not more:
            return tr(
                "1 line is missing, line {place:,}",
                "{count:,} lines are missing, the first is line {place:,}",
                **facts,
            )
        if not missing:
            return tr(
                "1 line is there in addition, line {place:,}",
                "{count:,} lines are there in addition, the first is line {place:,}",
                **facts,
            )
        if missing == more:
            assert self._first is not None
            text = one_line(self._first[1].decode("utf-8", "replace").strip())[:_SHOWN]
            return tr(
                "1 line differs, line {place:,}: {text}",
                "{count:,} lines differ, the first is line {place:,}: {text}",
                text=text,
                **facts,
            )
        return tr(
            "lines missing: {count:,}, in addition: {more:,}, from line {place:,} on", **facts
        )


def _of_records(missing: int, more: int, facts: Mapping[str, int]) -> str:
    if not more:
        return tr(
            "1 record is missing, number {place:,}",
            "{count:,} records are missing, the first is number {place:,}",
            **facts,
        )
    if not missing:
        return tr(
            "1 record is there in addition, number {place:,}",
            "{count:,} records are there in addition, the first is number {place:,}",
            **facts,
        )
    if missing == more:
        return tr(
            "1 record differs, number {place:,}",
            "{count:,} records differ, the first is number {place:,}",
            **facts,
        )
    return tr(
        "records missing: {count:,}, in addition: {more:,}, from number {place:,} on", **facts
    )


def _common(one: bytes, two: bytes) -> int:
    """How many bytes are the same at the start of both."""
    differing = (at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b)
    return next(differing, min(len(one), len(two)))
