"""The sequences of a FASTA file as a table: names in one text, numbers in an array.

A file can hold millions of sequences; an object for each takes ten times the memory of the file's
index, and more time than to read the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple, override

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Numbers = NDArray[np.int64]

_NUMBERS = Struct("=4q")
_TOGETHER = 1 << 14
"""Records that are objects at the same time."""


class FaiRecord(NamedTuple):
    """Where a sequence is and how it is laid out; lengths in bases, the rest in bytes."""

    name: str
    length: int
    offset: int
    line_bases: int
    line_width: int

    def place(self, base: int) -> int:
        if not self.line_bases:
            return self.offset
        line, column = divmod(base, self.line_bases)
        return self.offset + line * self.line_width + column


class FaiRows:
    """Records in the order of a file, of which several can have one name."""

    def __init__(self, names: bytes | bytearray | memoryview, numbers: Numbers) -> None:
        """names: in UTF-8, a line each; numbers: the other fields of a record in each row."""
        self.names = names
        self.numbers = numbers

    @staticmethod
    def of(batches: Iterable[Iterable[FaiRecord]]) -> FaiRows:
        """All records of these batches together."""
        names, numbers = bytearray(), bytearray()
        for batch in batches:
            if isinstance(batch, FaiRows):
                names += batch.names
                numbers += batch.numbers.tobytes()
            else:
                for record in batch:
                    names += record.name.encode() + b"\n"
                    numbers += _NUMBERS.pack(*record[1:])
        return FaiRows.stored(names, numbers)

    @staticmethod
    def stored(names: bytearray | memoryview, numbers: bytearray | memoryview) -> FaiRows:
        """Of both as bytes; each number of eight."""
        import numpy as np

        return FaiRows(names, np.frombuffer(numbers, np.int64).reshape(-1, 4))

    @cached_property
    def repeated(self) -> bool:
        """Whether two have one name."""
        import numpy as np

        hashes = np.sort(self.hashes)
        alike = bool((hashes[1:] == hashes[:-1]).any())  # which different names can have, too
        return alike and len(set(self.encoded_names())) < len(self)

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[FaiRecord]:
        for names, numbers in self._parts():
            for name, row in zip(names, numbers.tolist(), strict=True):
                yield FaiRecord(name.decode(), *row)

    def lines(self) -> Iterator[bytes]:
        """As an index file has them, many at a time."""
        for names, numbers in self._parts():
            rows = zip(names, *numbers.T.tolist(), strict=True)
            yield b"".join([b"%b\t%d\t%d\t%d\t%d\n" % row for row in rows])

    def encoded_names(self) -> Iterator[bytes]:
        return chain.from_iterable(names for names, _ in self._parts())

    def _parts(self) -> Iterator[tuple[list[bytes], Numbers]]:
        start = 0
        for first in range(0, len(self), _TOGETHER):
            numbers = self.numbers[first : first + _TOGETHER]
            end = int(self._name_ends[first + len(numbers) - 1])
            yield bytes(self.names[start:end]).split(b"\n"), numbers
            start = end + 1

    @cached_property
    def _name_ends(self) -> Numbers:
        import numpy as np

        return np.flatnonzero(np.frombuffer(self.names, np.uint8) == ord("\n"))

    def record(self, row: int) -> FaiRecord:
        start = int(self._name_ends[row - 1]) + 1 if row else 0
        name = bytes(self.names[start : int(self._name_ends[row])])
        return FaiRecord(name.decode(), *self.numbers[row].tolist())

    @property
    def lengths(self) -> Numbers:
        return self.numbers[:, 0]

    @cached_property
    def hashes(self) -> Numbers:
        """Of the names, in this process."""
        import numpy as np

        return np.fromiter(map(hash, self.encoded_names()), np.int64, len(self))


class FaiTable(Mapping[str, FaiRecord]):
    """Records by name; of several with one name the first counts, as in htslib."""

    def __init__(self, rows: FaiRows) -> None:
        self.rows = _without_repeats(rows) if rows.repeated else rows

    @override
    def __len__(self) -> int:
        return len(self.rows)

    @override
    def __iter__(self) -> Iterator[str]:
        return (name.decode() for name in self.rows.encoded_names())

    @override
    def __getitem__(self, name: str) -> FaiRecord:
        hashes, order = self._sorted_hashes
        name_hash = hash(name.encode(errors="surrogateescape"))
        place = int(hashes.searchsorted(name_hash))
        while place < len(hashes) and hashes[place] == name_hash:
            record = self.rows.record(int(order[place]))
            if record.name == name:
                return record
            place += 1
        raise KeyError(name)

    @cached_property
    def _sorted_hashes(self) -> tuple[Numbers, Numbers]:
        """The hashes of all names, sorted, and the rows that have them."""
        order = self.rows.hashes.argsort()
        return self.rows.hashes[order], order


def _without_repeats(rows: FaiRows) -> FaiRows:
    first: dict[bytes, int] = {}
    for row, name in enumerate(rows.encoded_names()):
        first.setdefault(name, row)
    unique = FaiRows(b"".join(name + b"\n" for name in first), rows.numbers[list(first.values())])
    unique.repeated = False
    return unique
