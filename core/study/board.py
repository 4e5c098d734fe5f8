"""The scoreboard: published and measured figures side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from core.analysis.estimation import metric_estimate, ratio, typical
from core.language.translation import marked, tr, tr_word
from core.language.units import (
    show_count,
    show_estimate,
    show_ratio,
    show_seconds,
    show_share,
    show_size,
)
from core.plan.floor import floor_of
from core.result.ending import ending
from core.result.result import Result
from core.study.cells import StudyCell
from core.study.preset import Study
from core.tables.results_table import floor_cell

COLUMNS: Mapping[str, tuple[str, Callable[[float], str]]] = {
    "p99": ("p99", show_seconds),
    "dataset_fds": ("open files", lambda files: show_count(round(files))),
    "elapsed": ("elapsed", show_seconds),
    "process_cpu": ("CPU", show_seconds),
    "cores_used": ("CPU %", show_share),
    "first_step_share": ("first step", show_share),
    "peak_rss": ("peak RAM", show_size),
    "anonymous": ("its own", show_size),
    "file_backed": ("mapped", show_size),
}
"""Columns a study may have: the metric, its title, how it is shown."""
_FLOOR = "floor"
"""One more column: the share of the speed of plain reads of the same files under the same load."""
_OF_ANY = {"dataset_fds"}
"""Columns that are shown even for results without a throughput."""


def _title(metric: str) -> str:
    return tr("of raw") if metric == _FLOOR else tr_word(COLUMNS[metric][0])


def _shown(result: Result | None, metric: str, everything: Sequence[Result]) -> str:
    if result is not None and metric == _FLOOR:
        return floor_cell(result, everything, floor_of).text
    if result is None or not (result.valid or metric in _OF_ANY):
        return "–"
    value = typical(result, metric)
    return COLUMNS[metric][1](value) if value is not None else "–"


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
                show_figure(cell.published) if cell.published else "–",
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
        return "–"
    found = metric_estimate(result, study.metric).scaled(1.0 / study.scale)
    return "–" if found.value is None else show_estimate(found.value, found.low, found.high)


def _ratio_here(study: Study, base: Result | None, result: Result | None) -> str:
    if base is None or result is None or not (base.valid and result.valid):
        return "–"
    found = ratio(base, result, study.metric)
    return "–" if found is None else show_ratio(found)


def show_figure(value: float) -> str:
    return show_count(value) if value >= 100 else marked(f"{value:.3g}")


def _published_ratio(value: float | None, to: float | None) -> str:
    return show_ratio(value / to) if value and to else "–"
