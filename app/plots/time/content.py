"""What a plot over time shows: some columns of one trace, or one column of several traces."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from app.plots.base.end_labels import EndLabel
from app.plots.base.figure import Data
from app.plots.base.samples import NO_POINTS, Floats, Points
from app.plots.time.emphasis import Emphasised
from app.plots.time.timeline import Span
from app.plots.time.trace import Trace
from core import TimePlot, show_clock, tr, tr_word


class Curve(NamedTuple):
    """One curve: a column of a trace; `rank` is the place of its colour, None if it is muted."""

    trace: Trace
    column: int
    rank: int | None
    name: str
    key: str = ""
    """The setting or the column, which a click on its name hides."""
    hidden: bool = False


class PlotContent:
    """The curves of one plot, whose columns begin at `first` in each trace."""

    def __init__(self, plot: TimePlot, first: int) -> None:
        self.plot = plot
        self.lines: tuple[Curve, ...] = ()
        self.logarithmic = plot.logarithmic
        self._first = first
        self._nothing = Trace(columns=first + len(plot.columns))
        """What is drawn before anything is measured."""
        self._traces: Mapping[str, Trace] = {}
        self._decided: Collection[str] = ()
        self._hidden: set[str] = set()
        """Columns that are not drawn where there is one trace."""
        self._medians: dict[tuple[Span, int], list[float]] = {}
        """The latest medians, by the piece of time and the number of samples."""
        self._queried: dict[int, dict[tuple[object, ...], Points]] = {}
        """The latest points of each trace, by what they depend on."""

    def follow(
        self, traces: Mapping[str, Trace], columns: Sequence[int], emphasised: Emphasised
    ) -> bool:
        """Show these columns of a single trace, or all traces; whether that changes the curves."""
        self._traces, self._decided = traces, emphasised.decided
        lines = self._settings(emphasised) if self.several else self._columns(columns)
        changed = lines != self.lines
        if changed:
            self.lines, self._medians = lines, {}
            self._queried.clear()
        return changed

    @property
    def several(self) -> bool:
        """Whether there is a curve for each setting."""
        return len(self._traces) > 1

    def _columns(self, columns: Sequence[int]) -> tuple[Curve, ...]:
        names, keys = self.plot.names, self.plot.columns
        return tuple(
            Curve(self._whole, at, rank, names[at], keys[at], keys[at] in self._hidden)
            for rank, at in enumerate(columns)
        )

    def toggle(self, column: str) -> None:
        """Hide the curve of a column, or show it again; followed from the next time."""
        self._hidden ^= {column}

    def _settings(self, emphasised: Emphasised) -> tuple[Curve, ...]:
        """The muted ones first, for the others to lie above them."""
        ranks, column, hidden = emphasised.ranks, self.plot.compared, emphasised.hidden
        settings = ((key, self._traces[key]) for key in (*emphasised.muted, *ranks))
        return tuple(
            Curve(trace, column, ranks.get(key), trace.name, key, key in hidden)
            for key, trace in settings
        )

    @property
    def _whole(self) -> Trace:
        return next(iter(self._traces.values()), self._nothing)

    @property
    def title(self) -> str:
        """The plot's title, with the compared column where there are several settings."""
        if not self.several:
            return self.plot.title
        return f"{self.plot.title} · {self.plot.names[self.plot.compared]}"

    def query(self, span: Span, dots: int, boundaries: Sequence[float]) -> list[Points]:
        """What to draw of each curve in a piece of time, on so many pixels.

        The curves of settings break at the boundaries alone.
        """
        if self.several:
            curves = [self._joined(line, span, dots, boundaries) for line in self.lines]
        else:
            columns = [self._first + line.column for line in self.lines]
            curves = list(map(self._on_axis, self._whole.samples.query(*span, dots, columns)))
        return [
            NO_POINTS if line.hidden else points
            for line, points in zip(self.lines, curves, strict=True)
        ]

    def _joined(self, line: Curve, span: Span, dots: int, boundaries: Sequence[float]) -> Points:
        """What to draw of a setting; the same object as before where nothing has changed."""
        trace, samples = id(line.trace), line.trace.samples
        state = (len(samples), span, dots, len(boundaries))
        if state not in self._queried.get(trace, {}):
            (points,) = samples.query(*span, dots, [self._first + line.column])
            self._queried[trace] = {state: self._on_axis(joined(points, boundaries))}
        return self._queried[trace][state]

    def _on_axis(self, points: Points) -> Points:
        if not self.logarithmic:
            return points
        with np.errstate(divide="ignore"):
            logs = np.log10(points.y)
        logs[np.isneginf(logs)] = np.nan  # nothing was done: it has no place on this axis
        return Points(points.x, logs)

    def take_logarithms(self, taken: bool) -> None:
        """Draw the logarithms of values, or the values themselves."""
        self.logarithmic = taken
        self._queried.clear()

    # In words and figures.

    def labels(self, time: float | None, span: Span | None) -> tuple[EndLabel, ...]:
        """The curves' names, with their values at a time or the last ones; or medians.

        Those without a colour are only told above the plot.
        """
        values = self._medians_of(span) if span and time is None else self._values_at(time)
        ends = values if time is None and not span else self._values_at(None)
        several = len(self.lines) > 1
        return tuple(
            EndLabel(
                name=line.name,
                at=self._height_of(end),
                rank=line.rank,
                note="" if line.hidden else self.plot.text(line.column, value),
                key=line.key if several else "",
                hidden=line.hidden,
            )
            for line, value, end in zip(self._reported, values, ends, strict=True)
        )

    def _height_of(self, value: float) -> float:
        """Where a value is on the axis; at its foot where there is none."""
        if not math.isfinite(value):
            return -math.inf if self.logarithmic else 0.0
        if self.logarithmic:
            return math.log10(value) if value > 0 else -math.inf
        return value

    @property
    def _reported(self) -> list[Curve]:
        """The curves whose values are shown; where there is one trace, further columns too."""
        lines = [line for line in self.lines if line.rank is not None]
        if self.several:
            return lines
        names, units = self.plot.names, self.plot.units
        # Without a name where the unit says what it is.
        return lines + [
            Curve(self._whole, at, None, names[at] if units[at] == units[0] else "")
            for at in self.plot.reported
        ]

    def _values_at(self, time: float | None) -> list[float]:
        if self.several:
            return [line.trace.latest(self._first + line.column, time) for line in self._reported]
        row = self._whole.at(time)
        return [float(row[self._first + line.column]) for line in self._reported]

    def _medians_of(self, span: Span) -> list[float]:
        samples = sum(len(trace.samples) for trace in self._traces.values())
        if (span, samples) not in self._medians:
            medians = []
            for line in self._reported:
                _, rows = line.trace.within(span)
                values = _finite(rows[:, self._first + line.column])
                medians.append(float(np.median(values)) if values.size else math.nan)
            self._medians = {(span, samples): medians}
        return self._medians[span, samples]

    def summary(self, span: Span | None = None) -> str:
        """What is shown of a piece of time or all of it, in a sentence for each curve."""
        sentences, ends = [], []
        places = {id(trace): place for place, trace in enumerate(self._traces.values())}
        for line in sorted(self.lines, key=lambda line: places.get(id(line.trace), 0)):
            times, rows = line.trace.known(span)
            if text := self._sentence(line, rows[:, self._first + line.column]):
                sentences.append(text)
                ends += [float(times[0]), float(times[-1])]
        if not sentences:
            return f"{self.title}: nothing measured yet."
        reach = f"{show_clock(min(ends))} to {show_clock(max(ends))}"
        return f"{self.title}, {reach}: {'; '.join(sentences)}."

    def _sentence(self, line: Curve, values: Floats) -> str:
        values = _finite(values)
        if not values.size:
            return ""
        figures = (values.min(), np.median(values), values.max(), values[-1])
        lowest, median, highest, last = (self.plot.text(line.column, float(n)) for n in figures)
        name = f"{line.name} " if line.name else ""
        if self.several and any(self._traces.get(key) is line.trace for key in self._decided):
            name += tr("(not measured any more)") + " "
        return f"{name}lowest {lowest}, median {median}, highest {highest}, last {last}"

    def table(self, span: Span | None = None) -> Data:
        columns = slice(self._first, self._first + len(self.plot.names))
        traces = self._traces.values() if self.several else (self._whole,)
        parts = [trace.known(span) for trace in traces]
        return TimeData(
            self.plot,
            [trace.name for trace in traces] if self.several else (),
            [(times, values[:, columns]) for times, values in parts],
        )


def _finite(values: Floats) -> Floats:
    return values[np.isfinite(values)]


def joined(points: Points, boundaries: Sequence[float]) -> Points:
    """A curve without its breaks, but with one wherever a boundary lies between two points.

    Turns are so short that some have no value, such as a percentile of too few operations.
    """
    finite = np.isfinite(points.y)
    if finite.all():
        return points
    x, y = points.x[finite], points.y[finite]
    breaks = np.flatnonzero(np.diff(np.searchsorted(boundaries, x))) + 1
    return Points(np.insert(x, breaks, x[breaks]), np.insert(y, breaks, np.nan))


class TimeData:
    """The rows of one trace, or in the order of time those of several settings with their names."""

    def __init__(
        self, plot: TimePlot, names: Sequence[str], parts: Sequence[tuple[Floats, Floats]]
    ) -> None:
        """`names`: of the settings; none where there is one trace."""
        setting = (tr_word("setting"),) if names else ()
        self.titles = (tr_word("time"), *setting, *plot.names)
        self.plain_titles = ("time (s)", *(("setting",) if names else ()), *plot.plain_titles)
        times = np.concatenate([times for times, _ in parts])
        order = np.argsort(times, kind="stable")
        self._plot = plot
        self._names: list[tuple[str, ...]] = [(name,) for name in names] or [()]
        self._of = np.repeat(np.arange(len(parts)), [len(times) for times, _ in parts])[order]
        self._times = times[order]
        self._values = np.concatenate([values for _, values in parts])[order]

    def __len__(self) -> int:
        return len(self._values)

    def row(self, place: int) -> tuple[str, ...]:
        """The texts of one row: time, setting if there are several, then every column."""
        values = self._values[place].tolist()
        texts = (self._plot.text(at, value) for at, value in enumerate(values))
        return (show_clock(float(self._times[place]), 0.1), *self._names[self._of[place]], *texts)

    def plain_row(self, place: int) -> tuple[float | str | None, ...]:
        """Seconds, setting, then the value of every column in its unit; None where unknown."""
        values = self._values[place].tolist()
        plain = (one if math.isfinite(one) else None for one in values)
        return (float(self._times[place]), *self._names[self._of[place]], *plain)
