"""What to do with the verdict: two buttons and a menu, which are made once and never move."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.style.labels import as_tip, restyle
from app.style.menus import Menu
from core import ResultCard

if TYPE_CHECKING:
    from core import NextStep

_LONGEST = 60
"""Letters of what a menu shows of something to copy."""
_COPIED = 2000
"""Milliseconds for which the first button says that it has copied."""
_STILL = 0.5
"""Seconds that the mouse is over a button before what it does may change."""
_LATER = 0.1
"""Seconds until a button that is pressed is looked at again."""
_LAST = ("use", "compare", "again", "report")
"""Steps that are offered in the second slot only where there is no other; the best first."""


class VerdictActions(QWidget):
    """The first slot takes away, the second goes on, the third has the rest."""

    chosen = Signal(object)
    """The NextStep whose button was pressed."""
    copied = Signal(str)
    """A text is to be on the clipboard."""
    image_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("verdict")
        self.setAccessibleName(self.tr("What to do next"))
        self._card: ResultCard | None = None
        self._steps: tuple[NextStep, ...] = ()
        self._next: NextStep | None = None
        self._title = ""
        self._since: dict[QObject, float] = {}
        """Since when the mouse is over a button."""
        self.copies, self.next, self.more = QPushButton(), QPushButton(), QPushButton("⋯")
        self.copies.setMenu(Menu(self.copies))
        self.copies.menu().aboutToShow.connect(self._fill_copies)
        self.next.clicked.connect(self._go_on)
        self.more.setMenu(Menu(self.more))
        self.more.setAccessibleName(self.tr("More to do next"))
        self._back = QTimer(self, singleShot=True, interval=_COPIED)
        self._back.timeout.connect(lambda: self.copies.setText(self._title))
        for button, part in ((self.copies, "slot"), (self.next, "slot"), (self.more, "dots")):
            button.setParent(self)
            button.setProperty("part", part)
            button.installEventFilter(self)

    def fit(self, width: int, height: int, gap: int) -> None:
        """Have buttons of that size."""
        self.setFixedSize(2 * (width + gap) + height, height)
        self.copies.setGeometry(0, 0, width, height)
        self.next.setGeometry(width + gap, 0, width, height)
        self.more.setGeometry(2 * (width + gap), 0, height, height)

    def show_steps(
        self,
        card: ResultCard | None,
        steps: Sequence[NextStep],
        *,
        now: bool = False,
    ) -> None:
        """Offer these, and no others.

        `now`: whether the card's answer holds for now alone.
        """
        self._card, self._steps = card, tuple(steps)
        firsts = (step for step in self._steps if step.name not in _LAST)
        lasts = (step for name in _LAST for step in self._steps if step.name == name)
        self._next = next(iter((*firsts, *lasts)), None)
        self._title = self.tr("Copy for now") if now else self.tr("Copy for my code")
        if not self._back.isActive():
            self.copies.setText(self._title)
        self.copies.setEnabled(card is not None)
        self.copies.setToolTip(
            as_tip(self._no_code() or self.tr("The answer in the terms of your own program"))
        )
        self.copies.setAccessibleDescription(self._no_code())
        self._show_next()
        self._fill_more()

    def _show_next(self) -> None:
        step = self._next
        title = (step.brief or step.text) if step else self.tr("Make it surer")
        self.next.setText(title.replace("&", "&&"))
        self.next.setEnabled(step is not None)
        self.next.setToolTip(as_tip(f"{step.text}\n{step.why}" if step else ""))
        self.next.setAccessibleDescription(step.why if step else "")
        goes_on = step is not None and step.name not in (*_LAST, "why")
        pair = step is not None and step.name == "pair"  # which was selected just now
        takes = self._code and not pair and (self._holds or not (goes_on or self._barred))
        restyle(self.copies, "part", "primary" if takes else "slot")
        restyle(self.next, "part", "primary" if goes_on and not takes else "slot")

    def _go_on(self) -> None:
        if self._next is not None:
            self.chosen.emit(self._next)

    @property
    def _holds(self) -> bool:
        """Whether there is an answer that is good news, and not for now alone."""
        card, waits = self._card, self._next is not None and self._next.name == "beside"
        return card is not None and card.headline.mood == "good" and not (card.beside or waits)

    @property
    def _barred(self) -> bool:
        """Whether it is contradicted, or no more than the best so far."""
        headline = self._card.headline if self._card is not None else None
        grade = headline.grade if headline is not None else None
        bad = headline is not None and headline.mood == "bad"
        return bad or (grade is not None and grade.bars < 2)

    @property
    def _code(self) -> bool:
        return bool(self._card and self._card.copies)

    def _fill_copies(self) -> None:
        menu = self.copies.menu()
        menu.clear()
        menu.setToolTipsVisible(True)
        for one in self._card.copies if self._card else ():
            lines = len(one.text.splitlines())
            brief = one.text if len(one.text) <= _LONGEST else f"{one.text[:_LONGEST]}…"
            if lines > 1:
                brief = self.tr("{} lines").format(lines)
            action = menu.addAction(f"{one.where}:  {brief}".replace("&", "&&"))
            action.setToolTip(as_tip(one.text))
            action.triggered.connect(lambda _, text=one.text: self.copied.emit(text))
        if not self._code:
            menu.addAction(self._no_code().replace("&", "&&")).setEnabled(False)
        menu.addSeparator()
        menu.addAction(self.tr("Copy as &image"), self.image_wanted.emit)
        text = self._card.text if self._card else ""
        menu.addAction(self.tr("Copy as &text"), lambda: self.copied.emit(text))

    def _no_code(self) -> str:
        """Why there is no setting to copy, where one is answered for."""
        if self._card is None or self._code:
            return ""
        return self.tr("No setting to copy: {}").format(self._card.sentence)

    def _fill_more(self) -> None:
        menu = self.more.menu()
        menu.clear()
        menu.setToolTipsVisible(True)
        for step in self._steps:
            if step is not self._next:
                action = menu.addAction(step.text.replace("&", "&&"))
                action.triggered.connect(lambda _, step=step: self.chosen.emit(step))
                action.setToolTip(as_tip(step.why))
        self.more.setEnabled(bool(menu.actions()))

    def say_copied(self) -> None:
        """Say it where the hand is, for as long as it is read."""
        self.copies.setText(self.tr("Copied"))
        self._back.start()

    def seconds_held(self) -> float:
        """How long what the buttons do may not change, because a hand is at one of them."""
        buttons = (self.copies, self.next, self.more)
        menus = (self.copies.menu(), self.more.menu())
        if any(one.isDown() for one in buttons) or any(one.isVisible() for one in menus):
            return _LATER
        now = time.monotonic()
        return max((_STILL - (now - since) for since in self._since.values()), default=0.0)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Enter:
            self._since[watched] = time.monotonic()
        elif event.type() == QEvent.Type.Leave:
            self._since.pop(watched, None)
        return False

    def texts(self) -> tuple[str, ...]:
        """What is offered, in the menu too."""
        return tuple(step.text for step in self._steps)

    def names(self) -> tuple[str, ...]:
        """The names of the steps that are offered, in the menu too."""
        return tuple(step.name for step in self._steps)

    def press(self, name: str) -> None:
        """Choose the step of that name, wherever it is; raises StopIteration without one."""
        self.chosen.emit(next(step for step in self._steps if step.name == name))
