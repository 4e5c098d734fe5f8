"""What stands above the plots of a run: what is shown, at which time, and buttons."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.plots.time.emphasis import Emphasised
from app.plots.time.intake import Intake
from app.plots.time.navigation import ViewButtons
from app.plots.time.timeline import Span
from app.plots.time.trace import Trace
from app.style.labels import ClippedLabel
from core import show, show_clock


class Caption(QWidget):
    """One line; its description names all settings."""

    def __init__(self) -> None:
        super().__init__()
        self.head, self.buttons = ClippedLabel("muted", 1), ViewButtons()
        self.head.setAccessibleName(self.tr("What is shown"))
        self.counts = ""
        """How many settings have no label."""
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.head, 1)
        row.addWidget(self.buttons)

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
        now = at if at is not None else intake.last
        parts = [self._title(intake, now, selected if medians else None), self.counts]
        if selected is not None:
            reach = f"{show_clock(selected.start, 0.1)} – {show_clock(selected.end, 0.1)}"
            name = self.tr("medians of {}") if medians else self.tr("selected {}")
            parts.append(f"{name.format(show(selected.length, 'seconds'))} {reach}")
        if len(intake.timeline) and not medians:
            newest = self.tr("end") if recorded else self.tr("now")
            parts.append(f"{newest if at is None else self.tr('at')} {show_clock(now, 0.1)}")
        self.head.setText(" · ".join(filter(None, parts)))

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
        """Count the settings that have no label, and describe all."""
        decided = emphasised.decided
        muted = [key for key in traces if key not in emphasised.ranks] if len(traces) > 1 else []
        parts = []
        if more := sum(key not in decided for key in muted):
            drawn = sum(key not in decided for key in emphasised.muted)
            few = self.tr("{more} more, {drawn} of them drawn").format(more=more, drawn=drawn)
            parts.append(self.tr("{} more").format(more) if drawn == more else few)
        if over := len(muted) - more:
            parts.append(self.tr("✓ {} not measured any more").format(over))
        self.counts = " · ".join(parts)
        names = (
            f"✓ {one.name} – " + self.tr("not measured any more") if key in decided else one.name
            for key, one in traces.items()
        )
        self.head.setAccessibleDescription("\n".join(filter(None, names)))
