"""The content of a report: a chapter for each run of a session, its answer, and its caveats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import NamedTuple

from core.desk import Prepared
from core.judge import (
    CoreAccount,
    Reproduction,
    Study,
    describe_file_systems,
    describe_measuring,
    reproduction_of,
    study_of,
    tally,
    typical,
)
from core.language import capitalised, safe, show_count, show_seconds, show_share, show_size, tr
from core.measure import lasting, secrets_of, without_bare_files
from core.run import Run, Session
from core.tell.card_text import Answer, Progress, answer_of, on_servers, progress_of
from core.tell.checked import checked_in
from core.tell.tables.result_tables import first_cell, has_too_few_trials
from core.vocabulary import (
    Advice,
    CurvesFigure,
    MetricEstimate,
    Mood,
    Result,
    Trial,
    ending,
    leading,
)


@dataclass(frozen=True, kw_only=True)
class Card:
    """The answer in plain words: one sentence, remarks on it, and the price."""

    lead: str
    mood: Mood = "open"
    reasons: tuple[str, ...] = ()
    advice: Advice | None = None


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """Results that belong together.  Without a run there is no command and no date."""

    title: str
    results: tuple[Result, ...]
    run: Run | None = None
    study: Study | None = None
    notes: tuple[str, ...] = ()
    planned: CurvesFigure = field(default_factory=CurvesFigure)
    """What the run was to measure, on the curves that the window draws."""

    @property
    def cells(self) -> Mapping[str, Result]:
        """The results by the label of their cell; empty unless this is a study."""
        return self.study.results_by_label(self.results) if self.study else {}

    @cached_property
    def reproduction(self) -> Reproduction | None:
        """What became of the study; None where the results are of none."""
        return reproduction_of(self.study, self.results) if self.study else None


@dataclass(frozen=True, kw_only=True)
class Report:
    """A title and its chapters."""

    title: str
    chapters: tuple[Chapter, ...]
    created: float | None = None
    """Seconds since 1970, UTC."""
    notes: tuple[str, ...] = field(default=())


def report_of(session: Session, run: int | None = None) -> Report:
    """All runs of a session, or one of them; raises SessionError."""
    runs = session.runs() if run is None else (session.run(run),)
    notes = session.notes()
    return Report(
        title=session.title or session.path.stem,
        created=session.created,
        chapters=tuple(
            _chapter(session, one, [n.text for n in notes if n.run == one.id]) for one in runs
        ),
        notes=tuple(note.text for note in notes if note.run is None),
    )


def report_of_results(results: Sequence[Result], title: str = "Results") -> Report:
    chapters = (Chapter(title=title, results=tuple(results)),) if results else ()
    return Report(title=title, chapters=chapters)


def _chapter(session: Session, run: Run, notes: Sequence[str]) -> Chapter:
    results = session.results(run.id)
    # A secret that was unknown when the trials were written may be known now.
    secrets = secrets_of(run.plan.specs)
    return Chapter(
        title=run.plan.title,
        results=tuple(safe(result, secrets) for result in results) if secrets else tuple(results),
        run=safe(run, secrets),
        planned=Prepared(session=session, run=safe(run, secrets)).planned,
        study=study_of(run.plan.study, run.environment.usable_cores),
        notes=tuple(notes),
    )


def card_of(chapter: Chapter) -> Card:
    """The chapter's answer, and what did not count."""
    results = without_bare_files(chapter.results)
    if not results:
        return Card(lead="Nothing has been measured yet.")
    broken = _broken(results)
    answer = _answer(chapter, len(results))
    headline, advice = answer.headline, answer.advice
    if not any(result.valid for result in results):
        lead = _judged(chapter) or headline.text
        return Card(lead=lead, mood=headline.mood, reasons=broken)
    doubts = (*(doubt.full_text for doubt in headline.doubts), *describe_file_systems(results))
    if judged := _judged(chapter):
        answers = bool(chapter.reproduction and chapter.reproduction.answer)
        lead, more = (headline.text, (judged,)) if answers else (judged, ())
        return Card(lead=lead, mood=headline.mood, reasons=(*more, *doubts, *broken))
    if advice is not None and not (chapter.study and chapter.study.programs):
        reasons = (*doubts, *_argued(advice), *broken)
        return Card(lead=headline.text, mood=headline.mood, reasons=reasons, advice=advice)
    lead = f"{headline.text.removesuffix('.')}."
    return Card(lead=lead, mood=headline.mood, reasons=(*doubts, *broken))


def _answer(chapter: Chapter, measured: int) -> Answer:
    """What the window's card says about the same results."""
    run = chapter.run
    progress = Progress(of=measured) if run is None else progress_of(run, measured, run.trials)
    return answer_of(chapter.results, progress, chapter.reproduction)


def _argued(advice: Advice) -> Iterator[str]:
    """The reasons in sentences that the advice's own sentence does not give."""
    yield from map(capitalised, advice.further_reasons)
    if advice.confident and not advice.lines:
        for rival in advice.rivals:
            yield f"{capitalised(rival.text)}."


def _judged(chapter: Chapter) -> str:
    """How many claims are reproduced; empty where there are none."""
    return tally(chapter.reproduction.judged) if chapter.reproduction else ""


def _broken(results: Sequence[Result]) -> tuple[str, ...]:
    invalid = [result for result in results if not result.valid]
    counts = {
        "no throughput because something went wrong": sum(bool(r.finished_trials) for r in invalid),
        "no throughput because the run was cancelled": sum(not r.finished_trials for r in invalid),
    }
    texts = []
    for why, count in counts.items():
        of = f"{count} of {len(results)} results" if len(results) > 1 else "The result"
        texts += [f"{of} {'have' if count > 1 else 'has'} {why}."] if count else []
    return tuple(texts)


class KeyFigure(NamedTuple):
    """A figure of the headline; `mood` is `bad` or empty."""

    title: str
    text: str
    mood: str = ""


def key_figures(
    results: Sequence[Result], best: Result | None, price: str = ""
) -> tuple[KeyFigure, ...]:
    """A few figures of the chosen result, and how many operations were checked in all.

    `price`: of a core-hour.
    """
    compared = checked_in(results)
    mood = "bad" if compared.trust == "contradicted" else ""
    figures = [KeyFigure("Compared, all results", compared.text, mood)]
    if best is None:
        return tuple(figures)
    for title, metric, show in (
        ("Open files", "fds", show_count),
        ("Peak memory", "peak_rss", show_size),
        ("p99 latency", "p99", show_seconds),
    ):
        value = typical(best, metric)
        if value is not None:
            figures.insert(0, KeyFigure(title, show(value)))
    if (account := CoreAccount.of(best)) is not None:
        figures.insert(0, KeyFigure("1,000 runs", account.cost_text(price)))
        figures.insert(0, KeyFigure("Cores", account.text))
    return (KeyFigure(leading([best])[0].title, first_cell(best).text), *figures)


_NOTEWORTHY = 0.05
_NAMED = 4
_RARELY = 1.5  # operations for each that was timed; from here on that is worth a word


def caveats(chapter: Chapter, names: Mapping[str, str]) -> tuple[str, ...]:
    """One sentence each: first what does not count, then what is unsure, then what disturbs."""
    results = without_bare_files(chapter.results)

    def those(unwanted: Callable[[Result], bool]) -> str:
        names_of_these = [names[result.spec.digest] for result in results if unwanted(result)]
        return _listed(names_of_these, len(results))

    return tuple(
        dict.fromkeys(
            (
                *_unfinished(chapter),
                *_invalid(results, names),
                *_repetition(results, those),
                *_page_cache(results, those),
                *describe_measuring(results),
                *on_servers(results),
                *_cost(results),
                *_cores(results, those),
                *_machine(results),
                *_notes(results),
            )
        )
    )


def _unfinished(chapter: Chapter) -> Iterator[str]:
    run = chapter.run
    if run is None:
        return
    of = "" if run.plan.open_ended else f"of {run.plan.least_trials:,} "
    progress = f"{run.trials:,} {of}trials are recorded"
    if run.how is None:
        yield f"The run was not finished, or still goes on: {progress}."
    elif run.how != "completed":
        yield f"The run was {run.how}: {progress}."
    if run.plan.study and chapter.study is None:
        yield f"The study “{run.plan.study}” is not known to this version, so nothing is compared with it."


def _invalid(results: Sequence[Result], names: Mapping[str, str]) -> Iterator[str]:
    invalid = [result for result in results if not result.valid]
    few = invalid if len(invalid) <= _NAMED + 1 else invalid[:_NAMED]
    for result in few:
        yield f"{names[result.spec.digest]} has no throughput and is left out of comparisons: {ending(result)}."
    if len(invalid) > len(few):
        yield tr(
            "1 more result has no throughput; the table says how it ended.",
            "{count:,} more results have no throughput; the table says how each ended.",
            count=len(invalid) - len(few),
        )


def _has_trials(count: int, result: Result) -> bool:
    return has_too_few_trials(result) and len(result.finished_trials) == count


def _repetition(
    results: Sequence[Result], those: Callable[[Callable[[Result], bool]], str]
) -> Iterator[str]:
    counts = {len(one.finished_trials) for one in results if has_too_few_trials(one)}
    for count in sorted(counts):
        few = those(partial(_has_trials, count))
        yield f"{MetricEstimate.missing_text(count)} ({few})."


def _page_cache(
    results: Sequence[Result], those: Callable[[Callable[[Result], bool]], str]
) -> Iterator[str]:
    if warm := those(lambda result: any(trial.proven_cold is False for trial in result.trials)):
        yield f"Not proven cold, parts of the data may have come from the page cache: {warm}."
    shares = [
        proof.before.fraction
        for trial in _trials(results)
        if (proof := trial.page_cache) and proof.wanted == "as-is" and proof.before
    ]
    if shares:
        low, high = show_share(min(shares)), show_share(max(shares))
        range_text = low if low == high else f"{low} to {high}"
        yield f"The page cache was left as it was: {range_text} of the data was in it when the clocks started."


def _cost(results: Sequence[Result]) -> Iterator[str]:
    harness = max((trial.harness_share for trial in _trials(results)), default=0.0)
    if harness >= _NOTEWORTHY:
        yield (
            f"Up to {show_share(harness)} of the workers' time is the cost of measuring itself; "
            "the share is larger for faster operations."
        )
    checking = max((trial.checking_share for trial in _trials(results)), default=0.0)
    if checking >= _NOTEWORTHY:
        yield (
            f"Up to {show_share(checking)} of the workers' time went into checking the data between "
            "operations. The throughput leaves it out, but fewer threads then read at once."
        )
    if any(trial.operations and trial.latencies is None for trial in _trials(results)):
        yield ("Operations were timed several at once, so the time of a single one is unknown.")
    timed = ((trial, trial.total(lambda worker: worker.timed)) for trial in _trials(results))
    every = max((trial.operations / count for trial, count in timed if count), default=1.0)
    if every >= _RARELY:
        yield (
            f"One in up to {show_count(round(every))} operations was timed on its own, drawn at random; "
            "latencies are theirs."
        )


def _cores(
    results: Sequence[Result], those: Callable[[Callable[[Result], bool]], str]
) -> Iterator[str]:
    if crowded := those(
        lambda result: (
            result.spec.load.workers > result.spec.load.cores_of(result.environment.usable_cores)
        )
    ):
        yield f"More workers than usable cores: {crowded}."


def _machine(results: Sequence[Result]) -> Iterator[str]:
    for result in results:
        for warning in lasting(result.environment):
            yield warning.text
    if len({result.environment.machine_id for result in results}) > 1:
        yield "The results come from different machines."


def _notes(results: Sequence[Result]) -> Iterator[str]:
    """What trials noted, and how many of them."""
    counts: dict[str, int] = {}
    for trial in _trials(results):
        for note in trial.notes:
            counts[note] = counts.get(note, 0) + 1
    for note, count in counts.items():
        yield f"{note} ({count:,} trial{'s' if count > 1 else ''})"


def _trials(results: Sequence[Result]) -> Iterator[Trial]:
    return (trial for result in results for trial in result.trials)


def _listed(names: Sequence[str], all_of_them: int) -> str:
    if not names:
        return ""
    if len(names) == all_of_them > 1:
        return "all results"
    few = names if len(names) <= _NAMED + 1 else names[:_NAMED]
    more = f" and {len(names) - len(few):,} more" if len(names) > len(few) else ""
    return "; ".join(few) + more
