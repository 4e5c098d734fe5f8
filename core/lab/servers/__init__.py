"""The servers that the lab can start, by name: importing this imports none of their recipes."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from core.errors import UnknownName
from core.lab.recipe import Recipe

SERVERS: Mapping[str, str] = {}
"""Where the recipe of each server is: `module:NAME`."""


def recipe_of(name: str) -> Recipe:
    """The recipe of a server; raises UnknownName."""
    if name not in SERVERS:
        raise UnknownName("server", name, tuple(SERVERS))
    module, _, attribute = SERVERS[name].partition(":")
    recipe: Recipe = getattr(importlib.import_module(module), attribute)
    return recipe
