"""Everything that a run here says about a study, ready to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.comparison import Verdict
from core.analysis.figure import CurvesFigure
from core.result.result import Result
from core.study.board import Board, scoreboard
from core.study.charts import charts_of
from core.study.judge_claims import Judged, judge
from core.study.preset import Study
from core.study.program_answers import ProgramAnswer, board_of_programs, program_answers
from core.study.sides import verdict_of_sides


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """A study and what was measured of it here."""

    study: Study
    board: Board
    judged: tuple[Judged, ...]
    charts: tuple[CurvesFigure, ...]
    answers: tuple[ProgramAnswer, ...] = ()
    """Of a study of programs; its board has a row for each."""
    choice: Verdict | None = None
    """Of a study that asks to choose: the best of one side against the best of the other."""
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
    return Reproduction(
        study=study,
        board=scoreboard(study, by_label, results),
        judged=judge(study, by_label),
        charts=charts_of(study, by_label),
        choice=verdict_of_sides(study, by_label),
    )
