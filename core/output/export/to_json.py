"""Everything, as JSON: one object with `format`, `version` and `results`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

import msgspec

from core.language.invisible import escaped_json
from core.output.export.json_document import document
from core.result.moments import as_moments
from core.result.result import Result


def write(results: Sequence[Result], stream: BinaryIO) -> None:
    """Write the document.  Invisible characters are escaped, so that a terminal shows them."""
    stream.write(escaped_json(msgspec.json.encode(document(results), enc_hook=as_moments)))
    stream.write(b"\n")
