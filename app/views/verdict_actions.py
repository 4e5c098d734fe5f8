"""The buttons of the verdict: each has its slot, and is greyed until it applies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, override

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy

from app.style.labels import as_tip
from app.style.layouts import SharedRow

if TYPE_CHECKING:
    from core import NextStep

_SPACING = 8
_SLOTS = {
    "surer": ("until sure", "repeat"),
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
        self._taken: dict[str, NextStep] = {}
        self._slots = {name: QPushButton(title) for name, title in titles.items()}
        self._more = QPushButton(self.tr("More"))
        self._more.setAccessibleName(self.tr("More to do next"))
        self._more.setMenu(QMenu(self._more))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_SPACING)
        self._copies = copies
        row.addWidget(copies)
        for name, button in self._slots.items():
            button.setObjectName(f"slot {name}")
            button.clicked.connect(lambda _, name=name: self._choose(self._taken[name]))
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
        self._taken = {
            slot: next(named[name] for name in names if name in named)
            for slot, names in _SLOTS.items()
            if named.keys() & set(names)
        }
        for slot, button in self._slots.items():
            step = self._taken.get(slot)
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
        self._choose(next(step for step in self._steps if step.name == name))

    def _choose(self, step: NextStep) -> None:
        self.chosen.emit(step)

    @override
    def _share(self) -> None:
        """Show as many slots as there is room for; the menu has the rest."""
        room = self.width() - self._copies.sizeHint().width() - self._more.sizeHint().width()
        seen: set[str] = set()
        for name, button in self._slots.items():
            room -= button.sizeHint().width() + _SPACING
            if room < _SPACING:
                break
            seen.add(name)
        for name, button in self._slots.items():
            button.setVisible(name in seen)
        shown = [self._taken[name] for name in seen if name in self._taken]
        menu = self._more.menu()
        menu.clear()
        menu.setToolTipsVisible(True)
        for step in self._steps:
            if step not in shown:
                action = menu.addAction(step.text.replace("&", "&&"))
                action.triggered.connect(lambda _=False, step=step: self._choose(step))
                action.setToolTip(as_tip(step.why))
        self._more.setEnabled(bool(menu.actions()))
