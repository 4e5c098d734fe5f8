"""Do the product's own verdicts, advice and search keep their promises?

Results whose truth is known are simulated, and judged as measured ones are.  1,000 of each kind
take about twenty minutes; exit code 1 where a goal is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

import numpy as np
from simulated_beside import checks_beside
from simulated_curves import checks_of_tuning
from simulated_pairs import AUTOCORRELATIONS, checks_of_pairs, median_coverages
from simulated_sessions import checks_of_drift
from simulated_sweeps import NOISES, RACES, checks_of_races, checks_of_sweeps
from simulated_turns import checks_of_turns

from core.selfcheck.cost import GoalRow

type Check = Callable[[np.random.Generator, int], tuple[GoalRow, ...]]

SEED = 20_240_601


def _by[Level](check: Callable[..., tuple[GoalRow, ...]], levels: tuple[Level, ...]) -> list[Check]:
    return [lambda rng, count, level=level: check(rng, level, count) for level in levels]


CHECKS: dict[str, list[Check]] = {
    "pairs": [*_by(checks_of_pairs, AUTOCORRELATIONS), median_coverages],
    "sessions": checks_of_drift(),
    "sweeps": _by(checks_of_sweeps, NOISES),
    "races": _by(checks_of_races, RACES),
    "turns": _by(checks_of_turns, AUTOCORRELATIONS),
    "tuning": [checks_of_tuning],
    "beside": [checks_beside],
}


def rows_of(part: str, count: int, seed: int = SEED) -> Iterator[GoalRow]:
    """The rows of a part; each has numbers of its own, so that one does not change another."""
    rng = np.random.default_rng([seed, *part.encode()])
    for check in CHECKS[part]:
        yield from check(rng, count)


def main() -> int:
    """Print a row for each goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(CHECKS))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args()
    if unknown := set(asked.parts) - CHECKS.keys():
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    missed = 0
    for row in (
        row for part in asked.parts or CHECKS for row in rows_of(part, asked.count, asked.seed)
    ):
        missed += not row.passed
        print(f"{'met   ' if row.passed else 'MISSED'}  {row.goal}  {row.measured}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
