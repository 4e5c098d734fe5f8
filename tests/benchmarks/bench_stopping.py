"""Is the rule by which a run stops as strict, and as quick, as one by others?

Both look at the same simulated pairs after every block: the product's rule, and a confidence
sequence of the package `ville` (pip install ville) at the level of a verdict, which knows the true
noise and may be looked at for ever.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
import ville
from simulated_pairs import AGAIN, Conditions, interleaved
from simulated_results import Sides, first_blocks

from core.judge.comparison import compare
from core.run.budget import questions_of
from core.vocabulary import DECLARE_BELOW, FEWEST_TO_STOP

BLOCKS = 30
NOISE = 0.03
"""Deviation of the log of a trial."""


def ours(sides: Sides) -> tuple[int, bool]:
    """Blocks until it stops, and whether it then says that the sides differ."""
    still_open = questions_of(AGAIN)
    blocks = FEWEST_TO_STOP
    while blocks < BLOCKS and still_open(
        [t for one in first_blocks(sides, blocks) for t in one.trials]
    ):
        blocks += 1
    return blocks, compare(*first_blocks(sides, blocks)).differs


def theirs(sides: Sides) -> tuple[int, bool]:
    logs = [np.log([trial.throughput for trial in side.trials]) for side in sides]
    noise = float(NOISE * np.sqrt(2.0))
    sequence = ville.GaussianMixtureCS(sigma=noise, alpha=DECLARE_BELOW, t_opt=10)
    sequence.fit(logs[1] - logs[0])
    apart = (sequence.lower_ > 0.0) | (sequence.upper_ < 0.0)
    return (int(np.argmax(apart)) + 1 if apart.any() else BLOCKS), bool(apart.any())


def row(name: str, told: Sequence[tuple[int, bool]]) -> str:
    differ = sum(one for _, one in told) / len(told)
    blocks = np.median([blocks for blocks, _ in told])
    return f"  {name:8} declared different {differ:7.2%}, blocks {blocks:4.0f} (median)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    count = parser.parse_args().count
    bench = Conditions(blocks=BLOCKS, readings=1, reading_noise=1e-6, trial_noise=NOISE)
    for ratio in (1.0, 1.02, 1.05, 1.1, 1.3):
        rng = np.random.default_rng(round(1000 * ratio))
        streams = [interleaved(rng, 0.0, ratio, bench) for _ in range(count)]
        print(
            f"true ratio {ratio:g}, {count} streams of at most {BLOCKS} blocks, noise {NOISE:.0%}"
        )
        print(row("Sluice", [ours(one) for one in streams]))
        print(row("ville", [theirs(one) for one in streams]))


if __name__ == "__main__":
    main()
