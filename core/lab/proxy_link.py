"""What passes through a proxy: where messages of HTTP begin and end, and a link that is slow.

Messages are passed on unchanged.  A link is late, in order, and not faster than its bandwidth; all
connections share its limits and counts.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from core.language import Seconds

_MOST_HEAD = 2**17
_LONGEST_LINE = 2**13
_TELLING = re.compile(
    rb"\r\n(content-length|transfer-encoding|expect|upgrade)[ \t]*:[ \t]*([^\r\n]*)", re.IGNORECASE
)
_REQUEST = re.compile(rb"\s*(GET|HEAD|PUT|POST|DELETE|OPTIONS|PATCH) [^\r\n]* HTTP/1\.[01]\r\n")
_STATUS = re.compile(rb"HTTP/1\.[01] (\d\d\d)[ \r]")
_BEGINNING = re.compile(rb"\s*(GET|HEAD|PUT|POST|DELETE|OPTIONS|PATCH) ")

CHUNKED = -1
UNTIL_CLOSED = -2


class NotHttp(ValueError):
    """The stream cannot be told apart into messages."""


class MessageHead(NamedTuple):
    method: bytes = b""
    status: int = 0
    length: int = 0
    """Bytes of the body, or CHUNKED, or UNTIL_CLOSED."""
    expects: bool = False
    """The client waits for `100 Continue` before it sends the body."""

    @property
    def interim(self) -> bool:
        """The real response is still to come."""
        return 100 <= self.status < 200


class MessagePiece(NamedTuple):
    data: bytes
    head: MessageHead | None
    """If the message begins here."""
    ends: bool


def looks_like_http(beginning: bytes) -> bool:
    """Whether a client that begins like this speaks HTTP/1."""
    return _BEGINNING.match(beginning) is not None


def request_head(text: bytes) -> MessageHead:
    """The head of a request; raises NotHttp."""
    match = _REQUEST.match(text)
    if match is None:
        raise NotHttp
    says = _says(text)
    if b"upgrade" in says:
        raise NotHttp
    expects = says.get(b"expect", b"").lower() == b"100-continue"
    return MessageHead(method=match[1], length=_length(says, 0), expects=expects)


def response_head(text: bytes, method: bytes) -> MessageHead:
    """The head of a response to a request with that method; raises NotHttp."""
    match = _STATUS.match(text)
    if match is None:
        raise NotHttp
    status = int(match[1])
    if status == 101:  # another protocol from here on
        raise NotHttp
    if method == b"HEAD" or status < 200 or status in (204, 304):
        return MessageHead(status=status)
    return MessageHead(status=status, length=_length(_says(text), UNTIL_CLOSED))


def _says(text: bytes) -> dict[bytes, bytes]:
    return {name.lower(): value.strip() for name, value in _TELLING.findall(text)}


def _length(says: dict[bytes, bytes], otherwise: int) -> int:
    if b"chunked" in says.get(b"transfer-encoding", b"").lower():
        return CHUNKED
    length = says.get(b"content-length")
    if length is None:
        return otherwise
    if not length.isdigit():
        raise NotHttp
    return int(length)


class Framer:
    """Tells one direction of a connection apart into pieces of messages."""

    def __init__(self, read_head: Callable[[bytes], MessageHead]) -> None:
        self._read_head = read_head
        self._due = 0
        """Bytes still to come of a body, or of a chunk with its line break."""
        self._length = 0
        self._inside = False
        self.held = b""
        """The beginning of an unfinished head or line."""

    def feed(self, data: bytes) -> Iterator[MessagePiece]:
        """The pieces that the data complete; raises NotHttp, and then `held` has the rest."""
        data, self.held = self.held + data, b""
        at = 0
        while at < len(data) and not self.held:
            try:
                piece = self._piece(data, at)
            except NotHttp:
                self.held = data[at:]
                raise
            at += len(piece.data)
            if piece.data:
                yield piece

    def _piece(self, data: bytes, start: int) -> MessagePiece:
        """The next piece; empty if only the beginning of a head or a line has come."""
        head, at = None, start
        if not self._inside:
            at = data.find(b"\r\n\r\n", start) + 4
            if at < 4:
                self._hold(data, start, _MOST_HEAD)
                return MessagePiece(b"", None, False)
            head = self._read_head(data[start:at])
            self._length, self._inside = head.length, True
            self._due = max(0, head.length)
        at, ends = self._body(data, at)
        self._inside = not ends
        return MessagePiece(data[start:at], head, ends)

    def _body(self, data: bytes, at: int) -> tuple[int, bool]:
        """How far the body goes in these data, and whether it ends there."""
        if self._length == UNTIL_CLOSED:
            return len(data), False
        while True:
            step = min(self._due, len(data) - at)
            at += step
            self._due -= step
            if self._length != CHUNKED:
                return at, self._due == 0
            if self._due or at == len(data):
                return at, False
            line_end = data.find(b"\r\n", at) + 2
            if line_end < 2:
                self._hold(data, at, _LONGEST_LINE)
                return at, False
            if self._chunk(data, at, line_end) == 0:
                return self._trailers(data, at)
            at = line_end

    def _chunk(self, data: bytes, at: int, line_end: int) -> int:
        size = data[at : line_end - 2].partition(b";")[0].strip()
        try:
            chunk = int(size, 16)
        except ValueError:
            raise NotHttp from None
        self._due = chunk + 2 if chunk else 0
        return chunk

    def _trailers(self, data: bytes, at: int) -> tuple[int, bool]:
        """From the last chunk's line on: it ends with an empty line."""
        end = data.find(b"\r\n\r\n", at) + 4
        if end < 4:
            self._hold(data, at, _MOST_HEAD)
            return at, False
        return end, True

    def _hold(self, data: bytes, at: int, most: int) -> None:
        self.held = data[at:]
        if len(self.held) > most:
            raise NotHttp


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
        return not (self.delay or self.jitter or self.bandwidth)

    @property
    def window(self) -> int:
        if not self.bandwidth:
            return _UNLIMITED
        return _LEAST + round(2 * (self.delay + self.jitter) * self.bandwidth)

    def arrival(self, size: int, now: Seconds) -> Seconds:
        late = self.delay + random.uniform(-self.jitter, self.jitter) if self.jitter else self.delay
        if self.bandwidth:
            self._free = max(now, self._free) + size / self.bandwidth
            return self._free + max(0.0, late)
        return now + max(0.0, late)


class ProxyLine:
    """Carries bytes to a transport, and pauses their source when it is too fast."""

    def __init__(
        self, link: Link, press: Callable[[bool], None], carried_over: Callable[[], None]
    ) -> None:
        """`press` is called with True to pause the source, and with False to resume it.

        `carried_over` is called when the target has got the end.
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
    """The limits and counts of all connections."""

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
        self.counts[what] += by

    def counted(self) -> dict[str, int]:
        """All counts, and how many connections there are now."""
        return {**self.counts, "open connections": self.open}
