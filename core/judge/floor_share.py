"""The share that results have of their limit under the same load: plain reads of the same files,
or plain gets of the same objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core.judge.estimation import ratio
from core.language import NOTHING, UsageError, show_share, tr
from core.measure import floor_of, is_bare, same_drive
from core.vocabulary import Result, RunSpec

type FloorOf = Callable[[RunSpec], Mapping[str, object] | None]
"""Gives the parameters of the raw workload whose result is the limit for a spec."""

_ABOVE = 1.05
"""Share of a floor from which on it is none."""


_NEAR_FLOOR = 0.9
"""Share from which on a client is as good as the leanest."""


class FloorShare(NamedTuple):
    """None where there is no limit, or where there is no figure on one side."""

    value: float | None = None
    text: str = NOTHING


def floor_shares(
    results: Sequence[Result], floor_of: FloorOf = floor_of
) -> Mapping[int, FloorShare]:
    """The shares of all results that have a limit, by `id`.

    Where one of them is faster than plain reads, these are no limit to the others either: such a
    reader reads less, other blocks, or has other read-ahead.
    """
    by_floor: dict[int, dict[int, float | None]] = {}
    for result in results:
        raw = None if is_bare(result) else _floor_result(result.spec, results, floor_of)
        if raw is None or not result.valid:
            continue
        # A sequential reader is compared by bytes, a random one by accesses.
        metric = "throughput" if raw.spec.parameters.get("access") == "random" else "byte_rate"
        by_floor.setdefault(id(raw), {})[id(result)] = ratio(raw, result, metric)
    shares: dict[int, FloorShare] = {}
    for values in by_floor.values():
        no_limit = any(value is not None and value > _ABOVE for value in values.values())
        for result_id, value in values.items():
            if no_limit:
                shares[result_id] = FloorShare(text=tr("no limit"))
            elif value is not None:
                shares[result_id] = FloorShare(value, show_share(value))
    return shares


def share_of_store(result: Result, beside: Sequence[Result]) -> str:
    """How much of what its store gives a client reaches, as a sentence; empty where it is all, or
    no plain gets were measured with as many threads.
    """
    bare = [one for one in beside if is_bare(one) and one is not result]
    share = floor_shares([result, *bare]).get(id(result), FloorShare()).value if bare else None
    if share is None or share >= _NEAR_FLOOR:
        return ""
    setting = result.spec.known_setting
    client = setting.workload.client_name(setting.parameters)
    if not client:
        return ""
    return tr(
        "{client} reaches {share} of what this store gives",
        client=client,
        share=show_share(share),
    )


def _floor_result(spec: RunSpec, results: Sequence[Result], floor_of: FloorOf) -> Result | None:
    """The raw result that is the limit for a spec; None unless exactly one fits."""
    try:
        parameters = floor_of(spec)
    except UsageError:  # the workload, or a parameter of it, is not known to this Sluice
        return None
    if parameters is None:
        return None
    floors = [
        raw
        for raw in results
        if is_bare(raw)
        and raw.valid
        and raw.spec.dataset.location == spec.dataset.location
        and same_drive(raw.spec.load, spec.load)
        and parameters.items() <= raw.spec.parameters.items()
    ]
    of_same_seed = [raw for raw in floors if raw.spec.load.seed == spec.load.seed] or floors
    return of_same_seed[0] if len(of_same_seed) == 1 else None
