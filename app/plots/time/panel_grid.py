"""Where the plots of a run stand: throughput above the others, and what is counted live below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import cast

from PySide6.QtWidgets import QGridLayout

from app.plots.time.caption import Caption
from app.plots.time.time_plot import Panel
from core import TimePlot


class PanelGrid(QGridLayout):
    """The plots in their places: the first on top, then two in a row."""

    def __init__(self, caption: Caption) -> None:
        super().__init__()
        plots = TimePlot.all()
        sizes = [len(each.columns) for each in plots]
        self._usual = len(plots)
        self._rows = 1 + self._usual // 2
        self.panels: tuple[Panel, ...] = tuple(
            Panel(each, first, clock=at == 0 or at >= self._usual - 2)
            for at, (each, first) in enumerate(
                zip(plots, accumulate(sizes[:-1], initial=0), strict=True)
            )
        )
        self._columns = sum(sizes)
        self.setContentsMargins(8, 4, 4, 6)
        self.setHorizontalSpacing(12)
        self.setVerticalSpacing(4)
        self.addWidget(caption, 0, 0, 1, 2)
        self.addWidget(self.panels[0], 1, 0, 1, 2)
        for place, panel in enumerate(self.panels[1:]):
            self.addWidget(panel, 2 + place // 2, place % 2)
        self.enlarged: Panel | None = None
        """The plot that is seen alone."""
        self._stressed = False
        self._share()

    def enlarge(self, panel: Panel | None) -> None:
        """Show one plot alone, or all again."""
        self.enlarged = panel
        for each in self.panels:
            each.be_alone(each is panel)
            each.setVisible(panel in {None, each})
        self._share()

    def _share(self) -> None:
        """Give the rows and columns of visible plots their parts of the room."""
        every = range(1, self._rows + 2)
        rows, columns = set(every[: self._rows]), {0, 1}
        if len(self.panels) > self._usual:
            rows.add(every[-1])
        if self.enlarged is not None:
            at = self.indexOf(self.enlarged)
            row, column, _, across = cast("tuple[int, int, int, int]", self.getItemPosition(at))
            rows, columns = {row}, {column, column + across - 1}
        for row in every:
            part = 2 if row == 1 and self._stressed else 1
            self.setRowStretch(row, part if row in rows else 0)
        for column in (0, 1):
            self.setColumnStretch(column, 1 if column in columns else 0)

    def count_live(self, names: Sequence[str]) -> Panel | None:
        """Have one more plot for what the workload counts under these names, if it does."""
        for panel in self.panels[self._usual :]:
            self.removeWidget(panel)
            panel.hide()
            panel.deleteLater()
        self.panels = self.panels[: self._usual]
        if self.enlarged not in self.panels:
            self.enlarge(None)
        if not names:
            self._share()
            return None
        panel = Panel(TimePlot.all(names)[-1], self._columns)
        self.panels = (*self.panels, panel)
        self.addWidget(panel, self._rows + 1, 0, 1, 2)
        panel.setVisible(self.enlarged is None)
        self._share()
        return panel

    def stress_throughput(self, stressed: bool) -> None:
        """Give the first plot twice the height of the others, or as much."""
        if stressed != self._stressed:
            self._stressed = stressed
            self._share()
