"""Sluice's own JSON: everything, as one object with `format`, `version` and `results`.

What is written is imported again; its JSON Schema is the same for all results.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import batched
from typing import Any, BinaryIO, Literal

import msgspec

from core.judge import CoreAccount
from core.language import UsageError, escaped_json, sluice_version
from core.vocabulary import METRICS, Moment, Result, check_result, counters_of, ending

DOCUMENT_VERSION = 3
"""Versions 1 and 2 were written by checkouts before the first release."""


class ExportedResult(Result, frozen=True, kw_only=True):
    """A result with figures that other programs would have to compute; ignored by the import."""

    ending: str
    metrics: dict[str, tuple[float | None, ...]]
    """One value for each trial; no throughput where a trial is not valid."""
    cores: CoreAccount | None = None
    """Granted and used, and what 1,000 runs of a program keep; none of other workloads."""


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """Results of Sluice, as complete as in a session."""

    format: Literal["sluice-results"] = "sluice-results"
    version: int = DOCUMENT_VERSION
    sluice: str
    results: tuple[ExportedResult, ...]


def document(results: Sequence[Result]) -> Document:
    return Document(sluice=sluice_version(), results=tuple(map(_exported, results)))


def _exported(result: Result) -> ExportedResult:
    return ExportedResult(
        spec=result.spec,
        environment=result.environment,
        file_system=result.file_system,
        trials=result.trials,
        ending=ending(result),
        metrics={
            metric.key: tuple(metric.of(trial) for trial in result.trials)
            for metric in (*counters_of([result]), *METRICS.values())
        },
        cores=CoreAccount.of(result),
    )


def plain(result: ExportedResult) -> Result:
    """The result within an exported one."""
    return Result(
        spec=result.spec,
        environment=result.environment,
        file_system=result.file_system,
        trials=result.trials,
    )


_LONG = ("results", "trials", "moments")
"""Fields whose items are written one after the other: a large session is more than memory holds."""
_TOGETHER = 256
"""Moments that are encoded at once."""


def write_json(results: Sequence[Result], stream: BinaryIO) -> None:
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


def json_schema() -> dict[str, Any]:
    """The schema, in the dialect of 2020-12."""
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema = dialect | msgspec.json.schema(Document)
    figures = schema["$defs"]["ExportedResult"]["properties"]["metrics"]
    each = figures["additionalProperties"]
    figures["properties"] = {
        key: {**each, "description": metric.help} for key, metric in METRICS.items()
    }
    figures["required"] = list(METRICS)
    return schema


def write_schema(results: Sequence[Result], stream: BinaryIO) -> None:
    stream.write(json.dumps(json_schema(), indent=1).encode() + b"\n")


class _Head(msgspec.Struct):
    format: str
    version: int = 0


def parse_json(content: bytes) -> tuple[Result, ...]:
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
