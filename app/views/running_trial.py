"""The present state: the phase strip, and the newest figures of the running trial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QProgressBar, QWidget

from app.style.clipped_label import ClippedLabel
from app.style.label_widget import label, restyle
from app.style.tip import as_tip
from core import NOTHING, live_figures, show, tr_count, tr_word

if TYPE_CHECKING:
    from core import RunProgress

_STEPS = 1000
_BESIDE = 12
"""Pixels between figures."""


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
            top.addWidget(shown)
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
        """As many as there is room for: what changes ten times a second must not move the rest."""
        metrics = self._phase.fontMetrics()
        texts = [" · ".join(parts[:count]) for count in range(len(parts), 0, -1)]
        room = self._phase.width()
        return next((one for one in texts if metrics.horizontalAdvance(one) <= room), texts[-1])

    def finish(self, said: str, elapsed: float) -> None:
        """The run is over."""
        self._phase.setText(said)
        told = self.tr("took {}").format(show(elapsed, "seconds"))
        self._time.setText(told if elapsed else "")

    def count(self, errors: int, wrong: int) -> None:
        """Show failed operations and wrong data so far; highlighted as soon as there is one."""
        for shown, count, told in (
            (self._errors, errors, tr_count("1 error", "{count:,} errors", errors)),
            (self._wrong, wrong, self.tr("{} wrong").format(show(wrong, ""))),
        ):
            shown.setText(told)
            restyle(shown, "loud", "true" if count else "false")

    def text(self) -> str:
        """The phase line."""
        return self._phase.text()


class CurrentFigures(QWidget):
    """The newest figures of the running trial: the plots' content as text.

    Of several that take turns it is the first one until that has ended: figures of another one
    ten times a second could not be read.
    """

    def __init__(self) -> None:
        super().__init__()
        self._figures = live_figures()
        self._titles: list[QLabel] = []
        self._shown: list[QLabel] = []
        self._widest = [0] * len(self._figures)
        """Pixels that each figure has needed so far: none is to come and go."""
        self._newest: object = None
        self._name = label()
        self._name.setAccessibleName(self.tr("Setting"))
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.addWidget(self._name, 0, 0, 1, len(self._figures))
        grid.setHorizontalSpacing(_BESIDE)
        grid.setVerticalSpacing(0)
        grid.setAlignment(Qt.AlignmentFlag.AlignTop)
        for column, figure in enumerate(self._figures):
            name = tr_word(figure.title())
            title, shown = label(name, "muted"), label(NOTHING, "number")
            for part in (title, shown):
                part.setToolTip(as_tip(tr_word(figure.metric.help)))
            shown.setAccessibleName(name)
            grid.addWidget(title, 1, column)
            grid.addWidget(shown, 2, column)
            self._titles.append(title)
            self._shown.append(shown)

    def clear(self) -> None:
        """No trial is running."""
        self._newest = None
        self._name.clear()
        for shown in self._shown:
            shown.setText(NOTHING)
        self._widest = [0] * len(self._figures)
        self._share()

    def _share(self) -> None:
        """Leave out the last figures where there is no room for all; the plots have them too."""
        left = self.width()
        for column, (title, shown) in enumerate(zip(self._titles, self._shown, strict=True)):
            needed = max(title.sizeHint().width(), shown.sizeHint().width())
            self._widest[column] = max(self._widest[column], needed)
            left -= self._widest[column] + (_BESIDE if column else 0)
            for part in (title, shown):
                part.setVisible(left >= 0)
            self._grid.setColumnStretch(column, 1 if left >= 0 else 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def show_newest(self, watch: RunProgress) -> None:
        """Show the newest moment; that of a trial that is over stays until another one has some."""
        if watch.newest is None or watch.newest is self._newest:
            return
        self._newest = watch.newest
        _, spec, moment, before = watch.newest
        self._name.setText(watch.name_of(spec))
        for figure, title, shown in zip(self._figures, self._titles, self._shown, strict=True):
            title.setText(tr_word(figure.title(spec.workload)))
            shown.setText(figure.text(moment, before, spec.workload) or NOTHING)
            shown.setAccessibleName(title.text())
        self._share()

    @property
    def name(self) -> str:
        """The setting that the figures are of."""
        return self._name.text()

    def texts(self) -> dict[str, str]:
        """The figures by title."""
        return {t.text(): s.text() for t, s in zip(self._titles, self._shown, strict=True)}
