"""What stands above the plots of a run: the race, and what is shown at which time of whom."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.plots.base.bars_plot import BarsPlot
from app.plots.base.painting import LINE, marker_of
from app.plots.base.readout import LegendEntry, Readout
from app.plots.time.emphasis import Emphasised
from app.plots.time.intake import Intake
from app.plots.time.navigation import ViewButtons
from app.plots.time.timeline import Span
from app.plots.time.trace import Trace
from app.style.labels import as_tip
from app.style.theme import Theme
from core import BarsFigure, show, show_clock

if TYPE_CHECKING:
    from core import Standing

_MOST_BARS = 100
"""Bars that the highest window has room for; there can be a thousand settings."""


class Caption(QWidget):
    """The race; a title, the time and buttons; a legend where there is a curve for each setting."""

    chosen = Signal(str)
    """The setting whose bar or name was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.race, self.head, self.buttons = BarsPlot(), Readout(""), ViewButtons()
        self.legend = Readout("", wraps=True)
        self.legend.setAccessibleName(self.tr("Settings and their curves"))
        self.legend.hide()
        self.legend.chosen.connect(self.chosen)
        self.race.chosen.connect(self.chosen)
        self._legend_state: tuple[tuple[str, ...], Emphasised] | None = None
        beside = QHBoxLayout()
        beside.setSpacing(8)
        beside.addWidget(self.head, 1)
        beside.addWidget(self.buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(beside)  # first, so that no button moves as the race gets bars
        layout.addWidget(self.race)
        layout.addWidget(self.legend)

    def take_room(self, height: int) -> None:
        """Give the race the part of this height that the title does not need."""
        self.race.take_room(height - 2 * self.head.height())
        self._show_legend()

    def _show_legend(self) -> None:
        """Show the legend, unless bars name the settings with the same colours and marks."""
        self.legend.setVisible(bool(self.legend.entries) and not self.race.height())

    def show_race(
        self,
        standings: Sequence[Standing],
        traces: Mapping[str, Trace],
        ranks: Mapping[str, int],
        decided: Collection[str],
        *,
        hatched: bool,
    ) -> bool:
        """Every setting with its estimate, or until it has one, with its rate so far.

        Returns whether there are more of them than before, or fewer.
        """
        bars = [
            replace(
                one.bar,
                rank=ranks.get(one.setting) if ranks else 0,
                out=one.place == "behind" or one.setting in decided,
            )
            for one in standings[:_MOST_BARS]
        ]
        ranked = {one.setting for one in standings}
        rates = {key: one.rate for key, one in traces.items() if key and key not in ranked}
        for key in nlargest(_MOST_BARS - len(bars), rates, rates.__getitem__):
            name, rank = traces[key].name, ranks.get(key)
            bars.append(BarsFigure.bar_so_far(key, name, rates[key], rank))
        before = len(self.race.figure.bars)
        more = len(ranked) + len(rates) - len(bars)
        self.race.show_figure(BarsFigure(bars=tuple(bars), more=more), hatched=hatched)
        return before != len(bars)

    def set_theme(self, theme: Theme) -> None:
        self.race.set_theme(theme)
        self.head.set_theme(theme)
        self.legend.set_theme(theme)

    def show_time(
        self,
        intake: Intake,
        at: float | None,
        selected: Span | None,
        *,
        medians: bool,
        recorded: bool,
    ) -> None:
        """Show the time at the crosshair, or the last one; with `medians` the selected piece."""
        entries = []
        if selected is not None:
            reach = f"{show_clock(selected.start, 0.1)} – {show_clock(selected.end, 0.1)}"
            name = self.tr("medians of {}") if medians else self.tr("selected {}")
            name = name.format(show(selected.length, "seconds"))
            entries.append(LegendEntry(name=name, value=reach))
        now = at if at is not None else intake.last
        if len(intake.timeline) and not medians:
            newest = self.tr("end") if recorded else self.tr("now")
            name = newest if at is None else self.tr("at")
            entries.append(LegendEntry(name=name, value=show_clock(now, 0.1)))
        self.head.show_entries(entries)
        self.head.set_title(self._title(intake, now, selected if medians else None))

    def _title(self, intake: Intake, now: float, selected: Span | None) -> str:
        """Names the trials whose values are shown: those at a time, or in the selected piece."""
        labels, timeline = intake.labels, intake.timeline
        if selected is not None:
            trials, several = timeline.between(selected, intake.last), self.tr("{} trials")
        elif (piece := timeline.at(now)) is not None:
            trials, several = tuple(piece.parts), self.tr("{} settings in turns")
        else:  # the first trial is being prepared
            trials, several = tuple(labels)[-1:], self.tr("Nothing measured yet")
        return labels[trials[0]] if len(trials) == 1 else several.format(len(trials))

    def show_settings(self, traces: Mapping[str, Trace], emphasised: Emphasised) -> None:
        """Name the settings in colour, and count the others."""
        if (state := (tuple(traces), emphasised)) == self._legend_state:
            return
        self._legend_state = state
        entries = self._named(traces, emphasised) if len(traces) > 1 else []
        self.legend.show_entries(entries)
        self._show_legend()
        if entries:
            labels = (self._label_of(key, one.name, emphasised) for key, one in traces.items())
            names = "\n".join(labels)
            self.legend.setToolTip(as_tip(names))
            self.legend.setAccessibleDescription(names)

    def _named(self, traces: Mapping[str, Trace], emphasised: Emphasised) -> list[LegendEntry]:
        ranks, decided = emphasised.ranks, emphasised.decided
        entries = [
            LegendEntry(
                rank=rank,
                marker=marker_of(rank),
                name=self._label_of(key, traces[key].name, emphasised, brief=True),
                key=key,
                hidden=key in emphasised.hidden,
            )
            for key, rank in ranks.items()
        ]
        muted = [key for key in traces if key not in ranks]
        if more := sum(key not in decided for key in muted):
            drawn = sum(key not in decided for key in emphasised.muted)
            few = self.tr("{more} more, {drawn} of them drawn").format(more=more, drawn=drawn)
            text = self.tr("{} more").format(more) if drawn == more else few
            entries.append(LegendEntry(marker=LINE, name=text))
        if over := len(muted) - more:
            text = self.tr("✓ {} not measured any more").format(over)
            entries.append(LegendEntry(marker=LINE, name=text))
        return entries

    def _label_of(self, key: str, name: str, emphasised: Emphasised, *, brief: bool = False) -> str:
        if key not in emphasised.decided:
            return name
        return f"✓ {name}" if brief else f"✓ {name} – " + self.tr("not measured any more")
