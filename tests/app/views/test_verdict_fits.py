"""What core says of runs has room in the verdict, in both sizes and both languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import building
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QLocale
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from showing import exposed

from app.shell.translator import speak
from app.style.theme import LIGHT, window_font
from app.views.answer_card import AnswerCard
from core import Request, Result, use_translator
from core.desk import next_steps
from core.tell.card_text import answer_of, progress_of
from core.tell.result_card import result_card
from core.vocabulary import Axis, MachineNoise, Trial

pytestmark = pytest.mark.window
MOST_WORDS = 50
SURE, OPEN = (0.999, 1.0, 1.001), (0.7, 1.0, 1.5)


def settings(caches: Sequence[str] = ("lru",), spread: Sequence[float] = SURE) -> list[Result]:
    specs = [
        building.spec(threads=threads, parameters={"cache": cache, "cache_size": 128})
        for cache in caches
        for threads in (1, 2, 4, 16)
    ]
    return [
        building.good(spec, *(1000 * spec.load.threads**0.5 * one for one in spread), first=3 * at)
        for at, spec in enumerate(specs)
    ]


def crowded(results: list[Result]) -> list[Result]:
    """Beside programs that took four of eight cores; threads waited as long as they ran."""
    noise = MachineNoise(seconds=2.0, cores=8, others=8.0)

    def beside(trial: Trial) -> Trial:
        workers = tuple(
            replace(one, window_cpu=one.window // 2, window_queued=one.window // 2, window_waits=9)
            for one in trial.workers
        )
        return replace(trial, noise=noise, workers=workers)

    return [replace(one, trials=tuple(map(beside, one.trials))) for one in results]


def broken(results: list[Result]) -> list[Result]:
    first, *others = results
    failed = [building.trial(first.spec, index=at, errors=7, wrong=3) for at in range(3)]
    return [replace(first, trials=tuple(failed)), *others]


RUNS = {
    "sure": settings(),
    "open": settings(spread=OPEN),
    "several caches": settings(("lru-locked", "per-thread", "none")),
    "several, open": settings(("lru-locked", "per-thread", "none"), OPEN),
    "beside others": crowded(settings()),
    "beside others, open": crowded(settings(("lru-locked", "none"), OPEN)),
    "one setting": settings()[:1],
    "some failed": broken(settings()),
    "all failed": list(building.invalid()),
}


@pytest.fixture(params=["en", "de"])
def said(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[None]:
    before = qapp.font()
    qapp.setFont(window_font())
    qapp.setStyleSheet(LIGHT.style_sheet())
    translators = speak(qapp, QLocale(request.param))
    yield
    for each in translators:
        qapp.removeTranslator(each)
    use_translator(None)
    qapp.setStyleSheet("")
    qapp.setFont(before)


def not_whole(card: AnswerCard) -> Iterator[str]:
    """Texts that are cut; and all of it, where there are too many words."""
    yield from card.cut()
    for button in card.findChildren(QPushButton):
        room = button.width() - 16 - (14 if button.menu() and button.text() != "⋯" else 0)
        bold = button.font()
        bold.setWeight(bold.Weight.DemiBold)
        if QFontMetrics(bold).horizontalAdvance(button.text()) > room:
            yield button.text()
    buttons = [one.text() for one in card.findChildren(QPushButton) if one.text() != "⋯"]
    words = " ".join((*card.shown_texts(), *buttons)).split()
    if len(words) > MOST_WORDS:
        yield f"{len(words)} words: {' '.join(words)}"


@pytest.mark.parametrize("width", [1920, 1280, 900])
def test_that_every_verdict_has_room_and_few_words(qtbot: QtBot, said: None, width: int) -> None:
    card = AnswerCard()
    exposed(qtbot, card, width, card.height())
    short = []
    for axes in ((), ("threads",), ("threads", "cache"), ("threads", "processes", "cache")):
        request = Request(workload="fasta", axes=tuple(Axis(name, (1, 2)) for name in axes))
        card.ask(request.question)
        short += not_whole(card)
    for how in ("completed", "cancelled"):
        for name, results in RUNS.items():
            run = building.run(building.plan([one.spec for one in results], repeats=3), 9, how)
            answer = answer_of(results, progress_of(run, len(results), 3 * len(results)))
            steps = next_steps(run, results, answer.advice, earlier=1).steps
            card.clear()
            card.show_runs([(12, "a sweep", run.started)], 12)
            card.show_card(result_card(run, results, answer), steps)
            short += [f"{name}, {how}: {one}" for one in not_whole(card)]
            for step in steps:  # each of them may be the first
                card.clear()
                card.show_card(result_card(run, results, answer), [step])
                short += [f"{name}: {one}" for one in not_whole(card)]
    card.show_waiting("\n".join(["Others.", "waiting for 3:00", "quiet for 0 of 3 s"]), 0.0)
    short += not_whole(card)
    card.clear()
    assert not short, "\n".join(dict.fromkeys(short))
