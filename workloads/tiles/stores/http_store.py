"""Tiles behind plain http(s): `ADDRESS/layer/key`, one file for each tile.

Any web server can serve them.  Layers can be placed, written and removed where it takes PUT and
DELETE and lists folders as JSON, as the lab's nginx does.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from functools import partial
from typing import override
from urllib.parse import urlsplit

from core import InvalidParameter, SluiceError, tr
from workloads.shared.objects import Place, RequestFailed, not_given
from workloads.shared.objects.http_client import HttpObjects
from workloads.tiles.stores.object_store import MANIFEST, ObjectStore
from workloads.tiles.stores.store import Opening, key_of


class HttpStore(ObjectStore):
    """A layer in a folder of a web server.  Lists and removals are http.client's."""

    def __init__(self, opening: Opening) -> None:
        self._place = http_place(opening)
        super().__init__(opening, self._place, "http", f"{opening.layer}/")

    @override
    def refused(self, error: Exception) -> SluiceError:
        return not_given(self._place.url, error)

    def _files(self) -> closing[HttpObjects]:
        return closing(HttpObjects(self._place, self._tally))

    @override
    def keys(self) -> Iterable[int]:
        with self._files() as files:
            names = self._names(files)
        return [key_of(name) for name in names if name != MANIFEST]

    def _names(self, files: HttpObjects) -> list[str]:
        try:
            return files.names_in(self.prefix)
        except RequestFailed as error:
            raise SluiceError(
                tr("{address} does not list its tiles: {why}", address=self._place.url, why=error),
                tr("have the server list folders as JSON, or read its folder as files"),
            ) from error

    @override
    def remove(self) -> int:
        with self._files() as files:
            names = self._names(files)
            # The manifest first: of a layer half removed, nobody may think it is complete.
            for name in sorted(names, key=lambda name: name != MANIFEST):
                self.repeats.perform(partial(files.delete, self.prefix + name), files.failures)
            if names:
                files.delete(self.prefix)
        return len(names)


def http_place(opening: Opening) -> Place:
    """How the folder of an address is reached; raises InvalidParameter."""
    return Place(
        url=_folder_url(opening.address),
        connections=opening.threads,
        timeout=opening.parameters.timeout,
    )


def _folder_url(address: str) -> str:
    """With a slash at its end; raises InvalidParameter, never repeating credentials."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise InvalidParameter(
            "address",
            tr("it is no address of a web server"),
            tr("give http://host:port/folder, without credentials"),
        )
    if parts.query or parts.fragment:
        raise InvalidParameter(
            "address",
            tr("an address with ? or # is no folder"),
            tr("give http://host:port/folder, without credentials"),
        )
    return address.rstrip("/") + "/"
