"""What a user allows a setting, declared like any parameters, and whether it stays within that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, make_dataclass
from typing import TYPE_CHECKING, Any

from core.catalog.declarations import build, declared, integer, real
from core.catalog.parameters import Kind, Value
from core.language.translation import tr, tr_word
from core.language.units import show_share
from core.plan.limits import Effort, terms_for
from core.result.metric import Metric
from core.result.metrics import limited

if TYPE_CHECKING:
    from core.analysis.thread_curves import Point


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


def limits_of(terms: Mapping[str, Value]) -> Limits:
    """The limits among some terms; raises InvalidParameter."""
    allowed = vars(build(Allowance, terms_for(Allowance, terms)))
    most = {one.key: allowed[one.limit.term] for one in limited() if one.limit}
    return Limits(
        most={key: value for key, value in most.items() if value},
        refused=allowed["most_refused"] if allowed["most_refused"] < 1 else None,
    )
