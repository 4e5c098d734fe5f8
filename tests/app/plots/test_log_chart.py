"""The plot of a published study: what it draws, tells and leaves out."""

from __future__ import annotations

import math

import building
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot
from showing import exposed

from app.plots.counts.log_chart import LogChart
from core import CurvesFigure, FigureCurve
from core.judge import load_study, reproduction_of
from core.vocabulary import FigurePoint, MetricEstimate

pytestmark = pytest.mark.window

THREADS = load_study("svfs-threads")


def chart(**cells: list[str]) -> CurvesFigure:
    (found,) = reproduction_of(THREADS, building.study_of_costs(**cells)).charts
    return found


@pytest.fixture
def view(qtbot: QtBot) -> LogChart:
    return exposed(qtbot, LogChart(), 700, 450)


def heading(view: LogChart) -> str:
    return view.sheet.labels.shown.heading


def test_that_lines_are_named_before_anybody_asks_for_values(view: LogChart) -> None:
    view.show_chart(chart())
    told = view.labels()
    assert list(told)[:2] == ["C++ coalesced", "C++ un-coalesced"]
    assert set(told.values()) == {""}
    assert "dotted: as charted there" in heading(view)


def test_that_the_mouse_asks_for_the_values_of_the_nearest_place(
    qtbot: QtBot, view: LogChart
) -> None:
    view.show_chart(chart())
    qtbot.mouseMove(view.sheet.viewport(), QPoint(round(view.sheet.x_of(0.3)), 100))
    assert heading(view).startswith("threads 1 · ")
    assert view.labels()["C++ coalesced"] == "4.19 ms (8.39 ms)"


def test_that_arrow_keys_step_through_the_places(qtbot: QtBot, view: LogChart) -> None:
    view.show_chart(chart())
    told = []
    for _ in range(3):
        qtbot.keyClick(view, Qt.Key.Key_Right)
        told.append(heading(view).split(" · ")[0])
    assert told == ["threads 1", "threads 4", "threads 16"]
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert set(view.labels().values()) == {""}


def test_that_both_axes_are_logarithmic(view: LogChart) -> None:
    view.show_chart(chart())
    (x_low, x_high), (y_low, y_high) = view.sheet.plotItem.vb.viewRange()
    assert x_low < 0 < 7 < x_high  # 1 to 128 threads
    assert y_low < -3 < y_high < 1  # milliseconds
    assert "10 ms" in view.sheet.plotItem.getAxis("left").texts()


def test_that_the_summary_and_the_table_tell_every_point(view: LogChart) -> None:
    view.show_chart(chart(without=["C++ coalesced, 16 threads"]))
    assert "1: here 4.19 ms, published 8.39 ms" in view.summary()
    assert "16: here –, published 37.6 ms" in view.summary()
    assert len(view.table()) == 1 + sum(len(line.cells) for line in chart().curves)
    assert view.table()[0][:3] == ("curve", "threads", "here")


def test_that_wrong_data_is_no_point(view: LogChart) -> None:
    view.show_chart(chart(broken=["C++ coalesced, 64 threads"]))
    told = [row for row in view.table() if row[:2] == ("C++ coalesced", "64")]
    assert [row[2:6] for row in told] == [("–", "–", "–", "27.1 ms")]


def test_that_published_and_measured_lines_are_apart_without_colour(view: LogChart) -> None:
    here, published = 1.5e-3, 1.5e-2  # where no line of the grid is
    line = FigureCurve(
        name="flat",
        points=tuple(FigurePoint(at=at, found=MetricEstimate(value=here)) for at in (1, 1024)),
        published=((1, published), (1024, published)),
    )
    view.show_chart(CurvesFigure(logarithmic=True, curves=(line,), apart=0.0))
    picture = view.sheet.grab().toImage()
    box = view.sheet.plotItem.vb

    def inked(seconds: float) -> float:
        """The share of the columns between the points that the line covers."""
        ends = [box.mapViewToScene(QPointF(x, math.log10(seconds))) for x in (1.0, 9.0)]
        columns = range(round(ends[0].x()), round(ends[1].x()))
        rows = [round(ends[0].y()) + beside for beside in (-1, 0, 1)]
        dark = [min(picture.pixelColor(x, y).lightness() for y in rows) for x in columns]
        return sum(each < 200 for each in dark) / len(dark)

    assert inked(here) > 0.99
    assert 0.4 < inked(published) < 0.9
