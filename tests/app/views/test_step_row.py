"""The card's buttons, as many as there is room for, and the card as a picture."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.views.card_picture import picture_of
from app.views.step_row import StepRow
from core import Act, Badge, Headline, NextStep, ResultCard

pytestmark = pytest.mark.window
STEPS = tuple(
    NextStep(act=Act.EXPLAIN, text=f"Do the {name} thing", why="why", name=name)
    for name in ("first", "second", "third", "fourth", "fifth")
)


def seen(row: StepRow) -> list[str]:
    return [one.text() for one in row.findChildren(QPushButton) if one.isVisible()]


def test_that_buttons_without_room_are_in_the_menu(qtbot: QtBot) -> None:
    row = StepRow()
    qtbot.addWidget(row)
    row.show_steps(STEPS)
    row.resize(2000, 40)
    with qtbot.waitExposed(row):
        row.show()
    assert seen(row) == [step.text for step in STEPS]
    row.resize(400, 40)
    qtbot.waitUntil(lambda: "More" in seen(row))
    shown = [text for text in seen(row) if text != "More"]
    assert 0 < len(shown) < len(STEPS)
    (more,) = [one for one in row.findChildren(QPushButton) if one.text() == "More"]
    hidden = [action.text() for action in more.menu().actions()]
    assert shown + hidden == [step.text for step in STEPS]
    assert more.geometry().right() <= row.width()
    with qtbot.waitSignal(row.chosen) as chosen:
        more.menu().actions()[0].trigger()
    assert chosen.args == [STEPS[len(shown)]]


def test_that_a_picture_of_the_verdict_has_its_content(qtbot: QtBot) -> None:
    card = ResultCard(
        headline=Headline(mood="good", text="Use 2 threads", detail="by far"),
        number="3,001",
        unit="sequences/s",
        badges=(Badge(trust="holds", name="9 of 9 verified"),),
        about="snapshot · machine · date",
    )
    image, bare = picture_of(card), picture_of(ResultCard(headline=card.headline))
    assert image.size() == bare.size()
    assert image.size().width() == 1440
    assert image != bare
