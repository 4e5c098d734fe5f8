"""What a run here says about a study, ready to be shown: board, claims, sides and plots."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from core.judge.comparison import compare
from core.judge.estimation import metric_estimate, ratio, typical
from core.judge.floor_share import FloorShare, floor_shares
from core.judge.ranking import ranking_of
from core.judge.study.cells import StudyCell
from core.judge.study.judge_claims import Judged, judge, show_figure
from core.judge.study.preset import PublishedFigure, PublishedTrace, Study
from core.language import NOTHING, capitalised, show_estimate, show_ratio, show_size, tr, tr_word
from core.vocabulary import (
    METRICS,
    NOT_MEASURED,
    CurvesFigure,
    FigureCurve,
    FigurePoint,
    MetricEstimate,
    Result,
    Verdict,
    VerdictKind,
    ending,
    metric_named,
)


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """A study and what was measured of it here."""

    study: Study
    board: Board
    judged: tuple[Judged, ...]
    charts: tuple[CurvesFigure, ...]
    answers: tuple[ThreadsAnswer, ...] = ()
    """Of a study that asks for numbers of threads: of programs, for each of which its board has a
    row, or of others, such as stores."""
    choices: Mapping[str, Verdict] = field(default_factory=dict)
    """Of a study that asks to choose: the faster side's best against the other's, by the way in
    which the data was read, where that is a part of the question."""
    answer: str = ""
    """What these say, in a sentence."""
    remarks: tuple[str, ...] = ()
    """Further sentences below the board."""


def reproduction_of(study: Study, results: Sequence[Result]) -> Reproduction:
    """Compare these results with the study."""
    by_label = study.results_by_label(results)
    answers, remarks = thread_answers(study, by_label)
    if study.programs:
        return Reproduction(
            study=study,
            board=board_of_programs(study, answers),
            judged=(),
            charts=(),
            answers=answers,
            answer=sentence_of_threads(answers),
            remarks=remarks,
        )
    choices = choices_of(study, by_label)
    return Reproduction(
        study=study,
        board=scoreboard(study, by_label, results),
        judged=judge(study, by_label),
        charts=charts_of(study, by_label),
        answers=answers,
        choices=choices,
        answer=sentence_of(study, choices, by_label) if choices else sentence_of_threads(answers),
    )


def choices_of(study: Study, cells: Mapping[str, Result]) -> dict[str, Verdict]:
    """One for each way of reading that it names; none without sides, or where one is missing.

    `cells`: results by label.
    """
    ways = study.asked or {"": ""}
    others = tuple(filter(None, ways.values()))
    choices = {}
    for when, end in ways.items():
        own = {
            label.removesuffix(end): one
            for label, one in cells.items()
            if (label.endswith(end) if end else not label.endswith(others))
        }
        if verdict := _best_beside_best(study, own):
            choices[when] = verdict
    return choices


def _best_beside_best(study: Study, cells: Mapping[str, Result]) -> Verdict | None:
    leaders = [leader for starts in study.sides.values() if (leader := _leader(starts, cells))]
    if len(leaders) < 2:
        return None
    (first, one), (second, two) = leaders
    verdict = compare(two, one)
    if verdict.kind is VerdictKind.SLOWER:
        first, second, verdict = second, first, compare(one, two)
    return msgspec.structs.replace(verdict, candidate=first, baseline=second)


def _leader(starts: tuple[str, ...], cells: Mapping[str, Result]) -> tuple[str, Result] | None:
    own = {label: one for label, one in cells.items() if label.startswith(starts) and one.valid}
    if not own:
        return None
    leader = ranking_of(tuple(own.values())).leader
    return next((label, one) for label, one in own.items() if one is leader)


def sentence_of(study: Study, choices: Mapping[str, Verdict], cells: Mapping[str, Result]) -> str:
    """The answer in one sentence, with the sizes of both sides' files where they are known."""
    clauses = []
    for when, verdict in choices.items():
        claim = verdict.claim.removesuffix(".")
        clauses.append(tr("{when}: {claim}", when=tr_word(when), claim=claim) if when else claim)
    text = "; ".join([*clauses, *_sizes(study, cells)])
    return f"{capitalised(text)}."


def _sizes(study: Study, cells: Mapping[str, Result]) -> Iterator[str]:
    sizes = {side: _size(starts, cells) for side, starts in study.sides.items()}
    texts = [f"{side} {show_size(size)}" for side, size in sizes.items() if size]
    if len(texts) == len(sizes):
        yield tr("files: {sizes}", sizes=", ".join(texts))


def _size(starts: tuple[str, ...], cells: Mapping[str, Result]) -> int:
    """Bytes of the files that a side's trials read; 0 where they are unknown."""
    looks = (
        trial.cached
        for label, one in cells.items()
        if label.startswith(starts)
        for trial in one.finished_trials
    )
    return max((cached.total_bytes for cached in looks if cached is not None), default=0)


def charts_of(study: Study, results: Mapping[str, Result]) -> tuple[CurvesFigure, ...]:
    """Every plot of the study, with the results by cell label; both axes are logarithmic."""
    return tuple(_chart(study, figure, results) for figure in study.figures)


def _chart(study: Study, figure: PublishedFigure, results: Mapping[str, Result]) -> CurvesFigure:
    return CurvesFigure(
        title=figure.title,
        axis=figure.axis,
        across="sizes" if figure.over.endswith("size") else "counts",
        unit="seconds",
        logarithmic=True,
        curves=tuple(_curve(study, line, figure.over, results) for line in figure.lines),
        most=None,
        apart=0.0,
    )


def _curve(
    study: Study, line: PublishedTrace, over: str, results: Mapping[str, Result]
) -> FigureCurve:
    by_label = {cell.label: cell for cell in study.cells}
    cells = [(int(by_label[label].at[over]), by_label[label]) for label in line.cells]
    return FigureCurve(
        name=line.name,
        points=tuple(
            FigurePoint(at=at, found=_cost(study, results[cell.label]))
            for at, cell in cells
            if cell.label in results
        ),
        published=tuple((at, 1.0 / cell.published) for at, cell in cells if cell.published),
        charted=tuple(zip((at for at, _ in cells), line.charted, strict=True))
        if line.charted
        else (),
        cells=tuple((at, cell.label) for at, cell in cells),
    )


def _cost(study: Study, result: Result) -> MetricEstimate:
    """Seconds for one unit of the study, whose metric counts per second."""
    if not result.valid:
        return NOT_MEASURED
    return metric_estimate(result, study.metric).scaled(1.0 / study.scale).inverted()


_FLOOR = "floor"
"""A column that is no metric: the share of the speed of plain reads of the same files under the
same load."""


def _title(metric: str, workload: str) -> str:
    return tr("of raw") if metric == _FLOOR else tr_word(metric_named(metric, workload).name)


def _column_text(result: Result | None, metric: str, everything: Sequence[Result]) -> str:
    if result is None:
        return NOTHING
    if metric == _FLOOR:
        return floor_shares(everything).get(id(result), FloorShare()).text
    value = typical(result, metric)
    return NOTHING if value is None else METRICS[metric].text(value)


def _unmeasured(study: Study, cell: StudyCell, results: Mapping[str, Result]) -> str:
    dataset = next((result.spec.dataset for result in results.values()), None)
    return (
        study.unavailable(cell)
        or (dataset and study.reason(cell, dataset))
        or tr_word("not measured")
    )


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """The study's table: published and measured figures side by side, as texts."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def scoreboard(
    study: Study, results: Mapping[str, Result], everything: Sequence[Result] = ()
) -> Board:
    """One row per cell, both sides also as ratios to the study's baseline cell, or the cell's own.

    `results` by the label of their cell; `everything` that was measured, for the floor.  A cell
    that did not complete, or returned wrong data, shows its ending instead of a figure.
    """
    by_label = {cell.label: cell for cell in study.cells}
    rows = []
    for cell in study.cells:
        base = by_label[cell.base or study.baseline]
        result = results.get(cell.label)
        rows.append(
            (
                cell.label,
                show_figure(cell.published) if cell.published else NOTHING,
                _published_ratio(cell.published, base.published),
                _here(study, result),
                _ratio_here(study, results.get(base.label), result),
                *(_column_text(result, metric, everything) for metric in study.columns),
                ending(result) if result else _unmeasured(study, cell, results),
            )
        )
    return Board(
        titles=(
            tr("cell"),
            tr("published {unit}", unit=study.published_unit or study.unit),
            "×",
            tr("here {unit}", unit=study.unit),
            "×",
            *(_title(metric, study.workload) for metric in study.columns),
            tr("ending"),
        ),
        rows=tuple(rows),
    )


def _here(study: Study, result: Result | None) -> str:
    if result is None or not result.valid:
        return NOTHING
    estimate = metric_estimate(result, study.metric).scaled(1.0 / study.scale)
    return (
        NOTHING
        if estimate.value is None
        else show_estimate(estimate.value, estimate.low, estimate.high)
    )


def _ratio_here(study: Study, base: Result | None, result: Result | None) -> str:
    if base is None or result is None or not (base.valid and result.valid):
        return NOTHING
    value = ratio(base, result, study.metric)
    return NOTHING if value is None else show_ratio(value)


def _published_ratio(value: float | None, to: float | None) -> str:
    return show_ratio(value / to) if value and to else NOTHING


class ThreadsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How many threads something wants here: a program, a store."""

    name: str
    threads: int | None = None
    """To use; None where there is no choice, nothing was usable, or no number is advised."""
    sure: bool = True
    rate: str = NOTHING
    """With its interval."""
    ratio: str = NOTHING
    """To one thread, or to the fewest that were usable, where the difference is sure."""
    reason: str

    @property
    def text(self) -> str:
        """`zstd 4 threads`, `xz 2 threads (leading)`; empty where there is no number."""
        if self.threads is None:
            return ""
        count = tr("1 thread", "{count} threads", count=self.threads)
        return f"{self.name} {count if self.sure else _leading(count)}"


def thread_answers(
    study: Study, results: Mapping[str, Result]
) -> tuple[tuple[ThreadsAnswer, ...], tuple[str, ...]]:
    """An answer for each program or store that is here or was measured; remarks on the others.

    `results` by the label of their cell.
    """
    answers: list[ThreadsAnswer] = []
    missing: list[str] = []
    for name, labels in study.cells_by_subject.items():
        own = [results[label] for label in labels if label in results]
        if own:
            answers.append(_answer(study, name, own, choices=len(labels)))
        elif name in study.programs and shutil.which(name) is None:
            missing.append(name)
        elif name not in study.elsewhere:
            answers.append(ThreadsAnswer(name=name, reason=tr_word("not measured")))
    return tuple(answers), tuple(_remarks(study, missing))


def sentence_of_threads(answers: Sequence[ThreadsAnswer]) -> str:
    """The numbers of threads to use, the cheapest that are not measurably worse than others."""
    texts = [one.text for one in answers if one.text]
    return tr("Threads to use here: {programs}.", programs=", ".join(texts)) if texts else ""


def board_of_programs(study: Study, answers: Sequence[ThreadsAnswer]) -> Board:
    return Board(
        titles=(
            tr("program"),
            tr("threads"),
            tr("here {unit}", unit=study.unit),
            tr("× 1 thread"),
            tr("reason"),
        ),
        rows=tuple((one.name, _threads(one), one.rate, one.ratio, one.reason) for one in answers),
    )


def _threads(one: ThreadsAnswer) -> str:
    if one.threads is None:
        return NOTHING
    return str(one.threads) if one.sure else _leading(str(one.threads))


def _leading(threads: str) -> str:
    return tr("{threads} (leading)", threads=threads)


def _remarks(study: Study, missing: Sequence[str]) -> Iterator[str]:
    if missing:
        yield tr("not installed: {programs}", programs=", ".join(missing))
    for program, why in study.elsewhere.items():
        if program not in missing:
            yield f"{program}: {tr_word(why)}"


def _answer(study: Study, name: str, results: Sequence[Result], *, choices: int) -> ThreadsAnswer:
    from core.judge.advisor import advise
    from core.judge.diagnosis import diagnose_all

    advice = advise(results, choices=choices)
    if advice is None:
        (one, *_) = results
        why = tr("it has no threads: for comparison") if one.valid else ending(one)
        return ThreadsAnswer(name=name, rate=_here(study, one), reason=why)
    used = next((one for one in results if advice.spec and one.spec == advice.spec), None)
    if used is None:
        return ThreadsAnswer(name=name, reason=ending(results[0]), sure=False)
    gain = advice.gain if advice.gain is not None and advice.gain.differs else None
    limited = diagnose_all(results, used.spec)
    reasons = (*advice.reasons[:1], limited.sentence if limited else "")
    return ThreadsAnswer(
        name=name,
        threads=None if advice.beside else used.spec.load.threads,
        sure=advice.usable and not advice.beside,
        rate=_here(study, used),
        ratio=NOTHING
        if gain is None or gain.ratio is None or advice.beside
        else show_ratio(gain.ratio),
        reason=" ".join(capitalised(text) for text in reasons if text),
    )
