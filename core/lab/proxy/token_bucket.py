"""A token bucket: so many requests a second on average, and so many at once."""

from __future__ import annotations

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
