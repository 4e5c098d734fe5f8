"""One of the stand-in's processes: `python -P -m core.lab.synapse.synapse_server ROLE SETTINGS`.

ROLE is `service` or `storage`, SETTINGS a line of JSON; secrets are in the environment.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import signal
import sys
from base64 import b64decode
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import msgspec
from aiohttp import web

from core.lab.servers.synapse import Settings
from core.lab.synapse.entities import Entities, RequestRefused
from core.lab.synapse.routes import Call, Route, routes
from core.lab.synapse.serving import (
    FAULT,
    OF_SERVICE,
    OF_STORAGE,
    Fault,
    Handler,
    Serving,
    cut,
    is_authorised,
    json,
    refused,
    stall,
)
from core.lab.synapse.stored_files import (
    OwnStorage,
    Presigner,
    S3Storage,
    StorageRefused,
    StoredFiles,
    StoredParts,
    expired,
)
from core.lab.synapse.uploads import Uploads

_PIECE = 2**18  # bytes that are read and sent at a time
_KEY = "{key:[0-9a-f]+}"
_RANGE = re.compile(r"bytes=(\d+)-(\d*)")


def storage_app(settings: Settings) -> web.Application:
    storage = Storage(settings)
    shared = storage.shared
    app = web.Application()
    for method, path, handler in (
        ("PUT", f"/part/{_KEY}/{{number:[0-9]+}}", storage.put_part),
        ("GET", f"/file/{_KEY}", storage.get_file),
    ):
        app.router.add_route(method, path, shared.about_to(handler, storage_refuses))
    shared.add_control(app)
    return app


class Storage:
    def __init__(self, settings: Settings) -> None:
        self.shared = Serving(settings, spared=OF_SERVICE)
        self._stored = StoredParts(Path(settings.folder))
        self._presigner = Presigner(settings.signing_key, settings.storage, settings.expiry)

    async def put_part(self, request: web.Request) -> web.StreamResponse:
        key, number = request.match_info["key"], int(request.match_info["number"])
        try:
            self._presigner.check("PUT", request.path, request.query)
            if not self._stored.expects(key):
                raise StorageRefused(404, "NoSuchUpload", "The specified upload does not exist.")
            md5 = await self._take(request, key, number)
        except StorageRefused as why:
            return _refused(why)
        except _Cut:
            return cut(request)
        return web.Response(headers={"ETag": f'"{md5}"'})

    async def _take(self, request: web.Request, key: str, number: int) -> str:
        digest, size = hashlib.md5(usedforsecurity=False), 0
        part = self._stored.new_part(key)
        try:
            async for piece in self._body(request):
                size += len(piece)
                digest.update(piece)
                part.write(piece)
            declared = request.headers.get("Content-MD5")
            if declared is not None and b64decode(declared) != digest.digest():
                message = "The Content-MD5 you specified did not match what we received."
                raise StorageRefused(400, "BadDigest", message)
            self._stored.keep(part, key, number, digest.hexdigest())
        except BaseException:
            self.shared.counts.bytes_abandoned += size
            self._stored.drop(part)
            raise
        self.shared.counts.bytes_up += size
        return digest.hexdigest()

    async def _body(self, request: web.Request) -> AsyncIterator[bytes]:
        """The body as it comes; raises _Cut in the middle where a fault says so."""
        come, half = 0, (request.content_length or 0) / 2
        async for piece in request.content.iter_chunked(_PIECE):
            come += len(piece)
            await self.shared.paced(self.shared.up, len(piece))
            if come >= half:
                await _meet_fault(request)
            yield piece
        if request.content_length is not None and come < request.content_length:
            raise _Cut

    async def get_file(self, request: web.Request) -> web.StreamResponse:
        key = request.match_info["key"]
        try:
            self._presigner.check("GET", request.path, request.query)
            size = self._stored.size(key)
            if size is None:
                raise StorageRefused(404, "NoSuchKey", "The specified key does not exist.")
            start, stop = _range(request, size)
        except StorageRefused as why:
            return _refused(why)
        answer = web.StreamResponse(
            status=206 if "Range" in request.headers else 200,
            headers={"Accept-Ranges": "bytes", "Content-Type": "application/octet-stream"},
        )
        answer.content_length = stop - start
        if answer.status == 206:
            answer.headers["Content-Range"] = f"bytes {start}-{stop - 1}/{size}"
        await answer.prepare(request)
        try:
            await self._give(request, answer, key, start, stop)
        except (_Cut, ConnectionError):  # the client looks at the size of large files, and leaves
            return cut(request)
        return answer

    async def _give(
        self, request: web.Request, answer: web.StreamResponse, key: str, start: int, stop: int
    ) -> None:
        middle = (start + stop) // 2
        halves = ((start, middle), (middle, stop)) if FAULT in request else ((start, stop),)
        size = 0
        try:
            for first, last in halves:
                if first == middle:
                    await _meet_fault(request)
                for piece in self._pieces(key, first, last):
                    await self.shared.paced(self.shared.down, len(piece))
                    await answer.write(piece)
                    size += len(piece)
            await answer.write_eof()
        except BaseException:
            self.shared.counts.bytes_abandoned += size
            raise
        self.shared.counts.bytes_down += size

    def _pieces(self, key: str, start: int, stop: int) -> Iterator[bytes]:
        for path, first, size in self._stored.stretches(key, start, stop):
            with path.open("rb") as file:
                file.seek(first)
                for offset in range(0, size, _PIECE):
                    yield file.read(min(_PIECE, size - offset))


class _Cut(Exception):
    """The connection is to be cut, or was."""


async def _meet_fault(request: web.Request) -> None:
    """Carry out the request's fault, in the middle of a file."""
    fault = request.get(FAULT)
    if fault == "dropped":
        raise _Cut
    if fault == "stalled":
        await stall()


def storage_refuses(fault: Fault) -> web.StreamResponse:
    """S3's answer to a fault."""
    match fault:
        case "expired":
            return _refused(expired())
        case "unavailable":
            return _refused(StorageRefused(503, "SlowDown", "Please reduce your request rate."))
        case _:
            message = "We encountered an internal error. Please try again."
            return _refused(StorageRefused(500, "InternalError", message))


def _refused(why: StorageRefused) -> web.Response:
    return web.Response(body=why.body(), status=why.status, content_type="application/xml")


def _range(request: web.Request, size: int) -> tuple[int, int]:
    """The bytes that are asked for, from the first up to the last, exclusive."""
    match = _RANGE.fullmatch(request.headers.get("Range", "bytes=0-"))
    if match is None:
        return 0, size
    start = int(match[1])
    if start >= size and "Range" in request.headers:
        message = "The requested range is not satisfiable"
        raise StorageRefused(416, "InvalidRange", message)
    return start, min(int(match[2]) + 1, size) if match[2] else size


_HOST = "127.0.0.1"
_BACKLOG = 1024
_LAST: float = 0.5  # seconds for the last answers of a process that is to end


async def serve(app: web.Application, port: int) -> None:
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    # A client that leaves ends its request: else one that stalls would stay for ever.
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_LAST, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, _HOST, port, backlog=_BACKLOG).start()
    await ended.wait()
    await runner.cleanup()


def main(arguments: list[str]) -> None:
    settings = msgspec.json.decode(arguments[1], type=Settings)
    if arguments[0] == "storage":
        asyncio.run(serve(storage_app(settings), settings.storage_port))
    else:
        asyncio.run(serve(service_app(settings), settings.service_port))


_MOST_JSON = 2**24  # bytes: 10,000 part numbers fit many times


def service_app(settings: Settings) -> web.Application:
    uploads = Uploads(file_store(settings))
    shared = Serving(settings, spared=OF_STORAGE)
    app = web.Application(client_max_size=_MOST_JSON)

    def refuses(fault: Fault) -> web.StreamResponse:
        return service_refuses(fault, settings.retry_after)

    shared.add_control(app)
    for route in routes(Entities(uploads.same_content), uploads):
        handler = _handler(route, settings.token)
        app.router.add_route(route.method, route.path, shared.about_to(handler, refuses))
    app.router.add_route("*", "/{path:.*}", shared.about_to(_unknown, refuses))
    return app


def file_store(settings: Settings) -> StoredFiles:
    if settings.store == "s3":
        access_key, secret_key = settings.s3_keys
        return S3Storage(
            settings.endpoint,
            settings.bucket,
            access_key=access_key,
            secret_key=secret_key,
            expiry=settings.expiry,
        )
    presigner = Presigner(settings.signing_key, settings.storage, settings.expiry)
    return OwnStorage(Path(settings.folder), presigner)


def service_refuses(fault: Fault, retry_after: float) -> web.StreamResponse:
    """Synapse's answer to a fault."""
    match fault:
        case "throttled":
            answer = refused(RequestRefused(429, "Requests are too frequent for API call."))
            answer.headers["Retry-After"] = f"{retry_after:g}"
            return answer
        case "unavailable":
            return refused(RequestRefused(503, "Service temporarily unavailable, please try again"))
        case _:
            return refused(RequestRefused(500, "Internal server error"))


def _handler(route: Route, token: str) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        if not is_authorised(request, token):
            return refused(RequestRefused(401, "Invalid access token"))
        text = await request.read()
        if request.get(FAULT) == "dropped":  # before anything is done, so that it can be repeated
            return cut(request)
        try:
            body = msgspec.json.decode(text, type=dict) if text else {}
            answer = route.answer(
                Call(path_values=request.match_info, query=request.query, body=body)
            )
        except RequestRefused as why:
            return refused(why)
        except msgspec.DecodeError as error:
            return refused(RequestRefused(400, f"Not JSON: {error}"))
        return web.Response(status=200) if answer is None else json(answer, route.status)

    return handle


async def _unknown(request: web.Request) -> web.StreamResponse:
    return refused(
        RequestRefused(404, f"The stand-in has no route {request.method} {request.path}")
    )


if __name__ == "__main__":
    main(sys.argv[1:])
