"""Everything that a run here says about a study, ready to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.result.result import Result
from core.study.board import Board, scoreboard
from core.study.charts import Chart, charts_of
from core.study.judge_claims import Judged, judge
from core.study.preset import Study


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """A study and what was measured of it here."""

    study: Study
    board: Board
    judged: tuple[Judged, ...]
    charts: tuple[Chart, ...]


def reproduction_of(study: Study, results: Sequence[Result]) -> Reproduction:
    """Compare these results with the study."""
    by_label = study.results_by_label(results)
    return Reproduction(
        study=study,
        board=scoreboard(study, by_label, results),
        judged=judge(study, by_label),
        charts=charts_of(study, by_label),
    )
