"""Cells of a study that need a server: it is the lab's, if that runs."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from core.catalog.parameters import Value
from core.errors import Unavailable
from core.language.translation import tr
from core.study.cells import StudyCell


class ServerUse(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What cells with some values need of a server of the lab."""

    server: str
    at: dict[str, Value]
    """The values by which a cell needs it."""
    in_front: str = ""
    """A server of the lab that can stand in front of it, and is asked instead where it does."""
    values: dict[str, Value] = {}
    """What such a cell has besides the server's address, such as references to its secrets."""

    def needed_by(self, values: Mapping[str, Value]) -> bool:
        """Whether a cell with these values needs it."""
        return self.at.items() <= values.items()

    def address(self, addresses: Mapping[str, str]) -> str:
        """Where to ask."""
        own, front = addresses[self.server], addresses.get(self.in_front, "")
        # One in front of another server has that one's scheme.
        return front if _scheme(front) == _scheme(own) else own


def server_values(
    cell: StudyCell, uses: tuple[ServerUse, ...], addresses: Mapping[str, str]
) -> dict[str, Value]:
    """The values of a cell that say where its servers are; raises Unavailable where one is not.

    `addresses`: of the lab's servers that serve.
    """
    found: dict[str, Value] = {}
    for use in uses:
        if not use.needed_by(cell.at):
            continue
        if use.server not in addresses:
            raise Unavailable(
                tr("the lab's server {server} does not run", server=use.server),
                tr("start it: {command}", command=f"python -m core lab start {use.server}"),
            )
        found |= {"address": use.address(addresses)} | use.values
    return found


def _scheme(address: str) -> str:
    return address.partition("://")[0]
