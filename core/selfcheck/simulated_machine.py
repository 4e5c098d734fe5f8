"""A machine that is simulated for a search: its drift, its noise, and what each child is like."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

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
