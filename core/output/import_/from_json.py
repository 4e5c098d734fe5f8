"""Sluice's own JSON export."""

from __future__ import annotations

import msgspec

from core.errors import UsageError
from core.output.export.json_document import DOCUMENT_VERSION, Document, plain
from core.result.result import Result
from core.result.soundness import check_result


class _Head(msgspec.Struct):
    format: str
    version: int = 0


def parse(content: bytes) -> tuple[Result, ...]:
    """The results in a document; raises UsageError, UnsoundError and msgspec.MsgspecError."""
    head = msgspec.json.decode(content, type=_Head)
    if head.format != "sluice-results":
        raise UsageError(f"the format {head.format[:40]!r} is not known")
    if head.version > DOCUMENT_VERSION:
        raise UsageError(
            f"the export has version {head.version}, and this Sluice knows up to {DOCUMENT_VERSION}",
            "update Sluice",
        )
    if head.version < DOCUMENT_VERSION:
        raise UsageError(
            f"the export has version {head.version}, from before Sluice 1.0",
            "measure again with this version",
        )
    results = tuple(map(plain, msgspec.json.decode(content, type=Document).results))
    for result in results:
        check_result(result)
    return results
