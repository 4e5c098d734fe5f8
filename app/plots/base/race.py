"""The race: a bar for each setting, as long as it is fast, with a whisker over its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, override

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.plots.base.painting import colour_of, draw_marker, filled, marker_of
from app.style.theme import LIGHT, Theme

if TYPE_CHECKING:
    from core import Standing

ROW = 24
_BAR = 14
_GAP = 10
_MARK = 16
"""Pixels of a bar's marker, which its curve has too."""
_REACH = 1.6
"""How far above the highest value a whisker can reach before it is cut."""
_FAINT = 90
"""Of 255: bars of settings that are out."""
_FEW = 3
"""Rows from which the last one counts the bars that are not seen."""
_NAMES = 0.42
"""The largest share of the width that names take."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One setting; `rank` is the place of its colour, None for a muted one."""

    setting: str
    name: str
    value: float
    text: str
    reach: tuple[float, float]
    rank: int | None = None
    out: bool = False
    """Whether it is not measured any more, or surely behind."""
    fault: str = ""
    """Why it has no value."""


def bar_of(standing: Standing, rank: int | None, *, out: bool = False) -> Bar:
    """The bar of a setting of which that much is known; `out`: it is not measured any more."""
    return Bar(
        setting=standing.setting,
        name=standing.name,
        value=standing.found.value or 0.0,
        text=standing.figure,
        reach=standing.reach,
        rank=rank,
        out=out,
        fault=standing.text if standing.place == "failed" else "",
    )


class Race(QWidget):
    """The fastest on top; those for which there is no room are counted."""

    chosen = Signal(str)
    """The setting whose bar was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self._bars: tuple[Bar, ...] = ()
        self._hatched, self._more = False, 0
        self._theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Settings by their throughput"))
        self.setFixedHeight(0)

    @property
    def bars(self) -> tuple[Bar, ...]:
        """What is shown, the fastest first."""
        return self._bars

    def show_bars(self, bars: Sequence[Bar], *, hatched: bool = False, more: int = 0) -> None:
        """Show these, in this order; `hatched`: measured beside other programs.

        `more`: how many follow that are not given, since they have no room anyway.
        """
        ranked = tuple(bars)
        if (ranked, hatched, more) == (self._bars, self._hatched, self._more):
            return
        self._bars, self._hatched, self._more = ranked, hatched, more
        self.setAccessibleDescription("\n".join(f"{one.name}: {self._told(one)}" for one in ranked))
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._theme = theme
        self.update()

    def take_room(self, height: int) -> None:
        """Have as many rows as fit into so many pixels; none where they would say nothing."""
        rows = min(height // ROW, len(self._bars))
        self.setFixedHeight(ROW * rows if rows > 1 else 0)

    @override
    def sizeHint(self) -> QSize:
        return QSize(320, ROW * len(self._bars))

    def _told(self, bar: Bar) -> str:
        if bar.fault:
            return bar.fault
        return self.tr("{} · out").format(bar.text) if bar.out else bar.text

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = int(event.position().y() // ROW)
        if event.button() == Qt.MouseButton.LeftButton and place < len(self._bars):
            self.chosen.emit(self._bars[place].setting)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._draw(painter, event.rect())

    def paint_on(self, painter: QPainter) -> None:
        """Draw it at the painter's origin."""
        self._draw(painter, self.rect())

    def _draw(self, p: QPainter, seen: QRect) -> None:
        rows, count = self.height() // ROW, len(self._bars) + self._more
        shown = self._bars[:rows] if count <= rows or rows < _FEW else self._bars[: rows - 1]
        if not shown:
            return
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(self.font())
        font.setPixelSize(12)
        p.setFont(font)
        columns = self._columns(QFontMetrics(font), shown)
        for place in range(seen.top() // ROW, min(seen.bottom() // ROW + 1, len(shown))):
            self._paint_row(p, place * ROW, columns, shown[place])
        if len(shown) < min(rows, count):
            more = self.tr("{} more").format(count - len(shown))
            self._write(
                p,
                QRectF(0, len(shown) * ROW, columns.left, ROW),
                more,
                self._theme.muted,
                right=True,
            )

    def _columns(self, metrics: QFontMetrics, shown: Sequence[Bar]) -> _Columns:
        names = (metrics.horizontalAdvance(one.name) for one in shown)
        left = min(max(names) + 1, round(_NAMES * self.width()))
        told = (metrics.horizontalAdvance(self._told(one)) for one in shown if not one.fault)
        room = max(self.width() - left - _MARK - max(told, default=0) - 3 * _GAP, 20)
        best = max(one.value for one in shown)
        top = max(min(one.reach[1], _REACH * best) for one in shown) or 1.0
        return _Columns(left, room / top, top)

    def _paint_row(self, p: QPainter, top: int, columns: _Columns, bar: Bar) -> None:
        self._write(p, QRectF(0, top, columns.left, ROW), bar.name, self._theme.text, right=True)
        if bar.rank is not None:
            at = QPointF(columns.left + (_GAP + _MARK) / 2, top + ROW / 2)
            p.translate(at)
            mark = colour_of(self._theme, bar.rank)
            draw_marker(p, marker_of(bar.rank), mark, self._theme.background)
            p.translate(-at)
        start = QPointF(columns.left + _GAP + _MARK, top + ROW / 2)
        ink = QColor(colour_of(self._theme, bar.rank))
        if bar.out:
            ink.setAlpha(_FAINT)
        p.setPen(QPen(ink, 1) if self._hatched else Qt.PenStyle.NoPen)
        p.setBrush(filled(ink, hatched=self._hatched))
        end = start.x() + bar.value * columns.scale
        p.drawRoundedRect(QRectF(start.x(), start.y() - _BAR / 2, end - start.x(), _BAR), 4, 4)
        low, high = bar.reach[0], min(bar.reach[1], columns.top)
        if low < high:
            ends = [start + QPointF(value * columns.scale, 0) for value in (low, high)]
            p.setPen(QPen(QColor(self._theme.text), 2))
            p.drawLine(*ends)
            end = max(end, ends[1].x())
        area = QRectF(end + _GAP, top, self.width() - end - _GAP, ROW)
        colour = self._theme.roles["alarm"] if bar.fault else self._theme.muted
        self._write(p, area, self._told(bar), colour)

    def _write(
        self, p: QPainter, area: QRectF, text: str, colour: str, *, right: bool = False
    ) -> None:
        p.setPen(QColor(colour))
        room, middle = max(round(area.width()), 0), Qt.TextElideMode.ElideMiddle
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        told = p.fontMetrics().elidedText(text, middle, room)
        p.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, told)


class _Columns(NamedTuple):
    """Pixels of names, pixels for each unit of throughput, and the most that is drawn."""

    left: int
    scale: float
    top: float
