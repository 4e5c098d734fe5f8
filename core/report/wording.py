"""The headline where no verdict has been given: the figures, put into words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.advice import Advice, setting_of
from core.advising import advise
from core.headline import sum_up
from core.report.content import Card, Chapter
from core.report.naming import shown
from core.result import Result
from core.study import judge, tally
from core.summary import throughput, throughput_cell
from core.terms import effort_of, limits_of
from core.units import show_count, show_ratio, show_seconds, show_size


def card_of(chapter: Chapter) -> Card:
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
    terms = chapter.run.plan.terms if chapter.run is not None else {}
    advice = advise(results, limits_of(terms), effort_of(terms).near)
    if advice is not None:
        return Card(lead=advice.sentence, reasons=(*_argued(advice), *reasons), advice=advice)
    return Card(lead=f"{sum_up(results, len(results)).text}.", reasons=reasons)


def _argued(advice: Advice) -> Iterator[str]:
    """Why, in sentences; the first reason of an unsure advice is in its own sentence."""
    yield from map(_sentence, advice.reasons if advice.confident else advice.reasons[1:])
    if advice.confident:
        for rival in advice.rivals:
            yield f"{show_ratio(rival.ratio)} the rate of {setting_of(rival.values)}, the best with it."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _judged(chapter: Chapter) -> str:
    """What became of the claims; empty where none was made."""
    return tally(judge(chapter.study, chapter.cells)) if chapter.study else ""


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


def chosen(results: Sequence[Result], card: Card) -> Result | None:
    """The result that the card is about: what it advises, or the fastest; None without a valid one."""
    spec = card.advice.spec if card.advice else None
    valid = [result for result in results if result.valid]
    advised = [result for result in valid if spec and result.spec.digest == spec.digest]
    return max(advised or valid, key=lambda result: throughput(result) or 0.0, default=None)


def facts(results: Sequence[Result], best: Result | None) -> tuple[Fact, ...]:
    """A few figures of the chosen result, and how many operations were checked in all."""
    done = sum(trial.operations for result in results for trial in result.trials)
    wrong = sum(trial.wrong for result in results for trial in result.trials)
    checked = f"{show_count(wrong)} in {show_count(done + wrong)} operations"
    found = [Fact("Wrong data, all results", checked, "bad" if wrong else "")]
    if best is None:
        return tuple(found)
    for title, metric, show in (
        ("Open files of the data", "dataset_fds", show_count),
        ("Peak memory", "peak_rss", show_size),
        ("p99 latency", "p99", show_seconds),
    ):
        value = best.median(metric)
        if value is not None:
            found.insert(0, Fact(title, show(value)))
    return (Fact("Throughput", throughput_cell(best).text), *found)
