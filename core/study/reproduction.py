"""What a run here says about a study, ready to be shown: board, claims, sides and plots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from core.analysis.curves_figure import CurvesFigure, FigureCurve, FigurePoint
from core.analysis.estimation import NOT_MEASURED, MetricEstimate, metric_estimate
from core.analysis.judge import Judge, judge_of
from core.analysis.verdict import Verdict, VerdictKind
from core.analysis.workload_facts import whole
from core.language.translation import capitalised, tr, tr_word
from core.language.units import show_size
from core.result.result import Result
from core.study.board import Board, ProgramAnswer, board_of_programs, program_answers, scoreboard
from core.study.judge_claims import Judged, judge
from core.study.preset import PublishedFigure, PublishedTrace, Study


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """A study and what was measured of it here."""

    study: Study
    board: Board
    judged: tuple[Judged, ...]
    charts: tuple[CurvesFigure, ...]
    answers: tuple[ProgramAnswer, ...] = ()
    """Of a study of programs; its board has a row for each."""
    choices: tuple[SideChoice, ...] = ()
    """Of a study that asks to choose: the best of one side against the best of the other."""
    answer: str = ""
    """What these say, in a sentence."""
    remarks: tuple[str, ...] = ()
    """What else is to be said below the board."""


def reproduction_of(study: Study, results: Sequence[Result]) -> Reproduction:
    """Compare these results with the study."""
    by_label = study.results_by_label(results)
    if study.programs:
        answers, remarks = program_answers(study, by_label)
        return Reproduction(
            study=study,
            board=board_of_programs(study, answers),
            judged=(),
            charts=(),
            answers=answers,
            remarks=remarks,
        )
    choices = choices_of(study, by_label)
    return Reproduction(
        study=study,
        board=scoreboard(study, by_label, results),
        judged=judge(study, by_label),
        charts=charts_of(study, by_label),
        choices=choices,
        answer=sentence_of(study, choices, by_label) if choices else "",
    )


class SideChoice(NamedTuple):
    """The faster side's best against the other's."""

    when: str
    """In which way the data was read, where that is a part of the question."""
    verdict: Verdict


def choices_of(study: Study, cells: Mapping[str, Result]) -> tuple[SideChoice, ...]:
    """One for each time that the study asks; none without sides, or where one is missing.

    `cells`: results by label.
    """
    asked = study.asked or {"": ""}
    others = tuple(filter(None, asked.values()))
    found = []
    for when, end in asked.items():
        own = {
            label.removesuffix(end): one
            for label, one in cells.items()
            if (label.endswith(end) if end else not label.endswith(others))
        }
        if verdict := _verdict(study, own):
            found.append(SideChoice(when, verdict))
    return tuple(found)


def _verdict(study: Study, cells: Mapping[str, Result]) -> Verdict | None:
    leaders = [leader for starts in study.sides.values() if (leader := _leader(starts, cells))]
    if len(leaders) < 2:
        return None
    (first, one), (second, two) = leaders
    verdict = Judge(()).pair(two, one)
    if verdict.kind is VerdictKind.SLOWER:
        first, second, verdict = second, first, Judge(()).pair(one, two)
    return msgspec.structs.replace(verdict, candidate=first, baseline=second)


def _leader(starts: tuple[str, ...], cells: Mapping[str, Result]) -> tuple[str, Result] | None:
    own = {label: one for label, one in cells.items() if label.startswith(starts) and one.valid}
    if not own:
        return None
    leader = judge_of(whole(tuple(own.values()))).leader
    return next((label, one) for label, one in own.items() if one is leader)


def sentence_of(study: Study, choices: Sequence[SideChoice], cells: Mapping[str, Result]) -> str:
    """The answer in one sentence, with the sizes of both sides' files where they are known."""
    parts = [*map(_choice_text, choices), *_sizes(study, cells)]
    text = "; ".join(parts)
    return f"{capitalised(text)}."


def _choice_text(choice: SideChoice) -> str:
    claim = choice.verdict.claim.removesuffix(".")
    return tr("{when}: {claim}", when=tr_word(choice.when), claim=claim) if choice.when else claim


def _sizes(study: Study, cells: Mapping[str, Result]) -> Iterator[str]:
    sizes = {side: _size(starts, cells) for side, starts in study.sides.items()}
    known = [f"{side} {show_size(size)}" for side, size in sizes.items() if size]
    if len(known) == len(sizes):
        yield tr("files: {sizes}", sizes=", ".join(known))


def _size(starts: tuple[str, ...], cells: Mapping[str, Result]) -> int:
    """Bytes of the files that a side's trials read; 0 where nobody has looked at them."""
    seen = (
        trial.cached
        for label, one in cells.items()
        if label.startswith(starts)
        for trial in one.finished_trials
    )
    return max((cached.total_bytes for cached in seen if cached is not None), default=0)


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
