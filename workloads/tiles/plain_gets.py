"""The workload: whole objects of a layer from a store, by the leanest client and left as they are.

It is the floor of reading tiles from a store: what that store gives to anybody here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
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
)
from workloads.shared.link import LINK
from workloads.tiles.tile_parameters import GetsParameters, as_tiles
from workloads.tiles.tiles_workload import TilesOfImagery


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
