"""The plots over time, one for each quantity, of which one is seen: curves below a read-out."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import override

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from app.plots.base.axes import UnitAxis, axis_of, clock_step, multiples
from app.plots.base.curves import Curves, equal
from app.plots.base.end_labels import Labels
from app.plots.base.figure import Figure
from app.plots.base.plot_surface import Sheet
from app.plots.base.samples import Floats, Points
from app.plots.time.content import PlotContent
from app.plots.time.emphasis import Emphasised
from app.plots.time.intake import Intake
from app.plots.time.timeline import Span
from app.plots.time.trace import Trace
from app.style.theme import LIGHT, Theme
from core import TimePlot, show_clock

_TICK_ROOM = 34
_CLOCK_ROOM = 84
_MARK_ROOM = 90
_BOUNDARY_ROOM = 8
_HEAD = 24
"""Pixels above the plot for its title."""
_MARGINS = (3, 8)
"""Pixels below the first and above the last tick, for lines and texts at the ends."""
_BELOW = ("fds", "peak_rss", "throughput")
"""Metrics whose plots are seen below the chosen one."""
_LOW, _BETWEEN = 330, 24
"""Pixels of height below which only the chosen plot is seen, and between two plots."""
_BAR, _LEAST = 4, 3
"""Pixels: how high the mark over a trial is, and how wide over the shortest one."""


class Panel(QWidget):
    """One plot over time; the visible piece of time is set from outside."""

    def __init__(self, plot: TimePlot, first: int) -> None:
        super().__init__()
        self.plot = plot
        self.content = PlotContent(plot, first)
        self._boundaries: Sequence[float] = ()
        self._value_axis = UnitAxis("left", self._tick)
        self.time_axis = UnitAxis("bottom", show_clock)
        self.sheet = Sheet(self._value_axis, self.time_axis)
        self._limit = plot.limit
        """Drawn once values come near it, always named above the plot."""
        self._curves = Curves()
        self.sheet.addItem(self._curves, ignoreBounds=True)
        self._marked: Sequence[Span] = ()
        self._bars, self._boundary_lines = (
            pg.PlotCurveItem(connect="pairs", skipFiniteCheck=True) for _ in range(2)
        )
        self._region = pg.LinearRegionItem(movable=False)
        self._limit_line = pg.InfiniteLine(angle=0, movable=False)
        self._drawn: tuple[object, ...] = ()
        self._put: list[Points] = []
        self._ranged: tuple[Span, tuple[float, float]] | None = None
        self._drawn_boundaries: tuple[object, ...] = ()
        items = (self._bars, self._boundary_lines, self._region, self._limit_line)
        for item, depth in zip(items, (0, -8, -10, -5), strict=True):
            item.setZValue(depth)
            self.sheet.addItem(item, ignoreBounds=True)
        self._region.hide()
        self._limit_line.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.sheet, 1)
        self.setAccessibleName(plot.title)

    def _tick(self, value: float, _step: float) -> str:
        return self.plot.text(0, 10.0**value if self.content.logarithmic else value)

    def take_logarithms(self, taken: bool) -> None:
        """Have a logarithmic axis, or one that begins at 0."""
        self.content.take_logarithms(taken)
        self._drawn = ()

    @property
    def changed(self) -> bool:
        """Whether other curves are to be drawn than are, or nothing is drawn yet."""
        return not (self._drawn and self._put)

    @property
    def dots(self) -> int:
        """Pixels of the screen from the left end of the curves to the right one."""
        return max(round(self._width * self.devicePixelRatioF()), 1)

    @property
    def _width(self) -> int:
        return max(int(self.sheet.plotItem.vb.width()), 1)

    def follow(
        self, traces: Mapping[str, Trace], columns: Sequence[int], emphasised: Emphasised
    ) -> None:
        """Draw these columns of a single trace from now on; or a curve for each of several."""
        if self.content.follow(traces, columns, emphasised):
            self._drawn = ()

    def set_theme(self, theme: Theme) -> None:
        """Take colours, and the font of the widget for the axes."""
        self.sheet.paint_with(theme, self.font())
        self._limit_line.setPen(pg.mkPen(theme.text, width=1, style=Qt.PenStyle.DashLine))
        tint = QColor(theme.curves[0])
        tint.setAlpha(45)
        self._region.setBrush(tint)
        for line in self._region.lines:
            line.setPen(pg.mkPen(theme.curves[0], width=1))
        self._boundary_lines.setPen(pg.mkPen(theme.muted, width=1, style=Qt.PenStyle.DotLine))
        bar = pg.mkPen(theme.text, width=_BAR)
        bar.setCapStyle(Qt.PenCapStyle.FlatCap)
        self._bars.setPen(bar)
        self._curves.set_theme(theme)

    def begin(self, boundaries: Sequence[float]) -> None:
        """Nothing is drawn yet; `boundaries`: where the curves will break."""
        self._boundaries = boundaries
        self._curves.put([], 1.0, QRectF(), QSize())
        self._drawn_boundaries, self._drawn, self._put = (), (), []
        self._boundary_lines.setData([], [])
        self.highlight(())

    def draw(self, span: Span) -> None:
        """Draw that piece of the time axis."""
        view, width = self.sheet.plotItem.vb, self._width
        drawn = (span, width, view.height(), self.dots, self._limit, len(self._boundaries))
        curves = self.content.query(span, self.dots, self._boundaries)
        if drawn == self._drawn and equal(curves, self._put):
            return
        self._drawn, self._put = drawn, curves
        low, high = _ends([points.y for points in curves])
        near = False
        if self._limit is not None:
            limit = math.log10(self._limit) if self.content.logarithmic else self._limit
            near = high > (limit - 0.3 if self.content.logarithmic else 0.5 * limit)
            high = max(high, limit * 1.02) if near else high
            if self._limit_line.value() != limit:
                self._limit_line.setPos(limit)
        self._limit_line.setVisible(near)
        fit = axis_of(self.plot.units[0], logarithmic=self.content.logarithmic)
        scale = fit(low, high, max(int(view.height() / _TICK_ROOM), 1))
        step = clock_step(span.length * _CLOCK_ROOM / width)
        ends = self.sheet.with_margins(scale, *_MARGINS)
        if (span, ends) != self._ranged:
            self._ranged = (span, ends)
            view.setRange(xRange=span, yRange=ends, padding=0)
            # Left to the painting, it would have all painted once more.
            view.updateMatrix()
        self._value_axis.put(scale.ticks, scale.step)
        self.time_axis.put(multiples(*span, step), step)
        self._draw_boundaries(span, ends, span.length * _BOUNDARY_ROOM / width)
        # A power of two of seconds, so that markers stay on their samples while an axis grows.
        spacing = 2.0 ** math.ceil(math.log2(span.length * _MARK_ROOM / width))
        area = QRectF(QPointF(span.start, ends[0]), QPointF(span.end, ends[1]))
        dots = QSize(self.dots, max(round(view.height() * self.devicePixelRatioF()), 1))
        ranks = [line.rank for line in self.content.lines]
        self._curves.put(curves, spacing, area, dots, ranks)
        self._draw_bars()

    def _draw_bars(self) -> None:
        """Draw a bar over each marked piece of time, at the top of what is in sight."""
        self._bars.setVisible(bool(self._marked))
        if not self._marked:
            return
        view = self.sheet.plotItem.vb
        (start, end), (low, high) = view.viewRange()
        ends = bars(self._marked, (end - start) / self._width)
        at = high - _BAR / 2 * (high - low) / max(view.height(), 1)
        self._bars.setData(ends.ravel(), np.full(ends.size, at))

    def _draw_boundaries(self, span: Span, ends: tuple[float, float], room: float) -> None:
        """Draw the visible ones, but none closer than `room` to the one before."""
        drawn: list[float] = []
        first = bisect_left(self._boundaries, span.start)
        for time in self._boundaries[first : bisect_right(self._boundaries, span.end)]:
            if not drawn or time - drawn[-1] >= room:
                drawn.append(time)
        if (drawn, ends) != self._drawn_boundaries:
            self._drawn_boundaries = (drawn, ends)
            self._boundary_lines.setData(np.repeat(drawn, 2), np.tile(ends, len(drawn)))

    def highlight(self, spans: Sequence[Span]) -> None:
        """Mark these pieces of the time axis, in order, and no others."""
        self._marked = spans
        self._draw_bars()

    def show_values(
        self, time: float | None, span: Span | None = None, note: str = "", beside: int = 0
    ) -> None:
        """Put the crosshair at a time and tell its values, and a note beside the title.

        Without a time there is no crosshair, and shown are the medians of a piece of time, or
        without one the last values.  `beside`: pixels that are taken at the right of the note.
        """
        self.sheet.put_crosshair(time)
        told = self.content.labels(time, span)
        others = [f"{one.name} {one.note}".strip() for one in told if one.rank is None]
        if self._limit is not None:
            most = self.tr("of {} allowed").format(self.plot.text(0, self._limit))
            others.insert(0, most)
        if self.content.several:
            others.append(self.tr("each setting in its turns"))
        labels = Labels(
            title=self.content.title,
            heading=" · ".join(filter(None, (*others, note))),
            beside=beside,
            ends=tuple(one for one in told if one.rank is not None and one.name),
        )
        self.sheet.put_labels(labels, _HEAD)

    def select(self, span: Span | None) -> None:
        """Shade a piece of the time axis, or none."""
        self._region.setVisible(span is not None)
        if span is not None:
            self._region.setRegion(span)

    def figure(self, span: Span | None = None) -> Figure:
        """The plot, of a piece of time or all of it."""
        return Figure(
            title=self.content.title,
            widget=self,
            summary=partial(self.content.summary, span),
            data=partial(self.content.table, span),
        )


def bars(spans: Sequence[Span], pixel: float) -> Floats:
    """Where the bars over these spans begin and end; those that touch on the screen are one."""
    starts, ends = np.array(spans, np.float64).reshape(-1, 2).T
    reach = np.maximum.accumulate(np.maximum(ends, starts + _LEAST * pixel))
    first = np.flatnonzero(starts > np.append(-np.inf, reach[:-1] + pixel)[: len(starts)])
    last = np.append(first[1:], len(starts))[: len(first)] - 1
    return np.column_stack((starts[first], reach[last]))


def _ends(curves: Sequence[Floats]) -> tuple[float, float]:
    """Lowest and highest value of all curves; +inf and -inf where there is none."""
    values = np.concatenate([*curves, np.empty(0)])
    values = values[np.isfinite(values)]
    return (float(values.min()), float(values.max())) if values.size else (math.inf, -math.inf)


class PlotStack(QWidget):
    """The plots that every run has, and one more for what a workload counts live.

    Three are seen: the chosen one, and below it open files and memory, or the throughput in place
    of one of these.
    """

    def __init__(self, listen: Callable[[Panel], object]) -> None:
        """`listen` hears of every plot that is made."""
        super().__init__()
        self._listen = listen
        self._theme = LIGHT
        self._selected: Span | None = None
        self._boundaries: Sequence[float] = ()
        plots = TimePlot.all()
        sizes = [len(each.columns) for each in plots]
        self._usual, self._columns = len(plots), sum(sizes)
        self._tallies: tuple[str, ...] = ()
        """What the last plot shows; without any there is no such plot."""
        firsts = accumulate(sizes[:-1], initial=0)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(_BETWEEN)
        self._grid.setVerticalSpacing(_BETWEEN // 4)
        self.panels = tuple(map(self._made, plots, firsts))
        self._chosen = self.panels[0]
        self._arrange()

    def _made(self, plot: TimePlot, first: int) -> Panel:
        panel = Panel(plot, first)
        panel.setParent(self)
        panel.hide()
        self._listen(panel)
        return panel

    @property
    def shown(self) -> Panel:
        """The chosen one."""
        return self._chosen

    @property
    def seen(self) -> tuple[Panel, ...]:
        """The plots that are seen, the chosen one first."""
        if self.height() < _LOW:
            return (self._chosen,)
        below = (self.panel_of(metric) for metric in _BELOW)
        return (self._chosen, *[one for one in below if one is not self._chosen][:2])

    def choose(self, panel: Panel) -> None:
        """Have that one above the others."""
        self._chosen = panel
        self._arrange()

    def _arrange(self) -> None:
        seen = self.seen
        for panel in self.panels:
            self._grid.removeWidget(panel)
            panel.setVisible(panel in seen)
        self._grid.addWidget(seen[0], 0, 0, 1, 2)
        for column, panel in enumerate(seen[1:]):
            self._grid.addWidget(panel, 1, column)
            self._grid.setColumnStretch(column, 1)
        self._grid.setRowStretch(0, 1)
        self._grid.setRowStretch(1, 1 if len(seen) > 1 else 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if sum(not panel.isHidden() for panel in self.panels) != len(self.seen):
            self._arrange()

    def panel_of(self, metric: str) -> Panel:
        """The plot of that metric, or the first."""
        panels = (panel for panel in self.panels if metric in panel.plot.metrics)
        return next(panels, self.panels[0])

    def begin(self, boundaries: Sequence[float]) -> None:
        self._boundaries = boundaries
        self._count(())
        for panel in self.panels:
            panel.begin(boundaries)

    def follow(self, intake: Intake, emphasised: Emphasised) -> bool:
        """Show what there is now, in these colours; whether there are other plots than before."""
        others = self._count(intake.tallies)
        for panel in self.panels:
            panel.follow(intake.traces, panel.plot.drawn_of(intake.workers), emphasised)
        return others

    def _count(self, tallies: tuple[str, ...]) -> bool:
        """Have one more plot for what the workload counts live, if it does."""
        if tallies == self._tallies:
            return False
        self._tallies = tallies
        counted = self._chosen not in self.panels[: self._usual]
        for panel in self.panels[self._usual :]:
            self._grid.removeWidget(panel)
            panel.hide()
            panel.deleteLater()
        self.panels = self.panels[: self._usual]
        if tallies:
            panel = self._made(TimePlot.all(tallies)[-1], self._columns)
            self.panels = (*self.panels, panel)
            panel.begin(self._boundaries)
            panel.set_theme(self._theme)
            panel.select(self._selected)
        if counted:
            self.choose(self.panels[self._usual if tallies else 0])
        return True

    def highlight(self, spans: Collection[Span]) -> None:
        for panel in self.panels:
            panel.highlight([*spans])

    def select(self, span: Span | None) -> None:
        self._selected = span
        for panel in self.panels:
            panel.select(span)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for panel in self.panels:
            panel.set_theme(theme)

    def figures(self, span: Span | None) -> tuple[Figure, ...]:
        """The plots one by one, the one that is seen first, of a piece of time or all of it."""
        others = (panel for panel in self.panels if panel is not self.shown)
        return tuple(panel.figure(span) for panel in (self.shown, *others))
