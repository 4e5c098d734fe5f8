"""What a server is given before it starts: a folder, free ports, random secrets."""

from __future__ import annotations

import secrets
import socket
import string
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

from core.catalog.parameters import build, values_of
from core.errors import UsageError
from core.host.folders import make_private
from core.lab.place import LabPlace
from core.lab.recipe import Recipe, Server, Site
from core.lab.requests import Options
from core.language.translation import tr

_LETTERS = string.ascii_letters + string.digits
_LENGTH = 32  # 190 bits


def make_site(
    recipe: Recipe,
    place: LabPlace,
    *,
    options: Options,
    chosen: Mapping[str, str],
    others: Mapping[str, Server],
) -> Site:
    """A new site in the lab's folder; raises UsageError for wrong options.

    `chosen` are secrets that are not to be random, by name.
    """
    if recipe.parameters is None and options:
        raise UsageError(tr("{server} has no options", server=recipe.name))
    values = values_of(build(recipe.parameters, dict(options))) if recipe.parameters else {}
    make_private(place.sites)
    return Site(
        folder=Path(tempfile.mkdtemp(prefix=f"{recipe.name}-", dir=place.sites)),
        logs=place.fresh_logs(recipe.name),
        ports=free_ports(recipe.ports),
        secrets={name: chosen.get(name) or random_secret() for name in recipe.secrets},
        options=values,
        others=others,
    )


def random_secret() -> str:
    """Letters and digits, so that it stays the same in every file and URL."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def free_ports(names: Iterable[str]) -> dict[str, int]:
    """Different free ports of 127.0.0.1, by name."""
    with ExitStack() as held:
        ports = {}
        for name in names:
            taken = held.enter_context(socket.socket())
            taken.bind(("127.0.0.1", 0))
            ports[name] = taken.getsockname()[1]
        return ports
