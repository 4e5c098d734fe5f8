"""How much is measured: the limits of a search, declared like any parameters, and the repeats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.language import UsageError, tr
from core.vocabulary import registry
from core.vocabulary.declarations import build, declared, integer, real, text
from core.vocabulary.parameters import Flag, Integer, Kind, Real, Value

LEAST_TRIALS = 24
"""Trials that a search can always use: fewer settle no comparison."""

CONFIDENCE = 0.95
"""Confidence of the band of a result in a plot; what is told in words is as strict as a verdict."""
FEWEST_TO_STOP = 5
"""Trials of each side for a verdict: fewer that agree by luck would end the measuring."""
DECLARE_BELOW = 0.0025
"""Chance of such a difference where there is none, below which a pair counts as different.
Stricter than 0.05: one false alarm in twenty makes a gate in a pipeline worthless, and people look
while trials come in; looking after every block about doubles false alarms."""
STOP_BELOW = 0.0002
"""Chance of such a difference where there is none, below which a run with a budget stops measuring
it: looking after every block, and stopping at the level of a verdict, finds several times as many
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
        help="Most trials of a search; 0 = as many as measuring all its settings takes, but never "
        f"fewer than {LEAST_TRIALS}.",
    )
    near: float = real(
        NEAR,
        low=0.001,
        high=0.999,
        help="A search counts settings within this share of the best as equally good, and advises the cheapest.",
    )


_AMOUNT = r"([0-9]{1,9}(\.[0-9]{1,9})?( \S.{0,19})?)?"
"""Of money, with or without its currency."""


@dataclass(frozen=True, kw_only=True)
class Prices:
    """What a user pays: it changes no advice, only what is said of its cost."""

    price: str = text(
        "",
        pattern=_AMOUNT,
        help="What a core-hour costs you, such as 0.04 or '0.04 EUR': the answer then says what 1,000 runs cost.",
    )
    request_price: str = text(
        "",
        pattern=_AMOUNT,
        help="What 1,000 requests cost you, such as 0.0004 or '0.0004 EUR': results then say what a TB that was wanted costs.",
    )
    gigabyte_price: str = text(
        "", pattern=_AMOUNT, help="What each GB that is transferred costs you, such as '0.09 USD'."
    )

    @staticmethod
    def meant_for(workload: str) -> tuple[Kind, ...]:
        """Those that mean something to a workload."""
        of_cores, *of_wire = declared(Prices)
        cores = (of_cores,) if registry.runs_programs(workload) else ()
        return (*cores, *(of_wire if registry.has_wire(workload) else ()))

    @staticmethod
    def amount(price: Value) -> tuple[float, str]:
        """Amount and currency; 0 where there is no price."""
        amount, _, currency = str(price).partition(" ")
        return float(amount or 0.0), currency

    @staticmethod
    def on_wire(terms: Mapping[str, Value]) -> Mapping[str, float]:
        """What a request and a byte cost, as trials have it; empty without such prices.

        Raises UsageError for two currencies, of which there is no sum.
        """
        (request, one), (gigabyte, other) = (
            Prices.amount(terms.get(name, "")) for name in ("request_price", "gigabyte_price")
        )
        if one and other and one != other:
            raise UsageError(
                tr("the prices of requests and of bytes have different currencies"),
                tr("give both in the same one, such as '0.0004 EUR' and '0.09 EUR'"),
            )
        prices = {"request_price": request / 1000, "byte_price": gigabyte / 1e9}
        return prices if any(prices.values()) else {}


def effort_of(terms: Mapping[str, Value]) -> Effort:
    """The effort among some terms; raises InvalidParameter."""
    return build(Effort, terms_for(Effort, terms))


def terms_for(declaring: type, terms: Mapping[str, Value]) -> dict[str, Value]:
    """The terms that a class declares."""
    names = {kind.name for kind in declared(declaring)}
    return {name: value for name, value in terms.items() if name in names}


REPEATS = 3
"""Trials of each spec in a sweep, and in the sweep to which a search is compared."""
MOST_REPEATS = 15
"""Most trials of each setting in a run that ends once its answer is sure: as many as tell settings
apart that differ by `NEAR`, where trials differ by as much."""
REPEATS_TO_COMPARE = 10
"""Trials of each side of a comparison: twice the fewest for a verdict."""


class _Efforts(NamedTuple):
    repeats: Integer
    budget: Real
    """Time that may be spent on undecided comparisons."""
    floor: Flag


EFFORT = _Efforts(
    repeats=Integer(
        name="repeats",
        default=REPEATS,
        low=1,
        high=1000,
        help="Trials of each setting, in random order.",
    ),
    budget=Real(
        name="budget",
        default=0.0,
        low=0,
        high=7 * 86_400,
        unit="seconds",
        help="Time limit of the whole run. What is undecided is measured until it is used up, a search ends with its best so far, and trials get shorter to fit. 0 = none.",
    ),
    floor=Flag(
        name="floor",
        default=True,
        help="Also measure plain reads of the same files, or plain gets of the same objects, for comparison.",
    ),
)
"""How much is measured, declared like any parameters."""
