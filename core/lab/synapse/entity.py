"""One project, folder or file of the stand-in, and the bodies of requests about it.

Of the bodies is read what the stand-in needs; the rest is kept or left.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec

from core.lab.synapse.settings import RequestRefused, not_found

type Json = dict[str, Any]

USER = "1"
"""The id of the only user."""
MODEL = "org.sagebionetworks.repo.model."
TYPES = {MODEL + "FileEntity": "file", MODEL + "Folder": "folder", MODEL + "Project": "project"}
"""What is called how in lists, by `concreteType`."""


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
        found: str = self.now.properties["etag"]
        return found

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
        shown = ("name", "createdOn", "modifiedOn", "createdBy", "modifiedBy", "etag")
        return {
            "id": self.id,
            "type": properties["concreteType"],
            "versionNumber": self.newest,
            "versionLabel": properties.get("versionLabel", "1"),
            "benefactorId": int(project.removeprefix("syn")),
            "isLatestVersion": True,
            **{name: properties[name] for name in shown},
        }

    def stamp(self) -> None:
        changed = {"etag": str(uuid.uuid4()), "modifiedOn": timestamp(), "modifiedBy": USER}
        self.now.properties |= changed


class _Body(msgspec.Struct, rename="camel"):
    """Members that are not declared are ignored."""


class EntityBody(_Body):
    concrete_type: str = ""
    name: str | None = None
    parent_id: str | None = None
    data_file_handle_id: str | None = None
    version_label: str | None = None
    etag: str | None = None


class AnnotationsBody(_Body):
    etag: str | None = None
    annotations: dict[str, object] | None = None


class LookupBody(_Body):
    entity_name: str
    parent_id: str | None = None


class ChildrenBody(_Body):
    include_types: Sequence[str] = ()
    parent_id: str | None = None
    next_page_token: str | None = None
    sort_by: str | None = None
    sort_direction: str | None = None
    include_total_child_count: bool = False


class UploadBody(_Body):
    """The request of an upload; sizes in bytes."""

    concrete_type: str
    file_name: str
    file_size_bytes: int
    part_size_bytes: int
    content_md5_hex: str = msgspec.field(name="contentMD5Hex")
    content_type: str | None = None


class PartsBody(_Body):
    part_numbers: Sequence[int]


class RequestedFile(_Body):
    file_handle_id: str | int


class DownloadsBody(_Body):
    requested_files: Sequence[RequestedFile]
    include_file_handles: bool = False
    include_urls: bool = msgspec.field(name="includePreSignedURLs", default=False)


def read_body[T: _Body](body: Json, kind: type[T]) -> T:
    """The body as that kind; raises RequestRefused for any other."""
    try:
        return msgspec.convert(body, kind)
    except msgspec.ValidationError as error:
        raise RequestRefused(400, str(error)) from None
