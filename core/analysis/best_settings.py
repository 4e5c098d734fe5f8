"""Which settings are the best, as far as trials can tell, and which of them is the cheapest.

Several settings are often equally good, and then no number of trials shows one of them ahead.  So
the answer is a set: the settings that the trials cannot distinguish from the best, and that
measured close to it.  The cheapest of the set is recommended.

Settings of one run share its blocks.  The effect of a block on all of them is removed before the
noise is estimated, so a drifting machine does not hide differences.
Sources: Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the
best", Annals of Statistics 12 (1984), here per rival with one pooled noise; two-way layout: Box,
Hunter & Hunter, "Statistics for Experimenters" (2005), ch. 4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.scaling.recommendation import SURE
from core.analysis.statistics.student import student_quantile
from core.analysis.statistics.time_series import Floats
from core.plan.limits import NEAR

ALIKE = 1.1
"""Two costs are the same up to this factor: memory differs a little from trial to trial."""
_FEWEST_SHARED = 2  # blocks that are needed to separate their effect from noise


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A setting: the block and the natural log of the throughput of each trial, and its costs.

    `memory` (bytes) and `files` are those of its worst trial; None if they are unknown.
    """

    logs: Sequence[tuple[int, float]]
    threads: int
    memory: float | None = None
    files: float | None = None


@dataclass(frozen=True, kw_only=True)
class BestSettings:
    """Indices of candidates: the one to use, and the others that are equally good."""

    chosen: int
    equals: tuple[int, ...]
    possible: tuple[int, ...]
    """All that the trials cannot rule out: no other is surely better by more than `near`."""
    best: int
    """The one that measured best."""
    share: float
    """Throughput of the chosen over that of the best, as measured."""
    at_least: float
    """The share of any other's throughput that the chosen one surely reaches; 0 = unknown."""
    confident: bool
    deviation: float
    """Standard deviation of the log of one trial's throughput, without the blocks' effects."""
    repeated: bool
    """Whether any noise could be estimated."""
    enough: int
    """Trials of each setting that would make the choice confident, if the noise stays the same."""


def best_settings(
    candidates: Sequence[Candidate], near: float = NEAR, *, interleaved: bool = True
) -> BestSettings:
    """The best candidates, within a share of `near`; each candidate has at least one trial.

    `interleaved`: trials with the same block ran close together.
    Confident: the chosen one surely reaches 1 - `near` of every other.  Or it is one of several
    that all measured that close, all others are surely worse, and it surely reaches 1 - 2 `near`.

    Raises ValueError if there are no candidates.
    """
    if not candidates:
        raise ValueError("there is nothing to choose from")
    layout = _fit(candidates, interleaved=interleaved)
    best = int(np.argmax(layout.levels))
    slack = -math.log1p(-near)
    close = [at for at, level in enumerate(layout.levels) if layout.levels[best] - level <= slack]
    sure = [at for at in close if layout.worst(at) >= -slack]
    possible = [at for at in range(len(candidates)) if layout.possible(at, slack)]
    chosen = cheapest(candidates, sure or close)
    at_least = math.exp(layout.worst(chosen))
    alike = set(possible) <= set(close) and at_least >= 1.0 - 2.0 * near
    return BestSettings(
        chosen=chosen,
        equals=tuple(at for at in close if at != chosen),
        possible=tuple(possible),
        best=best,
        share=math.exp(layout.levels[chosen] - layout.levels[best]),
        at_least=at_least,
        confident=layout.freedom > 0 and (bool(sure) or alike),
        deviation=layout.deviation,
        repeated=layout.freedom > 0,
        enough=layout.enough(slack),
    )


def cheapest(candidates: Sequence[Candidate], places: Sequence[int]) -> int:
    """The place with least memory; of those about equal, fewest files; then fewest threads."""
    left = list(places)
    for cost in ("memory", "files"):
        known = [value for at in left if (value := getattr(candidates[at], cost)) is not None]
        if len(known) == len(left):
            left = [at for at in left if getattr(candidates[at], cost) <= ALIKE * min(known)]
    return min(left, key=lambda at: candidates[at].threads)


@dataclass(frozen=True, kw_only=True)
class _Layout:
    """Levels of the settings, and the noise of a trial with its degrees of freedom."""

    levels: Floats
    counts: tuple[int, ...]
    deviation: float
    freedom: int

    def bound(self, one: int, two: int) -> float:
        """How far the log ratio of two settings can be off on one side."""
        if self.freedom <= 0:
            return math.inf
        error = self.deviation * math.sqrt(1.0 / self.counts[one] + 1.0 / self.counts[two])
        return student_quantile(self.freedom, SURE) * error

    def worst(self, at: int) -> float:
        """The log of the share of any other setting's throughput that this one surely reaches."""
        others = (other for other in range(len(self.levels)) if other != at)
        found = (
            float(self.levels[at] - self.levels[other]) - self.bound(at, other) for other in others
        )
        return min(min(found, default=0.0), 0.0)

    def possible(self, at: int, slack: float) -> bool:
        """Whether no other setting is surely better by more than `slack`."""
        return all(
            self.levels[other] - self.levels[at] - self.bound(at, other) <= slack
            for other in range(len(self.levels))
            if other != at
        )

    def enough(self, slack: float) -> int:
        if self.freedom <= 0:
            return 0
        least = 2.0 * (student_quantile(self.freedom, SURE) * self.deviation / slack) ** 2
        return max(2, math.ceil(least))


def _fit(candidates: Sequence[Candidate], *, interleaved: bool) -> _Layout:
    """Fit settings and blocks as additive effects on the log, by least squares."""
    logs = np.array([log for one in candidates for _, log in one.logs])
    which = np.array([at for at, one in enumerate(candidates) for _ in one.logs])
    blocks = [block for one in candidates for block, _ in one.logs]
    counts = tuple(len(one.logs) for one in candidates)
    named = {block: place for place, block in enumerate(dict.fromkeys(blocks))}
    columns = [(which == at).astype(float) for at in range(len(candidates))]
    shared = interleaved and len(candidates) > 1 and len(named) >= _FEWEST_SHARED
    if shared:
        of_block = np.array([named[block] for block in blocks])
        # The effects of the blocks add up to zero, so the levels stay those of the trials.
        last = len(named) - 1
        columns += [
            (of_block == at).astype(float) - (of_block == last).astype(float) for at in range(last)
        ]
    design = np.column_stack(columns)
    fitted, _, rank, _ = np.linalg.lstsq(design, logs)
    rest = logs - design @ fitted
    freedom = len(logs) - int(rank)
    return _Layout(
        levels=fitted[: len(candidates)],
        counts=counts,
        deviation=math.sqrt(float(rest @ rest) / freedom) if freedom > 0 else 0.0,
        freedom=freedom,
    )
