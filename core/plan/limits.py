"""The limits of a search, declared like any parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.catalog.parameters import Value, build, declared, integer, real

LEAST_TRIALS = 24
"""Trials that a search can always use: fewer settle no comparison."""

CONFIDENCE = 0.95
"""Of every interval that is shown."""
FEWEST_TO_STOP = 5
"""Trials of each side for a verdict: fewer that agree by luck would end the measuring."""
DECLARE_BELOW = 0.0025
"""Chance of such a difference where there is none, below which a pair is told to differ.  Stricter
than 0.05: one false alarm in twenty makes a gate in a pipeline worthless, and people look while
trials come in; looking after every block about doubles false alarms."""
STOP_BELOW = 0.0002
"""Chance of such a difference where there is none, below which a run with a budget stops measuring
it: who looks after every block, and stops at the level of a verdict, finds several times as many
differences that are not there."""
NEAR = 0.05
"""Share within which two settings are as good, unless the user says otherwise."""


@dataclass(frozen=True, kw_only=True)
class Effort:
    """The limits of a search."""

    most_trials: int = integer(
        0,
        low=0,
        high=10_000,
        help="Most trials; 0 = as many as a sweep of the same settings takes, but never fewer than "
        f"{LEAST_TRIALS}.",
    )
    near: float = real(
        NEAR,
        low=0.001,
        high=0.999,
        help="Settings within this share of the best are as good; the cheapest is advised.",
    )


def effort_of(terms: Mapping[str, Value]) -> Effort:
    """The effort among some terms; raises InvalidParameter."""
    return build(Effort, terms_for(Effort, terms))


def terms_for(declaring: type, terms: Mapping[str, Value]) -> dict[str, Value]:
    """Those of the terms that it declares."""
    names = {kind.name for kind in declared(declaring)}
    return {name: value for name, value in terms.items() if name in names}
