"""The headline of a chapter without a verdict: the figures in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.analysis.advice import Advice
from core.analysis.estimation import typical
from core.analysis.how_measured import on_what
from core.analysis.trust import wrong_in
from core.language.units import show_count, show_seconds, show_size
from core.output.card_text import Answer, Progress, answer_of, progress_of
from core.output.report.chapters import Card, Chapter
from core.output.result_card import chosen_result
from core.plan.floor import without_bare_files
from core.result.metrics import leading
from core.result.result import Result
from core.study.judge_claims import judge, tally
from core.study.reproduction import reproduction_of
from core.tables.results_table import first_cell

_NO_ANSWER = "No answer: not one result is valid."


def card_of(chapter: Chapter) -> Card:
    """The chapter's own card, or one that names the fastest result and what did not count."""
    if chapter.card is not None:
        return chapter.card
    results = without_bare_files(chapter.results)
    if not results:
        return Card(lead="Nothing has been measured yet.")
    broken = _broken(results)
    if not any(result.valid for result in results):
        return Card(lead=_judged(chapter) or _NO_ANSWER, mood="bad", reasons=broken)
    answer = _answer(chapter, len(results))
    told, advice = answer.headline, answer.advice
    doubts = (*(doubt.full_text for doubt in told.doubts), *on_what(results))
    if judged := _judged(chapter):
        asked = bool(chapter.study and chapter.study.sides)
        lead, more = (told.text, (judged,)) if asked else (judged, ())
        return Card(lead=lead, mood=told.mood, reasons=(*more, *doubts, *broken))
    if advice is not None and not (chapter.study and chapter.study.programs):
        reasons = (*doubts, *_argued(advice), *broken)
        return Card(lead=told.text, mood=told.mood, reasons=reasons, advice=advice)
    lead = f"{told.text.removesuffix('.')}."
    return Card(lead=lead, mood=told.mood, reasons=(*doubts, *broken))


def _answer(chapter: Chapter, measured: int) -> Answer:
    """What the window's card says about the same results."""
    run, study = chapter.run, chapter.study
    progress = Progress(of=measured) if run is None else progress_of(run, measured, run.trials)
    found = reproduction_of(study, chapter.results) if study is not None else None
    return answer_of(chapter.results, progress, found)


def _argued(advice: Advice) -> Iterator[str]:
    """The reasons in sentences that the advice's own sentence does not give."""
    yield from map(_sentence, advice.further_reasons)
    if advice.confident and not advice.lines:
        for rival in advice.rivals:
            yield f"{_sentence(rival.text)}."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _judged(chapter: Chapter) -> str:
    """How many claims are reproduced; empty where there are none."""
    return tally(judge(chapter.study, chapter.cells)) if chapter.study else ""


def _broken(results: Sequence[Result]) -> tuple[str, ...]:
    broken = sum(not result.valid for result in results)
    if not broken:
        return ()
    of = f"{broken} of {len(results)} results" if len(results) > 1 else "The result"
    return (f"{of} {'have' if broken > 1 else 'has'} no throughput because something went wrong.",)


class Fact(NamedTuple):
    """A figure of the headline; `mood` is `bad` or empty."""

    title: str
    text: str
    mood: str = ""


def chosen(results: Sequence[Result], card: Card) -> Result | None:
    """The result of the card: the advised or the fastest one; None without a valid one."""
    return chosen_result(results, card.advice)


def facts(results: Sequence[Result], best: Result | None) -> tuple[Fact, ...]:
    """A few figures of the chosen result, and how many operations were checked in all."""
    wrong = any(trial.wrong for result in results for trial in result.trials)
    found = [Fact("Wrong data, all results", wrong_in(results), "bad" if wrong else "")]
    if best is None:
        return tuple(found)
    for title, metric, show in (
        ("Open files of the data", "dataset_fds", show_count),
        ("Peak memory", "peak_rss", show_size),
        ("p99 latency", "p99", show_seconds),
    ):
        value = typical(best, metric)
        if value is not None:
            found.insert(0, Fact(title, show(value)))
    return (Fact(leading([best])[0].title, first_cell(best).text), *found)
