"""Measurements by other programs: how a file of them is read, and how they compare with ours.

hyperfine measures one command after the other, and Sluice trials of many runs; either way a value
is runs per second, and a pair is judged as any other.  What fio calls an operation is a block of
`raw`.

    results_or_others = read(Path("results.json"))
"""

from __future__ import annotations

import importlib
import json
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from core.judge import FiguresBeside, compare_with_figures, means_value, typical
from core.language import UsageError, show_size, tr
from core.vocabulary import (
    MARGIN,
    Result,
    UnsoundError,
    Value,
    Verdict,
    VerdictKind,
    differing,
    ending,
    label,
    subject_of,
)


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """Throughputs of one configuration, comparable with those of a result."""

    label: str
    unit: str
    """What is counted, in the singular: `run`, `operation`, `byte`."""
    values: tuple[float, ...]
    """Units per second, one value for each repetition; none where the measurement is not valid."""
    source: str
    """The program and, where it tells, its version."""
    ending: str = "completed"
    """Why there are no values, or fewer than were measured."""
    parameters: Mapping[str, str] = {}
    """Values that set it apart from others of the same scan."""
    latencies: Mapping[str, float] = {}
    """Seconds by percentile, such as `p99`, in which that share of the operations ended."""
    reads: bool = True
    """False for what only wrote, or did both."""
    comparable: bool = True
    """Whether any of them did its work."""
    cold: bool = False
    """Whether its files were taken out of the page cache, or past it."""


_HOMES = {
    "format": "core.tell.exchange.json_format:parse_json",
    "jobs": "core.tell.exchange.fio:parse_fio",
    "client_stats": "core.tell.exchange.fio:parse_fio",
    "results": "core.tell.exchange.hyperfine:parse_hyperfine",
}
"""By the member of the outermost object that identifies a format; the first match counts."""
_FIRST = re.compile(r"^\{", re.MULTILINE)
_NEXT = re.compile(r"\s*\{")
_DECODER = json.JSONDecoder()
_MOST = 4 << 30
"""Bytes of an export."""


def read(path: Path) -> tuple[Result, ...] | tuple[Imported, ...]:
    """What a JSON export of Sluice, hyperfine or fio holds; raises UsageError."""
    content = _content(path)
    try:
        documents = _documents(content)
        members = msgspec.json.decode(documents[0], type=dict[str, msgspec.Raw])
        home = next((home for name, home in _HOMES.items() if name in members), None)
        if home is None:
            raise UsageError(f"{path} is no JSON export of Sluice, hyperfine or fio")
        measurements: tuple[Result, ...] | tuple[Imported, ...]
        module, _, function = home.partition(":")
        measurements = getattr(importlib.import_module(module), function)(*documents)
    except (msgspec.MsgspecError, ValueError, UnsoundError, RecursionError) as error:
        raise UsageError(f"{path} cannot be imported: {error}") from error
    if not measurements:
        raise UsageError(f"{path} has no measurement", "let the program that wrote it measure one")
    return measurements


def _documents(content: bytes) -> list[bytes]:
    """The JSON documents among other lines; raises ValueError for one that is not whole.

    fio prints notes before its JSON, with --output-format=json,normal a report behind it, and with
    --status-interval one document after the other.
    """
    start = max(content.find(b"{"), 0)
    try:
        msgspec.json.decode(content[start:], type=msgspec.Raw)
        return [content[start:]]
    except msgspec.MsgspecError:
        text = content.decode()
    documents = []
    at = 0
    while begin := _NEXT.match(text, at) or _FIRST.search(text, at):
        _, at = _DECODER.raw_decode(text, begin.end() - 1)
        documents.append(text[begin.end() - 1 : at].encode())
    return documents or [content]


def _content(path: Path) -> bytes:
    """The bytes of a file or of a pipe; raises UsageError for what has no end."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            raise UsageError(f"{path} is a device", "name a file")
        with path.open("rb") as file:
            content = file.read(_MOST + 1) if path.stat().st_size <= _MOST else None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    if content is None or len(content) > _MOST:
        raise UsageError(f"{path} is too large for an export")
    return content


type Pair = tuple[Imported, Result]


def pair_up(imported: Sequence[Imported], results: Sequence[Result]) -> tuple[Pair, ...]:
    """Each measurement with the result of the same values; raises UsageError where that is unclear.

    The values are those of the parameters in which either side's entries differ.  A measurement
    without a result of its values has no pair.  Where some count what results here count, such as
    operations, those of other units, such as bytes, are left out.
    """
    counted = [one for one in imported if any(_counts_the_same(one, here) for here in results)]
    imported = counted or imported
    names = _names(imported, results)
    pairs = []
    for one in imported:
        fits = [result for result in results if _fits(one, result, names)]
        if len(fits) > 1:
            raise _ambiguous(one, fits)
        pairs += [(one, result) for result in fits]
    return tuple(pairs)


def compare_imported(pairs: Sequence[Pair], margin: float = MARGIN) -> tuple[Verdict, ...]:
    """Judge results against measurements by another program, a family together."""
    names = differing([result.spec for _, result in pairs])
    return compare_with_figures([_beside(one, result, names, margin) for one, result in pairs])


def _names(imported: Sequence[Imported], results: Sequence[Result]) -> tuple[str, ...]:
    """Parameters that tell entries apart; raises UsageError for one that no result has."""
    imported_names = dict.fromkeys(name for one in imported for name in one.parameters)
    here = differing([result.spec for result in results])
    varying = [
        name
        for name in imported_names
        if name in here or len({one.parameters.get(name) for one in imported}) > 1
    ]
    names = {name for result in results for name in result.spec.values}
    for name in varying:
        if name not in names:
            raise UsageError(
                tr(
                    "{source} varies {name}, which is no parameter here",
                    source=imported[0].source,
                    name=name,
                ),
                tr(
                    "name it as the placeholder here; known: {names}",
                    names=", ".join(sorted(names)),
                ),
            )
    return tuple(varying)


def _counts_the_same(one: Imported, result: Result) -> bool:
    unit = result.unit
    return one.unit == unit or ((one.unit, unit) == ("operation", "block") and one.reads)


def _fits(one: Imported, result: Result, names: Sequence[str]) -> bool:
    values: Mapping[str, object] = result.spec.values
    return all(
        name not in one.parameters or means_value(one.parameters[name], result.spec.values[name])
        for name in names
        if name in values
    )


def _ambiguous(one: Imported, fits: Sequence[Result]) -> UsageError:
    names = differing([result.spec for result in fits]) or ("run",)
    return UsageError(
        tr("{count} results here could be meant by {name}", count=len(fits), name=one.label),
        tr(
            "say which, such as #{name}={value}",
            name=names[0],
            value=fits[0].spec.values.get(names[0], "…"),
        ),
    )


def _beside(one: Imported, result: Result, names: Sequence[str], margin: float) -> FiguresBeside:
    remark = tr("the machine and the data of {source} are not known", source=one.source)
    remarks = (*_otherwise(one, result), remark)
    if one.ending != "completed":
        remarks = (tr("{source}: {why}", source=one.source, why=one.ending), *remarks)
    undecided = Verdict(
        kind=VerdictKind.INVALID,
        metric="throughput",
        margin=margin,
        baseline=tr("{name} ({source})", name=one.label, source=one.source),
        candidate=label(result.spec, names) if names else subject_of(result.spec) or "B",
        trials=(len(one.values), len(result.finished_trials)),
        reasons=tuple(_obstacles(one, result)),
    )
    return FiguresBeside(undecided, one.values, result, remarks)


def _obstacles(one: Imported, result: Result) -> Iterator[str]:
    if not one.values or not one.comparable:
        yield tr("the baseline has no values: {why}", why=one.ending)
    if not result.valid:
        yield tr("the candidate has no throughput: {why}", why=ending(result))
    elif not typical(result):
        yield tr("the candidate has a trial whose {metric} is 0", metric="throughput")
    unit = result.unit
    if not one.reads and unit == "block":
        yield tr("the baseline writes, the candidate reads")
    elif not _counts_the_same(one, result):
        yield tr("the baseline counts {one}s, the candidate {two}s", one=one.unit, two=unit)
    elif result.spec.load.processes > 1 and one.unit == "run":
        yield tr("the candidate ran several at once, the baseline one after the other")
    elif unit == "block":
        yield from _other_blocks(one.parameters.get("block_size"), result.spec.values["block_size"])


def _other_blocks(theirs: str | None, ours: Value) -> Iterator[str]:
    if theirs is None:
        yield tr("the baseline reads blocks of several sizes")
    elif not means_value(theirs, ours):
        yield tr(
            "the baseline reads blocks of {theirs}, the candidate of {ours}",
            theirs=show_size(float(theirs)),
            ours=show_size(float(ours)),
        )


def _otherwise(one: Imported, result: Result) -> Iterator[str]:
    """In what else the settings differ, where both sides have only one."""
    past_cache = result.spec.load.page_cache == "cold" or result.spec.values.get("direct")
    if one.cold and not past_cache:
        yield tr("{source} read from storage, not out of the page cache", source=one.source)
    for name, theirs in one.parameters.items():
        ours = result.spec.values.get(name)
        if ours is not None and not means_value(theirs, ours):
            yield tr(
                "{source} measured with {name} {theirs}, not {ours}",
                source=one.source,
                name=name,
                theirs=theirs,
                ours=ours,
            )
