"""The service's answers to all requests, without HTTP.

The routes are those that synapseclient 4.14 asks for while it moves trees of files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.lab.synapse.entities import (
    USER,
    Entities,
    Entity,
    EntityBody,
    Json,
    RequestRefused,
    read_body,
)
from core.lab.synapse.uploads import DESTINATION, Uploads

_ENTITY = "/repo/v1/entity/{id:(?:syn)?[0-9]+}"
_VERSION = _ENTITY + "/version/{version:[0-9]+}"
_UPLOAD = "/file/v1/file/multipart"

PROFILE: Json = {
    "ownerId": USER,
    "userName": "sluice",
    "firstName": "Sluice",
    "lastName": "Lab",
    "displayName": "sluice",
    "emails": [],
}


@dataclass(frozen=True, kw_only=True)
class Call:
    path_values: Mapping[str, str]
    """The variable parts of its path."""
    query: Mapping[str, str]
    body: Json

    @property
    def id(self) -> str:
        return self.path_values["id"]

    @property
    def version(self) -> int | None:
        return int(self.path_values["version"]) if "version" in self.path_values else None

    def asks(self, name: str) -> bool:
        return self.query.get(name, "").lower() == "true"


class Route(NamedTuple):
    """A kind of request, and what answers it; None is an answer without a body."""

    method: str
    path: str
    answer: Callable[[Call], Any]
    status: int = 200


def routes(entities: Entities, uploads: Uploads) -> list[Route]:
    bundles = _Bundles(entities, uploads)
    return [
        *_user_routes(),
        *_entity_routes(entities, uploads),
        *_relation_routes(entities, uploads),
        Route("POST", f"{_ENTITY}/bundle2", bundles.read),
        Route("POST", f"{_VERSION}/bundle2", bundles.read),
        Route("POST", "/repo/v1/entity/bundle2/create", bundles.create, 201),
        Route("PUT", f"{_ENTITY}/bundle2", bundles.update),
        *_file_routes(uploads),
    ]


def _user_routes() -> list[Route]:
    return [
        Route("GET", "/repo/v1/userProfile", lambda call: PROFILE),
        Route("GET", "/repo/v1/userProfile/{user}", lambda call: PROFILE),
        Route("GET", "/repo/v1/version", lambda call: {"version": "sluice"}),
        Route("GET", "/repo/v1/status", lambda call: {"status": "READ_WRITE"}),
    ]


def _entity_routes(entities: Entities, uploads: Uploads) -> list[Route]:
    def create(call: Call) -> Json:
        _require_handle(uploads, call.body)
        return entities.create(call.body).as_json()

    def update(call: Call) -> Json:
        _require_handle(uploads, call.body)
        return entities.update(call.id, call.body, new_version=call.asks("newVersion")).as_json()

    def delete(call: Call) -> None:
        before = entities.file_handles()
        entities.delete(call.id, call.version)
        uploads.forget(before - entities.file_handles())

    def read(call: Call) -> Json:
        return entities.get(call.id).as_json(call.version)

    def annotations(call: Call) -> Json:
        return entities.get(call.id).annotations(call.version)

    def versions(call: Call) -> Json:
        entity = entities.get(call.id)
        return {"results": [entity.as_json(number) for number in sorted(entity.versions)[::-1]]}

    return [
        Route("POST", "/repo/v1/entity", create, 201),
        Route("GET", _ENTITY, read),
        Route("GET", _VERSION, read),
        Route("PUT", _ENTITY, update),
        Route("DELETE", _ENTITY, delete),
        Route("DELETE", _VERSION, delete),
        Route("GET", f"{_ENTITY}/version", versions),
        Route("GET", f"{_ENTITY}/annotations2", annotations),
        Route("GET", f"{_VERSION}/annotations2", annotations),
        Route("PUT", f"{_ENTITY}/annotations2", lambda call: entities.annotate(call.id, call.body)),
    ]


def _relation_routes(entities: Entities, uploads: Uploads) -> list[Route]:
    def no_activity(call: Call) -> None:
        entities.get(call.id).at(call.version)
        raise RequestRefused(404, "No activity")

    def of_md5(call: Call) -> Json:
        return {"results": entities.with_file_handles(uploads.of_md5(call.path_values["md5"]))}

    return [
        Route("POST", "/repo/v1/entity/child", lambda call: {"id": entities.child(call.body)}),
        Route("POST", "/repo/v1/entity/children", lambda call: entities.children(call.body)),
        Route("GET", f"{_ENTITY}/path", lambda call: {"path": entities.path(call.id)}),
        Route("GET", f"{_ENTITY}/type", lambda call: entities.header(entities.get(call.id))),
        Route(
            "GET",
            f"{_ENTITY}/benefactor",
            lambda call: {"id": entities.project(entities.get(call.id))},
        ),
        Route("GET", f"{_ENTITY}/generatedBy", no_activity),
        Route("GET", f"{_VERSION}/generatedBy", no_activity),
        Route("GET", "/repo/v1/entity/md5/{md5:[0-9a-f]+}", of_md5),
    ]


def _file_routes(uploads: Uploads) -> list[Route]:
    def add(call: Call) -> Json:
        number, md5 = int(call.path_values["number"]), call.query.get("partMD5Hex", "")
        return uploads.add_part(call.id, number, md5)

    def start(call: Call) -> Json:
        return uploads.start(call.body, restart=call.asks("forceRestart"))

    def part_urls(call: Call) -> Json:
        return uploads.part_urls(call.id, call.body)

    return [
        Route("GET", "/{api:repo|file}/v1/entity/{id}/uploadDestination", lambda call: DESTINATION),
        Route("POST", _UPLOAD, start),
        Route("POST", _UPLOAD + "/{id}/presigned/url/batch", part_urls),
        Route("PUT", _UPLOAD + "/{id}/add/{number:[0-9]+}", add),
        Route("PUT", _UPLOAD + "/{id}/complete", lambda call: uploads.complete(call.id)),
        Route("GET", "/file/v1/fileHandle/{id}", lambda call: uploads.handle(call.id)),
        Route("POST", "/file/v1/fileHandle/batch", lambda call: uploads.downloads(call.body), 201),
    ]


class _Bundles:
    """Several things about an entity in one answer."""

    def __init__(self, entities: Entities, uploads: Uploads) -> None:
        self._entities = entities
        self._uploads = uploads

    def read(self, call: Call) -> Json:
        return self._bundle(self._entities.get(call.id), call.version, call.body)

    def create(self, call: Call) -> Json:
        properties = call.body.get("entity") or {}
        _require_handle(self._uploads, properties)
        return self._annotated(self._entities.create(properties), call.body)

    def update(self, call: Call) -> Json:
        entity = self._entities.get(call.id)
        if properties := call.body.get("entity"):
            _require_handle(self._uploads, properties)
            self._entities.update(call.id, properties, new_version=call.asks("newVersion"))
        return self._annotated(entity, call.body)

    def _annotated(self, entity: Entity, body: Json) -> Json:
        if annotations := body.get("annotations"):
            self._entities.annotate(entity.id, {**annotations, "etag": entity.etag})
        names = ("includeEntity", "includeAnnotations", "includeFileHandles")
        return self._bundle(entity, None, dict.fromkeys(names, True))

    def _bundle(self, entity: Entity, version: int | None, included: Json) -> Json:
        properties = entity.as_json(version)
        handle = properties.get("dataFileHandleId")
        parts: dict[str, Callable[[], tuple[str, Any]]] = {
            "includeEntity": lambda: ("entity", properties),
            "includeAnnotations": lambda: ("annotations", entity.annotations(version)),
            "includeFileHandles": lambda: (
                "fileHandles",
                [self._uploads.handle(handle)] if handle else [],
            ),
            "includeEntityPath": lambda: ("path", {"path": self._entities.path(entity.id)}),
            "includeHasChildren": lambda: ("hasChildren", bool(entity.children)),
            "includeBenefactorACL": lambda: (
                "benefactorAcl",
                {"id": self._entities.project(entity), "resourceAccess": []},
            ),
            "includeRestrictionInformation": lambda: (
                "restrictionInformation",
                {
                    "objectId": entity.id,
                    "restrictionLevel": "OPEN",
                    "hasUnmetAccessRequirement": False,
                },
            ),
        }
        bundle = dict(part() for name, part in parts.items() if included.get(name))
        return {"entityType": entity.kind, **bundle}


def _require_handle(uploads: Uploads, entity: Json) -> None:
    """Raise RequestRefused for an entity with an unknown file handle."""
    if (handle := read_body(entity, EntityBody).data_file_handle_id) is not None:
        uploads.handle(handle)
