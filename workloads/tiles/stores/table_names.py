"""Names of layers as names of tables, which may hold letters, digits and _ only."""

from __future__ import annotations

from hashlib import sha256

_DIGEST = 16


def table_name(layer: str, longest: int = 48) -> str:
    """The table of a layer: another one for each layer, and never longer than that.

    `-` becomes `_h` and `_` becomes `__`, so that no two layers share a table.  What would be too
    long ends in a digest after `_x`.  48 letters are what Cassandra allows in all its versions.
    """
    name = "tiles_" + layer.replace("_", "__").replace("-", "_h")
    if len(name) <= longest:
        return name
    digest = sha256(layer.encode()).hexdigest()[:_DIGEST]
    return name[: longest - _DIGEST - 2] + "_x" + digest
