"""The link of a proxy: late, in order, not faster than it; limits and counts that are shared."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from core.language.units import Seconds

_UNLIMITED = 4 * 2**20  # bytes on their way in one connection, where no bandwidth is set
_LEAST = 2**16


@dataclass
class Link:
    """What all connections share in one direction."""

    delay: Seconds = 0.0
    jitter: Seconds = 0.0
    bandwidth: float = 0.0
    """Bytes per second; 0 = no limit."""
    _free: Seconds = 0.0

    @property
    def is_wire(self) -> bool:
        """Nothing is late."""
        return not (self.delay or self.jitter or self.bandwidth)

    @property
    def window(self) -> int:
        """Bytes of one connection that may be on their way: enough to fill the link."""
        if not self.bandwidth:
            return _UNLIMITED
        return _LEAST + round(2 * (self.delay + self.jitter) * self.bandwidth)

    def arrival(self, size: int, now: Seconds) -> Seconds:
        """When that many bytes, sent now, are there."""
        late = self.delay + random.uniform(-self.jitter, self.jitter) if self.jitter else self.delay
        if self.bandwidth:
            self._free = max(now, self._free) + size / self.bandwidth
            return self._free + max(0.0, late)
        return now + max(0.0, late)


class ProxyLine:
    """Carries bytes to a transport, and tells their source when it is too fast."""

    def __init__(
        self, link: Link, press: Callable[[bool], None], carried_over: Callable[[], None]
    ) -> None:
        """`press` is told True when the source is to pause, and False when it may go on.

        `carried_over` is called when the end was handed to the target.
        """
        self._link = link
        self._press = press
        self._carried_over = carried_over
        self._loop = asyncio.get_running_loop()
        self._target: asyncio.Transport | None = None
        self._queue: deque[tuple[Seconds, bytes | None]] = deque()
        self._pending = 0
        self._last: Seconds = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._target_full = False
        self._pressed = False
        self._ended = False
        self.finished = False
        """The end has been carried over as well."""

    def lead_to(self, target: asyncio.Transport) -> None:
        """From now on there is a target."""
        self._target = target
        self._deliver()

    def send(self, data: bytes | None, later: Seconds = 0.0) -> None:
        """Send bytes, or None for the end, after all that was sent before; nothing after the end.

        `later` is added to the delay of the link.
        """
        if self._ended:
            return
        self._ended = data is None
        if self._link.is_wire and self._target is not None and not self._queue and not later:
            self._hand_over(self._target, data)
            return
        size = len(data) if data else 0
        self._last = max(self._last, self._link.arrival(size, self._loop.time()) + later)
        self._queue.append((self._last, data))
        self._pending += size
        if self._timer is None:
            self._deliver()
        else:
            self._weigh()

    def target_is_full(self, full: bool) -> None:
        """The target's own buffer is full, or no more."""
        self._target_full = full
        self._weigh()

    def cut(self) -> None:
        """Forget all: one side is gone."""
        self._ended = True
        self._queue.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _deliver(self) -> None:
        self._timer = None
        now = self._loop.time()
        while self._queue and self._target is not None:
            at, data = self._queue[0]
            if at > now:
                self._timer = self._loop.call_at(at, self._deliver)
                break
            self._queue.popleft()
            self._pending -= len(data) if data else 0
            self._hand_over(self._target, data)
        self._weigh()

    def _hand_over(self, target: asyncio.Transport, data: bytes | None) -> None:
        if data is not None:
            target.write(data)
            return
        self.finished = True
        if target.can_write_eof() and not target.is_closing():
            target.write_eof()
        self._carried_over()

    def _weigh(self) -> None:
        most = self._link.window
        pressed = self._target_full or self._pending > (most // 2 if self._pressed else most)
        if pressed != self._pressed:
            self._pressed = pressed
            self._press(pressed)


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
