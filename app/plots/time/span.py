"""A piece of the time axis."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A piece of the time axis, in seconds."""

    start: float
    end: float

    @property
    def length(self) -> float:
        """Seconds from start to end."""
        return self.end - self.start
