"""The workload: whole objects of a layer from a store, by the leanest client and left as they are.

It is the floor of reading tiles from a store: what that store gives to anybody here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, override

from core import (
    Context,
    Dataset,
    Driver,
    Job,
    Load,
    ReportProgress,
    Workload,
    build,
    same_as,
    values_of,
)
from workloads.shared.link import LINK
from workloads.tiles.stores import BY_NAME
from workloads.tiles.tile_parameters import TileParameters
from workloads.tiles.tiles_workload import TilesOfImagery

LEANEST = "obstore"
"""The client with the least work for each object, on S3 and behind plain http."""


_LINKED = {"store": tuple(name for name, entry in BY_NAME.items() if entry.clients)}


def _same(name: str, **changes: Any) -> Any:
    return same_as(TileParameters, name, **changes)


@dataclass(frozen=True, kw_only=True)
class GetsParameters:
    """Where the layer is, and how the store is reached: as for reading tiles."""

    store: str = same_as(
        TileParameters,
        "store",
        options={
            name: entry.option for name, entry in BY_NAME.items() if entry.clients or name == "file"
        },
        by_dataset={},
    )
    address: str = _same("address")
    window: int = _same("window")
    timeout: float = _same("timeout")
    access_key: str = _same("access_key")
    secret_key: str = _same("secret_key")
    region: str = _same("region")
    path_style: bool = _same("path_style")
    pool_size: int = _same("pool_size")
    attempts: int = _same("attempts")
    round_trip: float = _same("round_trip", only_when=_LINKED)
    link_bandwidth: int = _same("link_bandwidth", only_when=_LINKED)
    request_rate: float = _same("request_rate", only_when=_LINKED)


def as_tiles(parameters: GetsParameters) -> TileParameters:
    """The same for reading tiles."""
    return build(TileParameters, values_of(parameters) | {"client": LEANEST, "depth": "fetch"})


class PlainGets(Workload[GetsParameters]):
    """Reads the objects of a layer as the workload `tiles` does, which it leaves all to."""

    name = "gets"
    unit = "tile"
    parameters = GetsParameters
    important = ("threads", "store", "address")
    dataset_kinds = ("tile-layer",)
    lines = ("store", *LINK)

    def __init__(self) -> None:
        self._tiles = TilesOfImagery()

    @override
    def admit(self, parameters: GetsParameters, dataset: Dataset) -> None:
        self._tiles.admit(as_tiles(parameters), dataset)

    @override
    def drivers(self, parameters: GetsParameters) -> tuple[Driver, ...]:
        return self._tiles.drivers(as_tiles(parameters))

    @override
    def in_code(
        self, parameters: GetsParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        return self._tiles.in_code(as_tiles(parameters), load, dataset)

    @override
    def files(self, parameters: GetsParameters, dataset: Dataset) -> Sequence[Path]:
        return self._tiles.files(as_tiles(parameters), dataset)

    @override
    def irrelevant(self, parameters: GetsParameters) -> frozenset[str]:
        return self._tiles.irrelevant(as_tiles(parameters))

    @override
    def place(self, dataset: Dataset, parameters: GetsParameters, report: ReportProgress) -> None:
        self._tiles.place(dataset, as_tiles(parameters), report)

    @override
    def requests(
        self, parameters: GetsParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, int]:
        return self._tiles.requests(as_tiles(parameters), load, dataset)

    @override
    def counted(self, parameters: GetsParameters) -> Mapping[str, float]:
        return self._tiles.counted(as_tiles(parameters))

    @override
    def client_name(self, parameters: GetsParameters) -> str:
        return self._tiles.client_name(as_tiles(parameters))

    @override
    def open(self, context: Context[GetsParameters]) -> Job[Any, Any]:
        # Not `replace`'s own type: the parameters become those of another workload.
        as_read: Any = dataclasses.replace(context, parameters=as_tiles(context.parameters))  # type: ignore[arg-type]
        return self._tiles.open(as_read)
