"""Where a number stands on its parameter's scale, and which number stands at a place."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core import Integer, Real

_WIDEST_LINEAR = 1000
"""On a longer linear scale, one pixel of a slider would stand for many values."""


@dataclass(frozen=True)
class Scale:
    """The scale of a parameter, linear or logarithmic, from 0 (its lowest) to 1 (its highest)."""

    kind: Integer | Real

    @property
    def fits_a_slider(self) -> bool:
        """Whether a slider can reach the values one by one, or wants to leave some out."""
        return self.kind.scale != "linear" or self.kind.high - self.kind.low <= _WIDEST_LINEAR

    def share_of(self, number: float) -> float:
        """How far along the scale a number is."""
        low, high = self._bend(self.kind.low), self._bend(self.kind.high)
        return (self._bend(number) - low) / (high - low) if high > low else 0.0

    def number_at(self, share: float) -> int | float:
        """The number there, rounded as a user would write it; sizes are powers of two."""
        low, high = self._bend(self.kind.low), self._bend(self.kind.high)
        number = self._rounded(self._unbend(low + (high - low) * share))
        # Within the range after it was rounded: three digits of a highest value may lie above it.
        number = min(max(number, self.kind.low), self.kind.high)
        return int(number) if isinstance(self.kind, Integer) else float(number)

    def _rounded(self, number: float) -> float:
        if not isinstance(self.kind, Integer):
            return float(f"{number:.3g}")
        if self.kind.unit == "bytes" and number >= 1:
            return 2.0 ** round(math.log2(number))
        return round(number)

    def stepped(self, number: int | float, steps: int) -> int | float:
        """The value that is `steps` steps away, within the range."""
        kind = self.kind
        if kind.unit == "bytes":
            number = number * 2**steps if steps > 0 else number // 2**-steps
        elif isinstance(kind, Real) and kind.high <= 10:
            number = round(number + steps / 10, 6)
        else:
            number += steps
        number = min(max(number, kind.low), kind.high)
        return int(number) if isinstance(kind, Integer) else float(number)

    def _bend(self, value: float) -> float:
        return value if self.kind.scale == "linear" else math.log2(value)

    def _unbend(self, value: float) -> float:
        return value if self.kind.scale == "linear" else 2.0**value
