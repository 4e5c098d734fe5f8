"""What all connections of a proxy share: links, limits and counts."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.lab.proxy.line import Link
from core.lab.proxy.token_bucket import TokenBucket


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
