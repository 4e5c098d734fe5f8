"""Cells of a study that need a server: it is the lab's, if that runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.errors import Unavailable
from core.host.program import command_text
from core.language.translation import tr

if TYPE_CHECKING:
    from core.catalog.parameters import Value
    from core.catalog.server_use import ServerUse


def server_values(
    values: Mapping[str, Value], uses: Sequence[ServerUse], addresses: Mapping[str, str]
) -> dict[str, Value]:
    """What says where the servers are that a cell with these values needs and does not name.

    `addresses`: of the lab's servers that serve.  Raises Unavailable where one does not.
    """
    found: dict[str, Value] = {}
    for use in uses:
        if not use.unknown_to(values):
            continue
        if use.server not in addresses:
            raise Unavailable(
                tr("the lab's server {server} does not run", server=use.server),
                tr("start it: {command}", command=command_text("lab", "start", use.server)),
            )
        found |= use.found(addresses)
    return found
