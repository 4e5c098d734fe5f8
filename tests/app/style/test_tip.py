"""What is shown in a tooltip is text, whatever it looks like."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import Qt, QTextDocument

from app.style.labels import as_tip

APP = Path(__file__).parents[3] / "app"


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
