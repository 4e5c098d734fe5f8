"""The card says as much as there is room for; what it leaves out is a tooltip."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.style.clipped_label import ClippedLabel
from app.views.answer_card import AnswerCard
from core import Headline
from core.output.card_values import ResultCard

REASON = "Cannot tell yet"
LONG = (
    "Vorerst 2 Threads nehmen: sicher höchstens 6.69 % langsamer als jede andere Einstellung; 3 von 4 "
    "Einstellungen können die beste sein, die anderen sind langsamer; Versuche unterscheiden sich um "
    "1.38 %, etwa 13 von jeder würden es sagen."
)
"""As long as a reason gets."""
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


def line(card: AnswerCard, text: str) -> ClippedLabel:
    (found,) = (each for each in card.findChildren(ClippedLabel) if each.text() == text.strip())
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


def test_that_the_reason_is_whole_in_a_small_window_once_a_run_is_over(card: AnswerCard) -> None:
    card.resize(502, 200)
    card.show_headline(Headline(mood="open", text=LONG, detail=""))
    reason = line(card, LONG)
    assert " ".join(reason.shown(480)) == LONG
    card.show_running()
    card.show_headline(Headline(mood="open", text=LONG, detail=""))
    assert len(reason.shown(480)) == 2  # the plots need the height
    assert LONG in reason.toolTip()
    card.end_running()
    assert " ".join(reason.shown(480)) == LONG


def test_that_the_unit_stands_beside_its_number_where_there_are_no_figures(
    card: AnswerCard,
) -> None:
    headline = Headline(mood="good", text="10 of 10 claims are reproduced here.", detail="")
    card.resize(900, 200)
    card.show_card(ResultCard(headline=headline, number="10 of 10", unit="claims reproduced"))
    number, unit = (
        next(one for one in card.findChildren(QLabel) if one.text() == text)
        for text in ("10 of 10", "claims reproduced")
    )
    end_of_number = number.mapTo(
        card, QPoint(number.fontMetrics().horizontalAdvance("10 of 10"), 0)
    )
    assert 0 <= unit.mapTo(card, QPoint(0, 0)).x() - end_of_number.x() < 40
