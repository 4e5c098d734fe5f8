"""Answers as values: estimates, verdicts on pairs, how sure a leader is, doubts, diagnoses.

Nothing here computes anything from results: `core.judge.estimation` makes estimates,
`core.judge.comparison` verdicts on pairs, `core.judge.ranking` grades all settings of a run,
`core.judge.trust` finds doubts, `core.judge.diagnosis` names causes.  The three grades have
the same words everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Literal, assert_never

import msgspec

from core.language import (
    capitalised,
    marked,
    show_ratio,
    show_seconds,
    show_share,
    show_size,
    tr,
    tr_word,
)
from core.vocabulary.limits import CONFIDENCE
from core.vocabulary.metrics import metric_named


@dataclass(frozen=True, kw_only=True)
class MetricEstimate:
    """An estimate with its interval and one figure per trial; None where there is none.

    The interval is of 95 % unless it was asked for otherwise.
    """

    FEWEST: ClassVar[int] = 3
    """Trials for an interval: that of two, which have one degree of freedom, spans everything."""
    WIDEST: ClassVar[float] = 10.0
    """Upper over lower end of an interval that is told: beyond, not even the digits are known."""
    value: float | None
    low: float | None = None
    high: float | None = None
    trials: tuple[float, ...] = ()

    @staticmethod
    def missing_text(trials: int) -> str:
        """What is said in place of an interval of fewer trials, or of one too wide to be told."""
        if trials < MetricEstimate.FEWEST:
            return tr("1 trial: no interval yet", "{count:,} trials: no interval yet", count=trials)
        return tr("{count:,} trials: too few to tell", count=trials)

    @staticmethod
    def is_too_wide(low: float | None, high: float | None) -> bool:
        return low is not None and high is not None and high > MetricEstimate.WIDEST * low

    @property
    def told(self) -> MetricEstimate:
        """Without an interval that is too wide to be told."""
        wide = self.is_too_wide(self.low, self.high)
        return replace(self, low=None, high=None) if wide else self

    def scaled(self, factor: float) -> MetricEstimate:
        """The same in another unit: each figure times `factor`."""
        return self._mapped(lambda value: value * factor)

    def inverted(self) -> MetricEstimate:
        """Times where these are rates, or rates where these are times."""
        turned = self._mapped(lambda value: 1.0 / value if value > 0.0 else math.inf)
        return MetricEstimate(
            value=turned.value, low=turned.high, high=turned.low, trials=turned.trials
        )

    def _mapped(self, change: Callable[[float], float]) -> MetricEstimate:
        value, low, high = (
            None if one is None else change(one) for one in (self.value, self.low, self.high)
        )
        return MetricEstimate(
            value=value, low=low, high=high, trials=tuple(map(change, self.trials))
        )


NOT_MEASURED = MetricEstimate(value=None)


MARGIN = 0.05
"""Throughputs are the same within this share, unless the user says otherwise."""


class VerdictKind(StrEnum):
    """How the candidate compares with the baseline."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "same"
    UNDECIDED = "undecided"
    INVALID = "invalid"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """One comparison.

    `ratio`: candidate over baseline of the metric; None where invalid.  Its interval has the
    confidence that decided the kind: it leaves out 1 where FASTER or SLOWER, holds 1 where
    UNDECIDED, and lies within the margin where SAME.  None where a side has too few trials.  Where
    less is better, FASTER means a ratio below 1.
    `reasons`: why the kind is what it is, then what the reader needs to know.
    """

    kind: VerdictKind
    metric: str
    margin: float
    baseline: str
    candidate: str
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    confidence: float = CONFIDENCE
    """Of that interval."""
    apart: bool = False
    """Of UNDECIDED: whether the bands of both in a plot do not touch, so that it likely differs."""
    trials: tuple[int, int] = (0, 0)
    family: int = 1
    """How many comparisons were judged together; more make each of them harder to declare."""
    drift: float | None = None
    """Relative deviation between sessions that the interval allows for; None where interleaved."""
    reasons: tuple[str, ...] = ()
    doubt: str = ""
    """What speaks against figures of the trials, such as other programs, and what to do."""
    beside: bool = False
    """Whether other programs took cores from a side meanwhile, so that it holds beside them."""
    quiet: VerdictKind | None = None
    """Where `beside`, what holds on the quiet machine, as far as that can be told."""

    @property
    def lasting(self) -> VerdictKind:
        """What holds without the other programs that ran: a gate relies on nothing else."""
        return (self.quiet or VerdictKind.UNDECIDED) if self.beside else self.kind

    @property
    def differs(self) -> bool:
        """Whether one side is faster, or better in whatever was compared."""
        return self.kind in (VerdictKind.FASTER, VerdictKind.SLOWER)

    @property
    def tells(self) -> bool:
        """Whether its interval says more than that there are too few trials."""
        wide = MetricEstimate.is_too_wide(self.low, self.high)
        return self.differs or (self.low is not None and not wide)

    @property
    def relation(self) -> str:
        """What an open one says of the candidate, `likely slower` where their bands are apart."""
        if not self.tells:
            return tr("too few trials to tell")
        if not self.apart:
            return tr("not measurably different")
        more = metric_named(self.metric).better == "more"
        faster = ((self.ratio or 1.0) > 1.0) == more
        return tr("likely faster") if faster else tr("likely slower")

    @staticmethod
    def open_text[T](pairs: Iterable[tuple[T, Verdict]], listed: Callable[[list[T]], str]) -> str:
        """`Not measurably different: A and B. Likely slower: C.`, a sentence for each relation."""
        groups: dict[str, list[T]] = {}
        for other, verdict in pairs:
            groups.setdefault(verdict.relation, []).append(other)
        texts = (f"{capitalised(relation)}: {listed(each)}." for relation, each in groups.items())
        return " ".join(texts)

    @property
    def sentence(self) -> str:
        """The verdict for people, in one or two sentences."""
        return f"{self.claim} {self.because}".rstrip()

    @property
    def because(self) -> str:
        """The reasons, a sentence each, and what speaks against the trials."""
        reasons = (f"{capitalised(reason)}." for reason in self.reasons)
        return " ".join(filter(None, (*reasons, self.doubt, self._for_quiet)))

    @property
    def _for_quiet(self) -> str:
        if not self.beside or self.kind is VerdictKind.INVALID:
            return ""
        if self.quiet is None:
            return tr("On the quiet machine it cannot be told.")
        return tr(
            "Computed for the quiet machine: {kind}.",
            kind=tr_word(self.quiet.value),
        )

    @property
    def claim(self) -> str:
        """The verdict without its reasons."""
        return f"{self._claimed()}."

    def _claimed(self) -> str:
        sides = {"candidate": self.candidate, "baseline": self.baseline}
        match self.kind:
            case VerdictKind.INVALID:
                return tr("{candidate} and {baseline} cannot be compared", **sides)
            case VerdictKind.UNDECIDED:
                figures = f": {self.figures}" if self.ratio is not None else ""
                untold = tr("Cannot tell yet whether {candidate} and {baseline} differ", **sides)
                return f"{untold}{figures}"
            case VerdictKind.SAME:
                return tr(
                    "No real difference between {candidate} and {baseline}: "
                    "{figures}, within {margin:g} % either way",
                    figures=self.figures,
                    margin=100 * self.margin,
                    **sides,
                )
            case VerdictKind.FASTER | VerdictKind.SLOWER:
                return tr(
                    "{candidate} is {better} than {baseline}: {figures}",
                    better=self._better,
                    figures=self.figures,
                    **sides,
                )
            case _:
                assert_never(self.kind)

    @property
    def _better(self) -> str:
        better = self.kind is VerdictKind.FASTER
        metric = metric_named(self.metric)
        if metric.of_valid:
            return tr("faster") if better else tr("slower")
        if better == (metric.better == "less"):
            return tr("lower in {metric}", metric=tr_word(metric.name))
        return tr("higher in {metric}", metric=tr_word(metric.name))

    @property
    def figures(self) -> str:
        return ratio_text(self.ratio, self.low, self.high)


def ratio_text(ratio: float | None, low: float | None, high: float | None) -> str:
    """`1.20× (1.15× to 1.25×)`, as far as it is known; empty without a ratio.

    A wide interval that leaves out 1 tells by how much at least.
    """
    if ratio is None:
        return ""
    if low is None or high is None:
        return show_ratio(ratio)
    beside_one = not low <= 1.0 <= high
    if MetricEstimate.is_too_wide(low, high) and not beside_one:
        return show_ratio(ratio)
    low_text, high_text = (_end_text(end, beside_one=beside_one) for end in (low, high))
    return tr("{value} ({low} to {high})", value=show_ratio(ratio), low=low_text, high=high_text)


def _end_text(end: float, *, beside_one: bool) -> str:
    """The end of an interval; one that leaves out 1 is not rounded onto it."""
    text = show_ratio(end)
    if not beside_one or text != show_ratio(1.0):
        return text
    digits = next((digits for digits in range(3, 9) if round(end, digits) != 1.0), 9)
    return f"{marked(f'{end:.{digits}f}')}×"


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """What one step up in threads brings and costs.

    Memory in bytes, p99 in seconds; None = unknown.
    """

    start: int
    end: int
    verdict: Verdict
    """On the larger number of threads against the smaller."""
    memory: int | None
    open_files: int | None
    p99: float | None

    @property
    def memory_text(self) -> str:
        """`+480 MiB`; empty where it is unknown, or no different."""
        return f"{_sign(self.memory)}{show_size(self.memory)}" if self.memory else ""

    @property
    def throughput_text(self) -> str:
        """`+92 % throughput`, where the verdict is sure."""
        verdict = self.verdict
        if verdict.differs and verdict.ratio is not None:
            return tr("{gain:+.0f} % throughput", gain=100 * (verdict.ratio - 1.0))
        if verdict.kind is VerdictKind.SAME:
            return tr("throughput the same within {near:g} %", near=100 * verdict.margin)
        if not verdict.tells:
            return tr("throughput: too few trials to tell")
        if not verdict.apart:
            return tr("throughput not measurably different")
        higher = verdict.ratio is not None and verdict.ratio > 1.0
        return tr("throughput likely higher") if higher else tr("throughput likely lower")

    @property
    def summary(self) -> str:
        """`+92 % throughput, +480 MiB, +24 files, p99 +1.20 ms`."""
        parts = [self.throughput_text, self.memory_text]
        if self.open_files:
            parts.append(tr("{count:+,} file", "{count:+,} files", count=self.open_files))
        if self.p99 is not None:
            parts.append(f"p99 {_sign(self.p99)}{show_seconds(self.p99)}")
        return ", ".join(filter(None, parts))

    @property
    def sentence(self) -> str:
        """`8 → 32 threads: +92 % throughput, +480 MiB`."""
        return tr(
            "{start} → {end} threads: {price}", start=self.start, end=self.end, price=self.summary
        )


def _sign(value: float) -> str:
    return "+" if value >= 0 else ""


WITHIN = 0.1
"""A setting that is surely within this share of anything measured will do for now."""


class Grade(StrEnum):
    """The worst first; LEADING: the best so far, and something else may be it."""

    LEADING = "leading"
    WITHIN = "within"
    SURE = "sure"

    @property
    def bars(self) -> int:
        """How many bars of a meter with three are full."""
        return [*Grade].index(self) + 1

    @property
    def text(self) -> str:
        """`leading`, `surely within 10 %`, `sure`."""
        match self:
            case Grade.LEADING:
                return tr("leading")
            case Grade.WITHIN:
                return tr("surely within {share}", share=show_share(WITHIN))
            case Grade.SURE:
                return tr("sure")
            case _:
                assert_never(self)


def grade_of(*, sure: bool, within: bool) -> Grade:
    """From whether it surely is as good as the best, and whether it surely is within `WITHIN`."""
    if sure:
        return Grade.SURE
    return Grade.WITHIN if within else Grade.LEADING


type Mood = Literal["open", "good", "bad"]


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence on what speaks against results, and one on what to do.

    `grave`: the results are contradicted, not just unsure.  `unsettles`: no answer that rests on
    them is sure.
    """

    text: str
    remedy: str
    grave: bool = False
    unsettles: bool = False
    idle: tuple[int, ...] = ()
    """What each worker of a trial did, where some had nothing to do."""
    needs: str = ""
    """What would give each of them something to do: `20,000 reads`, `more data`."""

    @property
    def full_text(self) -> str:
        """Both sentences."""
        return f"{self.text} {self.remedy}"

    @staticmethod
    def of_too_few_trials(text: str) -> Doubt:
        return Doubt(text=text, remedy=tr("Repeat more, or make the trials longer."))


def mood_of(doubts: Sequence[Doubt], *, settled: bool) -> Mood:
    """Good where it is settled and nothing speaks against it."""
    if any(doubt.grave for doubt in doubts):
        return "bad"
    return "good" if settled and not doubts else "open"


class Cause(StrEnum):
    """What limits throughput."""

    DEVICE = "device or file system"
    PAGE_CACHE = "page cache"
    GIL = "GIL"
    LOCK = "lock contention"
    DESCRIPTORS = "descriptor limit"
    SHARED = "a shared reader"
    CPU = "CPU"
    SERIAL = "work of one thread"
    PIPE = "one program of a pipe"
    NETWORK = "network or remote latency"
    BANDWIDTH = "bandwidth of network or server"
    DECOMPRESSION = "decompression"
    BACKPRESSURE = "server backpressure"
    PAUSES = "pauses of the client"
    HARNESS = "harness"
    UNKNOWN = "unknown"


class Confidence(StrEnum):
    """How far the evidence goes."""

    SURE = "sure"
    """No other cause that is looked for would leave this evidence."""
    LIKELY = "likely"
    """It fits best, but another cause could fit too."""
    NONE = "none"


MEANING = {
    Cause.DEVICE: "The threads wait for the disk or the file system",
    Cause.PAGE_CACHE: "The data comes out of memory as fast as it can be copied",
    Cause.GIL: "Python's global lock lets one thread run at a time",
    Cause.LOCK: "The threads wait for a lock that they share",
    Cause.DESCRIPTORS: "No more files can be opened",
    Cause.SHARED: "What the threads read is wrong: they share a reader that takes one at a time",
    Cause.CPU: "The cores that the threads can use are busy or wanted all the time",
    Cause.SERIAL: "The program's threads wait for each other while cores are idle",
    Cause.PIPE: "The other programs of the pipe wait for it",
    Cause.NETWORK: "The threads wait for answers over the network",
    Cause.BANDWIDTH: "As many bytes arrive as the link or the server lets through",
    Cause.DECOMPRESSION: "The threads spend their time decompressing",
    Cause.BACKPRESSURE: "The server turns requests away",
    Cause.PAUSES: "The client sleeps before it asks again whether its work is done",
    Cause.HARNESS: "The operations are so short that the harness is much of what is measured",
    Cause.UNKNOWN: "What was recorded does not tell what limits this",
}


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """The bottleneck of one result, the evidence in plain sentences, and what to do about it."""

    cause: Cause
    confidence: Confidence
    of: str
    """The diagnosed setting, in words."""
    evidence: tuple[str, ...]
    advice: str = ""

    @property
    def sentence(self) -> str:
        """The diagnosis for people: `Probably limited by GIL. Python's global lock lets …`."""
        meaning = f"{tr_word(MEANING[self.cause])}."
        if self.cause is Cause.UNKNOWN:
            return meaning
        if self.cause in (Cause.PIPE, Cause.SHARED) and self.evidence:  # it names what it is
            return f"{self.evidence[0]}."
        cause = tr_word(self.cause.value)
        if self.confidence is Confidence.SURE:
            return tr("Limited by {cause}. {meaning}", cause=cause, meaning=meaning)
        return tr("Probably limited by {cause}. {meaning}", cause=cause, meaning=meaning)
