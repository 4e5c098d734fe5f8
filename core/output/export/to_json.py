"""Everything, as JSON: one object with `format`, `version` and `results`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import batched
from typing import BinaryIO

import msgspec

from core.language.translation import escaped_json
from core.output.export.json_document import document
from core.result.moments import Moment
from core.result.result import Result

_LONG = ("results", "trials", "moments")
"""Fields whose items are written one after the other: a large session is more than memory holds."""
_TOGETHER = 256
"""Moments that are encoded at once."""


def write(results: Sequence[Result], stream: BinaryIO) -> None:
    """Write the document.  Invisible characters are escaped, so that a terminal shows them."""
    stream.writelines(escaped_json(piece) for piece in _pieces(document(results)))
    stream.write(b"\n")


def _pieces(struct: msgspec.Struct) -> Iterator[bytes]:
    """A struct as msgspec encodes it, in pieces that end where a value does."""
    for place, name in enumerate(struct.__struct_fields__):
        yield b'%s"%s":' % (b"," if place else b"{", name.encode())
        value = getattr(struct, name)
        if name not in _LONG:
            yield msgspec.json.encode(value)
            continue
        yield b"["
        items = _few_moments(value) if name == "moments" else map(_pieces, value)
        for at, item in enumerate(items):
            if at:
                yield b","
            yield from item
        yield b"]"
    yield b"}"


def _few_moments(moments: Iterable[Moment]) -> Iterator[tuple[bytes]]:
    """Each item has some of them, without brackets."""
    for few in batched(moments, _TOGETHER):
        yield (msgspec.json.encode(few)[1:-1],)
