"""What goes wrong on purpose: a share of all requests, and what was ordered for the next ones.

An order is `{"fault": "unavailable", "route": "PUT /part", "times": 2}`: it befalls the next
`times` requests whose method and path begin so, before any share is drawn.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import msgspec

type Fault = Literal["throttled", "failing", "unavailable", "dropped", "stalled", "expired"]

FAULTS: tuple[Fault, ...] = get_args(Fault.__value__)
OF_STORAGE: frozenset[Fault] = frozenset({"stalled", "expired"})
"""What befalls only the requests of files."""
OF_SERVICE: frozenset[Fault] = frozenset({"throttled"})
"""What befalls only the requests of the service: S3 knows no 429."""


class Order(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fault that befalls the next requests of a route."""

    fault: Literal["throttled", "failing", "unavailable", "dropped", "stalled", "expired"]
    route: str = ""
    """The method and the beginning of the path, such as `PUT /part`; empty = any request."""
    times: int = 1


@dataclass
class _Due:
    order: Order
    left: int


class Faults:
    """Draws the fault of each request."""

    def __init__(
        self, shares: Mapping[Fault, float], *, spared: Iterable[Fault], seed: int
    ) -> None:
        """`shares`: from 0 to 1, all together at most 1; `spared` never happens by a share."""
        self._shares = {one: share for one, share in shares.items() if share and one not in spared}
        self._drawn = random.Random(seed)
        self._due: list[_Due] = []

    def order(self, orders: Iterable[Order]) -> None:
        """Have these befall the next requests, in this order, instead of all that were left."""
        self._due = [_Due(order, order.times) for order in orders]

    def next(self, route: str) -> Fault | None:
        """What befalls the next request of that route."""
        for due in self._due:
            if due.left and route.startswith(due.order.route):
                due.left -= 1
                return due.order.fault
        if not self._shares:
            return None
        drawn = self._drawn.random()
        for fault, share in self._shares.items():
            drawn -= share
            if drawn < 0:
                return fault
        return None
