"""The workload: windows of a raster, read by rasterio with GDAL's own settings.

It is no store of `tiles`: a raster has no keys, nothing is put into it, and what its users turn
(windows, overviews, GDAL's caches and requests) means nothing to the other stores.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, closing
from typing import ClassVar, override

from core import (
    Context,
    Dataset,
    Driver,
    InvalidParameter,
    Load,
    ReportProgress,
    file_state,
)
from workloads.raster import gdal
from workloads.raster.raster_job import RasterJob, expected_windows
from workloads.raster.raster_parameters import (
    DECODERS,
    RASTERIO,
    RasterParameters,
    gdal_options,
)
from workloads.raster.raster_places import Place, place_of, s3_options
from workloads.shared.code_templates import code_from
from workloads.shared.served import ServedWorkload


class RasterWindows(ServedWorkload[RasterParameters]):
    """Reads windows of a GeoTIFF, at one of its resolutions."""

    name = "raster"
    unit = "window"
    parameters = RasterParameters
    important = ("threads", "window", "access", "store", "address", "level")
    dataset_kinds = ("raster",)
    asked_first: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
        "raster": {"handles": ("own", "each")}
    }
    unlocked: ClassVar[Mapping[str, Mapping[str, str]]] = {"handles": {"one": "locked"}}

    @override
    def drivers(self, parameters: RasterParameters) -> tuple[Driver, ...]:
        return (RASTERIO, *DECODERS, *super().drivers(parameters))

    @override
    def place(self, dataset: Dataset, parameters: RasterParameters, report: ReportProgress) -> None:
        """Put a copy of the dataset where it is read, once for all that follows."""
        served = place_of(parameters, dataset).served
        if served and not parameters.as_it_is:
            served.put(dataset.path, [dataset.path], report)

    @override
    def requests(
        self, parameters: RasterParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, int]:
        """One for a window at least, and as many again for those that judge it where it is."""
        counts = super().requests(parameters, load, dataset)
        return {**counts, "verifying": parameters.windows} if parameters.as_it_is else counts

    @override
    def in_code(
        self, parameters: RasterParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        """The same reads by rasterio, but for what GDAL keeps from one pass to the next."""
        try:
            place = place_of(parameters, dataset)
        except InvalidParameter:  # of an address that is none
            return {}
        options: dict[str, object] = {**gdal_options(parameters), **s3_options(place.s3)}
        if parameters.block_cache:
            options["GDAL_CACHEMAX"] = parameters.block_cache
        values = {"place": place, "options": options, "parameters": parameters}
        return {"Python": code_from("raster", load, **values)}

    @override
    def opened(
        self, context: Context[RasterParameters], here: RasterParameters, resources: ExitStack
    ) -> RasterJob:
        parameters, dataset = context.parameters, context.dataset
        self.place(dataset, parameters, context.report)
        place, truth = place_of(here, dataset), Place(dataset.path)
        gdal.configure({**gdal_options(here), **place.options()}, here.block_cache)
        if parameters.as_it_is:
            truth = place_of(parameters, dataset)
        oracle = resources.enter_context(closing(truth.oracle()))
        # Of a raster on a server, a wrong answer that is kept is made anew.
        state = truth.shown if truth.served else file_state(dataset.path)
        expected = expected_windows(oracle, state, context)
        return RasterJob(place, oracle, expected, parameters)
