"""The row above Measure: what is to be known before a run, and the one button that helps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.style.labels import ClippedLabel, as_tip

if TYPE_CHECKING:
    from core import NextStep, Preflight


class PreflightStrip(QWidget):
    """Always as high, so that nothing below it moves; what is cut is in the tooltip."""

    step_chosen = Signal(object)
    """The NextStep whose button was pressed."""

    def __init__(self) -> None:
        super().__init__()
        self._step: NextStep | None = None
        self._said = ClippedLabel("small", 2, fixed=True)
        self._said.setAccessibleName(self.tr("Before Start"))
        # What it says must not make the form wider.
        self._said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._button = QPushButton()
        self._button.setObjectName("preflight step")
        self._button.clicked.connect(self._choose)
        kept = self._button.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._button.setSizePolicy(kept)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._said, 1)
        row.addWidget(self._button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.say("")

    def say(self, text: str, found: Preflight | None = None, step: NextStep | None = None) -> None:
        """Show a sentence with a step, or with what a look has found besides."""
        parts = [text]
        if found is not None:
            first = [one for one in found.remarks if one.step is found.step is not None]
            parts += [one.text for one in first]
            parts += [found.expected, *(remark.text for remark in found.remarks)]
        told = list(dict.fromkeys(filter(None, parts)))
        self._said.setText(" · ".join(told))
        self._said.setToolTip(as_tip("\n".join(told)))
        self._offer(found.step if found is not None else step)

    def _offer(self, step: NextStep | None) -> None:
        self._step = step
        self._button.setVisible(step is not None)
        if step is not None:
            self._button.setMinimumWidth(self._width_of(step))
            self._button.setText(step.text.replace("&", "&&"))
            self._button.setToolTip(as_tip(step.why))
            self._button.setAccessibleDescription(step.why)

    def _width_of(self, step: NextStep) -> int:
        """Of its button; the same for a wait and its end, so that nothing moves under the hand."""
        from core import Act, MachineState

        widths = [0]
        for each in MachineState.waits() if step.act is Act.WAIT else ():
            self._button.setText(each.text)
            widths.append(self._button.sizeHint().width())
        return max(widths)

    def _choose(self) -> None:
        if self._step is not None:
            self.step_chosen.emit(self._step)

    def text(self) -> str:
        """All that is said, cut or not."""
        return self._said.text()

    def offered(self) -> NextStep | None:
        """The step of the button, if there is one."""
        return self._step
