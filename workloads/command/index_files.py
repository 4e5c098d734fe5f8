"""Indices of BAM, BCF and VCF files: where records are, in bytes from the first of them.

The places in an index count from the start of the file, so they follow the length of its header,
which holds the command line.  From the first record on they are content.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator
from typing import IO

from core import tr

_LONGEST = 1 << 26
"""Bytes; of a larger one all counts as it is."""
_PSEUDO_BIN = 37450
"""Of BAI and TBI: it holds counts of records in place of its second pair of places."""
MAGIC = (b"BAI\1", b"CSI\1", b"TBI\1")


def of_index(source: IO[bytes], left_out: Counter[str], _: bool) -> Iterator[bytes]:
    """Its bytes, with places that count from the first; struct.error where it is damaged."""
    data = bytearray(source.read(_LONGEST + 1))
    if len(data) <= _LONGEST:
        at = list(_Places(bytes(data)).read())
        places = [struct.unpack_from("<Q", data, one)[0] for one in at]
        # The low 16 bits are a place within a block, the others that of the block.
        first = min((place >> 16 for place in places if place), default=0) << 16
        for one, place in zip(at, places, strict=True):
            struct.pack_into("<Q", data, one, place - first if place else 0)
        left_out[tr("the length of the header before the first record")] += 1
    yield bytes(data)


class _Places:
    """Finds where the places in an index are."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 4

    def read(self) -> Iterator[int]:
        magic, pseudo = self._data[:4], _PSEUDO_BIN
        references = 0
        match magic:
            case b"CSI\1":
                _, depth, size = self._take("<iii")
                self._at += size
                pseudo = ((1 << 3 * (depth + 1)) - 1) // 7 + 1
                (references,) = self._take("<i")
            case b"TBI\1":
                references, *_, size = self._take("<8i")
                self._at += size
            case _:
                (references,) = self._take("<i")
        for _ in range(references):
            yield from self._of_reference(pseudo, has_lows=magic == b"CSI\1")

    def _of_reference(self, pseudo: int, *, has_lows: bool) -> Iterator[int]:
        (bins,) = self._take("<i")
        for _ in range(bins):
            (number,) = self._take("<I")
            yield from self._skip(int(has_lows))
            (chunks,) = self._take("<i")
            if number == pseudo and chunks == 2:
                yield from self._skip(2)
                self._take("<QQ")
            else:
                yield from self._skip(2 * chunks)
        if not has_lows:
            yield from self._skip(*self._take("<i"))

    def _skip(self, count: int) -> Iterator[int]:
        for _ in range(count):
            yield self._at
            self._take("<Q")

    def _take(self, form: str) -> tuple[int, ...]:
        numbers = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return numbers
