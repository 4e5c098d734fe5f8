"""Bars below each other, as long as their values, with a whisker over each interval."""

from __future__ import annotations

from typing import NamedTuple, override

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from app.plots.base.painting import PaintedPlot, colour_of, draw_marker, filled, marker_of
from core import BarsFigure

ROW = 24
_BAR = 14
_GAP = 10
_MARK = 16
"""Pixels of a bar's marker, which its curve has too."""
_FAINT = 90
"""Of 255: bars of settings that are out."""
_NAMES = 0.42
"""The largest share of the width that names take."""
_RIGHT = Qt.AlignmentFlag.AlignRight


class BarsPlot(PaintedPlot):
    """The bars of a figure from top to bottom, as high as they need."""

    def __init__(self) -> None:
        super().__init__()
        self.figure = BarsFigure()
        self._hatched = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Settings by their throughput"))
        self.setFixedHeight(0)

    def show_figure(self, figure: BarsFigure, *, hatched: bool = False) -> None:
        """Show its bars; `hatched`: whether they were measured beside other programs."""
        if (figure, hatched) == (self.figure, self._hatched):
            return
        self.figure, self._hatched = figure, hatched
        if figure.title:
            self.setAccessibleName(figure.title)
        rows = (f"{one.name}: {self._text_of(at)}" for at, one in enumerate(figure.bars))
        self.setAccessibleDescription("\n".join(rows))
        self.setFixedHeight(ROW * (self._first + len(figure.bars)))
        self.update()

    @property
    def _first(self) -> int:
        """The row of the first bar, below the title where there is one."""
        return 1 if self.figure.title else 0

    def _text_of(self, at: int) -> str:
        bar = self.figure.bars[at]
        return self.tr("{} · out").format(bar.text) if bar.out and not bar.failed else bar.text

    @override
    def draw(self, p: QPainter, seen: QRect) -> None:
        figure, first = self.figure, self._first
        if not figure.bars:
            return
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._take_font(p, bold=True)
        self._write(p, QRectF(0, 0, self.width(), ROW), figure.title, self._theme.roles["ink"])
        self._take_font(p)
        columns = self._columns(p.fontMetrics())
        for at in range(len(figure.bars)):
            if seen.top() // ROW <= first + at <= seen.bottom() // ROW:
                self._paint_row(p, columns, at)

    def _columns(self, metrics: QFontMetrics) -> _Columns:
        width, bars = metrics.horizontalAdvance, self.figure.bars
        names = min(max(width(one.name) for one in bars) + 1, round(_NAMES * self.width()))
        start = names + _GAP + (_MARK if any(one.setting for one in bars) else 0)
        widths = (width(self._text_of(at)) for at, one in enumerate(bars) if not one.failed)
        room = max(self.width() - start - max(widths, default=0) - 2 * _GAP, 20)
        return _Columns(names, start, room / self.figure.top)

    def _paint_row(self, p: QPainter, columns: _Columns, at: int) -> None:
        bar, top = self.figure.bars[at], (self._first + at) * ROW
        self._write(p, QRectF(0, top, columns.names, ROW), bar.name, self._theme.text, _RIGHT)
        if bar.rank is not None and bar.setting:
            middle = QPointF(columns.names + (_GAP + _MARK) / 2, top + ROW / 2)
            mark = colour_of(self._theme, bar.rank)
            draw_marker(p, middle, marker_of(bar.rank), (mark, self._theme.background))
        start = QPointF(columns.start, top + ROW / 2)
        # A part of a setting has no colour of its own.
        ink = QColor(colour_of(self._theme, bar.rank if bar.setting else 4))
        if bar.out:
            ink.setAlpha(_FAINT)
        p.setPen(QPen(ink, 1) if self._hatched else Qt.PenStyle.NoPen)
        p.setBrush(filled(ink, hatched=self._hatched))
        end = start.x() + bar.value * columns.scale
        p.drawRoundedRect(QRectF(start.x(), start.y() - _BAR / 2, end - start.x(), _BAR), 4, 4)
        low, high = bar.ends[0], min(bar.ends[1], self.figure.top)
        if low < high:
            ends = [start + QPointF(value * columns.scale, 0) for value in (low, high)]
            p.setPen(QPen(QColor(self._theme.text), 2))
            p.drawLine(*ends)
            end = max(end, ends[1].x())
        area = QRectF(end + _GAP, top, self.width() - end - _GAP, ROW)
        colour = self._theme.roles["bad"] if bar.failed else self._theme.muted
        self._write(p, area, self._text_of(at), colour)


class _Columns(NamedTuple):
    """Pixels of names, where bars begin, and pixels for each unit of a value."""

    names: int
    start: int
    scale: float
