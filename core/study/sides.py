"""The answer of a study that asks to choose: the best of one side against the best of the other."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from core.analysis.comparison import Verdict, VerdictKind
from core.analysis.judge import Judge, judge_of
from core.analysis.whole_work import whole
from core.result.result import Result
from core.study.preset import Study


def verdict_of_sides(study: Study, cells: Mapping[str, Result]) -> Verdict | None:
    """The faster side's best against the other's; None for a study without sides, or one missing.

    `cells`: results by label.
    """
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
