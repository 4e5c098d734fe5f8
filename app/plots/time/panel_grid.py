"""Where the plots of a run stand: throughput above the others, and what is counted live below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtWidgets import QGridLayout

from app.plots.time.caption import Caption
from app.plots.time.live_quantities import COLUMNS, QUANTITIES, counted_live
from app.plots.time.time_plot import Panel

_TALLIES_ROW = 4


class PanelGrid(QGridLayout):
    """The plots in their places."""

    def __init__(self, caption: Caption) -> None:
        super().__init__()
        self.panels: tuple[Panel, ...] = tuple(
            Panel(each, first, clock=at in {0, 3, 4})
            for at, (each, first) in enumerate(zip(QUANTITIES, _first_columns(), strict=True))
        )
        self.setContentsMargins(8, 4, 4, 6)
        self.setHorizontalSpacing(12)
        self.setVerticalSpacing(4)
        self.addWidget(caption, 0, 0, 1, 2)
        self.addWidget(self.panels[0], 1, 0, 1, 2)
        for place, panel in enumerate(self.panels[1:]):
            self.addWidget(panel, 2 + place // 2, place % 2)
        for row in (1, 2, 3):
            self.setRowStretch(row, 1)
        for column in (0, 1):
            self.setColumnStretch(column, 1)

    def count_live(self, names: Sequence[str]) -> Panel | None:
        """Have one more plot for what the workload counts under these names, if it does."""
        usual = len(QUANTITIES)
        for panel in self.panels[usual:]:
            self.removeWidget(panel)
            panel.hide()
            panel.deleteLater()
        self.panels = self.panels[:usual]
        self.setRowStretch(_TALLIES_ROW, 1 if names else 0)
        if not names:
            return None
        panel = Panel(counted_live(names), COLUMNS)
        self.panels = (*self.panels, panel)
        self.addWidget(panel, _TALLIES_ROW, 0, 1, 2)
        return panel

    def stress_throughput(self, stressed: bool) -> None:
        """Give the first plot twice the height of the others, or as much."""
        stretch = 2 if stressed else 1
        if self.rowStretch(1) != stretch:
            self.setRowStretch(1, stretch)


def _first_columns() -> list[int]:
    """Where the columns of each quantity begin in a trace."""
    return list(accumulate((len(each.columns) for each in QUANTITIES[:-1]), initial=0))
