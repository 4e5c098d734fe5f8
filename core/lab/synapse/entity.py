"""One project, folder or file of the stand-in, with its versions and annotations."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from core.lab.synapse.error_answers import not_found

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
    """What one version of an entity says."""

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
        """The number of its newest version."""
        return max(self.versions)

    @property
    def now(self) -> Version:
        """Its newest version."""
        return self.versions[self.newest]

    @property
    def kind(self) -> str:
        """`file`, `folder` or `project`."""
        return TYPES[self.now.properties["concreteType"]]

    @property
    def etag(self) -> str:
        """Another one after each change."""
        found: str = self.now.properties["etag"]
        return found

    def at(self, version: int | None) -> Version:
        """That version, or the newest; raises Refused."""
        if version is None:
            return self.now
        if version not in self.versions:
            raise not_found(f"Entity {self.id} version {version}")
        return self.versions[version]

    def told(self, version: int | None = None) -> Json:
        """Its properties."""
        properties = self.at(version).properties
        if self.kind != "file":
            return properties
        latest = properties["versionNumber"] == self.newest
        return {**properties, "isLatestVersion": latest}

    def annotations(self, version: int | None = None) -> Json:
        """Its annotations, with its id and etag."""
        return {"id": self.id, "etag": self.etag, "annotations": self.at(version).annotations}

    def header(self, project: str) -> Json:
        """How it is told in lists; its project says who may see it."""
        properties = self.now.properties
        told = ("name", "createdOn", "modifiedOn", "createdBy", "modifiedBy", "etag")
        return {
            "id": self.id,
            "type": properties["concreteType"],
            "versionNumber": self.newest,
            "versionLabel": properties.get("versionLabel", "1"),
            "benefactorId": int(project.removeprefix("syn")),
            "isLatestVersion": True,
            **{name: properties[name] for name in told},
        }

    def stamp(self) -> None:
        """Tell that it has changed."""
        changed = {"etag": str(uuid.uuid4()), "modifiedOn": timestamp(), "modifiedBy": USER}
        self.now.properties |= changed
