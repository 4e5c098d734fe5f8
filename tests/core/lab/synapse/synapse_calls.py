"""What tests have the real client do, in a process of its own: its threads, event loops, warnings
and caches stay there, and its home is a folder of the test's.
"""

from __future__ import annotations

import csv
import datetime
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

_CLIENTS: dict[str, Any] = {}
_FOLDERS: dict[str, Path] = {}

ANNOTATIONS: Mapping[str, Any] = {
    "text": ["a text"],
    "whole": [7],
    "real": [0.25],
    "truth": [True],
    "date": [datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)],
}
"""One of each kind, as the published measurements have."""


def begin(folder: Path) -> None:
    """Keep away from the user's home, before the client is imported."""
    os.environ["HOME"] = str(folder)
    _FOLDERS["work"] = folder
    import synapseclient  # noqa: F401


def ending(call: Callable[..., Any], *arguments: Any) -> Any:
    """What the call returns, or the class and text of its error."""
    try:
        return call(*arguments)
    except Exception as error:  # noqa: BLE001 -- the client's own, which not every process knows
        return f"{type(error).__name__}: {error}"


def login(base: str, token: str) -> str:
    """Make a new client, the one of all calls below; returns the user's name."""
    import synapseclient

    client = synapseclient.Synapse(
        repoEndpoint=f"{base}/repo/v1",
        authEndpoint=f"{base}/auth/v1",
        fileHandleEndpoint=f"{base}/file/v1",
        portalEndpoint=base,
        configPath=str(_FOLDERS["work"] / "none"),
        cache_root_dir=str(_cache()),
        cache_client=False,
        skip_checks=True,
        silent=True,
    )
    client.login(authToken=token, silent=True)
    _CLIENTS["now"] = client
    name: str = client.credentials.username
    return name


def new_project(name: str) -> str:
    """The id of a new project."""
    import synapseclient

    return _id(_client().store(synapseclient.Project(name)))


def new_folder(parent: str, name: str) -> str:
    """The id of a folder, which may be there already."""
    import synapseclient

    return _id(_client().store(synapseclient.Folder(name, parent=parent)))


def store(path: Path, parent: str, annotations: Mapping[str, Any] | None = None) -> str:
    """The id of a file, new or changed."""
    import synapseclient

    made = synapseclient.File(str(path), parent=parent, annotations=dict(annotations or {}))
    return _id(_client().store(made, forceVersion=False))


def get(entity: str, version: int | None = None) -> tuple[bytes, dict[str, Any], int]:
    """The bytes of a file, its annotations and its version, past the client's cache."""
    found = _client().get(entity, version=version, downloadLocation=str(_new_folder("got")))
    content = Path(found.path).read_bytes()
    return content, dict(found.annotations), int(found.versionNumber)


def annotate(entity: str, annotations: Mapping[str, Any]) -> dict[str, Any]:
    """Replace annotations; returns what is there then."""
    import synapseclient

    client = _client()
    etag = client.get_annotations(entity).etag
    client.set_annotations(synapseclient.Annotations(entity, etag, dict(annotations)))
    return dict(client.get_annotations(entity))


def children(parent: str) -> list[str]:
    """The names of all that is below."""
    return [one["name"] for one in _client().getChildren(parent)]


def delete(entity: str) -> None:
    """Remove it."""
    _client().delete(entity)


def sync_up(tree: Mapping[str, bytes], parent: str) -> None:
    """Upload files, by their paths, with `syncToSynapse`; their folders are made before."""
    import synapseutils

    top = _new_folder("up")
    rows = [["path", "parent", "origin"]]
    for name, content in tree.items():
        path = top / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        there = new_folder(parent, path.parent.name) if path.parent != top else parent
        rows.append([str(path), there, name.replace("/", " ")])
    manifest = top / "manifest.tsv"
    with manifest.open("w", newline="") as file:
        csv.writer(file, delimiter="\t").writerows(rows)
    synapseutils.syncToSynapse(_client(), str(manifest), sendMessages=False)


def sync_down(parent: str) -> dict[str, bytes]:
    """Download all below with `syncFromSynapse`; files by their paths, without manifests."""
    import synapseutils

    top = _new_folder("down")
    synapseutils.syncFromSynapse(_client(), parent, path=str(top), manifest="suppress")
    # It makes a manifest in each folder, though it is told not to.
    found = (path for path in top.rglob("*.*") if path.name != "manifest.csv")
    return {str(path.relative_to(top)): path.read_bytes() for path in found}


def home() -> list[str]:
    """What the client has written into its user's home."""
    return sorted(path.name for path in _FOLDERS["work"].glob(".*"))


def _client() -> Any:
    # What lies in the client's cache is neither sent nor fetched again.
    shutil.rmtree(_cache(), ignore_errors=True)
    return _CLIENTS["now"]


def _cache() -> Path:
    return _FOLDERS["work"] / "cache"


def _id(entity: Any) -> str:
    found: str = entity.id
    return found


def _new_folder(name: str) -> Path:
    folder = _FOLDERS["work"] / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder
