"""The slider with two handles: one value or a range, by mouse and by keys."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.setup.controls.numbers import NumberBox, NumberControl
from app.setup.controls.range_slider import NumberScale, RangeSlider
from core import Integer, Load, Real
from core.vocabulary import declared

pytestmark = pytest.mark.window

KINDS = {kind.name: kind for kind in declared(Load)}


def threads() -> Integer:
    kind = KINDS["threads"]
    assert isinstance(kind, Integer)
    return kind


@pytest.fixture
def control(qtbot: QtBot) -> NumberControl:
    """The threads, 1 to 8 of them, with two cores marked."""
    made = NumberControl(threads(), (2,))
    made.set_values((1, 2, 4, 8))
    qtbot.addWidget(made)
    made.resize(300, 40)
    with qtbot.waitExposed(made):
        made.show()
    return made


def slider_of(control: NumberControl) -> RangeSlider:
    (slider,) = control.findChildren(RangeSlider)
    assert isinstance(slider, RangeSlider)
    return slider


def box_of(control: NumberControl) -> NumberBox:
    (box,) = control.findChildren(NumberBox)
    assert isinstance(box, NumberBox)
    return box


def drag(handle: QWidget, pixels: int) -> None:
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    QTest.mouseMove(handle, QPoint(8 + pixels, 8))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton)


def test_that_the_handles_stand_where_the_box_says(control: NumberControl) -> None:
    slider = slider_of(control)
    assert slider.ends == (1, 8)
    assert box_of(control).text() == "1 – 8"
    control.set_values((2, 32))
    assert slider.ends == (2, 32)
    assert box_of(control).text() == "2, 32"
    low, high = slider.handles
    assert low.x() < high.x()
    assert [handle.accessibleDescription() for handle in slider.handles] == ["2", "32"]
    assert slider.width() >= 96


def test_that_a_dragged_handle_changes_the_values(qtbot: QtBot, control: NumberControl) -> None:
    slider = slider_of(control)
    with qtbot.waitSignal(control.changed):
        drag(slider.handles[1], 40)
    low, top = slider.ends
    assert low == 1
    assert top > 8
    assert control.values()[-1] == top
    assert control.values()[:3] == (1, 2, 4)


@pytest.mark.parametrize("pixels", [-40, 40])
def test_that_a_single_value_is_pulled_apart_into_a_range(
    control: NumberControl, pixels: int
) -> None:
    control.set_value(8)
    drag(slider_of(control).handles[1], pixels)
    low, high = slider_of(control).ends
    assert low < high
    assert 8 in (low, high)
    assert len(control.values()) > 1


def test_that_a_press_beside_a_single_value_moves_it(control: NumberControl) -> None:
    control.set_value(8)
    slider = slider_of(control)
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() - 2, 8))
    assert control.values() == (threads().high,)


def test_that_the_handles_never_pass_each_other(control: NumberControl) -> None:
    slider = slider_of(control)
    QTest.keyClick(slider.handles[0], Qt.Key.Key_End)
    assert slider.ends == (8, 8)
    assert control.values() == (8,)
    assert not control.problem


def test_that_arrow_keys_step_by_one_and_reach_everything(control: NumberControl) -> None:
    low, high = slider_of(control).handles
    QTest.keyClick(high, Qt.Key.Key_Right)
    assert slider_of(control).ends == (1, 9)
    QTest.keyClick(low, Qt.Key.Key_Up)
    assert slider_of(control).ends == (2, 9)
    QTest.keyClick(high, Qt.Key.Key_End)
    assert slider_of(control).ends == (2, threads().high)
    assert low.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert low.accessibleName() != high.accessibleName()


def test_that_the_arrow_keys_step_a_single_value_in_its_box(control: NumberControl) -> None:
    control.set_value(4)
    QTest.keyClick(box_of(control), Qt.Key.Key_Up)
    assert control.values() == (5,)


def test_that_a_press_beside_the_handles_brings_the_nearer_one(control: NumberControl) -> None:
    slider = slider_of(control)
    far = QPoint(slider.width() - 2, 8)
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=far)
    assert slider.ends == (1, threads().high)


@pytest.mark.parametrize(
    ("written", "values"),
    [("4", (4,)), ("1..8", (1, 2, 4, 8)), ("2, 6", (2, 6))],
)
def test_that_the_box_reads_what_the_command_line_reads(
    qtbot: QtBot, control: NumberControl, written: str, values: tuple[int, ...]
) -> None:
    box_of(control).selectAll()
    qtbot.keyClicks(box_of(control), written)
    assert control.values() == values
    assert slider_of(control).ends == (values[0], values[-1])


@pytest.mark.parametrize("single", [True, False])
def test_that_a_decimal_comma_is_no_other_number(qtbot: QtBot, single: bool) -> None:
    kind = Real(name="wait", default=1.0, low=0, high=9, unit="seconds", help="")
    control = NumberControl(kind, single=single)
    qtbot.addWidget(control)
    box_of(control).selectAll()
    qtbot.keyClicks(box_of(control), "2,5 s")
    assert control.values() == (2.0,)
    assert "write 2.5s" in control.problem


def test_that_what_is_wrong_moves_no_handle(qtbot: QtBot, control: NumberControl) -> None:
    box_of(control).selectAll()
    qtbot.keyClicks(box_of(control), "8..")
    assert control.problem
    assert control.values() == (8,)
    qtbot.keyClicks(box_of(control), "1")
    assert control.problem  # it goes down


def test_that_the_cores_are_marked_and_told(control: NumberControl) -> None:
    assert "2, the cores here" in slider_of(control).toolTip()


def test_that_a_slider_of_one_value_has_one_handle(qtbot: QtBot) -> None:
    single = NumberControl(threads(), single=True)
    qtbot.addWidget(single)
    (handle,) = slider_of(single).handles
    QTest.keyClick(handle, Qt.Key.Key_Right)
    assert single.values() == (2,)


NUMBERS = [kind for kind in KINDS.values() if isinstance(kind, Integer | Real)]


@given(kind=st.sampled_from(NUMBERS), share=st.floats(0, 1))
@example(kind=KINDS["memory_limit"], share=0.0)  # has no logarithm
@example(kind=KINDS["memory_limit"], share=2.2e-308)  # is no whole number
@example(kind=KINDS["deadline"], share=1.0)  # is more than its range in three digits
def test_that_a_place_on_a_scale_is_that_of_its_number(kind: Integer | Real, share: float) -> None:
    scale = NumberScale(kind)
    number = scale.number_at(share)
    assert kind.check(number) == number
    assert 0.0 <= scale.share_of(number) <= 1.0
    assert scale.number_at(scale.share_of(number)) == pytest.approx(number, rel=0.02, abs=1)


def test_that_pixels_and_numbers_agree(control: NumberControl) -> None:
    slider = slider_of(control)
    for number in (1, 2, 8, 64):
        slider.show_ends(number, threads().high)
        centre = QPointF(slider.handles[0].geometry().center()).x() + 0.5
        assert slider.number_under(centre) == pytest.approx(number, rel=0.08, abs=0.5)
