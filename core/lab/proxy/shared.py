"""What all connections of a proxy share: links, limits and counts."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.lab.proxy.line import Link
from core.language.units import Seconds


class TokenBucket:
    """Holds up to `burst` tokens, and gets `rate` new ones a second; full at first."""

    def __init__(self, rate: float, burst: float) -> None:
        """Both are above 0; a burst below 1 would refuse everything, so it is at least 1."""
        self._rate = rate
        self._burst = max(1.0, burst)
        self._tokens = self._burst
        self._at: Seconds | None = None

    def take(self, now: Seconds) -> bool:
        """Take a token if there is one; `now` never goes back."""
        if self._at is not None:
            self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        # Sums of fractions may end just below a whole token.
        if self._tokens < 1.0 - 1e-9:
            return False
        self._tokens -= 1.0
        return True


@dataclass(kw_only=True)
class Shared:
    """What all connections share, and what they have done."""

    upstream: tuple[str, int]
    up: Link
    down: Link
    bucket: TokenBucket | None = None
    most: int = 0
    """Connections at a time; 0 = any number."""
    open: int = 0
    """Connections now."""
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(
            (
                "requests",
                "503",
                "bytes up",
                "bytes down",
                "connections",
                "refused connections",
                "unreachable",
            ),
            0,
        )
    )

    def count(self, what: str, by: int = 1) -> None:
        """Count something that was done."""
        self.counts[what] += by

    def counted(self) -> dict[str, int]:
        """All counts, and how many connections there are now."""
        return {**self.counts, "open connections": self.open}
