"""Bars along the upper edge of a plot, over the trials that are selected in the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import override

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from app.plots.base.painting import in_pixels
from app.plots.base.pyramid import Floats
from app.style.theme import LIGHT, Theme

_HEIGHT = 4.0
_LEAST = 3.0
"""Pixels that the shortest trial is marked with."""


class Bands(pg.GraphicsObject):  # type: ignore[misc] # pyqtgraph has no types
    """Draws pieces of the time axis; those that touch on the screen become one bar."""

    def __init__(self) -> None:
        super().__init__()
        self._starts = self._ends = np.empty(0)
        self._theme = LIGHT
        self._view = QRectF()

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._theme = theme
        self.update()

    def mark(self, spans: Sequence[tuple[float, float]]) -> None:
        """Mark these pieces of the axis, in order, and no others."""
        self._starts = np.array([start for start, _ in spans], np.float64)
        self._ends = np.array([end for _, end in spans], np.float64)
        self.update()

    def put(self, view: QRectF) -> None:
        """Draw in that view."""
        if view != self._view:
            self.prepareGeometryChange()
            self._view = view

    @override
    def boundingRect(self) -> QRectF:
        return self._view

    @override
    def paint(self, p: QPainter, opt: object, widget: object) -> None:
        if not self._starts.size:
            return
        with in_pixels(p) as to:
            area = to.mapRect(self._view)
            left, right = bars(
                self._starts * to.m11() + to.dx(),
                self._ends * to.m11() + to.dx(),
                (area.left(), area.right()),
            )
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(QColor(self._theme.text))
            for x, end in zip(left.tolist(), right.tolist(), strict=True):
                p.drawRect(QRectF(x, area.top(), end - x, _HEIGHT))


def bars(starts: Floats, ends: Floats, view: tuple[float, float]) -> tuple[Floats, Floats]:
    """Left and right ends of the bars over these pieces, all in pixels, within the view."""
    ends = np.maximum(ends, starts + _LEAST)
    inside = (ends >= view[0]) & (starts <= view[1])
    starts, ends = np.maximum(starts[inside], view[0]), np.minimum(ends[inside], view[1])
    if not starts.size:
        return starts, ends
    reach = np.maximum.accumulate(ends)
    first = np.append(True, starts[1:] > reach[:-1] + 1)
    return starts[first], reach[np.append(first[1:], True)]
