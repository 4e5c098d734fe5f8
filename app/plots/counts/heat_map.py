"""Two things varied, in too many curves to tell apart: a field for each pair."""

from __future__ import annotations

from collections.abc import Collection
from typing import override

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.plots.base.painting import filled
from app.style.theme import LIGHT, Theme
from core import CurvesFigure, FigureCurve

_LEAST, _MOST = 20, 40
"""Pixels of a row."""
_GAP = 10
_FULL = 150
"""Of 255: the tint of the fastest."""
_NAMES = 0.3


class HeatMap(QWidget):
    """A row for each curve of a figure, a column for each of its places."""

    def __init__(self) -> None:
        super().__init__()
        self._figure = CurvesFigure()
        self._same: frozenset[str] = frozenset()
        self._hatched = False
        self._theme = LIGHT
        self.setAccessibleName(self.tr("Throughput of every pair"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_figure(
        self, figure: CurvesFigure, same: Collection[str] = (), *, hatched: bool = False
    ) -> None:
        """Show its curves; `same`: specs that are not measurably different from the best.

        `hatched`: whether they were measured beside other programs.
        """
        self._figure, self._same, self._hatched = figure, frozenset(same), hatched
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._theme = theme
        self.update()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(240, _LEAST * (len(self._figure.curves) + 1))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.draw(painter)

    def draw(self, p: QPainter) -> None:
        """Draw it at the painter's origin."""
        curves = self._figure.curves
        places = sorted({at for curve in curves for at in curve.places})
        if not places:
            return
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(self.font())
        font.setPixelSize(12)
        p.setFont(font)
        metrics = QFontMetrics(font)
        most = round(_NAMES * self.width())
        left = min(max(metrics.horizontalAdvance(one.name) for one in curves), most) + _GAP
        high = min(max(self.height() / (len(curves) + 1), _LEAST), _MOST)
        wide = (self.width() - left) / len(places)
        good = [one.value for curve in curves for one in curve.points if not one.failed]
        best = (min if self._less else max)(good, default=1.0) or 1.0
        for row, curve in enumerate(curves):
            name = metrics.elidedText(curve.name, Qt.TextElideMode.ElideMiddle, left - _GAP)
            self._write(p, QRectF(0, row * high, left - _GAP, high), name, right=True)
            for column, at in enumerate(places):
                area = QRectF(left + column * wide, row * high, wide, high).adjusted(1, 1, -1, -1)
                self._paint(p, area, curve, at, best)
        for column, at in enumerate(places):
            area = QRectF(left + column * wide, len(curves) * high, wide, high)
            self._write(p, area, f"{at:g}")

    @property
    def _less(self) -> bool:
        """Whether less of what is shown is better, as of a time."""
        return self._figure.metric.better == "less"

    def _paint(self, p: QPainter, area: QRectF, curve: FigureCurve, at: float, best: float) -> None:
        theme, one, chosen = self._theme, curve.at(at), curve.recommended == at
        if one is None:
            return
        same = one.setting in self._same
        colour = QColor(theme.roles["alarm"] if one.failed else theme.curves[0])
        if chosen or same:
            colour = QColor(theme.roles["good"])
        share = best / one.value if self._less and one.value else one.value / best
        colour.setAlphaF(_FULL / 255 * (0.4 if one.failed else share))
        p.setPen(QPen(QColor(theme.text), 2) if chosen else Qt.PenStyle.NoPen)
        p.setBrush(filled(colour, hatched=self._hatched))
        p.drawRoundedRect(area, 4, 4)
        text = "✕" if one.failed else f"{'= ' if same else ''}{self._figure.metric.text(one.value)}"
        if p.fontMetrics().horizontalAdvance(text) <= area.width():
            self._write(p, area, text)

    def _write(self, p: QPainter, area: QRectF, text: str, *, right: bool = False) -> None:
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignHCenter
        p.setPen(QColor(self._theme.text))
        p.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, text)
