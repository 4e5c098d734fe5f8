"""One setting from the inside."""

from __future__ import annotations

import building
import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot
from showing import exposed

from app.style.theme import LIGHT
from app.views.inside_view import ThreadLanes
from core import Inside
from core.vocabulary import Moment

pytestmark = pytest.mark.window

SPEC = building.spec(threads=2)


def moment(at: float) -> Moment:
    """The first of two workers takes a whole core, the second one half of one."""
    whole = round(at * 1e9)
    return Moment(
        at=at, operations=(1, 1), cpu=(whole, whole // 2), bytes=0, errors=0, wrong=0,
        p50=0, p99=0, reading=building.reading(at),
    )  # fmt: skip


def test_that_a_setting_has_the_moments_of_its_last_trial_and_no_more_than_can_be_seen() -> None:
    moments = tuple(moment(at / 10) for at in range(1, 2001))
    result = building.result(SPEC, [building.trial(SPEC, moments=moments)])
    inside = Inside.of(result, result, {SPEC.digest: "2 threads"})
    assert inside.moments == moments[::5]
    assert inside.sentence == ""


def test_that_each_thread_has_a_lane_as_high_as_its_share_of_a_core(qtbot: QtBot) -> None:
    lanes = ThreadLanes()
    lanes.show_moments([moment(at / 10) for at in range(1, 21)])
    exposed(qtbot, lanes, 500, 240)
    assert lanes.accessibleDescription() == "thread 1: 100 %\nthread 2: 50 %"
    picture = lanes.grab().toImage()
    ink = QColor(LIGHT.curves[-1]).rgb()
    heights = [
        sum(picture.pixel(250, y) == ink for y in range(top, top + 100)) for top in (20, 120)
    ]
    assert heights[0] == pytest.approx(2 * heights[1], abs=2)
    assert heights[0] > 80
    lanes.show_moments(())
    assert lanes.accessibleDescription() == ""
