"""One setting from the inside: threads as lanes, time by phase, latency, memory and files."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QRect, QRectF, Qt, QThreadPool, Signal
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

import core
from app.plots.base.bars_plot import BarsPlot
from app.plots.base.painting import PaintedPlot
from app.style.labels import label
from app.style.layouts import scrolled, spaced
from app.style.menus import QuietCombo
from app.work.question import Question
from core import BarsFigure, show

if TYPE_CHECKING:
    from app.plots.base.figure import Figure
    from app.plots.counts.log_chart import LogChart
    from app.plots.time.trial_plot import TrialPlot
    from app.style.theme import Theme
    from app.views.comparison_view import Words
    from core import Inside, Moment, Result, Shown

_ROW, _GAP = 20, 10
_LANE = 18
"""Pixels of the lowest lane."""
_LEAST = 178
"""Pixels of the lowest plot, its title included."""
_WIDE = 940
"""Pixels of width from which three plots stand side by side."""


class ThreadLanes(PaintedPlot):
    """A lane for each worker over the time of a trial, as high as the share of a core it took."""

    def __init__(self) -> None:
        super().__init__()
        self._moments: Sequence[Moment] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Threads"))

    def show_moments(self, moments: Sequence[Moment]) -> None:
        self._moments = moments
        names = (f"{name}: {text}" for name, text in map(self._texts_of, range(self._count)))
        self.setAccessibleDescription("\n".join(names))
        self.update()

    @property
    def _count(self) -> int:
        return len(self._moments[-1].cpu) if len(self._moments) > 1 else 0

    def _texts_of(self, worker: int) -> tuple[str, str]:
        """The name of a worker, and the share of a core that it took of all the time."""
        first, last = self._moments[0], self._moments[-1]
        spent, took = last.cpu[worker] - first.cpu[worker], last.at - first.at
        share = show(spent / 1e9 / took, "share") if took > 0 else ""
        return self.tr("thread {}").format(worker + 1), share

    @override
    def draw(self, p: QPainter, seen: QRect) -> None:
        theme = self._theme
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._take_font(p, bold=True)
        title = self.tr("Threads")
        self._write(p, QRectF(0, 0, self.width(), _ROW), title, theme.roles["ink"])
        beside = p.fontMetrics().horizontalAdvance(title) + _GAP
        self._take_font(p)
        told = self.tr("share of a core over the last trial")
        self._write(p, QRectF(beside, 0, self.width() - beside, _ROW), told, theme.roles["ink2"])
        if not self._count:
            return
        room = self.height() - 2 * _ROW
        drawn = max(min(self._count, int(room // _LANE)), 1)
        if drawn < self._count:
            more = self.tr("{} more").format(self._count - drawn)
            self._write(p, QRectF(0, 0, self.width(), _ROW), more, theme.muted, _RIGHT)
        texts = [self._texts_of(worker) for worker in range(drawn)]
        width = p.fontMetrics().horizontalAdvance
        left, right = (max(map(width, column)) + _GAP for column in zip(*texts, strict=True))
        high = room / drawn
        area = QRectF(left, _ROW, max(self.width() - left - right, 1), high)
        for worker, (name, text) in enumerate(texts):
            lane = area.translated(0, worker * high)
            self._write(p, QRectF(0, lane.top(), left, high), name, theme.roles["ink2"])
            beside_lane = QRectF(lane.right() + _GAP, lane.top(), right, high)
            self._write(p, beside_lane, text, theme.roles["ink"])
            self._draw_lane(p, lane.adjusted(0, 3, 0, -3), worker)
        below = QRectF(left, _ROW + room, area.width(), _ROW)
        self._write(p, below, "0", theme.muted)
        self._write(p, below, show(self._moments[-1].at, "seconds"), theme.muted, _RIGHT)

    def _draw_lane(self, p: QPainter, lane: QRectF, worker: int) -> None:
        first, end = self._moments[0].at, self._moments[-1].at
        across = lane.width() / max(end - first, 1e-9)
        p.fillRect(lane, QColor(self._theme.roles["inset"]))
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for one, two in pairwise(self._moments):
            share = (two.cpu[worker] - one.cpu[worker]) / 1e9 / max(two.at - one.at, 1e-9)
            high = lane.height() * min(share, 1.0)
            left, right = (lane.left() + across * (each.at - first) for each in (one, two))
            bar = QRectF(left, lane.bottom() - high, right - left, high)
            p.fillRect(bar, QColor(self._theme.curves[-1]))


_RIGHT = Qt.AlignmentFlag.AlignRight


class InsideView(QWidget):
    """Keeps its plots: another setting only brings other figures."""

    said = Signal()
    """Its sentence is another one."""

    def __init__(self, pool: QThreadPool) -> None:
        super().__init__()
        self._results: dict[str, Result] = {}
        self._beside: tuple[Result, ...] = ()
        """The results that explain one; empty while more trials follow."""
        self._picked = ""
        """The setting that somebody wants to see."""
        self._looking = Question(pool, self)
        self._looking.answered.connect(self._show)
        self.choice = QuietCombo()
        self.choice.setAccessibleName(self.tr("Setting"))
        self.choice.activated.connect(lambda *_: self.show_setting(self.choice.currentData()))
        self._empty = label(
            self.tr("What a setting did is shown here once it is measured."), "muted"
        )
        self.lanes, self.phases = ThreadLanes(), BarsPlot()
        self.percentiles: LogChart | None = None
        """Imported later than all else."""
        self._over_time: tuple[TrialPlot, ...] = ()
        self._inside: Inside | None = None
        side = QWidget()
        beside = spaced(QVBoxLayout(side), _GAP)
        beside.addWidget(self.choice)
        beside.addWidget(self.phases)
        beside.addStretch(1)
        self._parts: list[QWidget] = [self.lanes, side]
        page = QWidget()
        self._grid = QGridLayout(page)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(_GAP)
        column = spaced(QVBoxLayout(self), 0, 0, 7, 0, 0)
        column.addWidget(self._empty)
        self._page = scrolled(page, "sheet")
        column.addWidget(self._page, 1)
        self._columns = 0
        self.clear()

    def clear(self) -> None:
        """Nothing is measured."""
        self._looking.drop()
        self._results, self._beside, self._picked = {}, (), ""
        self.choice.clear()
        self._show(None)

    def show_results(self, shown: Shown) -> None:
        """Offer the settings; the best is shown until somebody picks another one."""
        names = {one.setting: one.name for one in shown.standings}
        measured = {one.spec.digest: one for one in shown.in_table if one.trials}
        self._results = {key: measured[key] for key in names if key in measured}
        if [self.choice.itemData(at) for at in range(self.choice.count())] != [*self._results]:
            self.choice.clear()
            for key in self._results:
                self.choice.addItem(names[key] or self.tr("The only setting"), key)
            self.choice.setCurrentIndex(max(self.choice.findData(self._picked), 0))
        self._beside = shown.results if shown.next.steps else ()
        self._look()

    def show_best(self) -> None:
        """Show the setting that the verdict is about."""
        self._picked = ""
        self.choice.setCurrentIndex(0)
        self._look()

    def show_setting(self, setting: str) -> None:
        """Show that one, by its digest, if it was measured."""
        if setting in self._results:
            self._picked = setting
            self.choice.setCurrentIndex(self.choice.findData(setting))
            self._look()

    @property
    def words(self) -> Words:
        """What limits the throughput, and why; empty where that is not known."""
        inside = self._inside
        return (inside.sentence, inside.why, (), ()) if inside is not None else ("", "", (), ())

    def _look(self) -> None:
        results, beside, setting = self._results, self._beside, self.choice.currentData()
        names = {self.choice.itemData(at): self.choice.itemText(at) for at in range(len(results))}
        if setting in results:
            best = next(iter(results.values()))
            # The pool's thread imports the module of `core.Inside`.
            self._looking.ask(lambda _: core.Inside.of(results[setting], best, names, beside))

    def add_plots(self, percentiles: LogChart, *over_time: TrialPlot) -> None:
        self.percentiles, self._over_time = percentiles, over_time
        self._parts += [percentiles, *over_time]
        self._columns = 0
        self._arrange()
        self._show(self._inside)

    def _show(self, inside: Inside | None) -> None:
        self._inside = inside
        self._page.setVisible(inside is not None)
        self._empty.setVisible(inside is None)
        phases = inside.phases if inside is not None else BarsFigure()
        self.phases.show_figure(phases)
        self.phases.setVisible(bool(phases.bars))
        moments = inside.moments if inside is not None else ()
        self.lanes.show_moments(moments)
        for plot in self._over_time:
            plot.show_moments(moments)
        if self.percentiles is not None and inside is not None:
            self.percentiles.show_chart(inside.percentiles)
        self.said.emit()

    def _arrange(self) -> None:
        columns = 3 if self.width() >= _WIDE else 2
        if columns == self._columns:
            return
        self._columns, at = columns, 0
        for part in self._parts:
            part.setMinimumHeight(_LEAST)
            span = columns - 1 if part is self.lanes else 1
            self._grid.addWidget(part, at // columns, at % columns, 1, span)
            at += span
        for column in range(3):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def figures(self) -> tuple[Figure, ...]:
        if self.percentiles is None or self._inside is None:
            return ()
        return (self.percentiles.figure(), *(plot.figure() for plot in self._over_time))

    def set_theme(self, theme: Theme) -> None:
        self.lanes.set_theme(theme)
        self.phases.set_theme(theme)
        for plot in (self.percentiles, *self._over_time):
            if plot is not None:
                plot.set_theme(theme)
