"""The lab's servers in Java, compiled in a hurry: half the processor time until they serve.

As recipes for a lab: `quick_servers:CASSANDRA`.
"""

from __future__ import annotations

from dataclasses import replace

from core.lab.recipe import Kit, Recipe, Server, ServerCommand, Site
from core.lab.servers.accumulo import ACCUMULO as _ACCUMULO
from core.lab.servers.cassandra import CASSANDRA as _CASSANDRA
from core.lab.servers.hdfs import HDFS as _HDFS

_OPTIONS = "JAVA_TOOL_OPTIONS"
_QUICK = "-XX:TieredStopAtLevel=1"


def quick(recipe: Recipe) -> Recipe:
    """The same server with the quicker of Java's two compilers alone; any other stays as it is."""

    def start(kit: Kit, site: Site) -> Server:
        server = recipe.start(kit, site)
        return replace(server, commands=tuple(map(_quick, server.commands)))

    return replace(recipe, start=start) if recipe.java else recipe


def _quick(command: ServerCommand) -> ServerCommand:
    options = f"{command.env.get(_OPTIONS, '')} {_QUICK}".strip()
    return replace(command, env={**command.env, _OPTIONS: options})


ACCUMULO, CASSANDRA, HDFS = map(quick, (_ACCUMULO, _CASSANDRA, _HDFS))


def quick_name(server: str) -> str:
    """By what a lab finds it."""
    return f"{__name__}:{server.upper()}" if server.upper() in globals() else server
