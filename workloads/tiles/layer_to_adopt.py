"""Where a layer of a user's own is, to be adopted."""

from __future__ import annotations

from dataclasses import dataclass

from core import integer, same_as, text
from workloads.tiles.tile_parameters import TileParameters


@dataclass(frozen=True, kw_only=True)
class LayerPlace:
    """A layer in a store, and how the store is reached: as it will be in trials."""

    layer: str = text(
        "",
        pattern=r"[^/\s]+|",
        help="Name of the layer in the store: its folder, or the name of its table after tiles_.",
    )
    store: str = same_as(TileParameters, "store")
    address: str = same_as(TileParameters, "address")
    threads: int = integer(
        8, low=1, high=256, scale="log2", help="Threads that read its tiles, once."
    )
    user: str = same_as(TileParameters, "user")
    password: str = same_as(TileParameters, "password")
    timeout: float = same_as(TileParameters, "timeout")
    access_key: str = same_as(TileParameters, "access_key")
    secret_key: str = same_as(TileParameters, "secret_key")
    region: str = same_as(TileParameters, "region")
    path_style: bool = same_as(TileParameters, "path_style")
    retry_mode: str = same_as(TileParameters, "retry_mode")
    attempts: int = same_as(TileParameters, "attempts")
    backoff_base: float = same_as(TileParameters, "backoff_base")
    batch_threads: int = same_as(TileParameters, "batch_threads")
    concurrency: int = same_as(TileParameters, "concurrency")
    protocol: str = same_as(TileParameters, "protocol")
    java_heap: int = same_as(TileParameters, "java_heap")
    jars: str = same_as(TileParameters, "jars")
