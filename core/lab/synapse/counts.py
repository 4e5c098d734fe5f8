"""What a process of the stand-in has done, and what that cost it."""

from __future__ import annotations

import time
from collections import Counter


class Counts:
    """Counts requests by route, bytes of files, and faults that were made on purpose."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self.requests: Counter[str] = Counter()
        """By `METHOD /path/{of}/route`."""
        self.statuses: Counter[int] = Counter()
        self.faults: Counter[str] = Counter()
        self.bytes_up = 0
        """Bytes of parts that have arrived whole."""
        self.bytes_down = 0
        """Bytes of answers that were sent whole."""
        self.bytes_abandoned = 0
        """Bytes of parts and answers that were cut, on purpose or by the client."""

    def told(self) -> dict[str, object]:
        """All of it, as JSON has it."""
        return {
            "requests": dict(self.requests),
            "statuses": {str(status): count for status, count in self.statuses.items()},
            "faults": dict(self.faults),
            "bytes up": self.bytes_up,
            "bytes down": self.bytes_down,
            "bytes abandoned": self.bytes_abandoned,
            "cpu seconds": round(time.process_time(), 3),
            "seconds": round(time.monotonic() - self._begun, 3),
        }
