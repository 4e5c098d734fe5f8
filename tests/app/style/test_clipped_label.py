"""What does not fit is cut between letters, said by an ellipsis, and whole in the tooltip."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from pixels import SCALE, rendered
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.style.labels import ClippedLabel

WORDS = "surely at most 13 % slower than any other; 3 of 4 settings may be the best"


@pytest.fixture
def shown(qapp: QApplication) -> ClippedLabel:
    return ClippedLabel("muted", lines=2)


def test_that_what_fits_is_shown_whole(shown: ClippedLabel) -> None:
    shown.setText("short")
    assert shown.shown(400) == ["short"]
    assert shown.heightForWidth(400) == shown.fontMetrics().lineSpacing()


def test_that_what_is_too_long_ends_in_an_ellipsis_and_is_in_the_tooltip(
    shown: ClippedLabel,
) -> None:
    shown.setText(WORDS)
    first, second = shown.shown(120)
    assert WORDS.startswith(first)
    assert second.endswith("…")
    assert shown.toolTip() == WORDS


def test_that_no_line_ends_within_a_figure(qapp: QApplication) -> None:
    shown = ClippedLabel("muted", lines=9)
    told = "more is not faster · 10,723 sequences/s ± 2.58 % · 99 % within 4 ms"
    shown.setText(told)
    for width in range(80, 600, 7):
        lines = shown.shown(width)
        assert " ".join(lines) == told
        assert not any(line.startswith("%") or line.endswith("/") for line in lines)


def test_that_a_label_with_room_for_one_line_shows_one_with_an_ellipsis(
    shown: ClippedLabel,
) -> None:
    shown.setText(WORDS)
    (only,) = shown.shown(120, shown.fontMetrics().lineSpacing())
    assert only.endswith("…")


def test_that_a_layout_asks_for_all_lines_of_a_new_text(
    qapp: QApplication, shown: ClippedLabel
) -> None:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(shown)
    shown.setText(WORDS)
    narrow = shown.fontMetrics().horizontalAdvance(WORDS) * 2 // 3
    assert column.heightForWidth(narrow) == 2 * shown.fontMetrics().lineSpacing()
    shown.setText("short")
    assert column.heightForWidth(narrow) == shown.fontMetrics().lineSpacing()


def test_that_text_stands_in_the_middle_of_a_higher_row(shown: ClippedLabel) -> None:
    shown.setText("Start waits")
    shown.resize(200, 3 * shown.fontMetrics().lineSpacing())
    pixels = rendered(shown)
    inked = np.flatnonzero((pixels != pixels[0, 0]).any(axis=1)) / SCALE
    middle = (inked[0] + inked[-1]) / 2
    assert abs(middle - shown.height() / 2) < shown.fontMetrics().lineSpacing() / 4


@given(text=some.text(max_size=200), width=some.integers(0, 900), height=some.integers(0, 60))
def test_that_no_text_has_more_lines_than_allowed(
    qapp: QApplication, text: str, width: int, height: int
) -> None:
    label = ClippedLabel("muted", lines=2)
    label.setText(text)
    assert len(label.shown(width)) <= 2
    assert len(label.shown(width, height)) <= max(height // label.fontMetrics().lineSpacing(), 1)
