"""What does not fit a label is cut and whole in its tooltip, and what is in a tooltip is text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from pixels import SCALE, rendered
from PySide6.QtGui import Qt, QTextDocument
from PySide6.QtWidgets import QApplication

from app.style.labels import ClippedLabel, as_tip

WORDS = "surely at most 13 % slower than any other; 3 of 4 settings may be the best"
APP = Path(__file__).parents[3] / "app"


@pytest.fixture
def shown(qapp: QApplication) -> ClippedLabel:
    return ClippedLabel("muted", lines=2)


def test_that_what_fits_is_shown_whole(shown: ClippedLabel) -> None:
    shown.setText("short")
    assert shown.shown(400) == ["short"]


def test_that_what_is_too_long_ends_in_an_ellipsis_and_is_in_the_tooltip(
    shown: ClippedLabel,
) -> None:
    shown.setText(WORDS)
    first, second = shown.shown(120)
    assert WORDS.startswith(first)
    assert second.endswith("…")
    assert shown.toolTip() == WORDS


def test_that_a_new_text_moves_nothing(shown: ClippedLabel) -> None:
    before = shown.sizeHint()
    shown.setText(WORDS)
    assert shown.sizeHint() == before
    assert before.height() == 2 * shown.fontMetrics().lineSpacing()


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


def test_that_text_stands_in_the_middle_of_a_higher_row(shown: ClippedLabel) -> None:
    shown.setText("Measure waits")
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


@pytest.mark.parametrize(
    "text",
    [
        "<b>bold</b>",
        'a <img src="file:///etc/hostname">',
        "&lt;b&gt; x",
        "<a href='x'>one</a>\ntwo",
    ],
)
def test_that_tags_from_outside_are_shown_as_they_are_written(text: str) -> None:
    assert Qt.mightBeRichText(text)
    shown = QTextDocument()
    shown.setHtml(as_tip(text))
    assert shown.toPlainText() == text
    assert not shown.allFormats() or all(not one.isImageFormat() for one in shown.allFormats())


@pytest.mark.parametrize("text", ["", "threads < 4", "plain", "two\nlines", "a & b"])
def test_that_plain_text_stays_as_it_is(text: str) -> None:
    assert as_tip(text) == text


def given_to_tooltips(file: Path) -> Iterator[ast.expr]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(attr="setToolTip"), args=[*_, text]):
                yield text
            case _:
                pass


def test_that_every_tooltip_is_our_own_text_or_went_through_the_gate() -> None:
    """A text of ours is a literal that is translated as it stands."""
    found, passed = [], 0
    for file in sorted(APP.rglob("*.py")):
        for text in given_to_tooltips(file):
            match text:
                case (
                    ast.Call(func=ast.Attribute(attr="tr"))
                    | ast.Call(func=ast.Name(id="tr_word" | "as_tip"))
                ):
                    passed += 1
                case _:
                    found.append(f"{file.relative_to(APP)}:{text.lineno}")
    assert passed > 30
    assert not found
