"""The Synapse client itself, which tells a watch of what it does.

Its sessions with their limits, time-outs and repeats, its threads and event loops are as they come.
It keeps to its own folder, never to the user's configuration and cache.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, override

import httpx
import requests
from synapseclient import Synapse
from synapseclient.core.exceptions import SynapseHTTPError

from workloads.transfer.clients.synapse_watch import FILE, GivenUp, RequestWatch
from workloads.transfer.synapse_service import SynapseAddress
from workloads.transfer.transfer_pass import Pass

_ABSENT = 404


class CountedSynapse(Synapse):  # type: ignore[misc]
    """Logged in when it is there; raises what the client raises."""

    def __init__(self, address: SynapseAddress, token: str, threads: int, folder: Path) -> None:
        self.watch: RequestWatch | None = None
        self.file_begins: Callable[[str], None] = lambda name: None
        """Called in the task that is at work on a file from its first request on."""
        self._direct = _DirectSession()
        endpoints = address.endpoints
        super().__init__(
            repoEndpoint=endpoints["repo"],
            authEndpoint=endpoints["auth"],
            fileHandleEndpoint=endpoints["file"],
            portalEndpoint=endpoints["portal"],
            configPath=str(folder / "none"),
            cache_root_dir=str(folder / "cache"),
            requests_session=self._direct,
            cache_client=False,
            skip_checks=True,
            silent=True,
        )
        self.max_threads = threads
        self._requests_session_storage.event_hooks = {
            "request": [self._storage_requested],
            "response": [self._storage_answered],
        }
        self._complaints = _Complaints(self)
        self.logger.addHandler(self._complaints)
        try:
            self.login(authToken=token, silent=True)
        except BaseException:
            self.end()
            raise

    def begin(self, watch: RequestWatch) -> None:
        """From now on it works for that pass, with nothing in its cache."""
        self.watch = self._direct.watch = watch
        self.cache.cache_root_dir = str(watch.going.own / "cache")

    def end(self) -> None:
        self.logger.removeHandler(self._complaints)
        self._requests_session_storage.close()
        self._direct.close()

    # JSON requests

    @override
    async def rest_post_async(self, uri: str, body: Any = None, *more: Any, **named: Any) -> Any:
        watch = self.watch
        if watch is None:
            return await super().rest_post_async(uri, body, *more, **named)
        if name := watch.file_of_request(uri, body):
            self.file_begins(name)
        answer = await super().rest_post_async(uri, body, *more, **named)
        watch.answered(uri, body, answer)
        return answer

    @override
    async def rest_get_async(self, uri: str, *more: Any, **named: Any) -> Any:
        """As the client does it; a file that is fetched is done when its activity is known."""
        watch = self.watch
        name = watch.activity_of(uri) if watch is not None else ""
        try:
            answer = await super().rest_get_async(uri, *more, **named)
        except SynapseHTTPError as error:
            if watch is not None and name and error.response.status_code == _ABSENT:
                watch.file_over(name)  # it has none
            raise
        if watch is not None and name:
            watch.file_over(name)
        return answer

    @override
    def _get_requests_session_async_synapse(
        self, asyncio_event_loop: asyncio.AbstractEventLoop
    ) -> httpx.AsyncClient:
        # It makes one for each loop; this is the only place where that is seen.
        session: httpx.AsyncClient = super()._get_requests_session_async_synapse(asyncio_event_loop)
        if not session.event_hooks["request"]:
            session.event_hooks = {"request": [self._requested], "response": [self._answered]}
        return session

    async def _requested(self, request: httpx.Request) -> None:
        if (watch := self.watch) is None:
            return
        # Not as a text, which takes time to make and is needed only after a failure.
        watch.attempt_begins((request.method, request.url), "")
        if name := watch.file_not_begun():
            request.extensions["trace"] = partial(_begin, watch.going, name)

    async def _answered(self, response: httpx.Response) -> None:
        if self.watch is not None:
            request = response.request
            self.watch.attempt_ended((request.method, request.url), "", response.status_code)

    # Parts of files, to and from the storage

    def _storage_requested(self, request: httpx.Request) -> None:
        if (watch := self.watch) is not None:
            name = watch.name_at(request.url.path)
            watch.attempt_begins(_key_of(request.method, request.url.path, request.headers), name)

    def _storage_answered(self, response: httpx.Response) -> None:
        if (watch := self.watch) is None:
            return
        request = response.request
        name, key = (
            watch.name_at(request.url.path),
            _key_of(request.method, request.url.path, request.headers),
        )
        watch.attempt_ended(key, name, response.status_code)
        if request.method == "PUT" and response.is_success:
            watch.part_moved(key, name, len(request.content))
        elif response.status_code == httpx.codes.PARTIAL_CONTENT and name:
            body = response.stream
            assert isinstance(body, httpx.SyncByteStream)
            response.stream = _CountedBody(body, _Telling(watch, name, key))


async def _begin(going: Pass, name: str, event: str, info: object) -> None:
    """Called by httpx on the way of a request: a file begins when that has a connection."""
    if event.endswith("send_request_headers.started"):
        going.begun(name)


class _Telling:
    """Tells of the bytes of one answer, and takes them back if they do not all come."""

    def __init__(self, watch: RequestWatch, name: str, key: str) -> None:
        self._watch, self._name, self._key = watch, name, key

    def each(self, pieces: Iterator[bytes], *, kept: bool) -> Iterator[bytes]:
        """The pieces; `kept`: the client goes on behind those that have come."""
        come = 0
        try:
            for piece in pieces:
                self._watch.going.moved(self._name, len(piece))
                come += len(piece)
                yield piece
        except Exception:
            self._watch.body_broke(self._key)
            if come and not kept:
                self._watch.going.moved(self._name, -come)
            raise


class _CountedBody(httpx.SyncByteStream):
    """The body of an answer, of which every piece is told."""

    def __init__(self, body: httpx.SyncByteStream, telling: _Telling) -> None:
        self._body, self._telling = body, telling

    def __iter__(self) -> Iterator[bytes]:
        yield from self._telling.each(iter(self._body), kept=False)

    def close(self) -> None:
        self._body.close()


class _DirectSession(requests.Session):
    """The session for small files, and for requests that the client makes without an event loop."""

    watch: RequestWatch | None = None

    @override
    def send(self, request: Any, **kwargs: Any) -> Any:
        if (watch := self.watch) is None:
            return super().send(request, **kwargs)
        path = request.path_url.partition("?")[0]
        name = watch.name_at(path)
        key = _key_of(request.method, path if name else request.url, request.headers)
        watch.attempt_begins(key, name)
        answer = super().send(request, **kwargs)
        watch.attempt_ended(key, name, answer.status_code)
        if name and answer.ok:
            answer.raw = _CountedRaw(answer.raw, _Telling(watch, name, key))
        return answer


class _CountedRaw:
    """The body of an answer to `requests`, of which every piece is told."""

    def __init__(self, raw: Any, telling: _Telling) -> None:
        self._raw, self._telling = raw, telling

    def stream(self, *asked: Any, **named: Any) -> Iterator[bytes]:
        return self._telling.each(self._raw.stream(*asked, **named), kept=True)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)


class _Complaints(logging.Handler):
    """What the client only logs: it goes on where a file of many has failed."""

    def __init__(self, client: CountedSynapse) -> None:
        super().__init__(logging.ERROR)
        self._client = client

    @override
    def emit(self, record: logging.LogRecord) -> None:
        watch, error = self._client.watch, record.msg
        # What is an error's text only is of an attempt, which the client repeats.
        if watch is None or not isinstance(error, Exception) or watch.going.stopping:
            return
        if name := FILE.get():
            watch.going.failed(name, message_of(error))


def message_of(error: BaseException) -> str:
    if isinstance(error, GivenUp):
        return str(error)
    return f"{type(error).__name__}: {str(error).strip()}"


def _key_of(method: str | None, place: str, headers: Any) -> str:
    """Which request it is; one that goes on in the middle of a file is the same again."""
    part = headers.get("Range") or ""
    return f"{method} {place} {'' if part.endswith('-') else part}"
