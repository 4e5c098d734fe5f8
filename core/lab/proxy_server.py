"""A proxy that makes a server on this machine behave like one that is far away and busy.

It adds latency, limits bandwidth and connections, and answers `503 SlowDown` above a rate.  It is a
process of its own, `python -P -m core.lab.proxy_server SETTINGS`, a line of JSON: one, so that the
count of requests and the token bucket are exact.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import signal
import sys
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from core.lab.proxy_link import (
    Framer,
    Link,
    MessageHead,
    MessagePiece,
    NotHttp,
    ProxyLine,
    Shared,
    TokenBucket,
    looks_like_http,
    request_head,
    response_head,
)
from core.lab.servers.proxy import ProxySettings


def shared_by(settings: ProxySettings) -> Shared:
    # Half of the latency each way: a round trip is late by all of it.
    up, down = (
        Link(delay=settings.latency / 2, jitter=settings.jitter / 2, bandwidth=settings.bandwidth)
        for _ in range(2)
    )
    rate, burst = settings.rate, settings.burst
    return Shared(
        upstream=(settings.host_of, settings.port_of),
        up=up,
        down=down,
        bucket=TokenBucket(rate, burst or rate / 10) if rate else None,
        most=settings.connections,
    )


async def serve(settings: ProxySettings) -> None:
    loop = asyncio.get_running_loop()
    shared = shared_by(settings)

    async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.0 200 OK\r\n\r\n" + json.dumps(shared.counted()).encode())
        writer.close()

    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    host = "127.0.0.1"
    listeners = [
        await loop.create_server(lambda: ProxyClient(shared), host, settings.port, backlog=1024)
    ]
    if settings.port:
        listeners.append(await asyncio.start_server(tell, host, settings.status_port))
        await ended.wait()
    else:
        _say({"port": listeners[0].sockets[0].getsockname()[1]})
        await _answer_lines(shared)
    for listener in listeners:  # connections that are open end with the process
        listener.close()


def _say(line: Mapping[str, object]) -> None:
    sys.stdout.write(f"{json.dumps(line)}\n")
    sys.stdout.flush()


async def _answer_lines(shared: Shared) -> None:
    """Say what was counted so far for each line of the input, until its end."""
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin
    )
    while await lines.readline():
        _say({**shared.counted(), "CPU seconds": time.process_time()})


def main(arguments: list[str]) -> None:
    asyncio.run(serve(ProxySettings(**json.loads(arguments[0]))))


_SLOW_DOWN = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message>"
    "<RequestId>{request}</RequestId></Error>"
)


def slow_down(method: bytes, *, close: bool) -> bytes:
    """The response of S3 to a request above its rate."""
    request = secrets.token_hex(8).upper()
    body = _SLOW_DOWN.format(request=request).encode()
    head = (
        "HTTP/1.1 503 Slow Down\r\n"
        f"x-amz-request-id: {request}\r\n"
        "Content-Type: application/xml\r\n"
        f"Content-Length: {len(body)}\r\n"
        f"{'Connection: close' if close else 'Connection: keep-alive'}\r\n\r\n"
    ).encode()
    return head if method == b"HEAD" else head + body


@dataclass
class _Refused:
    method: bytes
    close: bool
    complete: bool
    """All of it has come, or no more of it will."""


class ProxyClient(asyncio.Protocol):
    """The client's side; it makes the server's side."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._loop = asyncio.get_running_loop()
        self._up = ProxyLine(shared.up, lambda full: _pause(self._here, full), self._carried_over)
        self._down = ProxyLine(
            shared.down, lambda full: _pause(self._there, full), self._carried_over
        )
        self._here: asyncio.Transport | None = None
        self._there: asyncio.Transport | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._framer: Framer | None = None
        self._answers: Framer | None = None
        self._sniffed = False
        # Unanswered requests: the methods of those passed on, and those refused.
        self._due: deque[bytes | _Refused] = deque()
        self._refusing: _Refused | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connect to the server, unless there are too many already."""
        assert isinstance(transport, asyncio.Transport)
        shared = self._shared
        if shared.most and shared.open >= shared.most:
            shared.count("refused connections")
            transport.abort()
            return
        shared.count("connections")
        shared.open += 1
        self._here = transport
        self._down.lead_to(transport)
        self._connecting = self._loop.create_task(self._connect())

    async def _connect(self) -> None:
        try:
            there, _ = await self._loop.create_connection(
                lambda: _Upstream(self), *self._shared.upstream
            )
        except OSError:
            self._shared.count("unreachable")
            self._connecting = None
            self.cut(abort=True)
            return
        self._there = there
        # A connection costs a round trip before its first bytes leave; then these are on their way.
        way = self._shared.up.delay
        await asyncio.sleep(way + self._shared.down.delay + way)
        self._up.lead_to(there)

    def data_received(self, data: bytes) -> None:
        """Pass on what the client says, but for requests above the rate."""
        self._shared.count("bytes up", len(data))
        if not self._sniffed:
            self._sniffed = True
            if looks_like_http(data):
                self._framer = Framer(request_head)
                self._answers = Framer(self._response_head)
        if self._framer is None:
            self._up.send(data)
            return
        try:
            for piece in self._framer.feed(data):
                self._request(piece)
        except NotHttp:
            self._give_up_framing()

    def eof_received(self) -> bool:
        """The client says no more, but still listens."""
        self._up.send(None)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self.cut(abort=exc is not None)

    def pause_writing(self) -> None:
        self._down.target_is_full(True)

    def resume_writing(self) -> None:
        self._down.target_is_full(False)

    def answered(self, data: bytes) -> None:
        self._shared.count("bytes down", len(data))
        if self._answers is None:
            self._down.send(data)
            return
        try:
            for piece in self._answers.feed(data):
                self._down.send(piece.data)
                if piece.ends and not (piece.head and piece.head.interim):
                    self._due.popleft()
                    self._answer_refused()
        except NotHttp:
            self._give_up_framing()

    def answers_ended(self) -> None:
        """The server says no more, but still listens."""
        self._down.send(None)

    def upstream_is_full(self, full: bool) -> None:
        self._up.target_is_full(full)

    def cut(self, *, abort: bool = False) -> None:
        """End both sides, by a reset if `abort`; else what their buffers hold is still written."""
        if self._here is None:
            return
        here, self._here = self._here, None
        self._shared.open -= 1
        self._up.cut()
        self._down.cut()
        if self._connecting is not None:
            self._connecting.cancel()
        for side in (here, self._there):
            if side is not None:
                side.abort() if abort else side.close()

    def _request(self, piece: MessagePiece) -> None:
        if piece.head is not None:
            self._begin(piece.head)
        if self._refusing is None:
            self._up.send(piece.data)
        elif piece.ends:
            self._refusing.complete = True
            self._answer_refused()
        if piece.ends:
            self._refusing = None

    def _begin(self, head: MessageHead) -> None:
        shared = self._shared
        shared.count("requests")
        if shared.bucket is None or shared.bucket.take(self._loop.time()):
            self._due.append(head.method)
            return
        shared.count("503")
        # Without `100 Continue` a client may or may not send the body, so the beginning of the next
        # request is unknown (RFC 9110, 10.1.1).
        self._refusing = _Refused(head.method, close=head.expects, complete=head.expects)
        self._due.append(self._refusing)
        self._answer_refused()

    def _answer_refused(self) -> None:
        while self._due and isinstance(refused := self._due[0], _Refused) and refused.complete:
            self._due.popleft()
            # It would have been late on its way up, too.
            answer = slow_down(refused.method, close=refused.close)
            self._shared.count("bytes down", len(answer))
            self._down.send(answer, later=self._shared.up.delay)
            if refused.close:
                self._down.send(None)

    def _response_head(self, text: bytes) -> MessageHead:
        if not self._due or not isinstance(self._due[0], bytes):
            raise NotHttp
        return response_head(text, self._due[0])

    def _give_up_framing(self) -> None:
        """From here on this connection is bytes like any other."""
        framer, self._framer = self._framer, None
        answers, self._answers = self._answers, None
        if self._refusing is not None or any(isinstance(one, _Refused) for one in self._due):
            self.cut()
            return
        if framer is not None and framer.held:
            self._up.send(framer.held)
        if answers is not None and answers.held:
            self._down.send(answers.held)

    def _carried_over(self) -> None:
        """One direction is at its end: close when both are."""
        if self._up.finished and self._down.finished:
            self.cut()


class _Upstream(asyncio.Protocol):
    def __init__(self, client: ProxyClient) -> None:
        self._client = client

    def data_received(self, data: bytes) -> None:
        self._client.answered(data)

    def eof_received(self) -> bool:
        self._client.answers_ended()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._client.cut(abort=exc is not None)

    def pause_writing(self) -> None:
        self._client.upstream_is_full(True)

    def resume_writing(self) -> None:
        self._client.upstream_is_full(False)


def _pause(side: asyncio.Transport | None, pause: bool) -> None:
    if side is None or side.is_closing():
        return
    if pause:
        side.pause_reading()
    else:
        side.resume_reading()


if __name__ == "__main__":
    main(sys.argv[1:])
