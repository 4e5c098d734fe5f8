"""The newest figures of what is measured, each with its last minute; a click shows one large."""

from __future__ import annotations

import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, override

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QSizePolicy, QWidget

from app.style.labels import as_tip
from app.style.layouts import spaced
from app.style.theme import LIGHT
from core import NOTHING, LiveFigure, SessionError, show, tr_word

if TYPE_CHECKING:
    from app.style.theme import Theme
    from core import Moment, RunProgress, Trial

LARGE_FIRST = "throughput"
"""The metric that is shown large at first, and so has no tile."""
_MINUTE = 60.0
_EVERY = 0.5
"""Seconds for which a figure stands: faster ones could not be read."""
_MOST = 7
_IN_A_ROW = 4
_RECORDED = 2_000
"""Moments of a recorded trial that are looked at: a minute has some 600."""
_SMALL, _LARGE = 12, 19
_PAD = 12
_CURVE, _LEAST_CURVE = 88, 32
_RADIUS = 8.0
_ANY = 16_777_215
"""What Qt takes for any size."""


class FigureTile(QAbstractButton):
    """Title, number and the last minute as a curve."""

    def __init__(self, tile: LiveFigure) -> None:
        super().__init__()
        self.tile = tile
        self._theme = LIGHT
        self._points: deque[tuple[float, float]] = deque()
        self._gathered: list[float] = []
        self._since = 0.0
        self.number = NOTHING
        self._workload = ""
        self.setAccessibleName(tile.title())
        self.setToolTip(as_tip(tr_word(tile.metric.help)))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        most = "" if tile.most is None else show(tile.most, "count")
        self._of = self.tr("of {}").format(most) if most else ""
        """`of 20,000` where a process or the machine can have no more."""

    def clear(self) -> None:
        """Nothing is known."""
        self._points.clear()
        self._gathered.clear()
        self._since = 0.0
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

    def _say(self, number: str) -> None:
        self.number = number
        self.setAccessibleDescription(" ".join(filter(None, (number, self._of))))
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
        theme = self._theme
        with QPainter(self) as p:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            edge, wide = ("accent", 2) if self.hasFocus() else ("edge", 1)
            p.setPen(QPen(QColor(theme.roles[edge]), wide))
            p.setBrush(QColor(theme.roles["selection" if self.underMouse() else "panel"]))
            p.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), _RADIUS, _RADIUS)
            small, large = _font(self.font(), _SMALL), _font(self.font(), _LARGE, bold=True)
            room = self.width() - 2 * _PAD
            number_wide = QFontMetrics(large).horizontalAdvance(self.number) + 6
            title_wide = QFontMetrics(small).horizontalAdvance(self.accessibleName()) + 6
            curve = min(room - max(number_wide, title_wide), _CURVE)
            curve = curve if curve >= _LEAST_CURVE else 0
            room -= curve
            high = QFontMetrics(small).height() + QFontMetrics(large).height()
            top = max((self.height() - high) // 2, 0)
            p.setFont(small)
            p.setPen(QColor(theme.muted))
            metrics = QFontMetrics(small)
            title = metrics.elidedText(self.accessibleName(), Qt.TextElideMode.ElideRight, room)
            p.drawText(QPointF(_PAD, top + metrics.ascent()), title)
            base = top + metrics.height() + QFontMetrics(large).ascent()
            if number_wide + metrics.horizontalAdvance(self._of) <= room:
                p.drawText(QPointF(_PAD + number_wide, base), self._of)
            p.setFont(large)
            p.setPen(QColor(theme.text))
            p.drawText(QPointF(_PAD, base), self.number)
            if curve:
                middle = self.height() / 2
                area = QRectF(self.width() - _PAD - curve, middle - 17, curve, 34)
                p.setPen(QPen(QColor(theme.curves[0]), 2))
                p.drawPolyline(self._curve(area))

    def _curve(self, area: QRectF) -> QPolygonF:
        values = [value for _, value in self._points]
        if len(values) < 2:
            return QPolygonF()
        low, high = min(values), max(values)
        # A curve that hardly moves is a line, not a mountain range.
        low = min(low, 0.8 * high)
        end = self._points[-1][0]
        up = area.height() / ((high - low) or 1.0)
        across = area.width() / _MINUTE
        return QPolygonF(
            [
                QPointF(area.right() + (at - end) * across, area.bottom() - (value - low) * up)
                for at, value in self._points
            ]
        )


class Tiles(QWidget):
    """Every figure but the one that is shown large, one below the other or in a row."""

    GAP = 8
    exchanged = Signal(str)
    """The metric that is to be shown large."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Newest figures"))
        self.large = LARGE_FIRST
        self.name = ""
        """The setting that the figures are of."""
        self._theme = LIGHT
        self._newest: Any = None
        """What `RunProgress.newest` was."""
        self._tallies: tuple[str, ...] = ()
        self._order: list[str] = []
        self.tiles: dict[str, FigureTile] = {}
        self._row = spaced(QBoxLayout(QBoxLayout.Direction.TopToBottom, self), self.GAP)
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
        self.setMaximumSize(_ANY, high)

    def be_a_column(self, wide: int, high: int, room: int) -> None:
        """Stand one below the other, as many of that size as there is room for."""
        fitting = max((room + self.GAP) // (high + self.GAP), 1)
        self._stand(QBoxLayout.Direction.TopToBottom, high, min(fitting, _MOST))
        self.setMinimumSize(wide, 1)  # a lower window shows fewer
        self.setMaximumSize(wide, _ANY)

    def _stand(self, way: QBoxLayout.Direction, high: int, most: int) -> None:
        if (way, high, most) != (self._row.direction(), self._high, self._most):
            self._row.setDirection(way)
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

    def clear(self) -> None:
        """Nothing is measured."""
        self._newest, self.name = None, ""
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
            for each in self.tiles.values():
                each.begin(now.spec.workload)
        self._take(time.monotonic(), now.now, now.before)

    def show_trial(self, trial: Trial | None) -> None:
        """Show how a recorded trial ended."""
        self.clear()
        if trial is None:
            return
        before: Moment | None = None
        with suppress(SessionError):  # the summary of the trials reports it
            for moment in trial.moments[-_RECORDED:]:
                self._take(moment.at, moment, before)
                before = moment

    def _take(self, at: float, now: Moment, before: Moment | None) -> None:
        if set(now.tallies) - set(self._tallies):
            self._make(tuple(dict.fromkeys((*self._tallies, *now.tallies))))
        for each in self.tiles.values():
            each.add(at, now, before)

    def texts(self) -> dict[str, str]:
        """The figures by title, the one that is shown large too."""
        return {each.accessibleName(): each.number for each in self.tiles.values()}


def _font(base: QFont, pixels: int, *, bold: bool = False) -> QFont:
    font = QFont(base)
    font.setPixelSize(pixels)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font
