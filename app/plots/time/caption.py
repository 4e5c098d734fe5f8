"""The lines above the plots of a run: what is shown, at which time, and whose curves these are."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.plots.base.painting import LINE, marker_of
from app.plots.base.readout import Readout
from app.plots.base.readout_layout import Entry
from app.plots.time.emphasis import Emphasised
from app.plots.time.intake import Intake
from app.plots.time.span import Span
from app.plots.time.trace import Trace
from app.style.theme import Theme
from app.style.tip import as_tip
from core import show, show_clock


class Caption(QWidget):
    """A title with the time beside it, and a legend where there is a curve for each setting."""

    def __init__(self) -> None:
        super().__init__()
        self.head = Readout("")
        self.legend = Readout("", wraps=True)
        self.legend.setAccessibleName(self.tr("Settings and their curves"))
        self.legend.hide()
        self._shown: tuple[tuple[str, ...], Emphasised] | None = None
        self._brief = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.legend)

    def be_brief(self, brief: bool) -> None:
        """Leave out the names of settings, which stand elsewhere."""
        self._brief = brief
        self.legend.setVisible(bool(self.legend.entries) and not brief)

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self.head.set_theme(theme)
        self.legend.set_theme(theme)

    def tell(
        self,
        intake: Intake,
        at: float | None,
        selected: Span | None,
        *,
        medians: bool,
        recorded: bool,
    ) -> None:
        """Tell of the time at the crosshair or the last one; with `medians` of what is selected."""
        entries = []
        if selected is not None:
            reach = f"{show_clock(selected.start, 0.1)} – {show_clock(selected.end, 0.1)}"
            name = self.tr("medians of {}") if medians else self.tr("selected {}")
            name = name.format(show(selected.length, "seconds"))
            entries.append(Entry(rank=None, marker="", name=name, value=reach))
        now = at if at is not None else intake.last
        if len(intake.timeline) and not medians:
            name = self.tr("end") if recorded else self.tr("now")
            name = self.tr("at") if at is not None else name
            entries.append(Entry(rank=None, marker="", name=name, value=show_clock(now, 0.1)))
        self.head.show_entries(entries)
        self.head.set_title(self._title(intake, now, selected if medians else None))

    def _title(self, intake: Intake, now: float, selected: Span | None) -> str:
        """Whose values are told: of the trials at a time, or of those in a piece of time."""
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
        if (shown := (tuple(traces), emphasised)) == self._shown:
            return
        self._shown = shown
        entries = self._named(traces, emphasised) if len(traces) > 1 else []
        self.legend.show_entries(entries)
        self.legend.setVisible(bool(entries) and not self._brief)
        if entries:
            told = "\n".join(
                self._told(key, trace.name, emphasised) for key, trace in traces.items()
            )
            self.legend.setToolTip(as_tip(told))
            self.legend.setAccessibleDescription(told)

    def _named(self, traces: Mapping[str, Trace], emphasised: Emphasised) -> list[Entry]:
        ranks, decided = emphasised.ranks, emphasised.decided
        entries = [
            Entry(
                rank=rank,
                marker=marker_of(rank),
                name=self._told(key, traces[key].name, emphasised, brief=True),
                value="",
                key=key,
                hidden=key in emphasised.hidden,
            )
            for key, rank in ranks.items()
        ]
        muted = [key for key in traces if key not in ranks]
        still = sum(key not in decided for key in muted)
        if still:
            drawn = sum(key not in decided for key in emphasised.muted)
            few = self.tr("{more} more, {drawn} of them drawn").format(more=still, drawn=drawn)
            more = self.tr("{} more").format(still) if drawn == still else few
            entries.append(Entry(rank=None, marker=LINE, name=more, value=""))
        if over := len(muted) - still:
            told = self.tr("✓ {} not measured any more").format(over)
            entries.append(Entry(rank=None, marker=LINE, name=told, value=""))
        return entries

    def _told(self, key: str, name: str, emphasised: Emphasised, *, brief: bool = False) -> str:
        if key not in emphasised.decided:
            return name
        return f"✓ {name}" if brief else f"✓ {name} – " + self.tr("not measured any more")
