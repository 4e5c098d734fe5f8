"""The card says as much as there is room for; what it leaves out is a tooltip."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.views.answer_card import AnswerCard
from core import Headline

REASON = "Cannot tell yet"
DETAIL = "Two settings are as fast as each other so far. " * 2


@pytest.fixture
def card(qtbot: QtBot) -> AnswerCard:
    made = AnswerCard()
    qtbot.addWidget(made)
    made.show_headline(Headline(mood="open", text=REASON, detail=DETAIL.strip()))
    made.resize(400, 200)
    with qtbot.waitExposed(made):
        made.show()
    return made


def line(card: AnswerCard, text: str) -> QLabel:
    (found,) = (each for each in card.findChildren(QLabel) if each.text() == text.strip())
    return found


def test_that_a_detail_is_shown_wherever_it_fits(card: AnswerCard) -> None:
    whole = card.heightForWidth(400)
    card.fit(whole)
    assert line(card, DETAIL).isVisible()
    assert line(card, DETAIL).heightForWidth(380) > line(card, DETAIL).fontMetrics().lineSpacing()
    card.fit(whole - 1)
    assert line(card, DETAIL).isHidden()
    assert DETAIL.strip() in line(card, REASON).toolTip()
    card.fit(whole)
    assert line(card, DETAIL).isVisible()


def test_that_a_card_without_room_is_as_high_as_its_reason(card: AnswerCard) -> None:
    whole = card.heightForWidth(400)
    card.fit(0)
    assert card.heightForWidth(400) < whole - line(card, DETAIL).heightForWidth(380)
