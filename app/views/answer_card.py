"""The verdict: one sentence in large type, why it holds, how sure it is, and what to do with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QImage, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.style.labels import ClippedLabel, as_tip, label, restyle
from app.style.layouts import SharedRow, spaced
from app.style.theme import points
from core import Headline, ResultCard

if TYPE_CHECKING:
    from core import NextStep, RunProgress

_LONGEST = 60
"""Letters of what a menu shows of something to copy."""
_BESIDE = 190
"""Pixels for how sure it is."""
_BARS = 3


class AnswerCard(QFrame):
    """Has the same height before the first trial and after the last; first it says ‘not yet’."""

    step_chosen = Signal(object)
    """The NextStep whose button was pressed."""
    copied = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("part", "card")
        self.setAccessibleName(self.tr("Verdict"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._card: ResultCard
        self._running = False
        self._sentence = _Sentence()
        self._sentence.setAccessibleName(self.tr("Verdict"))
        self._why = ClippedLabel("", 2, fixed=True)
        self._why.setAccessibleName(self.tr("Why"))
        self._why.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._about = ClippedLabel("small", 1, fixed=True)
        self._about.setAccessibleName(self.tr("What was measured, where and when"))
        self._meter = [QFrame() for _ in range(_BARS)]
        self._grade = label()
        self._grade.setAccessibleName(self.tr("How sure it is"))
        self._badges = BadgeColumn()
        self.copies = QPushButton(self.tr("Copy for my code"))
        self._of_copies = self.tr("The answer in the terms of your own program")
        menu = QMenu(self.copies)
        menu.aboutToShow.connect(partial(self._fill, menu))
        self.copies.setMenu(menu)
        self.steps = VerdictActions(self.copies)
        self.steps.chosen.connect(self.step_chosen)
        self._lay_out()
        self.clear()

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        menu.setToolTipsVisible(True)
        for one in self._card.copies:
            first = one.text.partition("\n")[0]
            brief = first if len(first) <= _LONGEST else f"{first[:_LONGEST]}…"
            action = menu.addAction(f"{one.where}:  {brief}".replace("&", "&&"))
            action.setToolTip(as_tip(one.text))
            action.triggered.connect(partial(self._copy, one.text))
        if not self._card.copies:
            menu.addAction(self._no_code().replace("&", "&&")).setEnabled(False)
        menu.addSeparator()
        menu.addAction(self.tr("Copy as &image"), self.copy_image)
        menu.addAction(self.tr("Copy as &text"), self.copy_text)

    def _no_code(self) -> str:
        """Why there is no setting to copy, where one is answered for."""
        if self._card.copies or not self._card.about:
            return ""
        return self.tr("No setting to copy: {}").format(self._card.sentence)

    def _copy(self, text: str, *_: object) -> None:
        QGuiApplication.clipboard().setText(text)
        self.copied.emit()

    def _lay_out(self) -> None:
        sure = QHBoxLayout()
        sure.setSpacing(3)
        sure.addStretch(1)
        for bar in self._meter:
            bar.setProperty("part", "meter")
            bar.setFixedSize(22, 6)
            sure.addWidget(bar)
        sure.addSpacing(5)
        sure.addWidget(self._grade)
        beside = QVBoxLayout()
        beside.setSpacing(6)
        beside.addLayout(sure)
        beside.addWidget(self._badges)
        beside.addStretch(1)
        grid = QGridLayout(self)
        grid.setContentsMargins(20, 11, 20, 11)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        grid.setColumnMinimumWidth(1, _BESIDE)
        for row, part in enumerate((self._sentence, self._why, self._about)):
            grid.addWidget(part, row, 0)
        grid.addLayout(beside, 0, 1, 3, 1)
        grid.setRowMinimumHeight(3, 4)
        grid.addWidget(self.steps, 4, 0, 1, 2)

    def clear(self) -> None:
        """Nothing is measured yet."""
        detail = self.tr("The answer appears here as soon as something is measured.")
        self.show_headline(Headline(mood="open", text=self.tr("Not yet"), detail=detail))

    def show_running(self) -> None:
        """A run has begun: what is shown is provisional until it ends."""
        self._running = True
        self.show_headline(Headline(mood="open", text=self.tr("Not yet"), detail=""))

    def show_stage(self, watch: RunProgress) -> None:
        """Say how far the run is, in place of what it was about."""
        steps = (self.tr("Prepare"), self.tr("Warm up"), self.tr("Measure"))
        marks = ["✓"] * watch.stage + ["●"] + ["○"] * len(steps)
        parts = [f"{mark} {step}" for mark, step in zip(marks, steps, strict=False)]
        self._about.setText(" · ".join(filter(None, (*parts, watch.decision))))

    def end_running(self) -> None:
        """No trial runs any more."""
        self._running = False
        self._about.setText(self._card.about)
        self._refresh()

    def show_headline(self, headline: Headline) -> None:
        """Say something without results."""
        self.show_card(ResultCard(headline=headline, reason=headline.text, detail=headline.detail))

    def show_card(self, card: ResultCard, steps: Sequence[NextStep] = ()) -> None:
        """Show results, which may be those so far, and offer what to do next."""
        self._card = card
        self._sentence.setText(card.sentence)
        self._sentence.setAccessibleName(self.tr("Verdict: {}").format(card.headline.text))
        self._why.setText(card.why or card.detail)
        whole = (card.headline.text, card.why, card.interval, card.detail)
        for part in (self._sentence, self._why):
            part.setToolTip(as_tip("\n".join(dict.fromkeys(filter(None, whole)))))
        if not self._running:
            self._about.setText(card.about)
        self._badges.show_badges(card)
        self.steps.show_steps(steps)
        self._refresh()

    def _refresh(self) -> None:
        card, grade = self._card, self._card.headline.grade
        measured, bad = bool(card.about), card.headline.mood == "bad"
        beside = "unsure" if card.beside else ""
        mood = "bad" if bad else beside or ("open" if measured and self._running else "good")
        restyle(self._sentence, "mood", mood)
        bars = grade.bars if grade is not None else 0
        sure = bars == _BARS and not self._running
        self._grade.setText(card.headline.how_sure)
        for place, bar in enumerate(self._meter):
            full = place < bars
            on = "hatched" if beside else "sure" if sure else "open"
            restyle(bar, "on", on if full else "off")
        self.copies.setEnabled(measured)
        restyle(self.copies, "part", "primary" if card.copies else "slot")
        self.copies.setToolTip(as_tip(self._no_code() or self._of_copies))
        self.copies.setAccessibleDescription(self._no_code())

    @property
    def about(self) -> str:
        return self._about.text()

    def text(self) -> str:
        return self._card.headline.text

    @property
    def card(self) -> ResultCard:
        return self._card

    def copy_text(self) -> None:
        """Put the results on the clipboard as lines of text."""
        self._copy(self._card.text)

    def copy_image(self) -> None:
        """Put a picture of the results on the clipboard, with where they come from."""
        QGuiApplication.clipboard().setImage(picture_of(self._card))
        self.copied.emit()


class _Sentence(ClippedLabel):
    """As large as fits into its one line; what is too long for that has two small ones."""

    def __init__(self) -> None:
        self._fitting = False
        super().__init__("hero", 2)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    @override
    def setText(self, text: str) -> None:
        super().setText(text)
        self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()  # a style sheet, and each mood, brings its own size

    @override
    def hasHeightForWidth(self) -> bool:
        return False

    def _fit(self) -> None:
        if self._fitting:
            return
        self._fitting = True
        for size in ("hero", "title"):
            font = self.font()
            font.setPointSizeF(points(size))
            self.setFont(font)
            if not any(line.endswith("…") for line in self.shown(self.width(), self.height())):
                break
        self._fitting = False

    @override
    def sizeHint(self) -> QSize:
        spacings = []
        for size in ("hero", "title"):
            font = self.font()
            font.setPointSizeF(points(size))
            spacings.append(QFontMetrics(font).lineSpacing())
        return QSize(super().sizeHint().width(), max(spacings[0], 2 * spacings[1]))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())


_MOST = 3


class BadgeColumn(QWidget):
    """Always has the same places; no badge differs from others in its colour alone."""

    def __init__(self) -> None:
        super().__init__()
        self._places: list[QLabel] = [label(part="badge") for _ in range(_MOST)]
        column = spaced(QVBoxLayout(self), 3)
        for place in self._places:
            column.addWidget(place, 0, Qt.AlignmentFlag.AlignRight)

    def show_badges(self, card: ResultCard) -> None:
        """Show those of the card but its grade, which the meter says."""
        badges = card.badges[card.headline.grade is not None :]
        for at, place in enumerate(self._places):
            badge = badges[at] if at < len(badges) else None
            place.setVisible(badge is not None)
            if badge is not None:
                place.setText(badge.text)
                place.setToolTip(as_tip(badge.help))
                place.setAccessibleDescription(badge.help)
                restyle(place, "trust", badge.trust)

    def texts(self) -> tuple[str, ...]:
        """What the badges say."""
        return tuple(place.text() for place in self._places if not place.isHidden())


_SPACING = 8
_SLOTS = {
    "surer": ("wait", "until sure", "repeat"),
    "why": ("why", "measure why"),
    "report": ("report",),
    "compare": ("compare",),
}
"""By slot the names of the steps that it takes, the first that is offered."""


class VerdictActions(SharedRow):
    """Never a second line: slots without room, and steps without a slot, are in the last menu."""

    chosen = Signal(object)
    """The NextStep whose button was pressed."""

    def __init__(self, copies: QPushButton) -> None:
        """`copies`: what stands in the first slot."""
        super().__init__()
        self.setAccessibleName(self.tr("What to do next"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        titles = {
            "surer": self.tr("Make it surer"),
            "why": self.tr("Why?"),
            "report": self.tr("Report"),
            "compare": self.tr("Compare"),
        }
        self._steps: tuple[NextStep, ...] = ()
        self._in_slots: dict[str, NextStep] = {}
        self._slots = {name: QPushButton(title) for name, title in titles.items()}
        self._more = QPushButton(self.tr("More"))
        self._more.setAccessibleName(self.tr("More to do next"))
        self._more.setMenu(QMenu(self._more))
        row = spaced(QHBoxLayout(self), _SPACING)
        self._copies = copies
        row.addWidget(copies)
        for name, button in self._slots.items():
            button.setObjectName(f"slot {name}")
            button.clicked.connect(lambda _, name=name: self.chosen.emit(self._in_slots[name]))
            row.addWidget(button)
        row.addWidget(self._more)
        row.addStretch(1)
        for button in (*self._slots.values(), self._more):
            button.setProperty("part", "slot")
        self.show_steps(())

    def show_steps(self, steps: Sequence[NextStep]) -> None:
        """Offer these, and no others."""
        self._steps = tuple(steps)
        named = {step.name: step for step in reversed(self._steps)}
        self._in_slots = {
            slot: next(named[name] for name in names if name in named)
            for slot, names in _SLOTS.items()
            if named.keys() & set(names)
        }
        for slot, button in self._slots.items():
            step = self._in_slots.get(slot)
            button.setEnabled(step is not None)
            button.setToolTip(as_tip(f"{step.text}\n{step.why}" if step else ""))
            button.setAccessibleDescription(step.why if step else "")
        self._share()

    def texts(self) -> tuple[str, ...]:
        """What is offered, in the menu too."""
        return tuple(step.text for step in self._steps)

    def names(self) -> tuple[str, ...]:
        """The names of the steps that are offered, in the menu too."""
        return tuple(step.name for step in self._steps)

    def press(self, name: str) -> None:
        """Choose the step of that name, wherever it is; raises StopIteration without one."""
        self.chosen.emit(next(step for step in self._steps if step.name == name))

    @override
    def _share(self) -> None:
        """Show as many slots as there is room for; the menu has the other steps."""
        room = self.width() - self._copies.sizeHint().width() - self._more.sizeHint().width()
        in_sight: list[NextStep | None] = []
        for name, button in self._slots.items():
            room -= button.sizeHint().width() + _SPACING
            button.setVisible(room >= _SPACING)
            if room >= _SPACING:
                in_sight.append(self._in_slots.get(name))
        menu = self._more.menu()
        menu.clear()
        menu.setToolTipsVisible(True)
        for step in self._steps:
            if step not in in_sight:
                action = menu.addAction(step.text.replace("&", "&&"))
                action.triggered.connect(lambda _=False, step=step: self.chosen.emit(step))
                action.setToolTip(as_tip(step.why))
        self._more.setEnabled(bool(menu.actions()))


_WIDTH = 720
_SCALE = 2
"""Pixels per point: a picture is pasted where it may be enlarged."""


def picture_of(card: ResultCard) -> QImage:
    """The verdict in the window's theme, without its buttons."""
    widget = AnswerCard()
    widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    widget.show_card(card)
    widget.steps.hide()
    widget.setFixedWidth(_WIDTH)
    widget.show()  # it lays itself out in the style, and appears nowhere
    image = QImage(widget.size() * _SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_SCALE)
    image.fill(widget.palette().window().color())
    widget.render(image)
    widget.hide()
    widget.deleteLater()
    return image
