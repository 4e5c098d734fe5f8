"""Everything that a run here says about a study, ready to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.figure import CurvesFigure
from core.result.result import Result
from core.study.board import Board, scoreboard
from core.study.charts import charts_of
from core.study.judge_claims import Judged, judge
from core.study.preset import Study
from core.study.program_answers import ProgramAnswer, board_of_programs, program_answers
from core.study.sides import Choice, choices_of, sentence_of


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """A study and what was measured of it here."""

    study: Study
    board: Board
    judged: tuple[Judged, ...]
    charts: tuple[CurvesFigure, ...]
    answers: tuple[ProgramAnswer, ...] = ()
    """Of a study of programs; its board has a row for each."""
    choices: tuple[Choice, ...] = ()
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
