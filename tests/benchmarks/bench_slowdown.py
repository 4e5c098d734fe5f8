"""Is a slowdown of 10 % found within a minute, and is none found where there is none?

    PYTHONPATH=.:tests/benchmarks .venv/bin/python tests/benchmarks/bench_slowdown.py
        [--slow 20] [--alike 100] [--seed 1]

Each run measures two settings in turns, with a budget, until `compare` gives a verdict: a workload
beside the same with 10 % more to do (55 s), or beside itself (27 s).  The seed of the first run is
`--seed`, so that several parts of the whole add up.  Exits with 1 if fewer than 95 per cent of the
slowdowns are found, or if any is found where there is none.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from core.judge.comparison import compare
from core.measure import Cancel, describe_environment, find_dataset
from core.run.budget import questions_of
from core.run.engine import run
from core.vocabulary import FEWEST_TO_STOP, Dataset, Plan, TrialEnded, VerdictKind, collect, specify

SLOW, ALIKE = "10 % more to do", "the same"
BUDGETS = {SLOW: 55.0, ALIKE: 27.0}
FOUND = 0.95


def verdict(kind: str, data: Dataset, seed: int) -> VerdictKind:
    """What one run says; prints it."""
    values = {"duration": 1.0, "warm_up": 0.2}
    # The deadline changes nothing but makes it another spec.
    other = {"more": 10} if kind == SLOW else {"deadline": 599.0}
    one, two = (specify("rigged_burden:Burden", data, {**values, **own}) for own in ({}, other))
    plan = Plan(
        title=kind,
        specs=(one, two),
        repeats=FEWEST_TO_STOP,
        seed=seed,
        turns="auto",
        budget=BUDGETS[kind],
        pairs=((one.digest, two.digest),),
    )
    cancel, begun = Cancel(), time.monotonic()
    events = run(plan, cancel, still_open=questions_of(plan))
    trials = [event.trial for event in events if isinstance(event, TrialEnded)]
    cancel.close()
    found = compare(*collect(plan.specs, trials, describe_environment(), {}))
    print(f"{kind}, {time.monotonic() - begun:.0f} s: {found.sentence}", flush=True)
    return found.kind


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slow", type=int, default=20)
    parser.add_argument("--alike", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name, "data")
        place.write_bytes(bytes(4096))
        data = find_dataset("raw", place)
        kinds = [SLOW] * wanted.slow + [ALIKE] * wanted.alike
        found = {kind: Counter[VerdictKind]() for kind in BUDGETS}
        for seed, kind in enumerate(kinds, wanted.seed):
            found[kind][verdict(kind, data, seed)] += 1
    for kind, counts in found.items():
        print(f"{kind}: {', '.join(f'{count} {one.value}' for one, count in counts.items())}")
    right = found[SLOW][VerdictKind.SLOWER] >= FOUND * wanted.slow
    quiet = not found[ALIKE][VerdictKind.SLOWER] + found[ALIKE][VerdictKind.FASTER]
    return 0 if right and quiet else 1


if __name__ == "__main__":
    sys.exit(main())
