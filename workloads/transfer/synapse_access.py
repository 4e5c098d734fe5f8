"""How Synapse is reached: addresses, endpoints, and the token."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from core import DatasetError, InvalidParameter, reveal, tr
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_files import Tree

_HOSTS = ("synapse.org", "www.synapse.org")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_THREADS = 128
"""The client takes more for so many."""
_ID = re.compile(r"syn\d+")
_NAME = re.compile(r"[\w\-+.() ']{1,256}", re.ASCII)
"""What the service allows as the name of a file or folder."""


@dataclass(frozen=True, kw_only=True)
class SynapseAddress:
    """A place in Synapse: `synapse://synapse.org/syn123`, or the lab's stand-in."""

    host: str
    """With its port; empty = the service itself."""
    container: str
    """The project or folder in which everything is made; empty = a project of Sluice's own."""

    @property
    def endpoints(self) -> Mapping[str, str]:
        """The beginnings of the URLs of `repo`, `auth`, `file` and `portal`."""
        if not self.host:
            found = {
                name: f"https://{name}-prod.prod.sagebase.org/{name}/v1"
                for name in ("repo", "auth", "file")
            }
            return found | {"portal": "https://www.synapse.org/"}
        base = f"http://{self.host}"
        return {name: f"{base}/{name}/v1" for name in ("repo", "auth", "file")} | {"portal": base}


def synapse_address(address: str) -> SynapseAddress:
    """What an address means; raises InvalidParameter."""
    parts = urlsplit(address)
    container = parts.path.strip("/")
    known = parts.hostname in _HOSTS or parts.hostname in _LOOPBACK
    if parts.scheme != "synapse" or not known or parts.query or parts.fragment:
        raise _refused(address)
    if container and not _ID.fullmatch(container):
        raise _refused(address)
    if parts.hostname in _LOOPBACK:
        return SynapseAddress(host=parts.netloc, container=container)
    if not container:
        raise InvalidParameter(
            "address",
            tr("{address} names no project", address=address),
            tr("make a project for this, and add its id: synapse://synapse.org/syn123"),
        )
    return SynapseAddress(host="", container=container)


def _refused(address: str) -> InvalidParameter:
    return InvalidParameter(
        "address",
        tr("{address!r} is no place in Synapse", address=address),
        tr("give synapse://synapse.org/syn123, or what lab start synapse prints"),
    )


def require_token(parameters: TransferParameters) -> None:
    """Raise InvalidParameter where no token is named."""
    if not parameters.token:
        raise InvalidParameter(
            "token",
            tr("Synapse wants a token"),
            tr("make a personal access token, and give where it is: env:NAME"),
        )


def token_of(parameters: TransferParameters) -> str:
    """The token itself; raises InvalidParameter, Unavailable."""
    require_token(parameters)
    return reveal(parameters.token, in_header=True)


def require_possible(tree: Tree) -> None:
    """Raise DatasetError for a file that Synapse does not take."""
    for file in tree.files:
        if not file.size:
            raise DatasetError(
                tr("{file} is empty, and Synapse takes no empty files", file=file.name),
                tr("remove it, or choose another client"),
            )
        if not all(map(_NAME.fullmatch, file.name.split("/"))):
            raise DatasetError(
                tr("Synapse takes no file with the name {file!r}", file=file.name),
                tr("use letters, digits, spaces and - + . _ ( ) ' only, or choose another client"),
            )
