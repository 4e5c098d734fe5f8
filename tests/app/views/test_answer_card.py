"""The verdict says its sentence as large as fits, and never changes its height."""

from __future__ import annotations

from collections.abc import Iterator

import building
import msgspec
import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from showing import exposed

from app.style.labels import ClippedLabel
from app.style.theme import DARK, LIGHT
from app.views.answer_card import AnswerCard, picture_of
from core import Act, Headline, NextStep, ResultCard, RunProgress
from core.tell.card_values import Badge, Snippet
from core.vocabulary import Grade, RunPlanned, TrialStarted

pytestmark = pytest.mark.window
LONG = (
    "Vorerst 2 Threads nehmen, sicher höchstens 6.69 % langsamer als jede andere Einstellung, die "
    "gemessen wurde"
)
STEPS = tuple(
    NextStep(act=Act.EXPLAIN, text=f"Do {name}", why="why", name=name)
    for name in ("until sure", "use", "why", "report")
)
CARD = ResultCard(
    headline=Headline(
        mood="good", text="Use 2 threads: 1.73× 1 thread; more are slower.", detail="",
        grade=Grade.SURE,
    ),
    number="6,589", unit="sequences/s", interval="± 6 % (95 %)",
    reason="Use 2 threads: 1.73× 1 thread; more are slower.",
    badges=(Badge(trust="holds", name="sure"), Badge(trust="holds", name="9 of 9 verified")),
    about="snapshot · machine · date",
)  # fmt: skip


@pytest.fixture
def card(qtbot: QtBot) -> AnswerCard:
    made = AnswerCard()
    return exposed(qtbot, made, 900, made.sizeHint().height())


def said(card: AnswerCard) -> list[str]:
    return [one.text() for one in card.findChildren(ClippedLabel)]


def buttons(card: AnswerCard) -> dict[str, QRect]:
    return {one.text(): one.geometry() for one in card.findChildren(QPushButton) if one.isVisible()}


def test_that_the_sentence_stands_before_its_reasons(card: AnswerCard) -> None:
    card.show_card(CARD, STEPS)
    sentence, why, about = said(card)
    assert sentence == "Use 2 threads"
    assert why == "1.73× 1 thread; more are slower. · 6,589 sequences/s ± 6 %"
    assert "(95 %)" in card.findChildren(ClippedLabel)[1].toolTip()
    assert about == CARD.about
    assert card.text() == CARD.headline.text


def test_that_one_setting_is_answered_with_its_figure(card: AnswerCard) -> None:
    alone = ResultCard(headline=CARD.headline, number="6,589", unit="sequences/s", interval="± 6 %")
    card.show_card(alone)
    assert said(card)[:2] == ["6,589 sequences/s", "± 6 %"]


def test_that_nothing_moves_from_the_first_paint_to_the_last(card: AnswerCard) -> None:
    height, places = card.sizeHint().height(), buttons(card)
    assert len(places) > 4
    for shown, steps in ((CARD, STEPS), (CARD, ()), (CARD, STEPS[:1])):
        card.show_running()
        assert buttons(card) == places
        card.show_card(shown, steps)
        assert (card.sizeHint().height(), buttons(card)) == (height, places)
        card.end_running()
        assert (card.sizeHint().height(), buttons(card)) == (height, places)


def test_that_the_steps_of_a_run_stand_where_its_data_will(card: AnswerCard) -> None:
    card.show_running()
    watch = RunProgress()
    card.show_stage(watch)
    assert card.about.split(" · ") == ["● Prepare", "○ Warm up", "○ Measure"]
    specs = [building.spec()]
    watch.take(RunPlanned(plan=building.plan(specs), trials=1, seconds=9.0))
    watch.take(TrialStarted(index=0, block=0, of=1, spec=specs[0]))
    card.show_stage(watch)
    assert card.about.split(" · ") == ["✓ Prepare", "● Warm up", "○ Measure"]
    card.show_card(CARD)
    assert "Warm up" in card.about
    card.end_running()
    assert card.about == CARD.about


def test_that_buttons_are_greyed_until_they_apply_and_the_rest_is_in_a_menu(
    card: AnswerCard, qtbot: QtBot
) -> None:
    enabled = {one.text(): one.isEnabled() for one in card.findChildren(QPushButton)}
    assert not any(enabled.values())
    card.show_card(CARD, STEPS)
    found = {one.text(): one for one in card.findChildren(QPushButton)}
    assert not found["Compare"].isEnabled()
    with qtbot.waitSignal(card.step_chosen) as chosen:
        found["Make it surer"].click()
    assert chosen.args == [STEPS[0]]
    assert [action.text() for action in found["More"].menu().actions()] == ["Do use"]


def test_that_the_first_button_is_for_code_only_where_the_answer_names_a_setting(
    card: AnswerCard,
) -> None:
    def parts() -> list[str]:
        return [str(one.property("part")) for one in (card.copies, card.steps._more)]

    card.show_card(msgspec.structs.replace(CARD, copies=(Snippet(where="JSON", text="{}"),)))
    assert parts() == ["primary", "slot"]
    place = card.copies.geometry()
    untold = "How many threads are best cannot be told"
    card.show_card(
        ResultCard(headline=Headline(mood="open", text=untold, detail=""), about=CARD.about)
    )
    assert parts() == ["slot", "slot"]
    assert card.copies.geometry() == place
    assert card.copies.isEnabled()
    reason = f"No setting to copy: {untold}"
    assert card.copies.accessibleDescription() == card.copies.toolTip() == reason
    card.copies.menu().aboutToShow.emit()
    first, *others = card.copies.menu().actions()
    assert (first.text(), first.isEnabled()) == (reason, False)
    assert len([one for one in others if one.isEnabled() and one.text()]) == 2


def test_that_slots_without_room_are_in_the_menu(card: AnswerCard, qtbot: QtBot) -> None:
    card.show_card(CARD, STEPS)
    card.resize(460, card.height())
    (more,) = [one for one in card.findChildren(QPushButton) if one.text() == "More"]
    qtbot.waitUntil(lambda: "Report" not in buttons(card))
    assert "Do report" in [action.text() for action in more.menu().actions()]
    assert more.geometry().right() <= card.width()


def test_that_a_long_sentence_is_smaller_and_whole(card: AnswerCard) -> None:
    sentence = card.findChildren(ClippedLabel)[0]
    card.show_card(CARD)
    large = sentence.font().pointSizeF()
    height = sentence.height()
    card.show_headline(Headline(mood="open", text=LONG, detail=""))
    assert sentence.font().pointSizeF() < large
    assert " ".join(sentence.shown(sentence.width(), sentence.height())) == LONG
    assert sentence.height() == height
    card.show_card(CARD)
    assert sentence.font().pointSizeF() == large


@pytest.fixture
def themed(qapp: QApplication) -> Iterator[QApplication]:
    qapp.setStyleSheet(LIGHT.style_sheet())
    yield qapp
    qapp.setStyleSheet("")


def test_that_a_long_sentence_stays_whole_in_another_theme(
    themed: QApplication, card: AnswerCard
) -> None:
    card.show_headline(Headline(mood="good", text=LONG, detail=""))
    (sentence,) = (one for one in card.findChildren(ClippedLabel) if one.text() == LONG)
    assert " ".join(sentence.shown(sentence.width(), sentence.height())) == LONG
    themed.setStyleSheet(DARK.style_sheet())
    assert " ".join(sentence.shown(sentence.width(), sentence.height())) == LONG


def test_that_the_meter_has_a_bar_for_each_grade_and_is_provisional_while_it_runs(
    card: AnswerCard,
) -> None:
    def bars() -> list[str]:
        return [str(bar.property("on")) for bar in card._meter]

    assert bars() == ["off"] * 3
    card.show_card(CARD)
    assert bars() == ["sure"] * 3
    card.show_running()
    card.show_card(CARD)
    assert bars() == ["open"] * 3
    assert card._badges.texts() == ("✓ 9 of 9 verified",)


def test_that_an_answer_beside_other_programs_says_so_and_is_hatched(qtbot: QtBot) -> None:
    shown = AnswerCard()
    qtbot.addWidget(shown)
    shown.show_card(CARD)
    assert {bar.property("on") for bar in shown._meter} == {"sure"}
    beside = "Other programs took 45 % of the time on cores that trials wanted."
    shown.show_card(msgspec.structs.replace(CARD, beside=beside))
    assert {bar.property("on") for bar in shown._meter} == {"hatched"}
    assert shown._sentence.property("mood") == "unsure"
    assert shown._why.text().startswith(beside)


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
