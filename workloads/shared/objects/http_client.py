"""Objects behind plain http(s) by Python's own http.client, with a connection for each thread.

A redirect is not followed: where one leads is said, so that no trial measures two servers at once.
"""

from __future__ import annotations

import json
import re
import ssl
import threading
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import override
from urllib.parse import quote, urlsplit

from core import Step, tr
from workloads.shared.objects import (
    CUT,
    REDIRECTED,
    CountTally,
    ObjectClient,
    Place,
    RequestFailed,
    require_range,
)
from workloads.shared.objects.failures import ended_after, failure_of

_FOUND, _ABSENT, _WRITTEN = 200, 404, (200, 201, 204)
_PIECE = 1 << 18
_PLAIN = re.compile(r"[A-Za-z0-9_.~/-]*")
"""What `quote` leaves as it is, after twice the time."""

type _Answer = tuple[HTTPResponse, bytes]
"""An answer that was read to its end, and its body."""


class HttpObjects(ObjectClient):
    """For many threads; the connections of all end with it."""

    def __init__(self, place: Place, tally: CountTally) -> None:
        super().__init__(tally)
        parts = urlsplit(place.url)
        self._host, self._port, self._path = parts.hostname or "", parts.port, parts.path
        self._timeout = place.timeout
        self._context = ssl.create_default_context() if parts.scheme == "https" else None
        self._here = threading.local()
        self._open: set[HTTPConnection] = set()
        self._lock = threading.Lock()

    @override
    def get(self, name: str) -> bytes | None:
        content = self.fetch(name)
        self.settle()
        return content

    @override
    def fetch(self, name: str) -> bytes | None:
        answer, body = self._answer("GET", name)
        if answer.status == _FOUND:
            next(self._successes)
            return body
        self.count(answer.status)
        if answer.status == _ABSENT:
            return None
        raise self._unexpected(answer)

    @override
    def get_range(self, name: str, first: int, length: int) -> bytes:
        asked_range = f"bytes={first}-{first + length - 1}"
        answer, body = self._ask("GET", name, headers={"Range": asked_range})
        if answer.status >= 300:
            self._require(answer)
        range_ = answer.getheader("Content-Range", "") or ""
        require_range(answer.status, range_, (first, length), len(body))
        return body

    @override
    def size(self, name: str) -> int:
        answer, _ = self._ask("HEAD", name)
        self._require(answer, _FOUND)
        return int(answer.getheader("Content-Length", "0") or 0)

    @override
    def put(self, name: str, value: bytes) -> None:
        self._require(self._ask("PUT", name, value)[0], *_WRITTEN)

    def names_in(self, folder: str) -> list[str]:
        """The names in a folder that the server lists as JSON, as nginx does; none without it."""
        answer, body = self._ask("GET", folder)
        if answer.status == _ABSENT:
            return []
        self._require(answer, _FOUND)
        try:
            return [one["name"] for one in json.loads(body) if one["type"] == "file"]
        except (ValueError, TypeError, LookupError):
            raise RequestFailed(
                tr("the server lists nothing at {path}", path=self._path + folder)
            ) from None

    def delete(self, name: str) -> None:
        """Remove an object, or an empty folder; no error where there is none."""
        self._require(self._ask("DELETE", name)[0], *_WRITTEN, _ABSENT)

    def _require(self, answer: HTTPResponse, *statuses: int) -> None:
        if answer.status not in statuses:
            raise self._unexpected(answer)

    def _unexpected(self, answer: HTTPResponse) -> RequestFailed:
        where = answer.getheader("Location")
        text = f"{answer.status} {answer.reason}"
        if where:
            text = tr("{status}: it is at {address}", status=text, address=where)
        return RequestFailed(text, status=answer.status, code=REDIRECTED if where else "")

    def _ask(
        self,
        method: str,
        name: str,
        body: bytes | None = None,
        *,
        headers: dict[str, str] = {},  # noqa: B006
    ) -> _Answer:
        """The whole answer, counted; raises RequestFailed where there is none."""
        answer = self._answer(method, name, body, headers)
        self.count(answer[0].status)
        return answer

    def _answer(
        self,
        method: str,
        name: str,
        body: bytes | None = None,
        headers: dict[str, str] = {},  # noqa: B006
    ) -> _Answer:
        """The whole answer; raises RequestFailed where there is none, which is counted."""
        path = self._path + name
        if not _PLAIN.fullmatch(path):
            path = quote(path)
        try:
            connection = getattr(self._here, "connection", None) or self._connected()
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response, self._read(response)
        except (OSError, HTTPException, RequestFailed) as error:
            self._leave()
            self.count()
            failure = failure_of(error)
            raise failure from (None if failure is error else error)

    def _read(self, response: HTTPResponse) -> bytes:
        """The body; raises TimeoutError, also where it trickles without an end."""
        pieces = [response.read1(_PIECE)]  # most of the time what came with the head
        spent = 0.0
        while pieces[-1] and response.length != 0:
            spent += Step.seconds_of(lambda: pieces.append(response.read1(_PIECE)))
            if spent > self._timeout:
                raise TimeoutError
        if response.length:
            size = sum(map(len, pieces))
            raise RequestFailed(ended_after(size, size + response.length), code=CUT)
        response.close()  # the connection stays
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _connected(self) -> HTTPConnection:
        """This thread's connection, made anew."""
        if self._context is None:
            made = HTTPConnection(self._host, self._port, timeout=self._timeout)
        else:
            made = HTTPSConnection(
                self._host, self._port, timeout=self._timeout, context=self._context
            )
        with self._lock:
            self._open.add(made)
        self._here.connection = made
        return made

    def _leave(self) -> None:
        """Let this thread's connection go: what comes on it is no answer to the next request."""
        connection: HTTPConnection | None = self._here.__dict__.pop("connection", None)
        if connection is not None:
            connection.close()
            with self._lock:
                self._open.discard(connection)

    @override
    def close(self) -> None:
        for connection in self._open:
            connection.close()
