"""The present state: the phase strip, and the newest figures of the running trial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from app.style.labels import ClippedLabel, as_tip, label, restyle
from core import show
from core import tr as sentence

if TYPE_CHECKING:
    from core import RunProgress

_STEPS = 200
"""Of the bar, which paints at once whatever waits to be painted with each of them."""


class PhaseStrip(QWidget):
    """Phase, which trial of how many, progress, time gone and time left, errors and wrong data."""

    def __init__(self) -> None:
        super().__init__()
        self._phase = ClippedLabel("small", lines=2)
        self._phase.setAccessibleName(self.tr("Phase"))
        self._time = label(part="small")
        self._time.setAccessibleName(self.tr("Elapsed and remaining time"))
        self.bar = QProgressBar()
        """For the window to lay out across its whole width."""
        self.bar.setProperty("part", "thin")
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of the run"))
        self._errors, self._wrong = label(), label()
        self._errors.setAccessibleName(self.tr("Failed operations"))
        self._wrong.setAccessibleName(self.tr("Operations with wrong data"))
        top = QHBoxLayout(self)
        top.setContentsMargins(8, 0, 8, 0)
        top.setSpacing(16)
        top.addWidget(self._phase, 1)
        for shown in (self._errors, self._wrong, self._time):
            top.addWidget(shown, 0, Qt.AlignmentFlag.AlignVCenter)  # what is loud has a background
        self.clear()

    def clear(self) -> None:
        """Nothing has run yet."""
        self._phase.setText(self.tr("Not started yet"))
        self._time.clear()
        self.bar.setValue(0)
        self.count(0, 0)

    def begin(self) -> None:
        """A run has begun of which nothing is known yet."""
        self._phase.setText(self.tr("preparing"))

    def _place(self, watch: RunProgress) -> str:
        """Which trial it is; of how many is not known with a budget."""
        if watch.budget:
            return self.tr("trial {}").format(watch.done + 1)
        return self.tr("trial {} of {}").format(min(watch.done + 1, watch.of), watch.of)

    def show_watch(self, watch: RunProgress) -> None:
        """The state of the run as it is now."""
        place = self._place(watch)
        phase = watch.phase or self.tr("preparing")
        parts = (phase, place if watch.of else "", watch.what, watch.decision)
        known = [part for part in parts if part]
        self._phase.setText(self._in_one_line(known))
        self._phase.setToolTip(as_tip(" · ".join(known)))
        left = self.tr("{left} left").format(left=watch.left)
        self._time.setText(left if watch.of else "")  # before, nothing is known
        self.bar.setValue(round(_STEPS * watch.share))

    def _in_one_line(self, parts: Sequence[str]) -> str:
        """As many as there is room for: what changes so often must not move the rest."""
        metrics = self._phase.fontMetrics()
        texts = [" · ".join(parts[:count]) for count in range(len(parts), 0, -1)]
        room = self._phase.width()
        return next((one for one in texts if metrics.horizontalAdvance(one) <= room), texts[-1])

    def finish(self, said: str, elapsed: float) -> None:
        """The run is over."""
        self._phase.setText(said)
        took = self.tr("took {}").format(show(elapsed, "seconds"))
        self._time.setText(took if elapsed else "")

    def count(self, errors: int, wrong: int) -> None:
        """Show failed operations and wrong data so far; highlighted as soon as there is one."""
        for shown, count, text in (
            (self._errors, errors, sentence("1 error", "{count:,} errors", count=errors)),
            (self._wrong, wrong, self.tr("{} wrong").format(show(wrong, ""))),
        ):
            shown.setText(text)
            restyle(shown, "loud", "true" if count else "false")

    def text(self) -> str:
        return self._phase.text()
