"""Axes with our own units: ticks from `scales`, texts from `core`, no prefixes of pyqtgraph's."""

from __future__ import annotations

from collections.abc import Callable
from typing import override

import pyqtgraph as pg
from PySide6.QtGui import QFont, QFontMetrics

from app.theme import Theme

_GAP = 6


class UnitAxis(pg.AxisItem):  # type: ignore[misc] # pyqtgraph has no types
    """Shows the ticks it is given, with the texts that `show` makes of them."""

    def __init__(self, orientation: str, show: Callable[[float, float], str]) -> None:
        super().__init__(orientation, maxTickLength=0)
        self._show = show
        self._ticks: tuple[float, ...] = ()
        self._step = 1.0
        self.enableAutoSIPrefix(False)
        self.setStyle(autoExpandTextSpace=False, hideOverlappingLabels=False, tickTextOffset=_GAP)
        self.setGrid(255)

    def put(self, ticks: tuple[float, ...], step: float) -> None:
        """Stand the ticks there; `step` tells how exact their texts must be."""
        if (ticks, step) != (self._ticks, self._step):
            self._ticks, self._step = ticks, step
            self.picture = None
            self.update()

    def texts(self) -> list[str]:
        """What stands beside the ticks."""
        return [self._show(tick, self._step) for tick in self._ticks]

    def paint_with(self, theme: Theme, font: QFont) -> None:
        """Take colours and font; leaves room for the widest text we print (`1,000 MiB`)."""
        self.setTickFont(font)
        self.setTextPen(theme.muted)
        self.setTickPen(theme.grid)
        self.setPen(theme.grid)
        metrics = QFontMetrics(font)
        if self.orientation == "left":
            self.setWidth(metrics.horizontalAdvance("1,000 MiB") + _GAP + 2)
        elif self.style["showValues"]:
            self.setHeight(metrics.height() + _GAP)

    @override
    def tickValues(
        self,
        minVal: float,
        maxVal: float,
        size: float,
    ) -> list[tuple[float, list[float]]]:
        return [(self._step, list(self._ticks))]

    @override
    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [self._show(value, spacing) for value in values]
