"""A point of a curve as a value, and what a user allows its figures to be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, make_dataclass
from typing import TYPE_CHECKING, Any

from core.language import show_share, tr, tr_word
from core.vocabulary import (
    Effort,
    Kind,
    Latencies,
    Metric,
    Value,
    build,
    declared,
    ending,
    integer,
    limited,
    longest,
    real,
    share_refused,
    terms_for,
)

if TYPE_CHECKING:  # a form has limits before there are results
    from core.vocabulary import Result, Trial


@dataclass(frozen=True, kw_only=True)
class Point:
    """What was measured with this many threads.

    `throughputs`: one per trial, in any one unit. `costs`: of metrics that can have a limit, the
    worst trial's figure, by their keys; without those that are unknown. `refused`: share of the
    requests that the server refused. `failed`: errors, wrong data, a crash or a time out; `reason`
    says which, and the throughputs then count for nothing.
    """

    threads: int
    throughputs: tuple[float, ...]
    costs: Mapping[str, float] = field(default_factory=dict)
    refused: float = 0.0
    failed: bool = False
    reason: str = ""

    @property
    def level(self) -> float:
        """Mean of the natural logs of its throughputs. ValueError: no trials, or one is ≤ 0."""
        if not self.throughputs or min(self.throughputs) <= 0.0:
            raise ValueError(f"{self.threads} threads: throughputs must be given and positive")
        return math.fsum(map(math.log, self.throughputs)) / len(self.throughputs)

    @staticmethod
    def of(result: Result) -> Point:
        """One result as a point: its throughputs, and what it costs in its worst trial.

        A trial that moved nothing while all workers were active has no ratio to another.
        """
        return result.once(_point_of)


def costs_of(trial: Trial) -> dict[str, float]:
    """The figures that have limits, but for latencies, which may need several trials."""
    figures = {metric.key: metric.of(trial) for metric in limited() if metric.quantile is None}
    return {key: value for key, value in figures.items() if value is not None}


def worst_costs(
    costs: Sequence[Mapping[str, float]], latencies: Sequence[Latencies | None]
) -> dict[str, float]:
    """The worst of several trials in each metric that can have a limit, as far as it is known."""
    worst = {
        metric.key: longest(latencies, metric.quantile)
        if metric.quantile
        else max((trial[metric.key] for trial in costs if metric.key in trial), default=None)
        for metric in limited()
    }
    return {key: value for key, value in worst.items() if value is not None}


def _point_of(result: Result) -> Point:
    rates = result.values("throughput") if result.valid else []
    reason = "" if result.valid else ending(result)
    if rates and min(rates) <= 0.0:
        reason = stood_still()
    return Point(
        threads=result.spec.load.threads,
        throughputs=() if reason else tuple(rates),
        costs=worst_costs(
            [costs_of(trial) for trial in result.finished_trials],
            [trial.latencies for trial in result.finished_trials],
        ),
        refused=share_refused(result.finished_trials),
        failed=bool(reason),
        reason=reason,
    )


def stood_still() -> str:
    """Why a trial without any operation in its measured interval has no ratio to another."""
    return tr("nothing was done while all workers were active")


def _term(metric: Metric) -> tuple[str, type, Any]:
    assert metric.limit is not None
    term, high, text = metric.limit.term, metric.limit.high, metric.limit.help
    unit = "" if metric.unit == "count" else metric.unit
    if metric.whole:
        return term, int, integer(0, low=0, high=int(high), unit=unit, help=text)
    return term, float, real(0.0, low=0, high=high, unit=unit, help=text)


_REFUSED = real(
    0.1,
    low=0,
    high=1,
    help="Largest share of a setting's requests that a server may refuse, as by 503 SlowDown;"
    " 1 = any.",
)


Allowance: type = make_dataclass(
    "Allowance",
    [*map(_term, limited()), ("most_refused", float, _REFUSED)],
    frozen=True,
    kw_only=True,
)
"""The limits of a setting; a setting above them is never recommended."""


def limit_terms(*, search: bool) -> tuple[Kind, ...]:
    """The limits for the advice of a sweep, or for a search."""
    return (*declared(Effort), *declared(Allowance)) if search else declared(Allowance)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What the user allows of metrics, by their keys; None for `refused`: no limit.

    `refused`: a share of requests.  A server that refuses more is at its limit: with more threads
    it does not serve more, and a setting that overloads it is no advice.
    """

    most: Mapping[str, float] = field(default_factory=dict)
    refused: float | None = None

    @staticmethod
    def of(terms: Mapping[str, Value]) -> Limits:
        """The limits among some terms; raises InvalidParameter."""
        allowed = vars(build(Allowance, terms_for(Allowance, terms)))
        most = {one.key: allowed[one.limit.term] for one in limited() if one.limit}
        return Limits(
            most={key: value for key, value in most.items() if value},
            refused=allowed["most_refused"] if allowed["most_refused"] < 1 else None,
        )

    def broken_by(self, point: Point) -> str:
        """Why this point cannot be used, as a phrase; empty where it can.

        Unknown figures break nothing.
        """
        if point.failed:
            return point.reason or tr("failed")
        for limit, figure, name in self._held_against(point):
            if figure is not None and figure > limit:
                return tr("over the limit on {name}", name=name)
        if self.refused is not None and point.refused > self.refused:
            return tr("the server refuses {share} of the requests", share=show_share(point.refused))
        return ""

    def unknown_of(self, point: Point) -> str:
        """The name of a limit whose figure this point lacks; empty where it lacks none."""
        return next((name for _, figure, name in self._held_against(point) if figure is None), "")

    def _held_against(self, point: Point) -> Iterator[tuple[float, float | None, str]]:
        """Each limit with the point's figure and its name."""
        for metric in limited():
            if metric.limit and metric.key in self.most:
                name = tr_word(metric.limit.name)
                yield self.most[metric.key], point.costs.get(metric.key), name


NO_LIMITS = Limits()
