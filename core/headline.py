"""The first sentence about some results, in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from core.naming import BESIDE_THE_POINT, told
from core.outcome import Cancelled
from core.parameters import Value
from core.plan import differing
from core.result import Result
from core.summary import RAW, ending, throughput_cell, unit_of
from core.terms import effort_of, limits_of
from core.units import show_byte_rate, show_count, show_seconds
from core.voice import say, word

if TYPE_CHECKING:
    from core.advice import Advice
    from core.study import Reproduction

type Mood = Literal["open", "good", "bad"]


class Headline(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence, what stands behind it, and whether it is good news."""

    mood: Mood
    text: str
    detail: str


def sum_up(
    results: Sequence[Result], of: int, terms: Mapping[str, Value] | None = None
) -> Headline:
    """What these results say so far, of so many configurations that are planned.

    `terms`: the limits that a recommended setting keeps to.
    """
    shown = [result for result in results if result.spec.workload != RAW] or list(results)
    measured = [result for result in shown if result.valid]
    if not measured:
        if not shown:
            return Headline(
                mood="open", text=say("Not yet"), detail=say("Nothing is measured so far.")
            )
        broken = shown[0]
        cancelled = all(isinstance(t.outcome, Cancelled) for r in shown for t in r.trials)
        return Headline(
            mood="open" if cancelled else "bad",
            text=say("No throughput: {why}.", why=ending(broken)),
            detail=_complaints(broken),
        )
    if len(shown) >= of and (advised := _advised(results, terms or {})) is not None:
        return advised
    best = max(measured, key=lambda result: result.median("throughput") or 0.0)
    names = [n for n in differing([r.spec for r in shown]) if n not in BESIDE_THE_POINT]
    broken_ones = len(shown) - len(measured)
    setting, rate = told(best.spec, names), throughput_cell(best).text
    if not names:
        text = rate
    elif len(measured) > 1:
        text = say(
            "Fastest of {count} is {setting}: {rate}",
            count=len(measured),
            setting=setting,
            rate=rate,
        )
    else:
        text = f"{setting}: {rate}"
    parts = [_told_bytes(best), _told_p99(best), _wrong_in(0, _checked(best))]
    if broken_ones:
        parts.append(
            say(
                "{count} of {of} configurations have no throughput",
                count=broken_ones,
                of=len(shown),
            )
        )
    if len(shown) < of:
        parts.append(_so_far(len(shown), of))
    return Headline(
        mood="open" if len(shown) < of else "good",
        text=text,
        detail=" · ".join(part for part in parts if part),
    )


def headline_of_study(
    found: Reproduction, results: Sequence[Result], of: int, terms: Mapping[str, Value]
) -> Headline:
    """What became of a study's claims, once so many configurations are measured.

    Of a study without claims, or without one valid result, what `sum_up` says.
    """
    shown = [result for result in results if result.spec.workload != RAW]
    if not found.judged or not any(result.valid for result in shown):
        return sum_up(results, of, terms)
    claims: dict[str, list[str]] = {}
    for one in found.judged:
        claims.setdefault(one.judgement.value, []).append(word(one.claim.text))
    total, yes = len(found.judged), len(claims.get("reproduced", ()))
    no, untold = claims.get("not reproduced", []), len(claims.get("cannot tell", ()))
    parts = []
    if len(no) == 1:
        parts.append(say("1 is not: {claim}", claim=no[0]))
    elif no:
        parts.append(say("{count} are not: {claims}", count=len(no), claims="; ".join(no)))
    if untold:
        parts.append(say("{count} cannot be told from these trials", count=untold))
    parts.append(_told_wrong(shown))
    if len(shown) < of:
        parts.append(_so_far(len(shown), of))
    text = (
        say("1 of {total} published claims is reproduced here.", total=total)
        if yes == 1
        else say("{yes} of {total} published claims are reproduced here.", yes=yes, total=total)
    )
    return Headline(
        mood="good" if len(shown) >= of and 2 * yes > total else "open",
        text=text,
        detail=" · ".join(parts),
    )


def _told_wrong(results: Sequence[Result]) -> str:
    wrong = sum(trial.wrong for result in results for trial in result.trials)
    checked = sum(_checked(result) for result in results) + wrong
    return _wrong_in(wrong, checked)


def _wrong_in(wrong: int, checked: int) -> str:
    return say("{wrong} wrong in {checked}", wrong=show_count(wrong), checked=show_count(checked))


def _so_far(done: int, of: int) -> str:
    return say("{done} of {of} configurations measured so far", done=done, of=of)


def _advised(results: Sequence[Result], terms: Mapping[str, Value]) -> Headline | None:
    """The setting to use, where threads were varied and anything was usable."""
    from core.advising import advise

    advice = advise(results, limits_of(terms), effort_of(terms).near)
    return None if advice is None or not advice.values else headline_of(advice)


def headline_of(advice: Advice) -> Headline:
    """Advice as a sentence and what stands behind it."""
    return Headline(
        mood="good" if advice.confident else "open",
        text=advice.sentence,
        # Where it is not sure, the sentence has the first reason already.
        detail=" ".join(
            reason[:1].upper() + reason[1:] for reason in advice.reasons[not advice.confident :]
        ),
    )


def _checked(result: Result) -> int:
    return sum(trial.operations for trial in result.trials)


def _told_bytes(result: Result) -> str:
    rate = result.median("byte_rate")
    return show_byte_rate(rate) if rate else ""


def _told_p99(result: Result) -> str:
    p99 = result.median("p99")
    if not p99:
        return ""
    units = word(f"{unit_of(result)}s")
    return say("99 % of the {units} within {time}", units=units, time=show_seconds(p99))


def _complaints(result: Result) -> str:
    texts = dict.fromkeys(c.text for trial in result.trials for c in trial.complaints)
    last_words = dict.fromkeys(
        words for trial in result.trials if (words := getattr(trial.outcome, "last_words", ""))
    )
    return " · ".join([*texts, *last_words][:2])
