"""Projects, folders and files of the stand-in: a tree in memory.

It reads only some members of the requests' bodies; the others are kept or ignored.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec

type Json = dict[str, Any]

USER = "1"
"""The id of the only user."""
MODEL = "org.sagebionetworks.repo.model."
TYPES = {MODEL + "FileEntity": "file", MODEL + "Folder": "folder", MODEL + "Project": "project"}
"""The names of types in lists, by `concreteType`."""
_ROOT = "syn4489"
_PAGE = 50
_NAME = re.compile(r"[\w\-+.() ']{1,256}", re.ASCII)
_SORTS: Mapping[str, str] = {"NAME": "name", "CREATED_ON": "createdOn", "MODIFIED_ON": "modifiedOn"}


class RequestRefused(Exception):
    """The request is answered with that status and reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


def not_found(what: str) -> RequestRefused:
    return RequestRefused(404, f"{what} does not exist")


def timestamp() -> str:
    """Now, as the service writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


@dataclass
class Version:
    properties: Json
    annotations: Json = field(default_factory=dict)


@dataclass
class Entity:
    """One entity with all its versions; only files have more than one."""

    id: str
    versions: dict[int, Version]
    children: dict[str, str] = field(default_factory=dict)
    """Ids by names."""

    @property
    def newest(self) -> int:
        return max(self.versions)

    @property
    def now(self) -> Version:
        return self.versions[self.newest]

    @property
    def kind(self) -> str:
        return TYPES[self.now.properties["concreteType"]]

    @property
    def etag(self) -> str:
        """Another one after each change."""
        etag: str = self.now.properties["etag"]
        return etag

    def at(self, version: int | None) -> Version:
        if version is None:
            return self.now
        if version not in self.versions:
            raise not_found(f"Entity {self.id} version {version}")
        return self.versions[version]

    def as_json(self, version: int | None = None) -> Json:
        properties = self.at(version).properties
        if self.kind != "file":
            return properties
        latest = properties["versionNumber"] == self.newest
        return {**properties, "isLatestVersion": latest}

    def annotations(self, version: int | None = None) -> Json:
        return {"id": self.id, "etag": self.etag, "annotations": self.at(version).annotations}

    def header(self, project: str) -> Json:
        """How lists show it; its project says who may see it."""
        properties = self.now.properties
        copied = ("name", "createdOn", "modifiedOn", "createdBy", "modifiedBy", "etag")
        return {
            "id": self.id,
            "type": properties["concreteType"],
            "versionNumber": self.newest,
            "versionLabel": properties.get("versionLabel", "1"),
            "benefactorId": int(project.removeprefix("syn")),
            "isLatestVersion": True,
            **{name: properties[name] for name in copied},
        }

    def stamp(self) -> None:
        changed = {"etag": str(uuid.uuid4()), "modifiedOn": timestamp(), "modifiedBy": USER}
        self.now.properties |= changed


class Body(msgspec.Struct, rename="camel"):
    """Members that are not declared are ignored."""


class EntityBody(Body):
    concrete_type: str = ""
    name: str | None = None
    parent_id: str | None = None
    data_file_handle_id: str | None = None
    version_label: str | None = None
    etag: str | None = None


class AnnotationsBody(Body):
    etag: str | None = None
    annotations: dict[str, object] | None = None


class LookupBody(Body):
    entity_name: str
    parent_id: str | None = None


class ChildrenBody(Body):
    include_types: Sequence[str] = ()
    parent_id: str | None = None
    next_page_token: str | None = None
    sort_by: str | None = None
    sort_direction: str | None = None
    include_total_child_count: bool = False


def read_body[T: Body](body: Json, kind: type[T]) -> T:
    """The body as that kind; raises RequestRefused for any other."""
    try:
        return msgspec.convert(body, kind)
    except msgspec.ValidationError as error:
        raise RequestRefused(400, str(error)) from None


class Entities:
    def __init__(self, same_content: Callable[[str, str], bool]) -> None:
        """`same_content`: whether two file handles, by id, have the same MD5."""
        self._same_content = same_content
        self._all: dict[str, Entity] = {}
        self._projects: dict[str, str] = {}
        self._last = 1000

    def get(self, id: str) -> Entity:
        entity = self._all.get(_with_prefix(id))
        if entity is None:
            raise not_found(f"Entity {_with_prefix(id)}")
        return entity

    def create(self, given: Json) -> Entity:
        body = read_body(given, EntityBody)
        kind = TYPES.get(body.concrete_type)
        if kind is None:
            raise RequestRefused(400, f"Unknown entity type: {body.concrete_type}")
        parent = _ROOT if kind == "project" else _with_prefix(body.parent_id or "")
        siblings = self._children(parent)
        if kind == "file" and not body.data_file_handle_id:
            raise RequestRefused(400, "FileEntity.dataFileHandleId cannot be null")
        new = f"syn{self._last + 1}"
        name = _valid_name(body.name or new)
        if name in siblings:
            raise _name_is_taken(name, parent)
        self._last += 1
        made: Json = {**given, "id": new, "name": name, "parentId": parent}
        made |= {"createdOn": timestamp(), "createdBy": USER}
        if kind == "file":
            made |= {"versionNumber": 1, "versionLabel": body.version_label or "1"}
        entity = Entity(new, {1: Version(made)})
        entity.stamp()
        self._all[new] = entity
        siblings[name] = new
        return entity

    def update(self, id: str, given: Json, *, new_version: bool) -> Entity:
        """Change an entity; a file gets a new version on request, or for other bytes."""
        entity, body = self.get(id), read_body(given, EntityBody)
        _require_etag(entity, body.etag)
        before = entity.now
        name = _valid_name(body.name or before.properties["name"])
        parent = body.parent_id or before.properties["parentId"]
        self._move(entity, name, parent)
        label = body.version_label
        if entity.kind == "file" and not new_version and self._has_other_bytes(before, body):
            new_version, label = True, None
        constant = ("id", "concreteType", "createdOn", "createdBy")
        after = {
            **{key: value for key, value in given.items() if key != "isLatestVersion"},
            **{key: before.properties[key] for key in constant},
            "name": name,
            "parentId": parent,
        }
        number = entity.newest
        if entity.kind == "file":
            number += new_version
            after |= {"versionNumber": number, "versionLabel": label or str(number)}
            after.setdefault("dataFileHandleId", before.properties["dataFileHandleId"])
        entity.versions[number] = Version(after, before.annotations)
        entity.stamp()
        return entity

    def annotate(self, id: str, given: Json) -> Json:
        entity, body = self.get(id), read_body(given, AnnotationsBody)
        _require_etag(entity, body.etag)
        entity.now.annotations = body.annotations or {}
        entity.stamp()
        return entity.annotations()

    def delete(self, id: str, version: int | None = None) -> None:
        """Remove an entity and all below it, or one version of a file."""
        entity = self.get(id)
        if version is not None:
            entity.at(version)
            if len(entity.versions) == 1:
                raise RequestRefused(400, "Cannot delete the last version of an entity")
            location = {key: entity.now.properties[key] for key in ("name", "parentId")}
            del entity.versions[version]
            entity.now.properties |= location  # only versions go, not the entity's place
            return
        for child in list(entity.children.values()):
            self.delete(child)
        properties = entity.now.properties
        del self._children(properties["parentId"])[properties["name"]]
        del self._all[entity.id]

    def child(self, given: Json) -> str:
        """The id of the entity of that name below a parent, or of the project."""
        body = read_body(given, LookupBody)
        parent = _with_prefix(body.parent_id) if body.parent_id else _ROOT
        child_id = self._children(parent).get(body.entity_name)
        if child_id is None:
            raise not_found(f"An entity with the name: {body.entity_name} and parentId: {parent}")
        return child_id

    def children(self, given: Json) -> Json:
        """One page of the entities below a parent, and the token of the next one."""
        body = read_body(given, ChildrenBody)
        if not body.include_types:
            raise RequestRefused(
                400, "EntityChildrenRequest.includeTypes must include at least one type"
            )
        parent = _with_prefix(body.parent_id) if body.parent_id else _ROOT
        entities = [self.get(one) for one in self._children(parent).values()]
        entities = [one for one in entities if one.kind in body.include_types]
        by = _SORTS.get(body.sort_by or "NAME", "name")
        entities.sort(
            key=lambda one: (one.now.properties[by], one.id), reverse=body.sort_direction == "DESC"
        )
        start = _offset(body.next_page_token)
        page: Json = {"page": [self.header(one) for one in entities[start : start + _PAGE]]}
        if start + _PAGE < len(entities):
            page["nextPageToken"] = f"{_PAGE}a{start + _PAGE}"
        if body.include_total_child_count:
            page["totalChildCount"] = len(entities)
        return page

    def header(self, entity: Entity) -> Json:
        return entity.header(self.project(entity))

    def project(self, entity: Entity) -> str:
        while (parent := entity.now.properties["parentId"]) != _ROOT:
            entity = self.get(parent)
        return entity.id

    def path(self, id: str) -> list[Json]:
        headers: list[Json] = []
        above = id
        while above != _ROOT:
            entity = self.get(above)
            headers.append(self.header(entity))
            above = entity.now.properties["parentId"]
        root = {"id": _ROOT, "name": "root", "type": MODEL + "Folder"}
        return [root, *reversed(headers)]

    def file_handles(self) -> set[str]:
        return {handle for _, handle in self._handles()}

    def with_file_handles(self, handles: set[str]) -> list[Json]:
        """The headers of the entities that have one of them."""
        entities = {entity.id: entity for entity, handle in self._handles() if handle in handles}
        return [self.header(entity) for entity in entities.values()]

    def _handles(self) -> Iterator[tuple[Entity, str]]:
        for entity in self._all.values():
            for version in entity.versions.values():
                if handle := version.properties.get("dataFileHandleId"):
                    yield entity, handle

    def _children(self, parent: str) -> dict[str, str]:
        return self._projects if parent == _ROOT else self.get(parent).children

    def _has_other_bytes(self, before: Version, body: EntityBody) -> bool:
        old: str = before.properties["dataFileHandleId"]
        new = body.data_file_handle_id or old
        return new != old and not self._same_content(old, new)

    def _move(self, entity: Entity, name: str, parent: str) -> None:
        properties = entity.now.properties
        if (name, parent) == (properties["name"], properties["parentId"]):
            return
        there = self._children(parent)
        if name in there:
            raise _name_is_taken(name, parent)
        del self._children(properties["parentId"])[properties["name"]]
        there[name] = entity.id


def _with_prefix(id: str) -> str:
    return id if id.startswith("syn") else f"syn{id}"


def _valid_name(name: str) -> str:
    if _NAME.fullmatch(name) is None:
        raise RequestRefused(
            400,
            f"Invalid Name: '{name}'. Names may only contain: letters, numbers, spaces,"
            " underscores, hyphens, periods, plus signs, apostrophes, and parentheses",
        )
    return name


def _name_is_taken(name: str, parent: str) -> RequestRefused:
    return RequestRefused(
        409, f"An entity with the name: {name} already exists with a parentId: {parent}"
    )


def _require_etag(entity: Entity, etag: str | None) -> None:
    if etag != entity.etag:
        raise RequestRefused(
            412,
            f"Object: {entity.id} was updated since you last fetched it, retrieve it again and"
            " re-apply the update",
        )


def _offset(token: str | None) -> int:
    if token is None:
        return 0
    size, _, start = token.partition("a")
    if not (size.isdigit() and start.isdigit()):
        raise RequestRefused(400, f"Unknown next page token: {token}")
    return int(start)
