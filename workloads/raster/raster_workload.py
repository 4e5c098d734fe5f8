"""The workload: windows of a raster, read by rasterio with GDAL's own settings.

It is no store of `tiles`: a raster has no keys, nothing is put into it, and what its users turn
(windows, overviews, GDAL's caches and requests) means nothing to the other stores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, override

from core import (
    Context,
    Dataset,
    Driver,
    InvalidParameter,
    Job,
    Load,
    ReportProgress,
    Workload,
    file_state,
    tr,
)
from workloads.raster import gdal
from workloads.raster.raster_job import RasterJob, Windows
from workloads.raster.raster_parameters import (
    DECODERS,
    RASTERIO,
    RasterParameters,
    gdal_options,
)
from workloads.raster.raster_places import Place, names_raster, place_of, s3_options
from workloads.shared.code_templates import code_from
from workloads.shared.link import LINK, NO_LINK, linked, require_linkable
from workloads.shared.objects import OBSTORE
from workloads.shared.servers import THREAD_RATE, placing


class RasterWindows(Workload[RasterParameters]):
    """Reads windows of a GeoTIFF, at one of its resolutions."""

    name = "raster"
    unit = "window"
    parameters = RasterParameters
    important = ("threads", "window", "access", "store", "address", "level")
    dataset_kinds = ("raster",)
    lines = ("store", *LINK)
    asked_first: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
        "raster": {"handles": ("own", "each")}
    }
    unlocked: ClassVar[Mapping[str, Mapping[str, str]]] = {"handles": {"one": "locked"}}

    @override
    def admit(self, parameters: RasterParameters, dataset: Dataset) -> None:
        place_of(parameters, dataset)
        if parameters.store != "file":
            require_linkable(parameters.address, parameters)

    @override
    def drivers(self, parameters: RasterParameters) -> tuple[Driver, ...]:
        remote = (OBSTORE,) if parameters.store != "file" else ()
        return (RASTERIO, *DECODERS, *remote)

    @override
    def unread(self, parameters: RasterParameters) -> str:
        return tr("the raster at the address is read") if _as_it_is(parameters) else ""

    @override
    def files(self, parameters: RasterParameters, dataset: Dataset) -> Sequence[Path] | None:
        return None if parameters.store == "file" else ()

    @override
    def irrelevant(self, parameters: RasterParameters) -> frozenset[str]:
        return frozenset(() if parameters.store == "file" else ("page_cache",))

    @override
    def place(self, dataset: Dataset, parameters: RasterParameters, report: ReportProgress) -> None:
        """Put a copy of the dataset where it is read, once for all that follows."""
        if parameters.store == "file" or _as_it_is(parameters):
            return
        place = place_of(parameters, dataset)
        with placing("raster", place.shown):
            report("placing the raster")
            place.put(dataset.path)

    @override
    def requests(
        self, parameters: RasterParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, int]:
        """As many as threads can make: a window takes one at least."""
        if parameters.store == "file":
            return {}
        seconds = load.duration + load.warm_up
        ends = [load.workers * THREAD_RATE * seconds] * bool(load.duration)
        ends += [load.operations] * bool(load.operations)
        return {
            "placing": 0 if _as_it_is(parameters) else 2,
            "measuring": round(min(ends, default=parameters.windows)),
            "verifying": parameters.windows if _as_it_is(parameters) else 0,
        }

    @override
    def in_code(
        self, parameters: RasterParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        """The same reads by rasterio, but for what GDAL keeps from one pass to the next."""
        try:
            place = place_of(parameters, dataset)
        except InvalidParameter:  # of an address that is none
            return {}
        options: dict[str, object] = {**gdal_options(parameters)}
        if place.s3 is not None:
            options |= s3_options(place.s3)
        if parameters.block_cache:
            options["GDAL_CACHEMAX"] = parameters.block_cache
        values = {"place": place, "options": options, "parameters": parameters}
        return {"Python": code_from("raster", load, **values)}

    @override
    def open(self, context: Context[RasterParameters]) -> Job[Any, Any]:
        parameters = context.parameters
        for driver in self.drivers(parameters):
            driver.require()
        place = place_of(parameters, context.dataset)
        truth = place if _as_it_is(parameters) else _own_file(context.dataset)
        if truth is not place:
            self.place(context.dataset, parameters, context.report)
        with ExitStack() as resources:
            link = NO_LINK
            if place.store != "file":
                way = linked(parameters.address, parameters, context.load.processes)
                link = resources.enter_context(way)
                place = place_of(replace(parameters, address=link.address), context.dataset)
            options = {**gdal_options(parameters), **place.options()}
            gdal.configure(options, parameters.block_cache)
            oracle = resources.enter_context(closing(truth.oracle()))
            windows = Windows.drawn(oracle, _state_of(truth, context.dataset), context)
            job = RasterJob(place, oracle, windows, parameters)
            job.link, job.resources = link, resources.pop_all()
        return job


def _as_it_is(parameters: RasterParameters) -> bool:
    """Whether the raster at the address is read, whatever the dataset is."""
    return parameters.store != "file" and names_raster(parameters.address)


def _state_of(truth: Place, dataset: Dataset) -> str:
    """By what kept answers are found; of a raster on a server, a wrong one is made anew."""
    return file_state(dataset.path) if truth.store == "file" else truth.shown


def _own_file(dataset: Dataset) -> Place:
    return Place(store="file", name=str(dataset.path))
