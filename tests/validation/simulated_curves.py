"""Does a search find what a sweep would? Curves whose best is known, on a machine
that drifts from block to block.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from shares import at_least, at_most

from core.judge.statistics.intervals import Floats
from core.run.sample_layout import Ask, Sample, SearchAxis, SearchTerms
from core.run.search import Searcher
from core.selfcheck.cost import GoalRow
from core.vocabulary import LEAST_TRIALS, NEAR, REPEATS

LARGEST = 32
SMALL = 8
"""Threads of an axis so short that all of it is measured at once."""
THREADS = np.arange(1, LARGEST + 1, dtype=np.float64)
DRIFTS = (0.05, 0.10)
"""Least and largest deviation of what all trials of a block have in common."""
NOISES = (0.01, 0.03)
"""Of a trial within its block."""
CHILDREN = (0.005, 0.02)
"""Of what sets one child process apart from the next, such as its layout in memory."""


@dataclass
class Machine:
    """Draws how far each trial is from the truth, in logs; `rng` draws the machine first."""

    rng: np.random.Generator
    _moods: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.drift, self.noise, self.child = (
            float(self.rng.uniform(*bounds)) for bounds in (DRIFTS, NOISES, CHILDREN)
        )

    def factor(self, block: int) -> float:
        """By how much a new child's throughput in that block differs from the truth."""
        if block not in self._moods:
            self._moods[block] = self.drift * self.rng.normal()
        own = math.hypot(self.noise, self.child) * self.rng.normal()
        return math.exp(self._moods[block] + own)


def law(rng: np.random.Generator) -> Floats:
    """Contention and coherency from next to nothing to a peak at a few threads."""
    contention = 10 ** rng.uniform(-3, -0.5)
    coherency = 10 ** rng.uniform(-5, -1.5)
    curve: Floats = THREADS / (1 + contention * (THREADS - 1) + coherency * THREADS * (THREADS - 1))
    return curve


def plateau(rng: np.random.Generator) -> Floats:
    """Nearly linear up to a cap, as by a disk or a link; the corner is sharp or round."""
    cap = rng.uniform(1.5, 40.0)
    sharpness = rng.choice([2.0, 4.0, 16.0])
    curve: Floats = (THREADS**-sharpness + cap**-sharpness) ** (-1.0 / sharpness)
    return curve


def cliff(rng: np.random.Generator) -> Floats:
    """A law or a plateau that loses 20-80 % beyond some number of threads."""
    curve = (law if rng.random() < 0.5 else plateau)(rng)
    edge = int(rng.integers(2, LARGEST))
    curve[edge:] *= rng.uniform(0.2, 0.8)
    return curve


def saw_tooth(rng: np.random.Generator) -> Floats:
    """Work that divides well among some numbers of threads only: rounds over cores, or chunks."""
    if rng.random() < 0.5:
        period = rng.integers(2, 9)
        depth = rng.uniform(0.05, 0.3)
        base = (law if rng.random() < 0.5 else plateau)(rng)
        toothed: Floats = base * (1 - depth * ((-THREADS) % period) / period)
        return toothed
    chunks = rng.integers(8, 65)
    divided: Floats = law(rng) / THREADS * chunks / np.ceil(chunks / THREADS)
    return divided


FAMILIES: tuple[Callable[[np.random.Generator], Floats], ...] = (law, plateau, cliff, saw_tooth)


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One tuned curve.

    `share`: true throughput of the answer over the true best. `surplus`: threads beyond the
    fewest that would have been near enough.
    """

    family: str
    answered: bool
    share: float
    surplus: int
    trials: int


def tune_curve(curve: Floats, rng: np.random.Generator, family: str = "") -> Attempt:
    """Search against `curve` (throughput with 1, 2, … threads) on a machine that is drawn first.

    It may take as many trials as a sweep of the same numbers of threads.
    """
    axis = SearchAxis(name="threads", values=tuple(range(1, curve.size + 1)))
    most = max(LEAST_TRIALS, curve.size * REPEATS)
    searcher = Searcher(axis, terms=SearchTerms(most_trials=most, seed=int(rng.integers(2**31))))
    machine, block = Machine(rng), 0
    while isinstance(asked := searcher.ask(), Ask):
        for configuration in asked.configurations:
            truth = float(curve[configuration.threads - 1])
            sample = Sample(throughput=truth * machine.factor(block))
            searcher.add(configuration, sample, block)
        block += 1
    enough = int(np.flatnonzero(curve >= (1 - NEAR) * curve.max())[0]) + 1
    chosen = asked.configuration.threads if asked.configuration else 0
    return Attempt(
        family=family,
        answered=asked.confident,
        share=float(curve[chosen - 1] / curve.max()),
        surplus=chosen - enough,
        trials=asked.trials,
    )


def checks_of_tuning(rng: np.random.Generator, count: int) -> tuple[GoalRow, ...]:
    """Search `count` curves, equally many of every family.

    Each is tuned over all its numbers of threads and over the first few alone.
    """
    whole, short = [], []
    for number in range(count):
        family = FAMILIES[number % len(FAMILIES)]
        curve = family(rng)
        whole.append(tune_curve(curve, rng, family.__name__))
        short.append(tune_curve(curve[:SMALL], rng, family.__name__))
    return (*judge(whole, LARGEST, 0.50), *judge(short, SMALL, 0.67))


def judge(attempts: list[Attempt], largest: int, price: float) -> tuple[GoalRow, ...]:
    """The goals, over all families together; `price`: the share of a sweep's trials to keep to."""
    answered = [one for one in attempts if one.answered]
    right = sum(one.share >= 1 - NEAR for one in answered) / max(len(answered), 1)
    trials = float(np.median([one.trials for one in attempts])) / (largest * REPEATS)
    silent = 1 - len(answered) / len(attempts)
    of = f"1 to {largest} threads"
    sweep = f"{of}, median share of the trials of a sweep, {REPEATS} of each: ≤ {100 * price:.0f} %"
    return (
        at_least(
            f"{of}, within 5 % of the best where answered: ≥ 99 %", right, 0.99, len(answered)
        ),
        at_most(f"{of}, confidently wrong: ≤ 1 %", (1 - right) * (1 - silent), 0.01, len(attempts)),
        at_most(f"{of}, cannot tell: ≤ 10 %", silent, 0.10, len(attempts)),
        at_most(sweep, trials, price, len(attempts)),
    )
