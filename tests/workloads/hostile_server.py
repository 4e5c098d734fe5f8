"""A server of objects, as S3 and by plain http, that is honest until it is told to be hostile.

As S3 it is asked for `/bucket/key` and ignores signatures; by plain http the same objects are at
the same paths, and a path that ends with a slash is a folder, listed as nginx does.  It can also
be told its next answers, one by one.
"""

from __future__ import annotations

import json
import re
import ssl
import subprocess
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Lock, Thread
from typing import override
from urllib.parse import parse_qs, unquote, urlsplit

DRIP = 0.05
"""Seconds between two bytes of a slow drip."""
FAULTS = (
    "paused",
    "killed",
    "full",
    "wrong keys",
    "redirect loop",
    "longer",
    "shorter",
    "short range",
    "other range",
    "whole",
    "slow drip",
    "busy",
)
"""What a server can be told to do, but for a bad certificate, which it has from the beginning.

`killed` breaks off in the middle of the body; of `longer` and `shorter` the Content-Length differs
from the bytes that are sent; `whole` answers a range with all.
"""


@dataclass(frozen=True)
class Answer:
    """One answer; `cut` bytes of its body are not sent, as of a connection that breaks."""

    status: int
    body: bytes = b""
    cut: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)


def refusal(status: int, code: str, message: str) -> Answer:
    """An error as S3 says it."""
    return Answer(
        status, f"<Error><Code>{code}</Code><Message>{message}</Message></Error>".encode()
    )


ABSENT = refusal(404, "NoSuchKey", "The specified key does not exist.")
SLOW_DOWN = refusal(503, "SlowDown", "Please reduce your request rate.")
FULL = "Storage backend has reached its minimum free drive space."
REFUSALS = {
    "wrong keys": refusal(403, "SignatureDoesNotMatch", "The signature does not match."),
    "busy": SLOW_DOWN,
    "full": refusal(507, "XMinioStorageFull", FULL),
}
_MODIFIED = "Mon, 30 Nov 2026 09:00:00 GMT"


class HostileServer(ThreadingHTTPServer):
    """Its objects by their paths; after `honest` more requests it does what `fault` says.

    `answers` come before all that, one for each request.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, certificate: Path | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.objects: dict[str, bytes] = {}
        self.answers: deque[Answer] = deque()
        self.asked: list[str] = []
        self.sent = 0
        """Bytes of bodies."""
        self.fault, self.honest = "", 0
        self.over, self.lock = Event(), Lock()
        """Once it is over, a paused server answers."""
        self.scheme = "http"
        if certificate is not None:
            self.scheme = "https"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(
                self.socket, server_side=True, do_handshake_on_connect=False
            )

    @property
    def url(self) -> str:
        """Of its root, without a slash."""
        return f"{self.scheme}://127.0.0.1:{self.server_address[1]}"

    def address(self, of: str, path: str = "data") -> str:
        """The place of that path, as users write it for S3 or http."""
        if of == "http":
            return f"{self.url}/bucket/{path}"
        return f"s3://bucket/{path}?endpoint={self.url}"

    def fault_now(self, method: str) -> str:
        """What becomes of the next request; empty = an honest answer."""
        with self.lock:
            self.honest -= 1
            if not self.fault or self.honest >= 0:
                return ""
        if self.fault == "full" and method != "PUT":
            return ""
        return self.fault

    @override
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up, or does not trust us, is what is tested."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # header and body in one segment
    disable_nagle_algorithm = True
    server: HostileServer

    def _do(self) -> None:
        parts = urlsplit(self.path)
        path, query = unquote(parts.path), parse_qs(parts.query, keep_blank_values=True)
        body = self._received()
        with self.server.lock:
            self.server.asked.append(f"{self.command} {self.path}")
        self._fault = self.server.fault_now(self.command)
        if self._fault == "paused":
            self.server.over.wait()
        answers = self.server.answers
        if answer := answers.popleft() if answers else REFUSALS.get(self._fault):
            self._send(answer.status, answer.body, answer.cut, **answer.headers)
        elif self._fault == "redirect loop":
            self._say(307, "", Location=f"{self.server.url}{self.path}")
        else:
            self._serve(path, query, body)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _do  # noqa: N815 - http.server's names

    @override
    def handle_expect_100(self) -> bool:
        """At once, as the client sends nothing before."""
        goes_on = super().handle_expect_100()
        self.wfile.flush()
        return goes_on

    def _received(self) -> bytes:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if "aws-chunked" in self.headers.get("Content-Encoding", ""):
            size, at, pieces = -1, 0, []
            while size:
                end = body.index(b"\r\n", at)
                size = int(body[at:end].partition(b";")[0], 16)
                pieces.append(body[end + 2 : end + 2 + size])
                at = end + 2 + size + 2
            return b"".join(pieces)
        return body

    def _serve(self, path: str, query: dict[str, list[str]], body: bytes) -> None:
        objects = self.server.objects
        if self.command in ("PUT", "POST", "DELETE"):
            self._change(path, body)
        elif "list-type" in query:
            self._list(path, query.get("prefix", [""])[0])
        elif "uploads" in query:
            self._say(200, "<ListMultipartUploadsResult></ListMultipartUploadsResult>")
        elif path.endswith("/"):
            names = [name.removeprefix(path) for name in [*objects] if name.startswith(path)]
            files = [{"name": name, "type": "file"} for name in names if "/" not in name]
            self._say(200 if files else 404, json.dumps(files))
        elif path in objects:
            self._give(objects[path])
        else:
            self._send(ABSENT.status, ABSENT.body)

    def _change(self, path: str, body: bytes) -> None:
        objects = self.server.objects
        if self.command == "PUT":
            objects[path] = body
            self._say(200, "", ETag=_tag(body))
        elif self.command == "DELETE":
            objects.pop(path, None)
            self._say(204, "")
        else:  # the removal of many
            for key in re.findall(r"<Key>([^<]*)</Key>", body.decode()):
                objects.pop(f"{path.rstrip('/')}/{key}", None)
            self._say(200, "<DeleteResult></DeleteResult>")

    def _list(self, bucket: str, prefix: str) -> None:
        root = f"{bucket.rstrip('/')}/"
        rows = "".join(
            f"<Contents><Key>{name.removeprefix(root)}</Key><Size>{len(value)}</Size>"
            f"<ETag>&quot;{_tag(value)[1:-1]}&quot;</ETag>"
            "<LastModified>2026-11-30T09:00:00.000Z</LastModified></Contents>"
            for name, value in sorted(self.server.objects.copy().items())
            if name.startswith(root + prefix)
        )
        self._say(
            200,
            f"<ListBucketResult><IsTruncated>false</IsTruncated>{rows}</ListBucketResult>",
        )

    def _give(self, content: bytes) -> None:
        """An object, or the range of it that is asked for."""
        fault, size = self._fault, len(content)
        span = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if span is None or fault == "whole":
            self._send(200, content, ETag=_tag(content))
            return
        first = int(span[1]) if span[1] else max(0, size - int(span[2]))
        last = min(int(span[2]), size - 1) if span[1] and span[2] else size - 1
        if first >= size:
            self._say(416, "")
            return
        if fault == "short range" and last > first:
            last -= 1
        if fault == "other range":
            first, last = (first + 1, last + 1) if last + 1 < size else (first - 1, last - 1)
        part = content[max(0, first) : last + 1]
        where = f"bytes {max(0, first)}-{last}/{size}"
        self._send(206, part, **{"Content-Range": where, "ETag": _tag(content)})

    def _say(self, status: int, text: str, **headers: str) -> None:
        self._send(status, text.encode(), **headers)

    def _send(self, status: int, body: bytes, cut: int = 0, **headers: str) -> None:
        fault = self._fault
        if fault == "killed":
            cut = len(body) - len(body) // 2
        length = len(body) + (7 if fault == "longer" else -min(7, len(body)) * (fault == "shorter"))
        self.send_response(status)
        headers |= {"Content-Length": str(length), "Accept-Ranges": "bytes"}
        for header in {"Last-Modified": _MODIFIED, **headers}.items():
            self.send_header(*header)
        self.end_headers()
        if cut or fault in ("killed", "longer", "shorter"):
            self.close_connection = True
        if self.command == "HEAD" or status == 204:
            return
        body = body[: len(body) - cut]
        with self.server.lock:
            self.server.sent += len(body)
        if fault == "slow drip":
            self._drip(body)
        else:
            self.wfile.write(body)

    def _drip(self, body: bytes) -> None:
        for at in range(len(body)):
            self.wfile.write(body[at : at + 1])
            self.wfile.flush()
            if self.server.over.wait(DRIP):
                self.close_connection = True
                return

    @override
    def handle(self) -> None:
        with suppress(OSError):  # a client that does not wait for the rest
            super().handle()

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


def _tag(content: bytes) -> str:
    return f'"{md5(content, usedforsecurity=False).hexdigest()}"'


@contextmanager
def hostile(certificate: Path | None = None) -> Iterator[HostileServer]:
    """A server on a free port, which is gone afterwards."""
    server = HostileServer(certificate)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def self_signed(folder: Path) -> Path:
    """A certificate for this machine that nobody trusts, with its key."""
    both = folder / "certificate.pem"
    line = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    line += (
        " -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=CA:FALSE"
    )
    line += f" -keyout {both} -out {both}.certificate"
    subprocess.run(line.split(), check=True, capture_output=True)
    with both.open("ab") as file:
        file.write(Path(f"{both}.certificate").read_bytes())
    return both
