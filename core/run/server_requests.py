"""How many requests a run will ask of somebody's own servers, before the first of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from core.language import tr
from core.measure import lab_link
from core.vocabulary import Location, declared, work_of

if TYPE_CHECKING:
    from core.vocabulary import Plan, RunSpec

MOST_UNASKED = 10_000
"""Requests up to which nobody is asked: more cost money, or are in the way of others."""


class ServerRequests(msgspec.Struct, frozen=True, kw_only=True):
    """About the most requests of a run, by what they are for; none for the lab's own servers."""

    addresses: tuple[str, ...] = ()
    placing: int = 0
    measuring: int = 0
    verifying: int = 0
    removing: int = 0

    @property
    def total(self) -> int:
        return self.placing + self.measuring + self.verifying + self.removing

    @property
    def are_many(self) -> bool:
        """Whether the user is asked before any is made."""
        return self.total > MOST_UNASKED

    @property
    def text(self) -> str:
        """In a sentence; empty where none are made."""
        if not self.total:
            return ""
        return tr(
            "About {total:,} requests at most to {addresses}: {placing:,} to place the data, "
            "{measuring:,} while it measures, {verifying:,} to verify, {removing:,} to remove.",
            total=self.total,
            addresses=", ".join(self.addresses),
            placing=self.placing,
            measuring=self.measuring,
            verifying=self.verifying,
            removing=self.removing,
        )


def server_requests(plan: Plan, trials: int) -> ServerRequests:
    """Those of a plan of about so many trials; with a budget, at most what fits into it."""
    each = trials / max(len(plan.specs), 1)
    sums: Counter[str] = Counter()
    fastest = 0.0
    addresses: dict[str, None] = {}
    placed: set[tuple[object, ...]] = set()
    for spec in plan.specs:
        own = dict(_requests_of(spec))
        if not own:
            continue
        addresses |= dict.fromkeys(_locations(spec))
        placing = own.pop("placing", 0)
        sums["placing"] += placing if work_of(spec) not in placed else 0
        placed.add(work_of(spec))
        seconds = spec.load.duration + spec.load.warm_up
        fastest = max(fastest, own["measuring"] / seconds if seconds else 0.0)
        sums.update({name: round(each * count) for name, count in own.items()})
    if plan.budget and fastest:
        sums["measuring"] = round(fastest * plan.budget)
    return ServerRequests(addresses=tuple(addresses), **sums)


def _requests_of(spec: RunSpec) -> dict[str, int]:
    if not any(_locations(spec)) or lab_link(spec.parameters.values()):
        return {}
    setting = spec.known_setting
    return dict(setting.workload.requests(setting.parameters, spec.load, spec.dataset))


def _locations(spec: RunSpec) -> Sequence[str]:
    kinds = declared(spec.known_setting.workload.parameters)
    names = [kind.name for kind in kinds if isinstance(kind, Location)]
    return [str(spec.parameters[name]) for name in names if "://" in str(spec.parameters[name])]
