"""The limits of a setting and of a search, declared like any parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.catalog.parameters import Kind, Value, build, declared, integer, real

LEAST_TRIALS = 24
"""Trials that a search can always use: fewer settle no comparison."""

_FORMERLY = {"budget": "most_trials"}
"""Names that terms have in sessions of earlier versions, and their names now."""


CONFIDENCE = 0.95
"""Of every interval that is shown."""
FEWEST_TO_STOP = 5
"""Trials of each side for a verdict: fewer that agree by luck would end the measuring."""
STOP_BELOW = 0.0002
"""Chance of such a difference where there is none, below which a run with a budget stops measuring
it: who looks after every block, and stops at the level of a verdict, finds several times as many
differences that are not there."""
NEAR = 0.05
"""Share within which two settings are as good, unless the user says otherwise."""


@dataclass(frozen=True, kw_only=True)
class Allowance:
    """The limits of a setting; a setting above them is never recommended."""

    most_memory: int = integer(
        0, low=0, high=2**50, unit="bytes", help="Most memory that a setting may take; 0 = any."
    )
    most_files: int = integer(
        0, low=0, high=2**31, help="Most files that a setting may have open; 0 = any."
    )
    most_p99: float = real(
        0.0,
        low=0,
        high=86_400,
        unit="seconds",
        help="Longest p99 latency that a setting may have; 0 = any.",
    )
    most_refused: float = real(
        0.1,
        low=0,
        high=1,
        help="Largest share of a setting's requests that a server may refuse, as by 503 SlowDown;"
        " 1 = any.",
    )


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


def terms_of_sweep() -> tuple[Kind, ...]:
    """The limits for a sweep's advice."""
    return declared(Allowance)


def terms_of_search() -> tuple[Kind, ...]:
    """The limits for a search."""
    return (*declared(Effort), *declared(Allowance))


def effort_of(terms: Mapping[str, Value]) -> Effort:
    """The effort among some terms, also those of earlier versions; raises InvalidParameter."""
    return build(Effort, terms_for(Effort, terms))


def terms_for(declaring: type, terms: Mapping[str, Value]) -> dict[str, Value]:
    """Those of the terms that it declares, by the names that they have there."""
    names = {kind.name for kind in declared(declaring)}
    found = {_FORMERLY.get(name, name): value for name, value in terms.items()}
    return {name: value for name, value in found.items() if name in names}
