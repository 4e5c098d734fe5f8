"""How much narrower is the interval of a ratio after equal time, where two settings take turns?

    PYTHONPATH=.:tests/benchmarks .venv/bin/python tests/benchmarks/bench_turns.py \\
        [--repeats 5] [--blocks 5] [--duration 1.5] [--quiet]

Four pairs of settings on real readers and generated data, each measured in turns and as whole
trials, repeat by repeat in an order drawn anew, so that the machine disturbs both ways alike.  The
interval is the 95 % one that verdicts use, paired by block, so it includes the difference between
generations of children: no turn makes that smaller.  What the rounds alone would allow, with the
same children throughout, is printed beside it.

Meanwhile busy loops come and go, none to three, as programs of others do on an ordinary machine;
`--quiet` leaves them out.  On a machine that nothing disturbs there is little to make narrower:
generations of children differ by several per cent there either way.

Exits with 1 where a goal is missed: over all pairs, the median ratio of the widths of whole trials
to those of turns is at least 2.5, and for every pair the mean ratio of each way lies within the
other's interval over the repeats.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from changing_load import changing_load

from core.judge import relative
from core.judge.estimation import variance_of_rounds
from core.judge.statistics.intervals import Estimate
from core.measure import Cancel, describe_environment, sample_dataset
from core.run.engine import run
from core.vocabulary import (
    CONFIDENCE,
    WAYS,
    Dataset,
    Plan,
    TrialEnded,
    Turns,
    carry_over,
    collect,
    specify,
)

NARROWER = 2.5
_STUDENT = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
"""97.5 % quantiles by the number of repeats."""


@dataclass(frozen=True, eq=False)
class Pair:
    """The ratio of the first setting's throughput to the second's."""

    name: str
    workload: str
    common: Mapping[str, object]
    over: Mapping[str, object]
    under: Mapping[str, object]


PAIRS = (
    Pair("fasta lru ÷ none", "fasta", {}, {"cache": "lru"}, {"cache": "none"}),
    Pair("lru-locked 1 ÷ 2 threads", "fasta", {"cache": "lru-locked"}, {"threads": 1}, {"threads": 2}),
    Pair("blow5-pool 1 ÷ 2 threads", "signal", {"reader": "blow5-pool", "batch_size": 100},
         {"threads": 1}, {"threads": 2}),
    Pair("raw 64 KiB 1 ÷ 2 threads", "raw", {"block_size": 65536, "access": "random"},
         {"threads": 1}, {"threads": 2}),
)  # fmt: skip


@dataclass
class Found:
    """What came of one pair in one way, repeat by repeat."""

    ratios: list[float] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    """Upper over lower end of the interval, as a logarithm."""
    of_rounds: list[float] = field(default_factory=list)
    """The same if generations of children did not differ; nothing of whole trials."""
    seconds: list[float] = field(default_factory=list)
    effects: list[float] = field(default_factory=list)
    """Carry-over of single trials."""

    @property
    def mean(self) -> float:
        return statistics.mean(map(math.log, self.ratios))

    @property
    def half_width(self) -> float:
        """Of the 95 % interval of the mean over the repeats, as a logarithm."""
        if len(self.ratios) < 2:
            return math.inf
        spread = statistics.stdev(map(math.log, self.ratios)) / math.sqrt(len(self.ratios))
        return _STUDENT.get(len(self.ratios), 2.23) * spread


def measure(
    pair: Pair, dataset: Dataset, way: Turns, options: argparse.Namespace, seed: int
) -> Found:
    """One repeat."""
    load = {"duration": options.duration, "warm_up": 0.3}
    over, under = (
        specify(pair.workload, dataset, {**load, **pair.common, **own})
        for own in (pair.over, pair.under)
    )
    plan = Plan(title="", specs=(over, under), repeats=options.blocks, seed=seed, turns=way)
    cancel, begun = Cancel(), time.monotonic()
    trials = [event.trial for event in run(plan, cancel) if isinstance(event, TrialEnded)]
    cancel.close()
    results = collect((under, over), trials, describe_environment(), {})
    found = relative(*results)
    assert found.value, found
    assert found.low, found
    assert found.high, found
    effects = [one.effect for trial in trials if (one := carry_over(trial.turns)) is not None]
    width = math.log(found.high / found.low)
    within, of_rounds = variance_of_rounds(*results, "throughput"), []
    if within is not None:
        error = math.sqrt(within.variance / plan.repeats)
        alone = Estimate(mean=0.0, error=error, freedom=within.freedom)
        of_rounds = [2.0 * alone.half_width(CONFIDENCE)]
    return Found([found.value], [width], of_rounds, [time.monotonic() - begun], effects)


def join(target: Found, more: Found) -> None:
    """Take in another repeat."""
    target.ratios += more.ratios
    target.widths += more.widths
    target.of_rounds += more.of_rounds
    target.seconds += more.seconds
    target.effects += more.effects


@dataclass(frozen=True)
class Shown:
    """What a pair says: how much narrower the intervals of turns are, repeat by repeat."""

    narrower: list[float]
    alone: list[float]
    """The same for what the rounds alone would allow."""
    agree: bool


def show(pair: Pair, found: Mapping[Turns, Found]) -> Shown:
    """Print a pair."""
    turns, whole = found["auto"], found["off"]
    narrower = [w / t for t, w in zip(turns.widths, whole.widths, strict=True)]
    alone = [w / t for t, w in zip(turns.of_rounds, whole.widths, strict=False)]
    apart = abs(turns.mean - whole.mean)
    agree = apart <= max(turns.half_width, whole.half_width)
    print(f"{pair.name}")
    for name, one in (("turns", turns), ("whole trials", whole)):
        ratios = " ".join(f"{ratio:.3f}" for ratio in one.ratios)
        widths = " ".join(f"{width:.3f}" for width in one.widths)
        print(
            f"  {name:12}  ratio {math.exp(one.mean):.3f} (× or ÷ {math.exp(one.half_width):.3f})  "
            f"[{ratios}]  widths [{widths}]  {statistics.mean(one.seconds):.0f} s each"
        )
    if alone:
        widths = " ".join(f"{width:.3f}" for width in turns.of_rounds)
        less = statistics.median(alone)
        print(f"  rounds alone  widths [{widths}]  {less:.2f} × narrower than whole trials")
    print(
        f"  {statistics.median(narrower):.2f} × narrower in the median; means "
        f"{'agree' if agree else 'DIFFER'}; carry-over {_spread(turns.effects)}",
        flush=True,
    )
    return Shown(narrower, alone, agree)


def _spread(effects: Sequence[float]) -> str:
    if len(effects) < 2:
        return "unknown"
    error = statistics.stdev(effects) / math.sqrt(len(effects))
    return f"{100 * statistics.mean(effects):.2f} ± {100 * error:.2f} %"


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--duration", type=float, default=1.5)
    parser.add_argument("--pairs", type=int, nargs="*", default=list(range(len(PAIRS))))
    parser.add_argument("--quiet", action="store_true", help="without busy loops beside it")
    options = parser.parse_args()
    drawn = random.Random(1)
    chosen = [PAIRS[place] for place in options.pairs]
    datasets: dict[str, Any] = {pair.workload: sample_dataset(pair.workload) for pair in chosen}
    found: dict[Pair, dict[Turns, Found]] = {
        pair: {way: Found() for way in WAYS} for pair in chosen
    }
    with nullcontext() if options.quiet else changing_load(random.Random(2)):
        for repeat in range(options.repeats):
            for pair in chosen:
                for way in drawn.sample(WAYS, len(WAYS)):
                    more = measure(pair, datasets[pair.workload], way, options, repeat)
                    join(found[pair][way], more)
    shown = [show(pair, ways) for pair, ways in found.items()]
    narrower = statistics.median(one for each in shown for one in each.narrower)
    alone = [one for each in shown for one in each.alone]
    print(f"{narrower:.2f} × narrower over all; goal ≥ {NARROWER}")
    if alone:
        print(
            f"{statistics.median(alone):.2f} × over all, if generations of children did not differ"
        )
    return 0 if narrower >= NARROWER and all(each.agree for each in shown) else 1


if __name__ == "__main__":
    sys.exit(main())
