"""What plots over counts and of bars show, made once: the window and the report draw the same.

A figure says what is drawn, in the units of the measurements: which curves or bars, points with
their intervals and trials, the line through them, what was published, what to use, and how far up
it reaches.  Where there is room for a number is left to those who know their pixels.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from core.language import show_count, show_size, tr
from core.vocabulary.advice import THREADS
from core.vocabulary.metrics import metric_named
from core.vocabulary.verdict import NOT_MEASURED

if TYPE_CHECKING:  # the window draws its first plots before there are results
    from core.vocabulary.metric import Metric
    from core.vocabulary.verdict import MetricEstimate, Price

MOST_DRAWN = 5
"""The largest number of curves that are drawn: eyes tell no more colours and marks apart."""
_REACH = 1.6
"""How far above the highest value an interval can reach before it is cut."""
_FARTHEST = 10.0
_APART = 0.05


@dataclass(frozen=True, kw_only=True)
class FigurePoint:
    """One result at its place on the axis."""

    at: float
    found: MetricEstimate
    """With the band that is drawn."""
    told: MetricEstimate = NOT_MEASURED
    """The same with the interval that stands in words."""
    reason: str = ""
    """Why it has no value; can be empty although it has none."""
    setting: str = ""
    """The digest of its spec."""

    @property
    def failed(self) -> bool:
        """Whether there is no value above 0, so that a cross stands on the axis."""
        return bool(self.reason) or not self.found.value

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of its interval as drawn: cut at ten times the value."""
        return max(self.low, self.value / _FARTHEST), min(self.high, self.value * _FARTHEST)

    @property
    def value(self) -> float:
        return math.nan if self.failed or self.found.value is None else self.found.value

    @property
    def low(self) -> float:
        return self.value if self.failed or self.found.low is None else self.found.low

    @property
    def high(self) -> float:
        return self.value if self.failed or self.found.high is None else self.found.high


@dataclass(frozen=True, kw_only=True)
class FigureCurve:
    name: str
    points: tuple[FigurePoint, ...] = ()
    published: tuple[tuple[float, float], ...] = ()
    """Places and values that a study published for this setting."""
    quiet: tuple[tuple[float, float], ...] = ()
    """Places and values as computed for the quiet machine, of what was measured beside others."""
    quiet_best: int | None = None
    """Where the setting to use on the quiet machine is."""
    charted: tuple[tuple[float, float], ...] = ()
    """The same as the publication's own chart shows them; empty where they agree with its data."""
    cells: tuple[tuple[float, str], ...] = ()
    """Places and labels of a study's cells, measured or not."""
    recommended: int | None = None
    """Where the setting to use is, if it is one of its points; otherwise None."""
    sure: bool = False
    prices: tuple[Price, ...] = ()
    """What each step up between usable neighbours brings and costs."""

    @property
    def line(self) -> tuple[tuple[float, float], ...]:
        """Straight from one good point to the next."""
        return tuple((one.at, one.value) for one in self.points if not one.failed)

    def bands(self, *, cut: bool) -> Iterator[list[tuple[float, float, float]]]:
        """Places and ends of intervals, those of neighbours together; `cut` as `FigurePoint.ends`.

        A band that ended in a point without one would look as if that were sure.
        """
        good = (one for one in self.points if not one.failed)
        for known, some in groupby(good, key=lambda one: one.low < one.high):
            if known:
                yield [(one.at, *(one.ends if cut else (one.low, one.high))) for one in some]

    def best(self, less: bool) -> float:
        """How high its best value ranks it, `less` perhaps being better; -inf if all failed."""
        good = (one.value for one in self.points if not one.failed)
        return max((-value if less else value for value in good), default=-math.inf)

    @property
    def places(self) -> set[float]:
        places = (*(one.at for one in self.points), *(at for at, _ in self.published))
        return {*places, *(at for at, _ in self.cells)}

    def price_of(self, threads: float) -> Price | None:
        """What the step up to this many threads brings and costs."""
        return next((price for price in self.prices if price.end == threads), None)

    def at(self, place: float) -> FigurePoint | None:
        return next((one for one in self.points if one.at == place), None)


@dataclass(frozen=True, kw_only=True)
class CurvesFigure:
    """Curves, such as throughput by threads; `axis` is the name of the parameter across."""

    title: str = ""
    about: str = ""
    """What the title leaves open, such as of which operations."""
    axis: str = THREADS
    across: Literal["counts", "sizes", "percentiles"] = "counts"
    """What places are; percentiles lie by their rarity, and all are on a logarithmic axis."""
    unit: Literal["rate", "ratio", "seconds"] = "rate"
    """Of the values."""
    measured: str = "throughput"
    """The metric of the values, by its key, where they are no ratios."""
    logarithmic: bool = False
    """Whether values are, as places always are."""
    curves: tuple[FigureCurve, ...] = ()
    """All there are, in the results' order."""
    border: FigureCurve | None = None
    """That of the leanest client: more the store does not give."""
    most: int | None = MOST_DRAWN
    """The largest number that are drawn; None = all, as in a publication's own figure."""
    apart: float = _APART
    """How far curves are apart, so that intervals at the same place stand side by side."""

    @cached_property
    def metric(self) -> Metric:
        return metric_named(self.measured)

    @cached_property
    def drawn(self) -> tuple[FigureCurve, ...]:
        """The curves with the setting to use and the fastest others, in order."""
        if self.most is None or len(self.curves) <= self.most:
            return self.curves
        ranked = sorted(
            self.curves,
            key=lambda one: (one.recommended is not None, one.best(self.metric.better == "less")),
            reverse=True,
        )
        return tuple(one for one in self.curves if one in ranked[: self.most])

    def position(self, place: float) -> float:
        """Where a place is along the axis, in its own coordinates."""
        return (
            -math.log10(1.0 - place / 100.0) if self.across == "percentiles" else math.log2(place)
        )

    def place_text(self, place: float) -> str:
        """A place as it stands at the axis."""
        match self.across:
            case "percentiles":
                return f"p{place:g}"
            case "sizes":
                return show_size(place).replace(".0 ", " ")
            case "counts":
                return show_count(place)

    @property
    def places(self) -> list[float]:
        return sorted({at for curve in self.drawn for at in curve.places})

    @property
    def chosen(self) -> FigureCurve | None:
        return next((one for one in self.drawn if one.recommended is not None), None)

    @property
    def advised(self) -> str:
        """What is written at the setting to use; empty where there is none."""
        best = self.chosen
        if best is None or best.recommended is None:
            return ""
        count = best.recommended
        return tr("use {count}", count=count) if best.sure else tr("leading: {count}", count=count)

    @property
    def colours(self) -> dict[str, int]:
        """The places of the settings' colours, by the digests of their specs."""
        places = enumerate(self.drawn)
        return {setting: rank for rank, curve in places for _, setting in curve.cells}

    def interval_text(self, one: FigurePoint) -> str:
        """`6,560 ± 380/s`, as the table says it; the value alone where there is no interval."""
        return (
            self.metric.told_text(one.told)
            if self.metric.has_scale
            else self.metric.text(one.value)
        )

    def count_text(self, place: float) -> str:
        """A place in words: `1 thread`, `4 processes`."""
        if self.axis == "processes":
            return tr("1 process", "{count} processes", count=int(place))
        return tr("1 thread", "{count} threads", count=int(place))

    def aside(self, rank: int) -> float:
        """How far the drawn curve of this rank stands beside its places."""
        return self.apart * (rank - (len(self.drawn) - 1) / 2)

    def visible(self, hidden: Collection[str] = ()) -> list[tuple[int, FigureCurve]]:
        """The drawn curves that nobody has hidden, each with its rank, which is its colour's."""
        return [(rank, one) for rank, one in enumerate(self.drawn) if one.name not in hidden]

    def reach(self, hidden: Collection[str] = ()) -> tuple[float, float]:
        """The lowest and the highest value to be seen; infinite, and the lower above, for none."""
        curves = [curve for _, curve in self.visible(hidden)]
        good = [one for curve in curves for one in curve.points if not one.failed]
        pairs = [pair for one in curves for pair in (*one.published, *one.charted, *one.quiet)]
        values = [*(end for one in good for end in one.ends), *(value for _, value in pairs)]
        return min(values, default=math.inf), max(values, default=-math.inf)

    def top(self, hidden: Collection[str] = ()) -> float:
        """The highest value to be seen, without the curves that are hidden; 0 for none.

        Wide intervals and stray trials are cut, so that they do not flatten the curves.
        """
        curves = [curve for _, curve in self.visible(hidden)]
        good = [one for curve in curves for one in curve.points if not one.failed]
        values = [one.value for one in good]
        values += [value for curve in curves for _, value in (*curve.published, *curve.quiet)]
        values += [value for _, value in (self.border.line if self.border else ())]
        highest = max(values, default=0.0)
        reach = max((max((one.high, *one.found.trials)) for one in good), default=highest)
        return max(highest, min(reach, _REACH * highest))


@dataclass(frozen=True, kw_only=True)
class GridCell:
    """A pair of what two axes hold, by the places of its row and its column."""

    row: int
    column: int
    text: str = ""
    kind: Literal["measured", "between", "unfit", "failed"] = "measured"
    """`between`: not measured, but told by its neighbours."""
    share: float = 0.0
    """Of the best, from 0 to 1."""
    ring: Literal["", "best", "cheapest"] = ""
    setting: str = ""
    """The digest of its spec; empty where it was not measured."""
    told: str = ""
    """Its figures in words."""


@dataclass(frozen=True, kw_only=True)
class GridFigure:
    """A map of two axes, the first row on top; pairs without a cell are not known."""

    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    axes: tuple[str, str] = ("", "")
    """What rows and columns are; empty where names say it."""
    cells: tuple[GridCell, ...] = ()
    reasons: tuple[tuple[int, int, int, str], ...] = ()
    """Labels on cells that do not fit: row, first and last column, text."""
    reach: str = ""
    """`files an hour: 4 to 96`: what the colours are."""
    facts: tuple[tuple[str, ...], ...] = ()
    """Lines of figures: what they are, then those of the settings that the first line names."""

    @property
    def guessed(self) -> bool:
        return any(one.kind == "between" for one in self.cells)

    @staticmethod
    def of_curves(figure: CurvesFigure, same: Collection[str] = ()) -> GridFigure:
        """A row for each curve; `same`: specs that are not measurably different from the best."""
        places = sorted({at for curve in figure.curves for at in curve.places})
        less = figure.metric.better == "less"
        good = [one.value for curve in figure.curves for one in curve.points if not one.failed]
        best = (min if less else max)(good, default=1.0) or 1.0
        cells = []
        for row, curve in enumerate(figure.curves):
            for one in curve.points:
                text = "✕" if one.failed else figure.metric.text(one.value)
                cells.append(
                    GridCell(
                        row=row,
                        column=places.index(one.at),
                        text=f"= {text}" if one.setting in same and not one.failed else text,
                        kind="failed" if one.failed else "measured",
                        share=0.0 if one.failed else _share(one.value, best, less=less),
                        ring="best" if curve.recommended == one.at else "",
                        setting=one.setting,
                        told=f"{curve.name}, {figure.count_text(one.at)}: {one.reason or text}",
                    )
                )
        return GridFigure(
            rows=tuple(one.name for one in figure.curves),
            columns=tuple(f"{at:g}" for at in places),
            cells=tuple(cells),
        )


def _share(value: float, best: float, *, less: bool) -> float:
    return best / value if less and value else value / best


@dataclass(frozen=True, kw_only=True)
class FigureBar:
    """One bar: a setting, or a part of what one did."""

    name: str
    value: float = 0.0
    low: float | None = None
    high: float | None = None
    trials: tuple[float, ...] = ()
    text: str = ""
    """The value for people, or why there is none."""
    failed: bool = False
    setting: str = ""
    """The digest of its spec; empty for a part."""
    rank: int | None = 0
    """The place of its colour; None for a muted one."""
    out: bool = False
    """Whether it is not measured any more, or surely behind."""

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of its interval; its value twice where it has none."""
        return (
            self.value if self.low is None else self.low,
            self.value if self.high is None else self.high,
        )


@dataclass(frozen=True, kw_only=True)
class BarsFigure:
    """Bars below each other, in their order."""

    title: str = ""
    bars: tuple[FigureBar, ...] = ()
    whole: float = 0.0
    """The value of a bar that fills the plot; 0 = that of the longest."""

    @property
    def top(self) -> float:
        """The value at the end of the plot; wide intervals are cut, so that bars stay long."""
        highest = max((one.value for one in self.bars), default=0.0)
        ends = (min(one.ends[1], _REACH * highest) for one in self.bars)
        return self.whole or max(ends, default=0.0) or 1.0
