"""The first sentence about some results, and the advice behind it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from core.judge import (
    doubts_about,
    doubts_within,
    first_few,
    names_among,
    outdone_in_bytes,
    typical,
)
from core.language import capitalised, show_byte_rate, show_seconds, tr, tr_word
from core.measure import without_bare_files
from core.tell.card_values import Headline, but
from core.tell.checked import checked_in, complaints_of, faults_in, remedy_of, why_invalid
from core.tell.tables.result_tables import by_link, first_cell
from core.vocabulary import (
    Doubt,
    Grade,
    Result,
    Value,
    Verdict,
    VerdictKind,
    grade_of,
    label,
    mood_of,
)

if TYPE_CHECKING:
    from core.judge import Ranking, Reproduction, Study
    from core.run import Run
    from core.vocabulary import Advice


@dataclass(frozen=True, kw_only=True)
class Progress:
    """The progress of a run: `of` configurations are planned, without the bare files.

    `terms`: limits for a recommended setting.  `more`: more trials follow, so nothing is settled
    yet.
    """

    of: int
    terms: Mapping[str, Value] = field(default_factory=dict)
    more: bool = False
    cut: bool = False
    """Whether it was cancelled, so that no setting is the best."""
    choices: Collection[str] | None = None
    """Digests of the specs that can be recommended, where not all can."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The headline of results, and their advice if any: for terminal, window and report alike."""

    headline: Headline
    advice: Advice | None


def progress_of(run: Run, measured: int, trials: int) -> Progress:
    """The progress of a run after so many configurations and trials.

    A search asks for no more configurations than it has measured.
    """
    plan = run.plan
    settings = without_bare_files(plan.specs)
    return Progress(
        of=measured if plan.adaptive else len(settings),
        terms=plan.terms,
        more=run.how is None and (plan.adaptive or plan.open_ended or trials < plan.least_trials),
        cut=run.how == "cancelled",
        choices={spec.digest for spec in plan.specs[: plan.choices]} if plan.choices else None,
    )


def answer_of(
    results: Sequence[Result], progress: Progress, reproduction: Reproduction | None = None
) -> Answer:
    """The headline and advice of these results; `reproduction`: of the study that they repeat.

    The advice exists once all configurations are measured, where threads were varied.
    """
    settings = without_bare_files(results)
    valid = [result for result in settings if result.valid]
    if not valid:
        return Answer(headline=_without_any(settings, results, progress), advice=None)
    whole = len(settings) >= progress.of and not progress.cut
    # One setting alone is never the best.
    advice = _advised(results, progress) if whole and len(valid) > 1 else None
    if reproduction is not None and reproduction.judged:
        headline = _of_study(reproduction, results, progress)
    elif reproduction is not None and reproduction.answers:
        headline = _of_programs(reproduction, results, progress)
    elif advice is not None:
        headline = headline_of(advice, more=progress.more)
    else:
        headline = _unfinished(_fastest(results, progress), valid, progress)
    if reproduction is None and (faults := faults_in(settings)):
        text = f"{headline.text.removesuffix('.')}. {but(faults)}"
        headline = msgspec.structs.replace(headline, text=text, faults=faults)
    return Answer(headline=headline, advice=advice)


def _unfinished(headline: Headline, valid: Sequence[Result], progress: Progress) -> Headline:
    """The headline of a run that was cancelled, or goes on, where nothing can be the best."""
    if progress.more and len(valid) == 1 and progress.of > 1:
        return _without_best(headline, _question(progress), None)
    if not progress.cut:
        return headline
    if headline.grade is None and len(valid) > 1:  # they are not put in order
        return _without_best(headline, tr("Cancelled: {text}", text=headline.text), None)
    best, _ = _order(valid, names_among(valid))
    setting, rate = label(best.spec, names_among(valid)), first_cell(best).text
    if len(valid) > 1:
        text = tr("Cancelled, leading so far: {setting}", setting=setting)
        return _without_best(headline, text, Grade.LEADING)
    return _without_best(headline, tr("Cancelled at {rate}", rate=rate), None)


def _without_best(headline: Headline, text: str, grade: Grade | None) -> Headline:
    mood = headline.mood if headline.mood == "bad" else "open"
    return msgspec.structs.replace(headline, text=text, mood=mood, grade=grade)


def _question(progress: Progress) -> str:
    """What a run finds out that goes on."""
    return tr("Finding out which of {of} settings is fastest", of=progress.of)


def sum_up(
    results: Sequence[Result],
    of: int,
    terms: Mapping[str, Value] | None = None,
    reproduction: Reproduction | None = None,
) -> Headline:
    """The headline of these results so far, from `of` planned configurations.

    `terms`: limits for a recommended setting.  `reproduction`: of the study that they repeat; then
    the headline says how many of its claims are reproduced, if it has any.
    """
    return answer_of(results, Progress(of=of, terms=terms or {}), reproduction).headline


def headline_of(advice: Advice, *, more: bool = False) -> Headline:
    """Advice as a sentence and its details; `more`: more trials follow."""
    reasons = list(map(capitalised, advice.further_reasons))
    if advice.trials_text:
        reasons.append(tr("Trials: {trials}.", trials=advice.trials_text))
    further = " ".join(reasons)
    return Headline(
        mood=mood_of(advice.doubts, settled=advice.confident and not more),
        text=advice.sentence,
        detail=f"{doubts_text(advice.doubts, advice.sentence)} {further}".strip(),
        doubts=advice.doubts,
        further=further,
        grade=advice.grade if advice.values and advice.idle is None else None,
        beside=advice.beside,
    )


def _advised(results: Sequence[Result], progress: Progress) -> Advice | None:
    if len(results) < 2:  # nothing is varied
        return None
    from core.judge import advise_within

    choices = progress.choices
    if choices is not None:
        results = [result for result in results if result.spec.digest in choices]
    return advise_within(results, progress.terms, len(choices or ()))


def _without_any(
    settings: Sequence[Result], results: Sequence[Result], progress: Progress
) -> Headline:
    """The headline where no result has a throughput."""
    if not settings:
        return Headline(mood="open", text=tr("Not yet"), detail=tr("Nothing is measured so far."))
    finished = [result for result in settings if result.finished_trials]
    if progress.more and len(finished) < progress.of:  # the others may have one
        return _headline(_question(progress), (), [faults_in(settings)], settled=False)
    cancelled = not finished
    # A busy machine makes figures worse; it is no reason why there are none.
    doubts = (*(doubts_about(results, ()) if cancelled else ()), *doubts_within(settings[0]))
    failed = (finished or settings)[0]
    why = why_invalid(failed, settings)
    return Headline(
        mood=mood_of(doubts, settled=False) if cancelled else "bad",
        text=tr("Cancelled before anything was measured.")
        if progress.cut and cancelled
        else tr("No throughput: {why}.", why=why),
        detail=" ".join(
            filter(
                None,
                [doubts_text(doubts), remedy_of(failed), capitalised(complaints_of(failed, why))],
            )
        ),
        doubts=doubts,
    )


def _fastest(results: Sequence[Result], progress: Progress) -> Headline:
    """The headline where no number of threads is asked for: in which order the settings stand."""
    settings = without_bare_files(results)
    measured = [result for result in settings if result.valid]
    names = names_among(settings)
    best, order = _order(measured, names)
    rate = first_cell(best).text
    # While more trials follow, too few of them is no news.
    doubts = doubts_about(results, () if progress.more else (best,))
    if not progress.more and order.doubt and len(best.finished_trials) > 1:
        doubts += (Doubt.of_too_few_trials(order.doubt),)
    doubts += (*outdone_in_bytes(best, measured), *doubts_within(best))
    parts = [_bytes_text(best), _p99_text(best), checked_in(results).text]
    if order.text:
        parts.insert(0, f"{label(best.spec, names)}: {rate}")
    if len(measured) < len(settings):
        parts.append(
            tr(
                "1 of {of} configurations has no throughput",
                "{count} of {of} configurations have no throughput",
                count=len(settings) - len(measured),
                of=len(settings),
            )
        )
    parts.append(_so_far(settings, progress))
    alone = f"{label(best.spec, names)}: {rate}" if names else rate
    grade = order.grade
    if grade is not None and any(doubt.unsettles for doubt in doubts):
        grade = Grade.LEADING
    settled = _settled(settings, progress) and grade in (None, Grade.SURE)
    headline = _headline(order.text or alone, doubts, parts, settled=settled)
    return msgspec.structs.replace(headline, grade=grade)


class _Order(NamedTuple):
    """In which order settings stand, in a sentence; empty and None for one alone."""

    text: str = ""
    grade: Grade | None = None
    doubt: str = ""


def _order(measured: Sequence[Result], names: Collection[str]) -> tuple[Result, _Order]:
    """The leading one, and the order of all that do the whole work."""
    if len(measured) == 1:
        return measured[0], _Order()
    from core.judge import ranking_of

    ranking = ranking_of(measured)
    links = by_link(measured)
    return ranking.leader, _order_of_links(links) if links[1:] else _order_by(ranking, names)


def _order_of_links(links: Sequence[Sequence[Result]]) -> _Order:
    """That of each link by itself; it is as sure as the least sure of them."""
    texts, orders = [], []
    for alike in links:
        best, order = _order(alike, names_among(alike))
        text = order.text or first_cell(best).text
        link = ", ".join(best.links) or tr("directly")
        texts.append(f"{capitalised(link)} · {text}")
        orders.append(order)
    grades = [order.grade for order in orders if order.grade is not None]
    return _Order(
        ". ".join(texts),
        min(grades, key=lambda grade: grade.bars, default=None),
        next((order.doubt for order in orders if order.doubt), ""),
    )


def _order_by(ranking: Ranking, names: Collection[str]) -> _Order:
    """Of two their pair is the question; of several who leads, and from whom it is not told.

    And what its lead costs in bytes and requests.
    """
    measured = ranking.results
    if len(measured) < 2:
        return _Order()
    if len(measured) == 2:
        return _order_of_two(ranking, names)
    order = _order_of_several(ranking, names)
    cost = ranking.cost_of_lead(lambda one: label(one.spec, names)).removesuffix(".")
    return (
        order._replace(text=". ".join(filter(None, (order.text, cost)))) if order.grade else order
    )


def _order_of_several(ranking: Ranking, names: Collection[str]) -> _Order:
    best, measured = ranking.leader, ranking.results
    against = [(one, ranking.pair(one, best)) for one in measured if one is not best]
    barred = [one for _, one in against if one.kind is VerdictKind.INVALID]
    if barred:
        text = tr("Nothing is ranked: {why}", why=barred[0].claim.removesuffix("."))
        return _Order(text, None, barred[0].because)
    values = {
        "count": len(measured),
        "others": len(measured) - 1,
        "setting": label(best.spec, names),
    }
    near = [
        (label(one.spec, names), verdict)
        for one, verdict in against
        if verdict.kind is not VerdictKind.FASTER
    ]
    if not near:
        text = tr("Fastest of {count} is {setting}", **values)
        return _Order(text, Grade.SURE)
    grade = ranking.grade_of_leader
    text = {
        Grade.LEADING: tr("Leading of {count} is {setting}", **values),
        Grade.WITHIN: tr("{setting} is {grade} of the other {others}", grade=grade.text, **values),
        Grade.SURE: tr("None of the other {others} is measurably faster than {setting}", **values),
    }[grade]
    doubt = Verdict.open_text(near, first_few)
    return _Order(text, grade, "" if grade is Grade.SURE else doubt)


def _order_of_two(ranking: Ranking, names: Collection[str]) -> _Order:
    best = ranking.leader
    (other,) = (one for one in ranking.results if one is not best)
    verdict = msgspec.structs.replace(
        ranking.pair(other, best),
        baseline=label(other.spec, names),
        candidate=label(best.spec, names),
    )
    sure = verdict.differs or verdict.kind is VerdictKind.SAME
    doubt = "" if sure else verdict.because
    claim, more = verdict.claim.removesuffix("."), ranking.dearer_by(other)
    if verdict.differs and more:
        claim = tr("{claim}, for {more}", claim=claim, more=more)
    return _Order(claim, grade_of(sure=sure, within=False), doubt)


def _of_study(
    reproduction: Reproduction, results: Sequence[Result], progress: Progress
) -> Headline:
    from core.judge import sizes

    settings = without_bare_files(results)
    claims: dict[str, list[str]] = {}
    for one in reproduction.judged:
        claims.setdefault(one.judgement.value, []).append(tr_word(one.claim.text))
    total, yes = len(reproduction.judged), len(claims.get("reproduced", ()))
    no, untold = claims.get("not reproduced", []), len(claims.get("cannot tell", ()))
    parts = []
    if len(no) == 1:
        parts.append(tr("1 is not: {claim}", claim=no[0]))
    elif no:
        parts.append(tr("{count} are not: {claims}", count=len(no), claims="; ".join(no)))
    if 0 < untold < total:
        parts.append(tr("{count} cannot be told from these trials", count=untold))
    parts += [
        sizes(reproduction.judged).rstrip("."),
        checked_in(results).text,
        _so_far(settings, progress),
    ]
    if untold == total:
        text = tr("None of the {total} published claims can be told yet.", total=total)
    elif yes == 1:
        text = tr("1 of {total} published claims is reproduced here.", total=total)
    else:
        text = tr("{yes} of {total} published claims are reproduced here.", yes=yes, total=total)
    if reproduction.answer:
        text, parts = reproduction.answer, [text.rstrip("."), *parts]
    doubts = _doubts_about_study(reproduction.study, results)
    return _headline(text, doubts, parts, settled=_settled(settings, progress) and 2 * yes > total)


def _of_programs(
    reproduction: Reproduction, results: Sequence[Result], progress: Progress
) -> Headline:
    """The headline of a study of programs: the threads that each of them wants."""
    settings = without_bare_files(results)
    parts = [*reproduction.remarks, checked_in(results).text, _so_far(settings, progress)]
    return _headline(
        reproduction.answer or tr("No number of threads was usable."),
        doubts_about(results, ()),
        parts,
        settled=_settled(settings, progress) and all(one.sure for one in reproduction.answers),
    )


def _doubts_about_study(study: Study, results: Sequence[Result]) -> tuple[Doubt, ...]:
    """What speaks against a study's claims; intervals are already part of their judgement.

    A cell that is claimed to break can return wrong data.
    """
    cells = study.results_by_label(results)
    breaking = {claim.cell for claim in study.claims if claim.kind == "breaks"}
    expected = {cells[label].spec.digest for label in breaking if label in cells}
    return doubts_about(results, (), expected=expected)


def _settled(settings: Sequence[Result], progress: Progress) -> bool:
    return len(settings) >= progress.of and not progress.more


def _so_far(settings: Sequence[Result], progress: Progress) -> str:
    done, of = len(settings), progress.of
    return (
        tr("{done} of {of} configurations measured so far", done=done, of=of) if done < of else ""
    )


def _headline(
    text: str, doubts: tuple[Doubt, ...], parts: Sequence[str], *, settled: bool
) -> Headline:
    further = " · ".join(filter(None, parts))
    return Headline(
        mood=mood_of(doubts, settled=settled),
        text=text,
        detail=" · ".join(filter(None, (doubts_text(doubts), further))),
        doubts=doubts,
        further=further,
    )


def doubts_text(doubts: Sequence[Doubt], sentence: str = "") -> str:
    """Of what the sentence has said already, only the remedy; a remedy of several, at the last."""
    last = {one.remedy: one for one in doubts}
    parts = (
        (
            one.text if one.text not in sentence else "",
            one.remedy if last[one.remedy] is one else "",
        )
        for one in doubts
    )
    return " ".join(filter(None, itertools.chain.from_iterable(parts)))


def _bytes_text(result: Result) -> str:
    rate = typical(result, "byte_rate")
    return show_byte_rate(rate) if rate else ""


def _p99_text(result: Result) -> str:
    p99 = typical(result, "p99")
    if not p99:
        return ""
    units, longest = tr_word(f"{result.unit}s"), typical(result, "longest")
    if not longest:
        return tr("99 % of the {units} within {time}", units=units, time=show_seconds(p99))
    return tr(
        "99 % of the {units} within {time}, the longest {longest}",
        units=units,
        time=show_seconds(p99),
        longest=show_seconds(longest),
    )


def on_servers(results: Sequence[Result]) -> Iterator[str]:
    """How servers were reached, if any were, and what servers were asked in all."""
    yield from _links(results)
    trials = [trial for result in results for trial in result.trials]
    requests, refused = (
        sum(trial.counters.get(name, 0.0) for trial in trials)
        for name in ("requests in all", "refused in all")
    )
    if requests:
        yield tr(
            "{requests:,} requests to servers in all, with those beside the clock; they refused "
            "{refused:,}.",
            requests=round(requests),
            refused=round(refused),
        )


def _links(results: Sequence[Result]) -> Iterator[str]:
    """Reached in several ways that nobody asked for they cannot be compared."""
    ways = Counter(link for result in results for link in result.links)
    if len(ways) == 1:
        yield tr("The servers were reached {link}.", link=next(iter(ways)))
    elif ways:
        counts = (
            tr("1 setting {link}", "{count} settings {link}", count=count, link=link)
            for link, count in ways.items()
        )
        alike = all(
            len({way for one in part for way in one.links}) < 2 for part in by_link(results)
        )
        text = "; ".join(counts)
        if alike:
            yield tr("What went through the same link is compared: {ways}.", ways=text)
        else:
            yield tr(
                "The servers were not all reached in the same way, so they cannot be compared: {ways}.",
                ways=text,
            )
