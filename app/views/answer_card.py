"""The card above everything: the answer, one big number, what it costs, how far to trust it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.style.clipped_label import ClippedLabel
from app.style.label_widget import label, restyle
from app.style.tip import as_tip
from app.views.card_parts import BadgeRow, FigureRow
from app.views.step_row import StepRow
from core import Headline, ResultCard

if TYPE_CHECKING:
    from core import NextStep

_SPACING = 3
_MARGINS = (10, 6, 10, 6)
_LINES, _LINES_SO_FAR = 5, 2
"""Of the reason, when a run is over and while it goes on."""


class AnswerCard(QFrame):
    """Always there; says ‘not yet’ before it knows, and what to do next once it does."""

    step_chosen = Signal(object)
    """The NextStep whose button was pressed."""
    copied = Signal()

    def __init__(self, live: QWidget | None = None) -> None:
        """`live`: the figures of the running trial, seen while one runs."""
        super().__init__()
        self.setProperty("part", "card")
        self.setAccessibleName(self.tr("Verdict"))
        # What is below it needs all the height that it does not.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._card: ResultCard
        self._running = self._low = False
        self._live = live
        self._number = label(part="answer")
        self._unit, self._interval = label(part="unit"), ClippedLabel("muted", lines=1)
        self._setting = label(part="setting", wraps=True)
        self._figures, self._badges = FigureRow(), BadgeRow()
        self._reason = ClippedLabel("title", _LINES)
        self._detail = ClippedLabel("muted", lines=2)
        self._about = label(part="muted", wraps=True)
        self.steps = StepRow()
        self.steps.chosen.connect(self.step_chosen)
        self._make_copies()
        self._lay_out()
        self._name()
        self.clear()

    def _make_copies(self) -> None:
        self.copies = QPushButton(self.tr("Copy"))
        self.copies.setAccessibleName(self.tr("Copy the result"))
        self.copies.setToolTip(self.tr("The result with its dataset, machine and date"))
        menu = QMenu(self.copies)
        menu.addAction(self.tr("Copy as &image"), self.copy_image)
        menu.addAction(self.tr("Copy as &text"), self.copy_text)
        self.copies.setMenu(menu)
        self.steps.put_last(self.copies)

    def _lay_out(self) -> None:
        beside = QVBoxLayout()
        beside.setSpacing(0)
        beside.addStretch(1)
        beside.addWidget(self._unit)
        beside.addWidget(self._interval)
        beside.addStretch(1)
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self._number)
        top.addLayout(beside)
        top.addWidget(self._figures, 1)
        top.addStretch()  # without figures the unit stays beside its number
        middle = QHBoxLayout()
        middle.setSpacing(8)
        middle.addWidget(self._setting, 1)
        middle.addWidget(self._badges)
        column = QVBoxLayout(self)
        column.setSpacing(_SPACING)
        column.setContentsMargins(*_MARGINS)
        column.addLayout(top)
        column.addLayout(middle)
        for part in (self._reason, self._detail, self._live, self._about, self.steps):
            if part is not None:
                column.addWidget(part)
        self._about.hide()

    def _name(self) -> None:
        names = {
            self._number: self.tr("Result"),
            self._unit: self.tr("Unit of the result"),
            self._interval: self.tr("Interval of the result"),
            self._setting: self.tr("Best setting"),
        }
        for shown, name in names.items():
            shown.setAccessibleName(name)
        for shown in (self._number, self._unit, self._setting):
            shown.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
                | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )

    def clear(self) -> None:
        """Nothing is measured yet."""
        detail = self.tr("The answer appears here as soon as something is measured.")
        self.show_headline(Headline(mood="open", text=self.tr("Not yet"), detail=detail))

    def show_running(self) -> None:
        """A run has begun: the figures of its trials are live until there are results."""
        self._running = True
        self.show_headline(Headline(mood="open", text=self.tr("Not yet"), detail=""))

    def end_running(self) -> None:
        """No trial runs any more."""
        self._running = False
        self._refresh()

    def show_headline(self, headline: Headline) -> None:
        """Say something without results."""
        card = ResultCard(headline=headline, reason=headline.text, detail=headline.detail)
        self._show(card, ())

    def show_card(self, card: ResultCard, steps: Sequence[NextStep] = ()) -> None:
        """Show results, which may be those so far, and offer what to do next."""
        self._show(card, steps)

    def _show(self, card: ResultCard, steps: Sequence[NextStep]) -> None:
        self._card = card
        texts = {
            self._number: card.number,
            self._unit: card.unit,
            self._interval: card.interval,
            self._setting: card.setting,
            self._reason: card.reason,
            self._detail: card.detail,
        }
        with self._column_held():
            for shown, text in texts.items():
                shown.setText(text)
                shown.setVisible(bool(text))
            self._show_parts(card, steps)

    @contextmanager
    def _column_held(self) -> Iterator[None]:
        """Have what the card is in share its room once: each part that appears asks for that."""
        above = self.parentWidget()
        column = above.layout() if above is not None else None
        if column is not None:
            column.setEnabled(False)
        yield
        if column is not None:
            column.setEnabled(True)
            column.invalidate()
            column.activate()  # before anything is painted

    def _show_parts(self, card: ResultCard, steps: Sequence[NextStep]) -> None:
        restyle(self._reason, "part", "reason" if card.number else "title")
        self._reason.setAccessibleName(self.tr("Verdict: {}").format(card.headline.text))
        self._figures.show_figures(card.figures)
        self._badges.show_badges(card.badges)
        self.steps.show_steps(steps)
        mood = card.headline.mood
        restyle(self, "mood", mood if card.number or mood == "bad" else "none")
        self._refresh()

    def _refresh(self) -> None:
        """While a run goes on the plots need the height: say no more than what is known so far."""
        over, measured = not self._running, bool(self._card.about)
        if self._live is not None:
            self._live.setVisible(self._running and not self._card.number)
        self._reason.show_lines(_LINES if over else _LINES_SO_FAR)
        self._detail.setVisible(over and bool(self._detail.text()) and not self._low)
        self._reason.setToolTip(
            as_tip("\n".join(filter(None, (self._card.reason, self._card.detail))))
        )
        self.copies.setVisible(measured)
        self.steps.setVisible(over and (measured or bool(self.steps.texts())))

    @override
    def sizeHint(self) -> QSize:
        """As high as its texts are in this width: it is never made higher than this."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), self.heightForWidth(self.width())))

    def fit(self, height: int) -> None:
        """Be no higher than this where that can be done: what is less important is a tooltip."""
        needed = self.heightForWidth(self.width())
        if self._detail.isHidden() and self._detail.text() and not self._running:
            inner = self.contentsRect().width() - 2 * _MARGINS[0]
            needed += self._detail.heightForWidth(inner) + _SPACING
        if self._low != (needed > height):
            self._low = needed > height
            self._refresh()

    def show_about(self) -> None:
        """Say where the results come from, for a picture of the card by itself."""
        self._about.setText(self._card.about)
        self._about.show()
        self.steps.hide()

    def text(self) -> str:
        """The answer in one sentence."""
        return self._card.headline.text

    @property
    def card(self) -> ResultCard:
        """What it shows."""
        return self._card

    def copy_text(self) -> None:
        """Put the results on the clipboard as lines of text."""
        QGuiApplication.clipboard().setText(self._card.text)
        self.copied.emit()

    def copy_image(self) -> None:
        """Put a picture of the results on the clipboard, with where they come from."""
        from app.views.card_picture import picture_of

        QGuiApplication.clipboard().setImage(picture_of(self._card))
        self.copied.emit()
