"""Whether a setting stays within the user's limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.analysis.threads_point import Point
from core.catalog.parameters import Value, build
from core.language.translation import tr
from core.language.units import show_share
from core.plan.limits import Allowance, terms_for


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What the user allows: memory in bytes, open files, p99 in seconds. None: no limit.

    `refused`: a share of requests.  A server that refuses more is at its limit: with more threads
    it does not serve more, and a setting that overloads it is no advice.
    """

    memory: int | None = None
    open_files: int | None = None
    p99: float | None = None
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
        for limit, figure, name in (
            (self.memory, point.peak_memory, tr("memory")),
            (self.open_files, point.open_files, tr("open files")),
            (self.p99, point.p99, "p99"),
        ):
            if limit is not None:
                yield limit, figure, name


NO_LIMITS = Limits()


def limits_of(terms: Mapping[str, Value]) -> Limits:
    """The limits among some terms; raises InvalidParameter."""
    allowed = build(Allowance, terms_for(Allowance, terms))
    return Limits(
        memory=allowed.most_memory or None,
        open_files=allowed.most_files or None,
        p99=allowed.most_p99 or None,
        refused=allowed.most_refused if allowed.most_refused < 1 else None,
    )
