"""Everything, as JSON: one object with `format`, `version` and `results`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

import msgspec

from core.language.invisible import INVISIBLE
from core.output.export.json_document import document
from core.result.moments import as_moments
from core.result.result import Result


def write(results: Sequence[Result], stream: BinaryIO) -> None:
    """Write the document.  Invisible characters are escaped, so that a terminal shows them."""
    stream.write(escaped(msgspec.json.encode(document(results), enc_hook=as_moments)))
    stream.write(b"\n")


def escaped(encoded: bytes) -> bytes:
    """The same JSON, with every invisible character as an escape; they occur only in strings."""
    return INVISIBLE.sub(lambda found: _escape(found[0]), encoded.decode()).encode()


def _escape(letter: str) -> str:
    units = letter.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
