"""Lists what a package consists of, as CycloneDX 1.5 reads it."""

from __future__ import annotations

import json
import platform
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from contents import PROJECT, Edition, required

from core.host.about_sluice import Component, component_of


def write_sbom(edition: Edition, inside: Path, file: Path, *, commit: str, epoch: int) -> None:
    """Write the list for a frozen edition, the same bytes for the same parts."""
    parts = [
        part
        for name, found in required(edition).items()
        if name != PROJECT["name"]
        for part in [of_python(component_of(found))]
    ]
    parts.append(
        _component("Python", platform.python_version(), "Python-2.0", "pkg:generic/python")
    )
    libraries = json.loads((inside / "licences" / "libraries.json").read_text("utf-8"))
    parts += [of_debian(named, files) for named, files in sorted(libraries.items())]
    told = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{_serial(edition, commit)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, UTC).isoformat(),
            "component": {
                "type": "application",
                "bom-ref": edition.name,
                "name": edition.name,
                "version": PROJECT["version"],
                "licenses": [{"license": {"id": PROJECT["license"]}}],
            },
        },
        "components": parts,
    }
    file.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _serial(edition: Edition, commit: str) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_URL, f"sluice:{edition.name}:{PROJECT['version']}:{commit}")


def of_python(component: Component) -> dict[str, Any]:
    """A distribution of the package index."""
    name = component.name.lower().replace("_", "-")
    return _component(component.name, component.version, component.licence, f"pkg:pypi/{name}")


def of_debian(named: str, files: list[str]) -> dict[str, Any]:
    """A package of the system whose libraries are bundled; its terms are a file beside them."""
    name, _, version = named.partition("_")
    found = _component(name, version, f"see licences/{name}_*.txt", f"pkg:deb/debian/{name}")
    return {**found, "description": ", ".join(files)}


def _component(name: str, version: str, licence: str, address: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "type": "library",
        "bom-ref": f"{address}@{version}",
        "name": name,
        "version": version,
        "purl": f"{address}@{version}",
    }
    return {**told, "licenses": [{"license": {"name": licence}}]} if licence else told
