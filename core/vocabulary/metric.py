"""The declaration of a metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from core.language import Unit, scale_of_time, show, show_estimate, tr, tr_word

if TYPE_CHECKING:
    from core.vocabulary.moments import Moment
    from core.vocabulary.trial import Trial
    from core.vocabulary.verdict import MetricEstimate

type Face = Literal["card", "results", "trials", "report", "exports"]
"""Where a metric is shown: on the card of an answer, and as a column of tables: of results; of
trials in terminal and window, and in the report; in files for other programs."""


@dataclass(frozen=True)
class Live:
    """A curve of a live plot; metrics that name the same plot share it."""

    plot: str
    curve: str
    of: Callable[[Moment], Any]
    """None where it is not known.  With `workers`, one count for each of them."""
    _: KW_ONLY
    grows: bool = False
    """Whether it is a count since the clock started, which is shown per second."""
    rate: Callable[[Moment], float | None] | None = None
    """How many a second, where moments themselves know it."""
    workers: bool = False
    """Whether there is a curve for each worker, of the nanoseconds of CPU that it has used."""
    drawn: bool = True
    """False: it is only a figure above the curves."""
    tile: str = ""
    """The title of its newest value, which is shown while a trial runs."""


@dataclass(frozen=True)
class Limit:
    """The most of a metric that a user allows a setting, as a parameter; by default any."""

    term: str
    help: str
    high: float
    name: str
    """Its name within a sentence."""


@dataclass(frozen=True, eq=False)
class Metric:
    """One metric; its texts are in English."""

    key: str
    """How users name it, in filters, in JSON and in `compare --metric`."""
    title: str
    help: str
    of: Callable[[Trial], float | None]
    """None where a trial has no such figure."""
    unit: Unit = ""
    _: KW_ONLY
    summed: Literal["mean", "median", "sum", "most"] = "mean"
    """The figure of a setting: the geometric mean of its trials, their median, the sum of all that
    were begun, or the largest."""
    better: Literal["more", "less", ""] = ""
    """Empty: neither, so that two settings are not compared by it."""
    of_valid: bool = False
    """Whether a setting has it only if every trial is valid; a rate or a time is then shown in the
    workload's own unit, such as reads/s."""
    quantile: float | None = None
    """Of a latency: the share of operations that took no longer.  Where single
    trials have too few, it is that of all trials together."""
    faces: tuple[Face, ...] = ("results", "trials", "report", "exports")
    folded: tuple[Face, ...] = ()
    """Tables of the window in which its column is hidden at first."""
    spare: int = 0
    """The order in which columns of results are left out where there is no room; 0 = never."""
    live: Live | None = None
    limit: Limit | None = None
    fractions: bool = False
    """Whether figures of a trial can be fractions of its unit, such as bytes per operation."""
    exported: str = ""
    """Its name in files, where it is not the key with the unit."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels that tell it from others of the same family of OpenMetrics."""
    family: str = ""
    """The family's name, where it is not that of the metric."""

    @property
    def column(self) -> str:
        unit = _IN_FILES.get(self.unit, "")
        return self.exported or (self.key if self.key.endswith(unit) else f"{self.key}{unit}")

    @property
    def plotted(self) -> Unit:
        """The unit of its curve."""
        if self.live is None or not self.live.grows:
            return "share" if self.live and self.live.workers else self.unit
        return _PER_SECOND.get(self.unit, "rate")

    @property
    def name(self) -> str:
        """Its title as it stands within a sentence."""
        word = self.title
        return word if word[1:2].isupper() else f"{word[:1].lower()}{word[1:]}"

    @property
    def whole(self) -> bool:
        """Whether its figures of trials are whole numbers."""
        return self.unit in ("count", "bytes") and not self.fractions

    @property
    def has_scale(self) -> bool:
        """Whether it is a speed of operations, shown in their unit."""
        return self.of_valid and self.unit in ("rate", "seconds")

    def scale(self, value: float, of: str) -> tuple[float, str]:
        """The factor for a figure about as large, and the unit after it; if it `has_scale`.

        `of`: what an operation handles, in the singular.
        """
        if self.unit == "rate":
            return 1.0, tr("{units}/s", units=tr_word(f"{of}s"))
        factor, unit = scale_of_time(value)
        return factor, f"{unit}/{tr_word(of)}"

    def told_text(self, estimate: MetricEstimate, of: str = "", *, whole: bool = True) -> str:
        """`6,560 ± 120 sequences/s`: the one text of a figure that `has_scale`.

        `whole`: with its interval, as far as it is known, which rounds the value in any case.
        """
        value = estimate.value or 0.0
        if of:
            factor, unit = self.scale(value, of)
        else:
            factor, unit = (1.0, "/s") if self.unit == "rate" else scale_of_time(value)
        scaled = estimate.scaled(factor)
        number = show_estimate(scaled.value or 0.0, scaled.low, scaled.high)
        if not whole:
            number = number.partition(" ± ")[0].partition(" (")[0]
        return f"{number}{unit}" if unit == "/s" else f"{number} {unit}"

    def text(self, value: float, of: str = "") -> str:
        """A value for people; `of`: what an operation handles, in the singular."""
        if self.has_scale and of:
            factor, unit = self.scale(value, of)
            return f"{show_estimate(value * factor, None, None)} {unit}"
        return show(value, self.unit)


_PER_SECOND: Mapping[Unit, Unit] = {
    "bytes": "byte_rate",
    "byte_rate": "byte_rate",
    "seconds": "time_rate",
}
_IN_FILES: Mapping[Unit, str] = {"seconds": "_seconds", "bytes": "_bytes", "share": "_share"}
