"""What the network carried for each operation, in small plots beside the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import override

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.plots.base.end_labels import EndLabel, Labels
from app.plots.base.figure import Figure
from app.plots.base.painting import take_ground
from app.plots.counts.scaling_view import ScalingView
from app.style.layouts import ANY_SIZE, spaced
from app.style.theme import Theme
from core import CurvesFigure, FigureCurve, show

_GAP = 16
_MOST = 2


class WirePlot(ScalingView):
    """A ratio over what was varied; a dotted line stands at the advice."""

    marked = True
    _LEAST = 2.0
    _WIDEST = "100×"
    _ROOM = _LOW_ROOM = (24, 0)

    @override
    def _value_text(self, value: float) -> str:
        return f"{value:g}×"

    @override
    def _note(self, curve: FigureCurve, at: float) -> str:
        one = curve.at(at)
        return show(one.value, "ratio") if one is not None else ""

    @override
    def _labels(self) -> Labels:
        figure, labels = self._figure, super()._labels()
        curves = {one.name for one in figure.drawn if one.points}
        ends = [one for one in labels.ends if one.name in curves]
        heading = figure.count_text(self._at) if self._at is not None else figure.about
        return replace(
            labels,
            title=figure.title,
            heading=heading,
            ends=(*ends, *self._end_of_border()),
            axis="",
            below=None,
            rings=(),
            bracket=None,
        )

    @override
    def _end_of_border(self) -> Iterator[EndLabel]:
        for one in super()._end_of_border():
            yield replace(one, name=one.note, note="")


class WirePlots(QWidget):
    """One below the other, or side by side; nothing where nothing was counted."""

    menu_wanted = Signal(object, QPoint)
    """For one of them (Figure); where on the screen."""

    def __init__(self) -> None:
        super().__init__()
        self.setAutoFillBackground(True)
        self._box = spaced(QBoxLayout(QBoxLayout.Direction.TopToBottom, self), _GAP)
        self.plots = tuple(WirePlot() for _ in range(_MOST))
        for plot in self.plots:
            plot.menu_wanted.connect(self.menu_wanted)
            self._box.addWidget(plot, 1)

    def be_a_row(self, high: int) -> None:
        """Stand side by side, so many pixels high."""
        self._box.setDirection(QBoxLayout.Direction.LeftToRight)
        self.setMinimumSize(0, high)
        self.setMaximumSize(ANY_SIZE, high)

    def be_a_column(self, wide: int) -> None:
        """Stand one below the other, so many pixels wide."""
        self._box.setDirection(QBoxLayout.Direction.TopToBottom)
        self.setMinimumSize(wide, 0)
        self.setMaximumSize(wide, ANY_SIZE)

    def show_figures(self, figures: Sequence[CurvesFigure], *, hatched: bool = False) -> None:
        """`hatched`: whether they were measured beside other programs."""
        for at, plot in enumerate(self.plots):
            plot.setVisible(at < len(figures))
            if at < len(figures):
                plot.show_figure(figures[at], hatched=hatched)

    def figures(self) -> tuple[Figure, ...]:
        """Those that are seen."""
        return tuple(plot.figure() for plot in self.plots if plot.isVisible())

    def set_theme(self, theme: Theme) -> None:
        take_ground(self, theme)
        for plot in self.plots:
            plot.set_theme(theme)
