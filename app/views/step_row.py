"""A row of buttons, one for each step; those for which there is no room are in a menu."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, override

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy

from app.style.labels import as_tip
from app.style.layouts import SharedRow

if TYPE_CHECKING:
    from core import NextStep

_SPACING = 6


class StepRow(SharedRow):
    """The first step stands out; the row never takes a second line."""

    chosen = Signal(object)
    """The NextStep whose button was pressed."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("What to do next"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._steps: tuple[NextStep, ...] = ()
        self._buttons: list[QPushButton] = []
        self._last: QPushButton | None = None
        self._more = QPushButton(self.tr("More"))
        self._more.setAccessibleName(self.tr("More to do next"))
        self._more.setMenu(QMenu(self._more))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 2, 0, 0)
        self._row.setSpacing(_SPACING)
        self._row.addWidget(self._more)
        self._row.addStretch(1)
        self._more.hide()

    def put_last(self, button: QPushButton) -> None:
        """A button at the end of the row, which is never in the menu."""
        self._last = button
        self._row.addWidget(button)

    def show_steps(self, steps: Sequence[NextStep]) -> None:
        """Offer these, and no others."""
        if tuple(steps) == self._steps:
            return
        self._steps = tuple(steps)
        for button in self._buttons:
            button.setParent(None)
            button.deleteLater()
        self._buttons = [self._made(step) for step in self._steps]
        for place, button in enumerate(self._buttons):
            self._row.insertWidget(place, button)
        if self._buttons:
            self._buttons[0].setProperty("part", "primary")
        self._share()

    def _made(self, step: NextStep) -> QPushButton:
        button = QPushButton(step.text)
        button.setObjectName(f"step {step.name}")
        button.setToolTip(as_tip(step.why))
        button.setAccessibleDescription(step.why)
        button.clicked.connect(partial(self._choose, step))
        return button

    def _choose(self, step: NextStep, *_: object) -> None:
        self.chosen.emit(step)

    def texts(self) -> tuple[str, ...]:
        """What is offered, in the menu too."""
        return tuple(step.text for step in self._steps)

    def press(self, name: str) -> None:
        """Choose the step of that name, wherever it is; raises StopIteration without one."""
        self._choose(next(step for step in self._steps if step.name == name))

    @override
    def _share(self) -> None:
        """Show as many buttons as there is room for, and the others in the menu."""
        whole = self.width()
        if self._last is not None and not self._last.isHidden():
            whole -= self._last.sizeHint().width() + _SPACING
        widths = [button.sizeHint().width() + _SPACING for button in self._buttons]
        seen = len(widths)
        if sum(widths) > whole:
            whole -= self._more.sizeHint().width() + _SPACING
            seen = next((at for at in range(seen) if sum(widths[: at + 1]) > whole), seen)
        menu = self._more.menu()
        menu.clear()
        for place, (button, step) in enumerate(zip(self._buttons, self._steps, strict=True)):
            button.setVisible(place < seen)
            if place >= seen:
                action = menu.addAction(step.text.replace("&", "&&"), partial(self._choose, step))
                action.setToolTip(as_tip(step.why))
        menu.setToolTipsVisible(True)
        self._more.setVisible(seen < len(self._buttons))
