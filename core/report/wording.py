"""The headline where no verdict has been given: the figures, put into words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from core.advice import Advice, setting_of
from core.advising import advise
from core.report.content import Card, Chapter
from core.report.naming import shown
from core.result import Result
from core.study import Judgement, judge
from core.summary import throughput, throughput_cell
from core.units import show_count, show_ratio, show_seconds, show_size


def card_of(chapter: Chapter, names: Mapping[str, str]) -> Card:
    """The chapter's own card, or one that says which result was fastest and what did not count."""
    if chapter.card is not None:
        return chapter.card
    results = shown(chapter.results)
    if not results:
        return Card(lead="Nothing has been measured yet.")
    if judged := _judged(chapter):
        return Card(lead=judged, reasons=(*_broken(results),))
    reasons = _broken(results)
    if not any(result.valid for result in results):
        return Card(lead="No answer: not one result is valid.", reasons=reasons)
    if (advice := advise(results)) is not None:
        return Card(lead=advice.sentence, reasons=(*_argued(advice), *reasons), advice=advice)
    return Card(lead=_lead(results, names), reasons=reasons)


def _argued(advice: Advice) -> Iterator[str]:
    """Why, in sentences; the first reason of an unsure advice is in its own sentence."""
    yield from map(_sentence, advice.reasons if advice.confident else advice.reasons[1:])
    if advice.confident:
        for rival in advice.rivals:
            yield f"{show_ratio(rival.ratio)} the rate of {setting_of(rival.values)}, the best with it."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lead(results: Sequence[Result], names: Mapping[str, str]) -> str:
    best = _fastest(results)
    told = throughput_cell(best).text
    if len(results) == 1:
        return f"{told}."
    first, rate = throughput(results[0]), throughput(best)
    ratio = (
        f", {show_ratio(rate / first)} the rate of {names[results[0].spec.digest]}"
        if first and rate and best is not results[0]
        else ""
    )
    return f"Fastest measured: {names[best.spec.digest]} with {told}{ratio}."


def _fastest(results: Sequence[Result]) -> Result:
    return max(results, key=lambda result: throughput(result) or 0.0)


def _judged(chapter: Chapter) -> str:
    """What became of the claims, in one sentence; empty where none was made."""
    if chapter.study is None or not chapter.study.claims:
        return ""
    counts = Counter(one.judgement for one in judge(chapter.study, chapter.cells))
    yes, no = counts[Judgement.REPRODUCED], counts[Judgement.NOT_REPRODUCED]
    return (
        f"Of {counts.total()} published claims {yes} {'is' if yes == 1 else 'are'} reproduced here, "
        f"{no} {'is' if no == 1 else 'are'} not, and {counts[Judgement.CANNOT_TELL]} cannot be told."
    )


def _broken(results: Sequence[Result]) -> tuple[str, ...]:
    broken = sum(not result.valid for result in results)
    if not broken:
        return ()
    of = f"{broken} of {len(results)} results" if len(results) > 1 else "The result"
    return (f"{of} {'have' if broken > 1 else 'has'} no throughput because something went wrong.",)


class Fact(NamedTuple):
    """A figure of the headline; `mood` is `bad` or nothing."""

    title: str
    text: str
    mood: str = ""


def facts(results: Sequence[Result]) -> tuple[Fact, ...]:
    """A few figures of the fastest result, and how many operations were checked in all."""
    done = sum(trial.operations for result in results for trial in result.trials)
    wrong = sum(trial.wrong for result in results for trial in result.trials)
    checked = f"{show_count(wrong)} in {show_count(done + wrong)} operations"
    found = [Fact("Wrong data", checked, "bad" if wrong else "")]
    if not any(result.valid for result in results):
        return tuple(found)
    best = _fastest(results)
    for title, metric, show in (
        ("Open files of the data", "dataset_fds", show_count),
        ("Peak memory", "peak_rss", show_size),
        ("p99 latency", "p99", show_seconds),
    ):
        value = best.median(metric)
        if value is not None:
            found.insert(0, Fact(title, show(value)))
    return (Fact("Throughput", throughput_cell(best).text), *found)
