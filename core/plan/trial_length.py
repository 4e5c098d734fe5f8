"""How long trials are where a budget has to pay for several blocks of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from core.catalog.load import Load
from core.catalog.parameters import Value, declared
from core.language.units import Seconds
from core.plan.schedule import AROUND

BLOCKS = 4
"""That a budget should pay for: three are repeats, and one more is for what is still open."""
_SHORTEST: Seconds = 0.3
"""Of a trial: three turns of a tenth of a second."""
_SHORTEST_WARM_UP: Seconds = 0.2


def shortened(
    values: Mapping[str, Value], varied: Collection[str], budget: Seconds, specs: int
) -> dict[str, Value]:
    """Shorter values of duration and warm-up for so many specs; empty where the usual ones fit.

    Only where a user left them as they usually are: a length that somebody chose is kept.
    """
    usual = {kind.name: kind.default for kind in declared(Load)}
    if not budget or any(
        name in varied or values.get(name, usual[name]) != usual[name]
        for name in ("duration", "warm_up", "operations")
    ):
        return {}
    duration, warm_up = float(usual["duration"]), float(usual["warm_up"])
    each = budget / (BLOCKS * max(specs, 1)) - AROUND
    if each >= duration + warm_up:
        return {}
    measured = round(max(_SHORTEST, each * duration / (duration + warm_up)), 1)
    return {
        "duration": measured,
        "warm_up": round(min(warm_up, max(_SHORTEST_WARM_UP, each - measured)), 1),
    }
