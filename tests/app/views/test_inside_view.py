"""One setting from the inside."""

from __future__ import annotations

import building
import msgspec
import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot
from showing import exposed

from app.style.theme import LIGHT
from app.views.inside_view import LatencyMap
from core import Inside, LatencyFigure
from core.vocabulary import Trial
from core.vocabulary.latency_map import LatencyColumn, pack

pytestmark = pytest.mark.window

SPEC = building.spec(threads=1)


def trial(index: int = 0) -> Trial:
    """Ten seconds of an even load, the last two of them slower."""
    columns = [LatencyColumn(at / 10, {60 if at <= 80 else 68: 100}) for at in range(1, 101)]
    return msgspec.structs.replace(building.trial(SPEC, index=index), latency_map=pack(columns))


def test_that_a_setting_has_the_latencies_of_its_trials_over_their_time() -> None:
    result = building.result(SPEC, [trial(0), trial(1)])
    inside = Inside.of(result, result, {SPEC.digest: "1 thread"})
    assert inside.latencies == LatencyFigure.of([trial(0), trial(1)])
    assert inside.sections[0].title == "Workers of the last trial"


def test_that_the_map_is_drawn_where_the_figure_says_and_told_to_who_cannot_see(
    qtbot: QtBot,
) -> None:
    shown = LatencyMap()
    figure = LatencyFigure.of([trial()])
    assert figure is not None
    shown.show_figure(figure)
    exposed(qtbot, shown, 500, shown.height())
    assert shown.accessibleName() == "Latency over time"
    assert shown.accessibleDescription() == figure.text
    picture = shown.grab().toImage()
    ink = QColor(LIGHT.curves[0]).rgb()
    inked = [
        (x, y)
        for x in range(picture.width())
        for y in range(0, picture.height(), 2)
        if picture.pixel(x, y) == ink
    ]
    assert inked
    left, right = min(x for x, _ in inked), max(x for x, _ in inked)
    assert right >= picture.width() - 2
    turn = left + 0.8 * (right - left)
    early = [y for x, y in inked if x < turn - 3]
    late = [y for x, y in inked if x > turn + 3]
    assert min(early) > max(late), "slower is higher"
    shown.show_figure(None)
    assert shown.isHidden()
