"""What stands on curves never lies over each other."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from PySide6.QtCore import QRectF, Qt
from pytestqt.qtbot import QtBot
from showing import exposed

from app.plots.base.end_labels import WHOLE, arranged
from app.plots.counts.scaling_view import ScalingView
from core import CurvesFigure, FigureCurve
from core.vocabulary import FigurePoint, MetricEstimate

pytestmark = pytest.mark.window
NAMES = ("LRU, one lock", "per thread", "pool", "none, closed at once", "none")


def figure(ends: list[float]) -> CurvesFigure:
    """Five curves that end at these values."""
    return CurvesFigure(
        curves=tuple(
            FigureCurve(
                name=name,
                points=tuple(
                    FigurePoint(at=at, found=MetricEstimate(value=value)) for at in (1, 4, 16)
                ),
            )
            for name, value in zip(NAMES, ends, strict=True)
        )
    )


@pytest.mark.parametrize("height", [160, 260, 460])
def test_that_labels_on_curves_never_overlap(qtbot: QtBot, height: int) -> None:
    view = exposed(qtbot, ScalingView(), 700, height)
    drawn = random.Random(7)
    for _ in range(40):
        near = drawn.choice([1.0, 50.0, 1000.0])
        view.show_figure(figure([3000.0 + near * drawn.random() for _ in NAMES]), "read")
        qtbot.keyClick(view, Qt.Key.Key_Right)  # every label has a note as well
        labels = view.sheet.labels
        placed = labels.placed()
        assert [one.name for one, _ in placed] == list(NAMES)
        areas = [area for _, area in placed]
        assert not any(one.intersects(other) for one, other in combinations(areas, 2))
        plot: QRectF = labels.boundingRect()
        assert all(plot.contains(area) for area in areas)


def test_that_labels_stand_at_their_curves_where_there_is_room() -> None:
    assert arranged([10, 200, 90], 0, 300, WHOLE) == [10, 200, 90]
    assert arranged([290, 292], 0, 300, WHOLE) == [300 - 2 * WHOLE, 300 - WHOLE]
    assert arranged([-5, -9], 0, 300, WHOLE) == [WHOLE, 0]


def test_that_a_click_on_a_label_hides_its_curve_and_shows_it_again(qtbot: QtBot) -> None:
    view = exposed(qtbot, ScalingView(), 700, 400)
    view.show_figure(figure([100.0, 200.0, 300.0, 400.0, 500.0]), "read")
    before = view.sheet.grab().toImage()
    labels = view.sheet.labels
    _, area = labels.placed()[1]
    place = view.sheet.mapFromScene(labels.mapToScene(area.center()))
    qtbot.mouseClick(view.sheet.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert labels.shown.ends[1].hidden
    assert view.sheet.grab().toImage() != before
    qtbot.mouseClick(view.sheet.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert view.sheet.grab().toImage() == before
