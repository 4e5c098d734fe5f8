"""One of the stand-in's processes: `python -P -m core.lab.synapse.synapse_server ROLE SETTINGS`.

ROLE is `service` or `storage`, SETTINGS a line of JSON; secrets are in the environment.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import msgspec
from aiohttp import web

from core.lab.synapse.entities import Entities
from core.lab.synapse.error_answers import Refused
from core.lab.synapse.presigned import Presigner
from core.lab.synapse.routes import Call, Route, routes
from core.lab.synapse.serving import (
    FAULT,
    OF_STORAGE,
    Fault,
    Handler,
    cut,
    is_authorised,
    json,
    refused,
    serving,
)
from core.lab.synapse.settings import Settings, read_settings
from core.lab.synapse.storage import storage_app
from core.lab.synapse.stored_files import FileStore, OwnStorage, StoredParts
from core.lab.synapse.uploads import Uploads

_HOST = "127.0.0.1"
_BACKLOG = 1024
_LAST: float = 0.5  # seconds for answers that are on their way when the process is told to end


async def serve(app: web.Application, port: int) -> None:
    """Serve until SIGTERM."""
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    # Who has left ends its request: else one that stalls would be kept for ever.
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_LAST, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, _HOST, port, backlog=_BACKLOG).start()
    await ended.wait()
    await runner.cleanup()


def main(arguments: list[str]) -> None:
    """Run until told to end."""
    settings = read_settings(arguments[1])
    if arguments[0] == "storage":
        asyncio.run(serve(storage_app(settings), settings.storage_port))
    else:
        asyncio.run(serve(service_app(settings), settings.service_port))


_MOST_JSON = 2**24  # bytes: 10,000 part numbers fit many times


def service_app(settings: Settings) -> web.Application:
    """The service, ready to be run."""
    uploads = Uploads(file_store(settings))
    shared = serving(settings, spared=OF_STORAGE)
    app = web.Application(client_max_size=_MOST_JSON)

    def refuses(fault: Fault) -> web.StreamResponse:
        return service_refuses(fault, settings.retry_after)

    shared.add_control(app)
    for route in routes(Entities(uploads.same_content), uploads):
        handler = _handler(route, settings.token)
        app.router.add_route(route.method, route.path, shared.about_to(handler, refuses))
    app.router.add_route("*", "/{path:.*}", shared.about_to(_unknown, refuses))
    return app


def file_store(settings: Settings) -> FileStore:
    """Where the files are."""
    if settings.store == "s3":
        from core.lab.synapse.stored_files import S3Storage

        access_key, secret_key = settings.s3_keys
        return S3Storage(
            settings.endpoint,
            settings.bucket,
            access_key=access_key,
            secret_key=secret_key,
            expiry=settings.expiry,
        )
    presigner = Presigner(settings.signing_key, settings.storage, settings.expiry)
    return OwnStorage(StoredParts(Path(settings.folder)), presigner)


def service_refuses(fault: Fault, retry_after: float) -> web.StreamResponse:
    """How Synapse answers where a fault says so."""
    match fault:
        case "throttled":
            answer = refused(Refused(429, "Requests are too frequent for API call."))
            answer.headers["Retry-After"] = f"{retry_after:g}"
            return answer
        case "unavailable":
            return refused(Refused(503, "Service temporarily unavailable, please try again"))
        case _:
            return refused(Refused(500, "Internal server error"))


def _handler(route: Route, token: str) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        if not is_authorised(request, token):
            return refused(Refused(401, "Invalid access token"))
        text = await request.read()
        if request.get(FAULT) == "dropped":  # before anything is done, so that it can be repeated
            return cut(request)
        try:
            body = msgspec.json.decode(text, type=dict) if text else {}
            answer = route.answer(Call(place=request.match_info, query=request.query, body=body))
        except Refused as why:
            return refused(why)
        except msgspec.DecodeError as error:
            return refused(Refused(400, f"Not JSON: {error}"))
        return web.Response(status=200) if answer is None else json(answer, route.status)

    return handle


async def _unknown(request: web.Request) -> web.StreamResponse:
    return refused(Refused(404, f"The stand-in has no route {request.method} {request.path}"))


if __name__ == "__main__":
    main(sys.argv[1:])
