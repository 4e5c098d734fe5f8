"""The verdict: one sentence in large type, why it holds, how sure it is, and what to do with it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, override

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QImage,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.style.labels import day_text
from app.style.layouts import NARROW, side_of
from app.style.menus import Menu
from app.style.theme import LIGHT, Theme
from app.views.doubt_line import DoubtLine, Remark, Sign
from app.views.verdict_actions import VerdictActions
from app.views.verdict_words import Words
from core import Headline, ResultCard

if TYPE_CHECKING:
    from app.views.comparison_view import Words as PageWords
    from core import NextStep, RunProgress

_HEIGHT = 121
_EACH = 1.0
"""Seconds for which a sentence stands at least."""


class _Face(NamedTuple):
    """What is in sight."""

    sentence: str
    why: str
    tone: str = "ink"
    tip: str = ""
    remarks: tuple[Remark, ...] = ()
    card: ResultCard | None = None
    steps: tuple[NextStep, ...] = ()


class AnswerCard(QWidget):
    """Has the same rectangles before the first trial and after the last."""

    step_chosen = Signal(object)
    """The NextStep whose button was pressed."""
    copied = Signal()
    run_wanted = Signal(int)
    """The number of the run that is to be shown."""
    trials_wanted = Signal()
    """The trials are to be shown, because data was wrong or something failed."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Verdict"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_HEIGHT)
        self._theme = LIGHT
        self._question = self._plan = self._compared = ""
        self._card: ResultCard | None = None
        self._steps: tuple[NextStep, ...] = ()
        self._first_steps: tuple[NextStep, ...] = ()
        """What is to be done before anything can be measured."""
        self._running = False
        self._waiting: tuple[str, ...] = ()
        self._quiet = 0.0
        self._stages: tuple[Remark, ...] = ()
        self._doing = ""
        self._page: PageWords | None = None
        self._runs: dict[int, tuple[str, str]] = {}
        """By number the name of each run, and what it is about."""
        self._run = 0
        self._words = Words()
        self._doubt = DoubtLine()
        self._doubt.opened.connect(self._open)
        self.steps = VerdictActions()
        self.steps.chosen.connect(self.step_chosen)
        self.steps.copied.connect(self._copy)
        self.steps.image_wanted.connect(self.copy_image)
        for part in (self._words, self._doubt, self.steps):
            part.setParent(self)
        self._free_at = 0.0
        """From when on the sentence may change."""
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._settle)
        self._face = self._wanted()
        self._show(self._face)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._words.set_theme(theme)
        self._doubt.set_theme(theme)

    def clear(self) -> None:
        """Nothing is measured yet."""
        self._card, self._steps, self._stages, self._running = None, (), (), False
        self._show(self._wanted())

    def ask(self, question: str) -> None:
        """Say what is asked, while there is no answer; a run that goes on keeps its question."""
        if not self._running:
            self._question = question
            self._settle()

    def show_plan(self, plan: str, compared: str = "", steps: Sequence[NextStep] = ()) -> None:
        """Say what would be measured, or why nothing can be, while there is no answer.

        `compared`: with what its results would be.  `steps`: what is to be done first.
        """
        self._plan, self._compared, self._first_steps = plan, compared, tuple(steps)
        self._settle()

    def show_running(self) -> None:
        """A run has begun: what is shown is provisional until it ends."""
        self._card, self._steps, self._running = None, (), True
        self._stages, self._doing = (), ""
        self._show(self._wanted())

    def show_waiting(self, text: str, quiet: float) -> None:
        """Say for what it waits, in three lines, and how much of the quiet time has passed.

        An empty text ends that; the answer of before was not lost.
        """
        self._waiting, self._quiet = (*text.splitlines(),), quiet
        self._settle()

    def show_stage(self, watch: RunProgress) -> None:
        """Say how far the run is, in place of which run it is."""
        self._stages = tuple(self._stages_of(watch))
        self._doing = " · ".join(filter(None, (watch.what, watch.decision)))
        self._settle()

    def _stages_of(self, watch: RunProgress) -> Iterator[Remark]:
        steps = [self.tr("Prepare"), self.tr("Warm up"), self.tr("Measure")]
        if watch.measuring:
            steps[watch.stage] = _begun(watch.phase)
        for at, step in enumerate(steps):
            if at < watch.stage:
                yield Remark(step, "check", rank=3)
            elif at == watch.stage:
                yield Remark(step, "dot", "act", bold=True)
            else:
                yield Remark(step, "ring", rank=4)

    def end_running(self) -> None:
        """No trial runs any more."""
        self._running, self._stages = False, ()
        self._settle()

    def show_headline(self, headline: Headline) -> None:
        """Say something without results."""
        self.show_card(ResultCard(headline=headline, reason=headline.text, detail=headline.detail))

    def show_card(self, card: ResultCard, steps: Sequence[NextStep] = ()) -> None:
        """Show results, which may be those so far, and offer what to do next."""
        self._card, self._steps = card, tuple(steps)
        self._settle()

    def show_page(self, words: PageWords | None) -> None:
        """Say what the visible page says, in place of the verdict on the run; None ends that."""
        self._page = words
        self._settle()

    def show_runs(self, runs: Sequence[tuple[int, str, float]], now: int | None) -> None:
        """Offer these runs: number, what it is about, when it began; `now`: the one in sight."""
        name = self.tr("run {number}, {when}")
        self._runs = {
            number: (name.format(number=number, when=day_text(began)), about)
            for number, about, began in runs
        }
        self._run = now or 0
        self._settle()

    def _wanted(self) -> _Face:
        """What is to be in sight."""
        card = self._card
        if self._waiting:
            return self._while_waiting(*self._waiting)
        if card is None or (self._running and card.headline.mood == "bad"):
            return self._without_answer()
        tone = "act" if self._running else "bad" if card.headline.mood == "bad" else "ink"
        whole = (card.headline.text, card.why, card.interval, card.detail)
        face = _Face(
            sentence=card.sentence,
            why=card.why or card.detail,
            tone=tone,
            tip="\n".join(dict.fromkeys(filter(None, whole))),
            remarks=(*self._doubts(card), *self._stages, *self._picker()),
            card=card,
            steps=self._steps,
        )
        if self._page is None or self._running:
            return face
        sentence, why, remarks, steps = self._page
        face = face._replace(sentence=sentence, why=why, tip=why, tone="ink")
        return face._replace(remarks=remarks or face.remarks, steps=steps or face.steps)

    def _without_answer(self) -> _Face:
        """What is asked, or is being found out."""
        nothing = Remark(self.tr("nothing measured yet"), "bars", rank=1)
        compared = [Remark(self._compared, rank=2)] if self._compared else []
        return _Face(
            sentence=self._question,
            why=_begun(self._doing if self._running else _stopped(self._plan)),
            tone="act" if self._running else "ink",
            remarks=(nothing, *(self._stages or compared)),
            steps=() if self._running else self._first_steps,
        )

    def _while_waiting(self, taken: str = "", waited: str = "", quiet: str = "") -> _Face:
        """It starts by itself; the answer for now can be copied meanwhile."""
        from core import MachineState

        remarks = [Remark(quiet, "dots", "ink3", full=int(10 * self._quiet))]
        if waited:
            remarks.append(Remark(waited, "wait", rank=2))
        if self._card is not None and self._card.setting:
            answer = self.tr("answer for now: {}").format(self._card.setting)
            remarks.append(Remark(answer, rank=1))
        return _Face(
            sentence=self.tr("Waiting until the machine is quiet"),
            why=taken,
            tone="act",
            remarks=tuple(remarks),
            card=self._card,
            steps=MachineState.while_waiting(),
        )

    def _doubts(self, card: ResultCard) -> Iterator[Remark]:
        """How sure, what was compared, then what speaks against the answer.

        What the machine does, the last badge, stands above, or is the reason.  While it goes on,
        what is unsure is no news.
        """
        # Where nothing is told for the quiet machine, the sentence says it.
        told = [one for one in card.badges[:-1] if one.bars != 0 or card.idle is not None]
        for at, badge in enumerate(told):
            if badge.bars is not None:
                holds = badge.trust == "holds"
                sure = self._sureness(badge.name, badge.bars, badge.help, holds=holds)
                yield sure._replace(rank=2 * at)
            elif not (self._running and badge.trust == "open"):
                sign, role = _SIGNS[badge.trust]
                wrong = badge.trust == "contradicted"
                remark = Remark(badge.name, sign, role, bold=wrong, tip=badge.help, rank=1 + at)
                if card.compared is not None and badge.name == card.compared.text:
                    remark = remark._replace(rank=0, brief=card.compared.brief)
                yield remark._replace(opens="trials") if wrong else remark

    def _sureness(self, name: str, full: int, tip: str, *, holds: bool) -> Remark:
        if self._running:
            return Remark(self.tr("not yet sure"), "bars", "act", bold=True, full=full)
        role = "sure" if holds else "warn" if full else "ink3"
        return Remark(name, "bars", role, bold=bool(full), full=full, tip=tip)

    def _picker(self) -> Iterator[Remark]:
        if not self._running and self._run in self._runs:
            name, about = self._runs[self._run]
            yield Remark(name, tip=about, brief=self.tr("run {}").format(self._run), opens="runs")

    def _settle(self) -> None:
        """Show what is to be in sight, once what is there stood for long enough."""
        face = self._wanted()
        if face == self._face:
            self._later.stop()
            return
        wait = max(self._free_at - time.monotonic(), self.steps.seconds_held())
        if wait > 0.0:
            self._later.start(round(1000 * wait) + 1)
        else:
            self._show(face)
            self._free_at = time.monotonic() + _EACH if self._running else 0.0

    def _show(self, face: _Face) -> None:
        self._later.stop()
        self._face, self._free_at = face, 0.0
        self._words.say(face.sentence, face.why, face.tone, face.tip)
        self._doubt.say(face.remarks)
        now = bool(self._waiting) or (face.card is not None and face.card.headline.beside)
        card = None if self._running else face.card
        self.steps.show_steps(card, face.steps, now=now)

    def _open(self, what: str, place: QPoint) -> None:
        if what == "trials":
            self.trials_wanted.emit()
            return
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for number, texts in reversed(self._runs.items()):
            action = menu.addAction(" · ".join(texts).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(number == self._run)
            action.triggered.connect(lambda _, number=number: self.run_wanted.emit(number))
        menu.popup(place)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Where all stands follows from the width alone."""
        side, narrow = side_of(self.width()), self.width() < NARROW
        room = max(self.width() - 2 * side, 0)
        self.steps.fit(*((160, 32, 6) if narrow else (188, 36, 8)))
        beside = room - self.steps.width() - side
        self.steps.move(self.width() - side - self.steps.width(), 88 if narrow else 17)
        self._words.top = 11 if narrow else 17
        self._words.setGeometry(side, 0, room if narrow else beside, 87)
        self._doubt.setGeometry(side, 92 if narrow else 87, beside if narrow else room, 24)

    @override
    def sizeHint(self) -> QSize:
        return QSize(NARROW, _HEIGHT)

    def text(self) -> str:
        card = None if self._waiting else self._face.card
        return card.headline.text if card else self._face.sentence

    @property
    def card(self) -> ResultCard:
        """That in sight; without one it says what is asked."""
        asked = Headline(mood="open", text=self._face.sentence, detail=self._face.why)
        return self._face.card or ResultCard(headline=asked)

    def cut(self) -> tuple[str, ...]:
        """Texts that have no room for all of them."""
        return (*self._words.cut(), *self._doubt.cut())

    def shown_texts(self) -> tuple[str, ...]:
        """What can be read, beside the buttons."""
        return (*self._words.shown_texts(), *self._doubt.texts())

    def copy_image(self) -> None:
        """Put a picture of the results on the clipboard, with where they come from."""
        QGuiApplication.clipboard().setImage(picture_of(self.card, self._theme))
        self._say_copied()

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._say_copied()

    def _say_copied(self) -> None:
        self.steps.say_copied()
        self.copied.emit()


_SIGNS: dict[str, tuple[Sign, str]] = {
    "holds": ("check", "ink2"),
    "plain": ("ring", "ink3"),
    "open": ("warn", "warn"),
    "contradicted": ("cross", "bad"),
}
"""Sign and colour of what was compared, and of what speaks against an answer."""


def _stopped(text: str) -> str:
    """The text as a sentence ends."""
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


def _begun(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


_WIDTH, _BELOW = 960, 28
"""Pixels; `_BELOW`: of the line that says where the results come from."""
_SCALE = 2
"""Pixels per point: a picture is pasted where it may be enlarged."""


def picture_of(card: ResultCard, theme: Theme = LIGHT) -> QImage:
    """The verdict in the window's theme, without its buttons."""
    widget = AnswerCard()
    widget.set_theme(theme)
    widget.show_card(card)
    widget.steps.hide()
    widget.resize(_WIDTH, _HEIGHT)
    image = QImage(QSize(_WIDTH, _HEIGHT + _BELOW) * _SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_SCALE)
    image.fill(QColor(theme.roles["paper"]))
    widget.render(image, renderFlags=QWidget.RenderFlag.DrawChildren)
    with QPainter(image) as painter:
        painter.setFont(widget.font())
        painter.setPen(QColor(theme.roles["ink3"]))
        place = QRect(16, _HEIGHT, _WIDTH - 32, _BELOW)
        painter.drawText(place, Qt.AlignmentFlag.AlignTop, card.about)
    widget.deleteLater()
    return image
