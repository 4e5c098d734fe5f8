"""The facts beside the plot: of the setting that is measured now, then of the one that is advised.

Each has its small curve: over the last minute, or over what was varied.  A click exchanges one with
the plot.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any, override

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QSizePolicy, QWidget

from app.plots.base.painting import PaintedPlot
from app.style.labels import as_tip, sized
from app.style.layouts import ANY_SIZE, spaced
from app.style.theme import LIGHT
from core import NOTHING, LiveFigure, show, tr_word

if TYPE_CHECKING:
    from app.style.theme import Theme
    from core import Moment, RunProgress, Shown

LARGE_FIRST = "throughput"
"""The metric that is shown large at first, and so has no fact."""
_MINUTE = 60.0
_EVERY = 1.0
"""Seconds for which a figure stands: faster ones could not be read, and take CPU."""
_MOST = 7
_IN_A_ROW = 4
_SMALL, _LARGE = 12, 17
_LINE, _LARGE_LINE = 16, 24
_HEAD = 22
_CURVE, _HIGH, _LEAST_CURVE = 104, 52, 32
_DOT = 3.5


class FigureTile(QAbstractButton):
    """Title, number, what it is beside, and a small curve."""

    def __init__(self, tile: LiveFigure) -> None:
        super().__init__()
        self.tile = tile
        self._theme = LIGHT
        self._points: deque[tuple[float, float]] = deque()
        self._ring: float | None = None
        """Where on its curve the setting is that the number is of."""
        self._ink = "sure"
        self._gathered: list[float] = []
        self._since = 0.0
        self.number, self.beside = NOTHING, ""
        self._workload = ""
        self.setAccessibleName(tile.title())
        self.setToolTip(as_tip(tr_word(tile.metric.help)))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        most = "" if tile.most is None else show(tile.most, "count")
        self._of = self._of_machine = self.tr("of {}").format(most) if most else ""
        """`of 20,000` where a process or the machine can have no more."""

    def clear(self) -> None:
        """Nothing is known."""
        self._points.clear()
        self._gathered.clear()
        self._since, self._ring, self._of = 0.0, None, self._of_machine
        self._say(NOTHING)

    def begin(self, workload: str) -> None:
        """What comes next is of another trial, and is shown at once."""
        self._workload = workload
        self.setAccessibleName(self.tile.title(workload))
        self._gathered.clear()
        self._since = -_EVERY

    def add(self, at: float, now: Moment, before: Moment | None) -> None:
        """One more moment, at a time in seconds that only grows."""
        value = self.tile.value(now, before, self._workload)
        if value is None:
            return
        self._gathered.append(value)
        if self._points and at - self._since < _EVERY:
            return
        mean = sum(self._gathered) / len(self._gathered)
        self._gathered.clear()
        self._since = at
        self._points.append((at, mean))
        while self._points[0][0] < at - _MINUTE:
            self._points.popleft()
        self._say(self.tile.text(mean, self._workload))

    def show_fact(self, fact: Any, *, sure: bool) -> None:
        """Show a figure of an answer (Fact); `sure`: whether that is."""
        self._ink = "sure" if sure else "act"
        self.setAccessibleName(fact.title)
        self._points = deque(fact.values)
        self._ring, self._of = fact.place if fact.values else None, fact.limit
        self._say(fact.number, fact.beside)

    def _say(self, number: str, beside: str = "") -> None:
        self.number, self.beside = number, beside
        self.setAccessibleDescription(" ".join(filter(None, (number, self._of, beside))))
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, 64)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(84, 46)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme, roles = self._theme, self._theme.roles
        with QPainter(self) as p:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.underMouse() or self.hasFocus():
                p.setPen(QPen(QColor(roles["act"]), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
                p.setBrush(QColor(roles["hover"] if self.underMouse() else theme.background))
                p.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
            p.setPen(QColor(roles["line"]))
            p.drawLine(0, 0, self.width(), 0)
            self._paint_texts(p)

    def _paint_texts(self, p: QPainter) -> None:
        roles = self._theme.roles
        small, large = sized(self.font(), _SMALL), sized(self.font(), _LARGE, bold=True)
        metrics, large_metrics = QFontMetrics(small), QFontMetrics(large)
        lines = [self.accessibleName(), self.beside]
        lines = lines if self.height() >= 2 * _LINE + _LARGE_LINE else lines[:1]
        number = large_metrics.horizontalAdvance(self.number) + 5
        texts = (number, *(metrics.horizontalAdvance(text) + 8 for text in lines))
        curve = min(self.width() - max(texts), _CURVE, 2 * self.height())
        curve = curve if curve >= _LEAST_CURVE and len(self._points) > 1 else 0
        room, right = self.width() - curve, Qt.TextElideMode.ElideRight
        top = (self.height() - _LARGE_LINE - _LINE * len(lines)) / 2
        p.setFont(small)
        bases = (top + metrics.ascent(), top + _LINE + _LARGE_LINE + metrics.ascent() + 1)
        for text, base, ink in zip(lines, bases, ("ink2", "ink3"), strict=False):
            p.setPen(QColor(roles[ink]))
            p.drawText(QPointF(0, base), metrics.elidedText(text, right, round(room)))
        base = top + _LINE + large_metrics.ascent() + 1
        if number + metrics.horizontalAdvance(self._of) <= room:
            p.setPen(QColor(roles["ink2"]))
            p.drawText(QPointF(number, base), self._of)
        p.setFont(large)
        p.setPen(QColor(roles["ink"]))
        p.drawText(QPointF(0, base), self.number)
        if curve:
            high = min(_HIGH, self.height() - 12)
            middle = self.height() / 2
            self._paint_curve(
                p, QRectF(room, middle - high / 2, curve, high).adjusted(5, 5, -5, -5)
            )

    def _paint_curve(self, p: QPainter, area: QRectF) -> None:
        values = [value for _, value in self._points]
        low, high = min(values), max(values)
        # A curve that hardly moves is a line, not a mountain range.
        low = min(low, 0.8 * high)
        over_time = self._ring is None
        end = self._points[-1][0]
        length = _MINUTE if over_time else end - self._points[0][0]
        up, across = area.height() / ((high - low) or 1.0), area.width() / (length or 1.0)

        def place(at: float, value: float) -> QPointF:
            return QPointF(area.right() + (at - end) * across, area.bottom() - (value - low) * up)

        p.setPen(QPen(QColor(self._theme.roles["ink2"]), 1.6))
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawPolyline(QPolygonF([place(*pair) for pair in self._points]))
        own = next((pair for pair in self._points if pair[0] == self._ring), None)
        if own is not None:
            p.setPen(QPen(QColor(self._theme.roles[self._ink]), 2))
            p.setBrush(QColor(self._theme.background))
            p.drawEllipse(place(*own), _DOT, _DOT)


class _Line(PaintedPlot):
    """Up to three small texts in a line: at the left, in the middle and at the right."""

    def __init__(self, *, bold: bool = False) -> None:
        super().__init__()
        self._bold = bold
        self.texts: tuple[str, ...] = ()
        self.setFixedHeight(_HEAD)

    def say(self, *texts: str) -> None:
        if texts != self.texts:
            self.texts = texts
            self.setToolTip(as_tip(texts[0] if self._bold and texts else ""))
            self.setAccessibleName(" ".join(texts))
            self.update()

    @override
    def draw(self, p: QPainter, seen: QRect) -> None:
        self._take_font(p, bold=self._bold)
        area = QRectF(self.rect()).adjusted(0 if self._bold else self.width() - _CURVE, 0, 0, 0)
        ink, sides = self._theme.roles["ink2" if self._bold else "ink3"], Qt.AlignmentFlag
        for text, side in zip(
            self.texts, (sides.AlignLeft, sides.AlignHCenter, sides.AlignRight), strict=False
        ):
            self._write(p, area, text, ink, side)


class Tiles(QWidget):
    """Every figure but the one that is shown large, one below the other or in a row."""

    exchanged = Signal(str)
    """The metric that is to be shown large."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Facts"))
        self.large = LARGE_FIRST
        self.name = ""
        """The setting that the figures are of."""
        self._theme = LIGHT
        self._newest: Any = None
        """What `RunProgress.newest` was."""
        self._tallies: tuple[str, ...] = ()
        self._order: list[str] = []
        self.tiles: dict[str, FigureTile] = {}
        self._head, self._foot = _Line(bold=True), _Line()
        self._whole = spaced(QBoxLayout(QBoxLayout.Direction.TopToBottom, self), 0)
        self._row = spaced(QBoxLayout(QBoxLayout.Direction.TopToBottom), 0)
        self._whole.addWidget(self._head)
        self._whole.addLayout(self._row)
        self._whole.addWidget(self._foot)
        self._most, self._high = _MOST, 0
        self._make(())

    def _make(self, tallies: tuple[str, ...]) -> None:
        """Have a tile for each figure, and for each of what the workload counts."""
        self._tallies = tallies
        for each in LiveFigure.all(tallies):
            if each.metric.key not in self.tiles:
                tile = FigureTile(each)
                tile.set_theme(self._theme)
                tile.clicked.connect(lambda *_, key=each.metric.key: self._exchange(key))
                self.tiles[each.metric.key] = tile
                self._order.append(each.metric.key)
                self._row.addWidget(tile, 1)
        self._offer()

    def _offer(self) -> None:
        """Show as many as there is room for, in their order, and none of another workload's."""
        own = {one.metric.key for one in LiveFigure.all(self._tallies)} - {self.large}
        visible = [key for key in self._order if key in own][: self._most]
        for key, tile in self.tiles.items():
            tile.setVisible(key in visible)
            if self._high:
                tile.setFixedHeight(self._high)

    def be_a_row(self, high: int) -> None:
        """Stand beside each other, so many pixels high."""
        self._stand(QBoxLayout.Direction.LeftToRight, high, _IN_A_ROW)
        self.setMinimumSize(0, high)
        self.setMaximumSize(ANY_SIZE, high)

    def be_a_column(self, wide: int, high: int, room: int) -> None:
        """Stand one below the other, as many of that size as there is room for."""
        fitting = max((room - 2 * _HEAD) // high, 1)
        self._stand(QBoxLayout.Direction.TopToBottom, high, min(fitting, _MOST))
        self.setMinimumSize(wide, 1)  # a lower window shows fewer
        self.setMaximumSize(wide, ANY_SIZE)

    def _stand(self, way: QBoxLayout.Direction, high: int, most: int) -> None:
        if (way, high, most) != (self._row.direction(), self._high, self._most):
            self._row.setDirection(way)
            self._row.setSpacing(20 if way == QBoxLayout.Direction.LeftToRight else 0)
            for line in (self._head, self._foot):
                line.setVisible(way == QBoxLayout.Direction.TopToBottom)
            self._high, self._most = high, most
            self._offer()

    def _exchange(self, key: str) -> None:
        """That one is shown large now, and the one that was takes its place."""
        here, there = self._order.index(key), self._order.index(self.large)
        self._order[here], self._order[there] = self._order[there], self._order[here]
        for one in (self.tiles[name] for name in self._order):
            self._row.removeWidget(one)
            self._row.addWidget(one, 1)
        self.large = key
        self._offer()
        self.exchanged.emit(key)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for each in self.tiles.values():
            each.set_theme(theme)
        self._head.set_theme(theme)
        self._foot.set_theme(theme)

    def clear(self) -> None:
        """Nothing is measured."""
        self._newest, self.name = None, ""
        self._head.say()
        self._foot.say()
        for each in self.tiles.values():
            each.clear()

    def show_newest(self, watch: RunProgress) -> None:
        """Show the newest moment; that of a trial that is over stays until another one has some."""
        before, now = self._newest, watch.newest
        if now is None or now is before:
            return
        self._newest = now
        if before is None or before.trial != now.trial:
            self.name = watch.name_of(now.spec)
            self._head.say(self.tr("Running: {}").format(self.name))
            self._foot.say(self.tr("last 60 s"), "", self.tr("now"))
            for each in self.tiles.values():
                each.begin(now.spec.workload)
        self._take(time.monotonic(), now.now, now.before)

    def show_results(self, shown: Shown) -> None:
        """Show the figures of the setting that is advised, or leads, by the results themselves."""
        self.clear()
        self._make(())
        if (found := shown.facts) is None:
            return
        self.name = found.setting
        self._head.say(found.setting)
        if found.axis:
            first, last = found.ends
            self._foot.say(first, tr_word(found.axis), last)
        for fact in found.facts:
            self.tiles[fact.metric].show_fact(fact, sure=found.sure)

    def _take(self, at: float, now: Moment, before: Moment | None) -> None:
        if set(now.tallies) - set(self._tallies):
            self._make(tuple(dict.fromkeys((*self._tallies, *now.tallies))))
        for each in self.tiles.values():
            each.add(at, now, before)

    def texts(self) -> dict[str, str]:
        """The figures by title, the one that is shown large too."""
        return {each.accessibleName(): each.number for each in self.tiles.values()}
