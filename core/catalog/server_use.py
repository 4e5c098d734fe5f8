"""What a workload needs of a server of the lab, declared once.

The table of a workload says with which of its values it needs which server, and what its parameters
are then.  The window's offer, what `lab start` prints and the cells of studies all come from this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.catalog.parameters import Value


@dataclass(frozen=True, kw_only=True)
class ServerUse:
    """What a workload with some values needs of a server of the lab."""

    server: str
    at: Mapping[str, Value]
    """The values by which it is needed."""
    parameter: str = "address"
    """The parameter that says where the server is."""
    in_front: str = ""
    """A server of the lab that can stand in front of it, and is asked instead where it does."""
    values: Mapping[str, Value] = field(default_factory=dict)
    """What the workload has besides, such as references to the server's secrets."""

    def needed_by(self, values: Mapping[str, Value]) -> bool:
        """Whether a workload with these values uses it."""
        return self.at.items() <= values.items()

    def unknown_to(self, values: Mapping[str, Value]) -> bool:
        """Whether a workload with these values needs it, and they do not say where it is."""
        return self.needed_by(values) and not values.get(self.parameter)

    def found(self, addresses: Mapping[str, str]) -> dict[str, Value]:
        """What the workload's parameters are; `addresses`: of the servers that serve, by name."""
        return {self.parameter: self._address(addresses), **self.values}

    def _address(self, addresses: Mapping[str, str]) -> str:
        own, front = addresses[self.server], addresses.get(self.in_front, "")
        # One in front of another server has that one's scheme.
        return front if _scheme(front) == _scheme(own) else own


def _scheme(address: str) -> str:
    return address.partition("://")[0]
