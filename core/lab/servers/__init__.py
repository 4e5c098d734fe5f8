"""The servers that the lab can start, by name: importing this imports none of their recipes."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from core.lab.recipe import Recipe
from core.language import UnknownName

SERVERS: Mapping[str, str] = {
    "s3": "core.lab.servers.s3:S3",
    "http": "core.lab.servers.http:HTTP",
    "cassandra": "core.lab.servers.cassandra:CASSANDRA",
    "hdfs": "core.lab.servers.hdfs:HDFS",
    "accumulo": "core.lab.servers.accumulo:ACCUMULO",
    "spark": "core.lab.servers.spark:SPARK",
    "synapse": "core.lab.servers.synapse:SYNAPSE",
    "proxy": "core.lab.servers.proxy:PROXY",
}
"""Where the recipe of each server is: `module:NAME`."""


def recipe_of(name: str) -> Recipe:
    """The recipe of a server of that name, or at `module:NAME`; raises UnknownName."""
    module, _, attribute = SERVERS.get(name, name).partition(":")
    try:
        recipe = getattr(importlib.import_module(module), attribute) if attribute else None
    except (ModuleNotFoundError, AttributeError):
        recipe = None
    if not isinstance(recipe, Recipe):
        raise UnknownName("server", name, tuple(SERVERS))
    return recipe
