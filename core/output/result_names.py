"""Names of results beside each other, and which of them form a curve."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.plan.floor import RAW, without_bare_files
from core.plan.spec import differing, distinguishing, label
from core.result.result import Result

CURVED = ("threads", "processes")
"""Parameters along which results form a curve; the first that varies is used."""


@dataclass(frozen=True)
class ResultCurve:
    """Results that differ in one parameter only, in its order."""

    name: str
    results: tuple[Result, ...]


def names_of(results: Sequence[Result], without: Sequence[str] = ()) -> tuple[str, ...]:
    """What sets each result apart from the others, such as `threads 4 · cache none`."""
    varying = distinguishing([result.spec for result in results], without)
    return tuple(label(result.spec, varying) for result in results)


def names_by_digest(results: Sequence[Result], cells: Mapping[str, Result]) -> dict[str, str]:
    """The name of every result: that of the study's cell, or what sets it apart from others."""
    seen = without_bare_files(results)
    digests = {result.spec.digest for result in seen}
    raw = [result for result in results if result.spec.digest not in digests]
    found = dict(zip((r.spec.digest for r in seen), names_of(seen), strict=True))
    for result, name in zip(raw, names_of(raw), strict=True):
        found[result.spec.digest] = name if name == RAW else f"{RAW} · {name}"
    return found | {result.spec.digest: label for label, result in cells.items()}


def curve_axis(results: Sequence[Result]) -> str | None:
    """The parameter along which throughput is a curve; None where none of them varies."""
    varying = differing([result.spec for result in results])
    return next((name for name in CURVED if name in varying), None)


def result_curves(results: Sequence[Result], axis: str) -> tuple[ResultCurve, ...]:
    """The results as curves along an axis, one for each combination of all else that varies."""
    found: dict[str, list[Result]] = {}
    for name, result in zip(names_of(results, without=(axis,)), results, strict=True):
        found.setdefault(name, []).append(result)
    return tuple(
        ResultCurve(name, tuple(sorted(members, key=lambda result: position(result, axis))))
        for name, members in found.items()
    )


def position(result: Result, axis: str) -> int:
    """The place of a result on the axis."""
    return int(result.spec.values[axis])


def brief(text: str, columns: int) -> str:
    """The text cut to so many columns; East Asian letters take two."""
    width = 0
    for place, letter in enumerate(text):
        width += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if width > columns:
            return f"{text[: max(place - 1, 0)]}…"
    return text
