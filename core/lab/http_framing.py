"""Where messages of HTTP/1.1 begin and end in a stream, which is passed on unchanged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

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
    """What the head of a message says about the rest."""

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
    """Bytes that belong to one message."""

    data: bytes
    head: MessageHead | None
    """If the message begins here."""
    ends: bool


def looks_like_http(beginning: bytes) -> bool:
    """Whether a client that begins like this speaks HTTP/1."""
    return _BEGINNING.match(beginning) is not None


def request_head(text: bytes) -> MessageHead:
    """The head of a request; raises NotHttp."""
    found = _REQUEST.match(text)
    if found is None:
        raise NotHttp
    says = _says(text)
    if b"upgrade" in says:
        raise NotHttp
    expects = says.get(b"expect", b"").lower() == b"100-continue"
    return MessageHead(method=found[1], length=_length(says, 0), expects=expects)


def response_head(text: bytes, method: bytes) -> MessageHead:
    """The head of a response to a request with that method; raises NotHttp."""
    found = _STATUS.match(text)
    if found is None:
        raise NotHttp
    status = int(found[1])
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
        self._left = 0
        """Bytes that are left of a body, or of a chunk with its line break."""
        self._length = 0
        self._inside = False
        self.held = b""
        """The beginning of a head or a line of which the end has not come."""

    def feed(self, data: bytes) -> Iterator[MessagePiece]:
        """The pieces that data brings; raises NotHttp, and then `held` has what is left."""
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
        """The next piece; empty where the end of a head or a line is held back."""
        head, at = None, start
        if not self._inside:
            at = data.find(b"\r\n\r\n", start) + 4
            if at < 4:
                self._hold(data, start, _MOST_HEAD)
                return MessagePiece(b"", None, False)
            head = self._read_head(data[start:at])
            self._length, self._inside = head.length, True
            self._left = max(0, head.length)
        at, ends = self._body(data, at)
        self._inside = not ends
        return MessagePiece(data[start:at], head, ends)

    def _body(self, data: bytes, at: int) -> tuple[int, bool]:
        """How far the body goes in these data, and whether it ends there."""
        if self._length == UNTIL_CLOSED:
            return len(data), False
        while True:
            step = min(self._left, len(data) - at)
            at += step
            self._left -= step
            if self._length != CHUNKED:
                return at, self._left == 0
            if self._left or at == len(data):
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
        self._left = chunk + 2 if chunk else 0
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
