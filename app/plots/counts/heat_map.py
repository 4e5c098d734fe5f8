"""A map of two axes: a number in each cell, and seven steps of colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, override

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from app.plots.base.painting import PaintedPlot, filled
from core import GridFigure

if TYPE_CHECKING:
    from core import GridCell

_LEAST, _MOST = 20, 46
"""Pixels of a row."""
_LINE = 24
"""Of a line of text above and below the rows."""
_GAP = 10
_NAMES = 0.3
"""The largest share of the width that names take."""
_STEPS = 7
_DARK = 4
"""The step from which on texts are as light as the ground."""
_SWATCH = 18
_KEYS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_SIDES = Qt.AlignmentFlag


class _Places(NamedTuple):
    """Pixels: where columns begin, and the size of a cell."""

    start: float
    wide: float
    high: float

    def cell(self, row: int, column: int, columns: int = 1) -> QRectF:
        return QRectF(
            self.start + column * self.wide, _LINE + row * self.high, columns * self.wide, self.high
        )


class HeatMap(PaintedPlot):
    """A line below it tells the cell under the mouse, or that the arrow keys have reached."""

    chosen = Signal(str)
    """The digest of the setting whose cell was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.figure = GridFigure()
        self._hatched = False
        self._at: tuple[int, int] | None = None
        """Row and column of the cell that is told."""
        self.setAccessibleName(self.tr("Throughput of every pair"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    def show_figure(self, figure: GridFigure, *, hatched: bool = False) -> None:
        """Show it; `hatched`: whether it was measured beside other programs."""
        self.figure, self._hatched = figure, hatched
        self.setAccessibleDescription(self.told or figure.reach)
        self.updateGeometry()
        self.update()

    @property
    def told(self) -> str:
        """What is said of the cell that is pointed at."""
        own = (one for one in self.figure.cells if (one.row, one.column) == self._at)
        return next((one.told for one in own), "")

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(240, _LEAST * len(self.figure.rows) + 3 * _LINE)

    @property
    def _names(self) -> tuple[str, ...]:
        """The names of rows, and of the axes where they have some."""
        return (*self.figure.rows, *self.figure.axes)

    def _places(self) -> _Places:
        figure, metrics = self.figure, QFontMetrics(self._letters())
        widest = max(map(metrics.horizontalAdvance, self._names), default=0)
        start = min(widest + 1, round(_NAMES * self.width())) + _GAP
        high = (self.height() - 3 * _LINE) / max(len(figure.rows), 1)
        wide = (self.width() - start - 4) / max(len(figure.columns), 1)
        return _Places(start, wide, min(max(high, _LEAST), _MOST))

    @override
    def draw(self, p: QPainter, seen: QRect) -> None:
        figure, places = self.figure, self._places()
        if not figure.columns:
            return
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._take_font(p)
        self._paint_axes(p, places)
        first, last = seen.top() - places.high - _LINE, seen.bottom()
        visible = [one for one in figure.cells if first <= one.row * places.high <= last]
        for one in visible:
            self._paint(p, places, one)
        for one in visible:
            self._paint_ring(p, places.cell(one.row, one.column), one)
        for row, column, end, text in figure.reasons:
            self._paint_reason(p, places.cell(row, column, end - column + 1), text, places.start)
        self._paint_foot(p, places)

    def _paint_axes(self, p: QPainter, places: _Places) -> None:
        """Columns without a name of their own have their numbers on top: rows can be many."""
        figure, ink, room = self.figure, self._theme.muted, places.start - _GAP
        for row, name in enumerate(figure.rows):
            area = places.cell(row, 0)
            self._write(p, QRectF(0, area.top(), room, area.height()), name, ink, _SIDES.AlignRight)
        heads = _LINE + len(figure.rows) * places.high if figure.axes[1] else 0.0
        for column, name in enumerate(figure.columns):
            left = places.start + column * places.wide
            self._write(p, QRectF(left, heads, places.wide, _LINE), name, ink, _SIDES.AlignHCenter)
        for top, name in zip((0.0, heads), figure.axes, strict=True):
            self._write(p, QRectF(0, top, room, _LINE), name, ink, _SIDES.AlignRight)

    def _paint(self, p: QPainter, places: _Places, one: GridCell) -> None:
        theme, area = self._theme, places.cell(one.row, one.column).adjusted(1, 1, -1, -1)
        step = min(int(_STEPS * one.share), _STEPS - 1)
        colour = QColor(theme.roles[f"scale{step + 1}"])
        p.setPen(Qt.PenStyle.NoPen)
        if one.kind == "unfit":
            p.setBrush(QColor(theme.roles["inset"]))
            p.drawRoundedRect(area, 4, 4)
            colour = QColor(theme.roles["edge"])
        elif one.kind == "failed":
            colour, step = QColor(theme.roles["bad-tint"]), 0
        hatched = one.kind == "unfit" or self._hatched
        p.setBrush(filled(colour, hatched=hatched))
        p.drawRoundedRect(area, 4, 4)
        self._take_font(p, bold=one.kind == "measured")
        if p.fontMetrics().horizontalAdvance(one.text) <= area.width():
            ink = theme.roles["paper" if step >= _DARK and not hatched else "ink"]
            self._write(p, area, one.text, ink, _SIDES.AlignHCenter)

    def _paint_ring(self, p: QPainter, area: QRectF, one: GridCell) -> None:
        theme = self._theme
        p.setBrush(Qt.BrushStyle.NoBrush)
        if one.ring:
            ring = QPen(QColor(theme.roles["sure"]), 3)
            if one.ring == "cheapest":
                ring.setDashPattern([1.7, 1.3])
            for pen in (QPen(QColor(theme.background), 7), ring):
                p.setPen(pen)
                p.drawRoundedRect(area, 6, 6)
        if (one.row, one.column) == self._at:
            p.setPen(QPen(QColor(theme.roles["act"]), 2))
            p.drawRoundedRect(area.adjusted(3, 3, -3, -3), 4, 4)

    def _paint_reason(self, p: QPainter, area: QRectF, text: str, start: float) -> None:
        """On its cells, or a little beyond them."""
        self._take_font(p)
        wide = min(p.fontMetrics().horizontalAdvance(text) + 2 * _GAP, self.width() - start)
        left = min(max(area.center().x() - wide / 2, start), self.width() - wide)
        label = QRectF(left, area.center().y() - 10, wide, 20)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(QColor(self._theme.background))
        p.drawRoundedRect(label, 10, 10)
        self._write(p, label, text, self._theme.muted, _SIDES.AlignHCenter)

    def _paint_foot(self, p: QPainter, places: _Places) -> None:
        """What is pointed at, or else what colours and signs are."""
        figure, left = self.figure, places.start
        top = _LINE * (2 if figure.axes[1] else 1) + len(figure.rows) * places.high
        self._take_font(p)
        text = self.told
        if not text and figure.reach:
            p.setPen(Qt.PenStyle.NoPen)
            for step in range(_STEPS):
                p.setBrush(QColor(self._theme.roles[f"scale{step + 1}"]))
                p.drawRect(QRectF(left + step * _SWATCH, top + 8, _SWATCH, 8))
            left += _STEPS * _SWATCH + _GAP
            guessed = self.tr("~ not measured, from its neighbours") if figure.guessed else ""
            text = "    ".join(filter(None, (figure.reach, guessed)))
        area = QRectF(left, top, self.width() - left, _LINE)
        self._write(p, area, text, self._theme.muted)

    def _point(self, at: tuple[int, int] | None) -> None:
        if at != self._at:
            self._at = at
            self.setAccessibleDescription(self.told or self.figure.reach)
            self.update()

    def _cell_at(self, place: QPointF) -> tuple[int, int] | None:
        places = self._places()
        row = (place.y() - _LINE) // places.high
        column = (place.x() - places.start) // places.wide
        inside = 0 <= row < len(self.figure.rows) and 0 <= column < len(self.figure.columns)
        return (int(row), int(column)) if inside else None

    def _choose(self) -> None:
        own = (one.setting for one in self.figure.cells if (one.row, one.column) == self._at)
        if setting := next(own, ""):
            self.chosen.emit(setting)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self._cell_at(event.position()))

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._point(self._cell_at(event.position()))
            self._choose()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (step := _KEYS.get(Qt.Key(event.key()))) is not None and self.figure.cells:
            row, column = self._at or (0, 0)
            down, right = step if self._at else (0, 0)
            row = min(max(row + down, 0), len(self.figure.rows) - 1)
            self._point((row, min(max(column + right, 0), len(self.figure.columns) - 1)))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._at:
            self._choose()
        elif event.key() == Qt.Key.Key_Escape and self._at:
            self._point(None)
        else:
            super().keyPressEvent(event)
