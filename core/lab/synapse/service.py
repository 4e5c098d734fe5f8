"""The process that answers JSON, as Synapse's repository and file services do."""

from __future__ import annotations

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
from core.lab.synapse.settings import Settings
from core.lab.synapse.stored_files import FileStore, OwnStorage, StoredParts
from core.lab.synapse.uploads import Uploads

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
