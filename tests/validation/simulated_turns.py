"""Do a study's claims from turns keep their promises, when one measures until they can be told?

Two settings take turns in blocks of new children.  Rounds within a block resemble each other, the
machine drifts from block to block, and each generation of children differs a little.  After every
block from the third on the study says whether its claim needs more; then it is judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from shares import at_least, at_most
from simulated_results import BASELINE, CANDIDATE, Sides, by_label, in_turns, result_of

from core.judge import Judgement, Study, open_claims, relative
from core.judge.statistics.intervals import Floats
from core.judge.study.judge_claims import judge
from core.judge.study.preset import Claim
from core.selfcheck.cost import GoalRow
from core.vocabulary import REPEATS, Trial

DIFFERENCE = 0.07
"""Beyond the margin: at 5 % "less than 5 % apart" is as good an answer."""
GENERATIONS = (0.0, 0.02)
"""Deviations between generations of children."""


def _claims(direction: str) -> Study:
    return Study(
        name="simulated", title="", family=0, source="", machine="", workload="", unit="",
        about="", base={}, baseline="baseline", cells=(),
        claims=(
            Claim(text="", kind="ratio", cell="candidate", to="baseline", published="",
                  direction="more" if direction == "more" else "less"),
        ),
    )  # fmt: skip


MORE = _claims("more")


@dataclass(frozen=True, kw_only=True)
class Company:
    """Two settings that take turns; deviations are relative."""

    rounds: int = 15
    noise: float = 0.03
    """Of a round of one setting."""
    autocorrelation: float = 0.0
    generation: float = 0.01
    drift: float = 0.05
    """Of the machine, from block to block and from round to round."""

    def block(self, rng: np.random.Generator, ratio: float) -> Floats:
        """What a baseline, and a candidate that is `ratio` times as fast, do in each round."""
        noise = self.noise * _correlated(rng, (2, self.rounds), self.autocorrelation)
        machine = self.drift * (rng.normal() + rng.normal(size=self.rounds))
        children = self.generation * rng.normal(size=(2, 1))
        done: Floats = 1e6 * np.array([[1.0], [ratio]]) * np.exp(machine + children + noise)
        return done

    def measured(self, rng: np.random.Generator, ratio: float, most: int, *, stop: bool) -> Sides:
        """So many blocks of both, or fewer if the claim is told before."""
        trials: tuple[list[Trial], list[Trial]] = ([], [])
        for block in range(most):
            for spec, own, items in zip(
                (BASELINE, CANDIDATE), trials, self.block(rng, ratio), strict=True
            ):
                own.append(in_turns(spec, items, block))
            if stop and block + 1 >= REPEATS and not open_claims(MORE, by_label(_sides(trials))):
                break
        return _sides(trials)


def _sides(trials: Sequence[Sequence[Trial]]) -> Sides:
    return result_of(BASELINE, trials[0]), result_of(CANDIDATE, trials[1])


def _correlated(rng: np.random.Generator, shape: tuple[int, ...], autocorrelation: float) -> Floats:
    """First-order autoregressive series along the last axis: mean 0, variance 1."""
    found = rng.normal(size=shape)
    fresh = np.sqrt(1.0 - autocorrelation**2)
    for at in range(1, shape[-1]):
        found[..., at] = autocorrelation * found[..., at - 1] + fresh * found[..., at]
    return found


def _reproduced(study: Study, sides: Sides) -> bool:
    return judge(study, by_label(sides))[0].judgement is Judgement.REPRODUCED


def checks_of_turns(
    rng: np.random.Generator, autocorrelation: float, count: int
) -> tuple[GoalRow, ...]:
    """False directions, coverage and power, for generations that differ by various amounts."""
    rows: list[GoalRow] = []
    less = _claims("less")
    for generation in GENERATIONS:
        bench = Company(autocorrelation=autocorrelation, generation=generation)
        told = f"in turns, autocorrelation {autocorrelation}, generations {generation:.0%}"
        alike = [bench.measured(rng, 1.0, 30, stop=True) for _ in range(count)]
        false = sum(_reproduced(MORE, one) or _reproduced(less, one) for one in alike) / count
        differ = [bench.measured(rng, 1.0 + DIFFERENCE, 30, stop=True) for _ in range(count)]
        right = sum(_reproduced(MORE, one) for one in differ) / count
        fixed = [bench.measured(rng, 1.2, 5, stop=False) for _ in range(count)]
        held = sum(_holds(one, 1.2) for one in fixed) / count
        rows += [
            at_most(f"A/A given a direction on stopping, {told}: ≤ 1 %", false, 0.01, count),
            at_least(
                f"{DIFFERENCE:.0%} found within 30 blocks, {told}: ≥ 95 %", right, 0.95, count
            ),
            at_least(f"Ratio of 5 + 5 trials, {told}: held ≥ 93 %", held, 0.93, count),
        ]
    return tuple(rows)


def _holds(sides: Sides, truth: float) -> bool:
    shown = relative(*sides)
    assert shown.low is not None
    assert shown.high is not None
    return shown.low <= truth <= shown.high
