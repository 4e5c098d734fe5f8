"""The scoreboard: published and measured figures side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from core.analysis.estimation import metric_estimate, ratio, typical
from core.language.translation import marked, tr, tr_word
from core.language.units import (
    NOTHING,
    show_count,
    show_estimate,
    show_ratio,
)
from core.plan.floor import floor_of
from core.result.ending import ending
from core.result.metrics import METRICS
from core.result.result import Result
from core.study.cells import StudyCell
from core.study.preset import Study
from core.tables.results_table import figure_cell, floor_cell

_FLOOR = "floor"
"""A column that is no metric: the share of the speed of plain reads of the same files under the
same load."""


def _title(metric: str) -> str:
    return tr("of raw") if metric == _FLOOR else tr_word(METRICS[metric].name)


def _shown(result: Result | None, metric: str, everything: Sequence[Result]) -> str:
    if result is None:
        return NOTHING
    if metric == _FLOOR:
        return floor_cell(result, everything, floor_of).text
    return figure_cell(METRICS[metric], typical(result, metric)).text


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

    `results` by the label of their cell; `everything` that was measured, for the floor.

    A cell that did not complete, or returned wrong data, shows its ending instead of a figure.
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
                *(_shown(result, metric, everything) for metric in study.columns),
                ending(result) if result else _unmeasured(study, cell, results),
            )
        )
    unit = study.unit
    return Board(
        titles=(
            tr("cell"),
            tr("published {unit}", unit=study.published_unit or unit),
            "×",
            tr("here {unit}", unit=unit),
            "×",
            *(_title(metric) for metric in study.columns),
            tr("ending"),
        ),
        rows=tuple(rows),
    )


def _here(study: Study, result: Result | None) -> str:
    if result is None or not result.valid:
        return NOTHING
    found = metric_estimate(result, study.metric).scaled(1.0 / study.scale)
    return NOTHING if found.value is None else show_estimate(found.value, found.low, found.high)


def _ratio_here(study: Study, base: Result | None, result: Result | None) -> str:
    if base is None or result is None or not (base.valid and result.valid):
        return NOTHING
    found = ratio(base, result, study.metric)
    return NOTHING if found is None else show_ratio(found)


def show_figure(value: float) -> str:
    return show_count(value) if value >= 100 else marked(f"{value:.3g}")


def _published_ratio(value: float | None, to: float | None) -> str:
    return show_ratio(value / to) if value and to else NOTHING
