"""A server that answers as S3 would, in the order it is told to: for refusals on demand."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import override


@dataclass(frozen=True)
class Answer:
    """One answer; `cut` bytes of its body are not sent, as of a connection that breaks."""

    status: int
    body: bytes = b""
    cut: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)


def refusal(status: int, code: str, message: str) -> Answer:
    """An error as S3 says it."""
    told = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>"
    return Answer(status, f'<?xml version="1.0" encoding="UTF-8"?>\n{told}'.encode())


ABSENT = refusal(404, "NoSuchKey", "The specified key does not exist.")
SLOW_DOWN = refusal(503, "SlowDown", "Please reduce your request rate.")


@dataclass
class Imitation:
    """What it was asked, and what it says next; after that, that there is no such object."""

    port: int = 0
    answers: deque[Answer] = field(default_factory=deque)
    asked: list[str] = field(default_factory=list)
    late: Event = field(default_factory=Event)
    """It answers nothing until this is set."""

    def __post_init__(self) -> None:
        self.late.set()

    @property
    def address(self) -> str:
        return f"s3://tiles/some/where?endpoint=http://127.0.0.1:{self.port}"


@contextmanager
def imitated() -> Iterator[Imitation]:
    """A server on a free port, which is gone afterwards."""
    state = Imitation()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Header and body in one segment, or the second would wait for an acknowledgement.
        wbufsize = -1
        disable_nagle_algorithm = True

        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            state.asked.append(f"{self.command} {self.path}")
            state.late.wait()
            answer = state.answers.popleft() if state.answers else ABSENT
            self.send_response(answer.status)
            self.send_header("Content-Length", str(len(answer.body)))
            for header in answer.headers.items():
                self.send_header(*header)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answer.body[: len(answer.body) - answer.cut])
            self.close_connection = bool(answer.cut)

        do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _answer  # noqa: N815 - http.server's names

        @override
        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.port = int(server.server_address[1])
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
