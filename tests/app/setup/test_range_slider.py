"""The slider with two handles: what a sweep's axis covers, by mouse and by keys."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.setup.controls.axis_editor import NumberAxis
from app.setup.controls.range_slider import RangeSlider
from app.setup.controls.scale import Scale
from core import Integer, Load, Real, declared

pytestmark = pytest.mark.window

KINDS = {kind.name: kind for kind in declared(Load)}


def threads() -> Integer:
    kind = KINDS["threads"]
    assert isinstance(kind, Integer)
    return kind


@pytest.fixture
def axis(qtbot: QtBot) -> NumberAxis:
    """The axis of threads, with two cores marked."""
    made = NumberAxis(threads(), 1, (2,))
    qtbot.addWidget(made)
    made.resize(300, 120)
    with qtbot.waitExposed(made):
        made.show()
    return made


def slider_of(axis: NumberAxis) -> RangeSlider:
    (slider,) = axis.findChildren(RangeSlider)
    assert isinstance(slider, RangeSlider)
    return slider


def test_that_the_handles_stand_where_the_boxes_say(axis: NumberAxis) -> None:
    slider = slider_of(axis)
    assert slider.ends == (1, 8)
    axis.restore([2, 32, 3])
    assert slider.ends == (2, 32)
    low, high = slider.handles
    assert low.x() < high.x()
    assert [handle.accessibleDescription() for handle in slider.handles] == ["2", "32"]
    assert slider.width() >= 160


def test_that_a_dragged_handle_changes_the_values(qtbot: QtBot, axis: NumberAxis) -> None:
    slider = slider_of(axis)
    high = slider.handles[1]
    with qtbot.waitSignal(axis.changed):
        QTest.mousePress(high, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
        QTest.mouseMove(high, QPoint(40, 8))
        QTest.mouseRelease(high, Qt.MouseButton.LeftButton)
    low, top = slider.ends
    assert low == 1
    assert top > 8
    assert axis.values()[-1] == top
    assert axis.state()[:2] == [1, top]


def test_that_the_handles_never_pass_each_other(axis: NumberAxis) -> None:
    slider = slider_of(axis)
    low, high = slider.handles
    QTest.keyClick(low, Qt.Key.Key_End)
    assert slider.ends == (8, 8)
    QTest.keyClick(high, Qt.Key.Key_Home)
    assert slider.ends == (8, 8)
    assert not axis.problem()


def test_that_arrow_keys_step_by_one_and_reach_everything(axis: NumberAxis) -> None:
    low, high = slider_of(axis).handles
    QTest.keyClick(high, Qt.Key.Key_Right)
    assert slider_of(axis).ends == (1, 9)
    QTest.keyClick(low, Qt.Key.Key_Up)
    assert slider_of(axis).ends == (2, 9)
    QTest.keyClick(high, Qt.Key.Key_End)
    assert slider_of(axis).ends == (2, threads().high)
    assert low.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert low.accessibleName() != high.accessibleName()


def test_that_a_press_beside_the_handles_brings_the_nearer_one(axis: NumberAxis) -> None:
    slider = slider_of(axis)
    far = QPoint(slider.width() - 2, 8)
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=far)
    assert slider.ends == (1, threads().high)


def test_that_what_is_typed_moves_the_handles_and_what_is_wrong_does_not(
    qtbot: QtBot, axis: NumberAxis
) -> None:
    slider = slider_of(axis)
    qtbot.keyClicks(axis._high, "0")
    high = axis.state()[1]
    assert slider.ends == (1, high)
    axis._high.show_number(1)
    axis._low.show_number(4)
    axis._low.edited.emit()
    assert axis.problem()
    assert slider.ends == (1, high)


def test_that_the_cores_are_marked_and_named(axis: NumberAxis) -> None:
    slider = slider_of(axis)
    assert "2, the cores here" in slider.toolTip()
    assert slider.height() > RangeSlider(threads()).sizeHint().height()


NUMBERS = [kind for kind in KINDS.values() if isinstance(kind, Integer | Real)]


@given(kind=st.sampled_from(NUMBERS), share=st.floats(0, 1))
@example(kind=KINDS["memory_limit"], share=0.0)  # has no logarithm
@example(kind=KINDS["memory_limit"], share=2.2e-308)  # is no whole number
@example(kind=KINDS["deadline"], share=1.0)  # is more than its range in three digits
def test_that_a_place_on_a_scale_is_that_of_its_number(kind: Integer | Real, share: float) -> None:
    scale = Scale(kind)
    number = scale.number_at(share)
    assert kind.check(number) == number
    assert 0.0 <= scale.share_of(number) <= 1.0
    assert scale.number_at(scale.share_of(number)) == pytest.approx(number, rel=0.02, abs=1)


def test_that_pixels_and_numbers_agree(axis: NumberAxis) -> None:
    slider = slider_of(axis)
    for number in (1, 2, 8, 64):
        slider.show_ends(number, threads().high)
        centre = QPointF(slider.handles[0].geometry().center()).x() + 0.5
        assert slider.number_under(centre) == pytest.approx(number, rel=0.05, abs=0.5)
