"""The verdict says its sentence in large type, changes seldom, and never changes its height."""

from __future__ import annotations

import time
from collections.abc import Iterator

import building
import msgspec
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot
from showing import exposed

from app.views.answer_card import AnswerCard, picture_of
from app.views.verdict_words import Words
from core import Act, Headline, NextStep, ResultCard, RunProgress
from core.tell.card_values import Badge, Snippet
from core.vocabulary import Grade, RunPlanned, TrialStarted

pytestmark = pytest.mark.window
STEPS = tuple(
    NextStep(act=Act.MEASURE, text=f"Do {name}", brief=brief, why="why", name=name)
    for name, brief in {"until sure": "Make it surer", "use": "", "why": "", "report": ""}.items()
)
QUIET = Badge(trust="holds", name="machine quiet")
CARD = ResultCard(
    headline=Headline(
        mood="good", text="Use 2 threads: 1.73× 1 thread; more are slower.", detail="",
        grade=Grade.SURE,
    ),
    number="6,589", unit="sequences/s", interval="± 6 % (99.75 %)",
    reason="Use 2 threads: 1.73× 1 thread; more are slower.",
    badges=(
        Badge(trust="holds", name="sure", bars=3),
        Badge(trust="holds", name="9 compared, all right"),
        QUIET,
    ),
    about="snapshot · machine · date",
    copies=(Snippet(where="JSON", text="{}"),),
)  # fmt: skip
PROVISIONAL = msgspec.structs.replace(
    CARD, headline=Headline(mood="open", text="Leading", detail="", grade=Grade.LEADING)
)
FAILED = ResultCard(headline=Headline(mood="bad", text="No throughput: it crashed.", detail=""))
REFUSED = ResultCard(
    headline=Headline(mood="open", text="How many threads are best cannot be told", detail=""),
    about=CARD.about,
    badges=(Badge(trust="contradicted", name="3 wrong in 10"), QUIET),
)
TODAY = time.time()
RUNS = [(1, "a sweep", TODAY - 40 * 86400), (2, "another", TODAY)]
SIZES = (1280, 900)


@pytest.fixture
def card(qtbot: QtBot) -> Iterator[AnswerCard]:
    made = AnswerCard()
    exposed(qtbot, made, 1280, made.height())
    made.ask("How many threads?")
    yield made
    made.clear()


def rectangles(card: AnswerCard) -> dict[str, QRect]:
    parts = (card, card._words, card._doubt, card.steps, *card.findChildren(QPushButton))
    return {f"{type(one).__name__} {at}": one.geometry() for at, one in enumerate(parts)}


def said(card: AnswerCard) -> tuple[str, str]:
    return card._words.text(), card._words._why


def remarks(card: AnswerCard) -> tuple[str, ...]:
    return card._doubt.texts()


def blue(card: AnswerCard) -> list[str]:
    return [
        one.text() for one in card.findChildren(QPushButton) if one.property("part") == "primary"
    ]


def test_that_the_sentence_stands_before_its_reasons_and_its_doubts(card: AnswerCard) -> None:
    assert said(card) == ("How many threads?", "")
    assert remarks(card) == ("nothing measured yet",)
    card.show_plan("4 settings, about 1 min", "sequences will be compared")
    assert remarks(card) == ("nothing measured yet", "sequences will be compared")
    assert said(card)[1] == "4 settings, about 1 min."
    card.show_runs(RUNS, 2)
    card.show_card(CARD, STEPS)
    assert said(card) == (
        "Use 2 threads",
        "1.73× 1 thread; more are slower. · 6,589 sequences/s ± 6 %",
    )
    assert "(99.75 %)" in card._words.toolTip()
    sure, compared, run = remarks(card)
    assert (sure, compared) == ("sure", "9 compared, all right")
    assert run.startswith("run 2, today ")
    assert card.text() == CARD.headline.text
    card.clear()
    assert said(card) == ("How many threads?", "4 settings, about 1 min.")


def test_that_one_setting_is_answered_with_its_figure(card: AnswerCard) -> None:
    card.show_card(ResultCard(headline=CARD.headline, number="6,589", unit="sequences/s"))
    assert said(card)[0] == "6,589 sequences/s"


@pytest.mark.parametrize("width", SIZES)
def test_that_nothing_moves_from_the_question_to_the_answer(card: AnswerCard, width: int) -> None:
    card.resize(width, card.height())
    places = rectangles(card)
    assert places["AnswerCard 0"].height() == 121
    long = msgspec.structs.replace(CARD, reason=f"Use {'one of many ' * 6}; because.")
    for shown, steps in ((CARD, STEPS), (long, ()), (REFUSED, STEPS[:1]), (FAILED, ())):
        card.show_running()
        assert rectangles(card) == places
        card.show_card(shown, steps)
        card.end_running()
        assert rectangles(card) == places
    buttons = [one for one in card.findChildren(QPushButton) if one.text()]
    sizes = {(one.width(), one.height()) for one in buttons}
    assert sizes == ({(188, 36), (36, 36)} if width > 1000 else {(160, 32), (32, 32)})
    assert not any(one.geometry().intersects(card._words.geometry()) for one in [card.steps])
    assert not card.steps.geometry().intersects(card._doubt.geometry())


def test_that_a_run_says_what_it_finds_out_and_its_steps(card: AnswerCard, qtbot: QtBot) -> None:
    card.show_running()
    card.ask("How many processes?")  # the form may be changed meanwhile
    watch = RunProgress()
    card.show_stage(watch)
    assert said(card)[0] == "How many threads?"
    assert remarks(card)[1:] == ("Prepare", "Warm up", "Measure")
    specs = [building.spec()]
    watch.take(RunPlanned(plan=building.plan(specs), trials=1, seconds=9.0))
    watch.take(TrialStarted(index=0, block=0, of=1, spec=specs[0]))
    card.show_stage(watch)
    signs = ["bars", "check", "dot", "ring"]
    qtbot.waitUntil(lambda: [one.sign for one in card._doubt._remarks] == signs)
    assert remarks(card)[1:] == ("Prepare", "Warm up", "Measure")


def test_that_a_failed_setting_is_no_answer_while_others_are_measured(
    card: AnswerCard, qtbot: QtBot
) -> None:
    card.show_running()
    card.show_card(FAILED)
    assert said(card)[0] == "How many threads?"
    assert card._words._tone == "act"
    card.end_running()
    qtbot.waitUntil(lambda: said(card)[0] == FAILED.sentence)
    assert card._words._tone == "bad"


def test_that_what_is_provisional_is_blue_and_offers_nothing(card: AnswerCard) -> None:
    card.show_running()
    card.show_card(PROVISIONAL)
    assert card._words._tone == "act"
    assert remarks(card)[0] == "not yet sure"
    assert not any(one.isEnabled() for one in card.findChildren(QPushButton))
    assert not blue(card)


def test_that_a_sentence_stands_for_a_second(card: AnswerCard, qtbot: QtBot) -> None:
    card.show_running()
    card.show_card(PROVISIONAL)
    since = time.monotonic()
    card.show_card(CARD, STEPS)
    card.end_running()
    assert remarks(card)[0] == "not yet sure"
    qtbot.waitUntil(lambda: remarks(card)[0] == "sure")
    assert time.monotonic() - since > 0.9
    assert card.steps.names() == tuple(step.name for step in STEPS)


def test_that_nothing_changes_under_a_hand(card: AnswerCard, qtbot: QtBot) -> None:
    place = QPointF(card.steps.next.rect().center())
    QApplication.sendEvent(card.steps.next, QEnterEvent(place, place, place))
    card.show_card(CARD, STEPS)
    assert not card.steps.names()
    qtbot.waitUntil(lambda: bool(card.steps.names()))
    QApplication.sendEvent(card.steps.next, QEvent(QEvent.Type.Leave))
    qtbot.mousePress(card.steps.next, Qt.MouseButton.LeftButton)
    card.show_card(FAILED)
    with qtbot.waitSignal(card._later.timeout):
        pass
    assert said(card)[0] == "Use 2 threads"
    with qtbot.waitSignal(card.step_chosen) as chosen:
        qtbot.mouseRelease(card.steps.next, Qt.MouseButton.LeftButton)
    assert chosen.args == [STEPS[0]]
    qtbot.waitUntil(lambda: said(card)[0] == FAILED.sentence)


def test_that_one_button_takes_away_one_goes_on_and_the_rest_is_in_a_menu(
    card: AnswerCard, qtbot: QtBot
) -> None:
    assert not any(one.isEnabled() for one in card.findChildren(QPushButton))
    card.show_card(CARD, STEPS)
    copies, goes_on, more = card.findChildren(QPushButton)
    assert (copies.text(), goes_on.text()) == ("Copy for my code", "Make it surer")
    with qtbot.waitSignal(card.step_chosen) as chosen:
        goes_on.click()
    assert chosen.args == [STEPS[0]]
    assert [action.text() for action in more.menu().actions()] == ["Do use", "Do why", "Do report"]
    card.show_card(CARD, STEPS[1:])
    assert goes_on.text() == "Do why"


def test_that_one_button_at_most_is_blue_the_next_step(card: AnswerCard) -> None:
    card.show_card(CARD, STEPS)
    assert blue(card) == ["Copy for my code"]
    open_one = msgspec.structs.replace(CARD, headline=PROVISIONAL.headline)
    card.show_card(open_one, STEPS)
    assert blue(card) == ["Make it surer"]
    card.show_card(open_one, STEPS[1:])
    assert not blue(card)
    card.show_card(REFUSED, STEPS[1:])
    assert not blue(card)


def test_that_where_no_setting_is_answered_for_the_first_button_says_why(card: AnswerCard) -> None:
    card.show_card(REFUSED)
    reason = f"No setting to copy: {REFUSED.headline.text}"
    assert card.steps.copies.accessibleDescription() == reason
    card.steps.copies.menu().aboutToShow.emit()
    first, *others = card.steps.copies.menu().actions()
    assert (first.text(), first.isEnabled()) == (reason, False)
    assert len([one for one in others if one.isEnabled() and one.text()]) == 2


def test_that_without_data_the_next_step_is_to_choose_it(card: AnswerCard, qtbot: QtBot) -> None:
    step = NextStep.choosing_data("choose a dataset")
    card.show_plan("choose a dataset", steps=(step,))
    assert blue(card) == ["Choose data…"]
    with qtbot.waitSignal(card.step_chosen) as chosen:
        card.steps.next.click()
    assert chosen.args == [step]
    card.show_plan("4 settings")
    assert not blue(card)
    assert not card.steps.next.isEnabled()


def test_that_what_is_copied_is_said_at_the_hand(card: AnswerCard, qtbot: QtBot) -> None:
    card.show_card(CARD, STEPS)
    card.steps.copies.menu().aboutToShow.emit()
    with qtbot.waitSignal(card.copied):
        card.steps.copies.menu().actions()[0].trigger()
    assert QGuiApplication.clipboard().text() == "{}"
    assert card.steps.copies.text() == "Copied"
    assert card.steps._back.remainingTime() > 1000
    card.steps._back.setInterval(0)
    qtbot.waitUntil(lambda: card.steps.copies.text() == "Copy for my code")


def test_that_wrong_data_is_one_click_from_its_trials_and_a_run_from_the_others(
    card: AnswerCard, qtbot: QtBot
) -> None:
    card.show_runs(RUNS, 1)
    card.show_card(REFUSED)
    wrong, run = card._doubt.places()
    with qtbot.waitSignal(card.trials_wanted):
        qtbot.mouseClick(card._doubt, Qt.MouseButton.LeftButton, pos=wrong.area.center())
    qtbot.mouseClick(card._doubt, Qt.MouseButton.LeftButton, pos=QPoint(run.area.right() + 9, 9))
    assert not card.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    qtbot.keyClick(card._doubt, Qt.Key.Key_Space)
    (menu,) = card.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    newest, oldest = menu.actions()
    assert newest.text().startswith("run 2, today ")
    assert (newest.isChecked(), oldest.isChecked()) == (False, True)
    with qtbot.waitSignal(card.run_wanted) as wanted:
        newest.trigger()
    assert wanted.args == [2]
    menu.close()


def test_that_only_what_was_compared_has_a_check(card: AnswerCard) -> None:
    signs = {"holds": "check", "plain": "ring", "open": "warn", "contradicted": "cross"}
    for trust, sign in signs.items():
        badge = Badge(trust=trust, name="told")
        card.show_card(msgspec.structs.replace(CARD, badges=(CARD.badges[0], badge, QUIET)))
        sure, told = card._doubt._remarks
        assert (sure.sign, sure.full, sure.role) == ("bars", 3, "sure")
        assert told.sign == sign


def test_that_an_answer_beside_other_programs_is_for_now_and_not_green(card: AnswerCard) -> None:
    headline = msgspec.structs.replace(CARD.headline, beside=True)
    badges = (
        Badge(trust="open", name="sure for now", bars=3),
        Badge(trust="open", name="computed for quiet, ± 9 %", bars=2),
        Badge(trust="open", name="machine busy"),
    )
    beside = msgspec.structs.replace(CARD, headline=headline, badges=badges, beside="Others.")
    card.show_card(beside, STEPS)
    signs = [(one.sign, one.full, one.role) for one in card._doubt._remarks]
    assert signs == [("bars", 3, "warn"), ("bars", 2, "warn")]
    assert card.steps.copies.text() == "Copy for now"


def test_that_as_many_whole_reasons_are_shown_as_fit(qtbot: QtBot) -> None:
    words = Words()
    qtbot.addWidget(words)
    words.resize(500, 88)
    words.say(
        "Yes", "It is so. And this is much too long for the line in which it stands.", "ink", ""
    )
    assert words._reason() == "It is so."
    assert not words.cut()
    words.say("W" * 99, "", "ink", "")
    assert words.cut() == ("W" * 99,)


def test_that_a_picture_of_the_verdict_has_its_content(qtbot: QtBot) -> None:
    image, bare = picture_of(CARD), picture_of(ResultCard(headline=CARD.headline))
    assert image.size() == bare.size()
    assert image.size().width() == 1920
    assert image != bare
