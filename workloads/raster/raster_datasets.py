"""The kind of dataset that is a raster: a TIFF file, cloud-optimised or not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, override

from core import DatasetError, DatasetKind, ReportProgress, choice, content_of, integer, tr

_MAGIC = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
"""How TIFF begins, in both orders of bytes, and BigTIFF."""
_BESIDE = (".ovr", ".msk", ".aux.xml")
"""Endings of files beside a raster that GDAL reads, too."""
_PLAIN, _SMOOTH = 2.0, 0.8
"""Bytes of a value of 16 bits as it is, and about what is left of generated ones."""
_LINES = 256
_NOISE = 15


@dataclass(frozen=True, kw_only=True)
class RasterShape:
    """A generated raster: smooth ground with noise, in whole numbers of 16 bits."""

    width: int = integer(2048, low=1, high=100_000, scale="log2", unit="pixels", help="Columns.")
    height: int = integer(2048, low=1, high=100_000, scale="log2", unit="pixels", help="Rows.")
    bands: int = integer(3, low=1, high=16, help="Bands, pixel by pixel.")
    layout: str = choice(
        "cog",
        options={
            "cog": "Cloud-optimised: blocks, overviews, and all directories at the start.",
            "tiled": "Blocks without overviews.",
            "striped": "Strips of whole rows without overviews.",
        },
        help="How the file is laid out.",
    )
    block_size: int = integer(
        512,
        low=16,
        high=4096,
        scale="log2",
        unit="pixels",
        help="Columns and rows of a block, rounded up to a multiple of 16.",
    )
    compress: str = choice(
        "deflate",
        options={
            "deflate": "Deflate, which everybody reads.",
            "lzw": "LZW.",
            "zstd": "Zstandard.",
            "none": "No compression.",
        },
        help="How blocks are compressed.",
    )
    seed: int = integer(1, low=0, high=2**31 - 1, help="Seed of the noise.")

    @property
    def room(self) -> int:
        values = self.width * self.height * self.bands
        overviews = 4 / 3 if self.layout == "cog" else 1.0
        each = _PLAIN if self.compress == "none" else _SMOOTH
        return 2500 + round(values * each * overviews)


class Raster(DatasetKind):
    """A TIFF file; of several images in it, the first and its overviews."""

    name = "raster"
    title = "TIFF raster"
    shape = RasterShape

    @override
    def recognises(self, path: Path) -> bool:
        return path.is_file() and content_of(path, 4) in _MAGIC

    @override
    def content(self, path: Path) -> Sequence[Path]:
        return [path]

    @override
    def files(self, path: Path) -> Sequence[Path]:
        beside = (path.with_name(path.name + ending) for ending in _BESIDE)
        return sorted([path, *(file for file in beside if file.is_file())])

    @override
    def explain(self, path: Path) -> DatasetError | None:
        if not (path.is_file() and re.fullmatch(r"\.tiff?", path.suffix, re.IGNORECASE)):
            return None
        return DatasetError(tr("{path} does not begin as TIFF does", path=path))

    @override
    def facts(self, path: Path) -> Mapping[str, int | str]:
        """What tifffile sees, where it is installed; raises DatasetError."""
        # Each dataset that is opened loads this file, and few are rasters.
        from workloads.raster.raster_parameters import DECODERS
        from workloads.raster.tiff_oracle import TiffOracle

        if not all(driver.installed for driver in DECODERS):
            return {"files": 1}
        with closing(TiffOracle.of_file(path)) as oracle:
            first, *overviews = oracle.levels
            why = "; ".join(oracle.faults)
            return {
                "files": 1,
                "pixels": f"{first.columns:,} × {first.rows:,} × {first.bands} {oracle.kind}",
                "blocks": f"{first.block[0]:,} × {first.block[1]:,}",
                "compression": oracle.compression,
                "overviews": len(overviews),
                "layout": tr("not cloud-optimised: {why}", why=why)
                if why
                else tr("cloud-optimised"),
            }

    @override
    def in_short(self, facts: Mapping[str, int | str]) -> Sequence[str]:
        return [str(facts.get(name, "")) for name in ("pixels", "layout")]

    @override
    def make(self, shape: RasterShape, folder: Path, report: ReportProgress) -> Path:
        from workloads.raster.raster_parameters import RASTERIO

        RASTERIO.require()
        write_raster(shape, folder / "raster.tif", report)
        return folder / "raster.tif"


def write_raster(shape: RasterShape, path: Path, report: ReportProgress) -> None:
    """Write the raster of that shape, always the same; raises DatasetError."""
    import rasterio
    from rasterio.transform import from_origin
    from rasterio.windows import Window

    block = -(-shape.block_size // 16) * 16
    layouts: Mapping[str, Mapping[str, Any]] = {
        "cog": {"driver": "COG", "blocksize": block, "overviews": "AUTO"},
        "tiled": {"driver": "GTiff", "tiled": True, "blockxsize": block, "blockysize": block},
        "striped": {"driver": "GTiff"},
    }
    form = {"width": shape.width, "height": shape.height, "count": shape.bands, "dtype": "uint16"}
    on_earth = {"crs": "EPSG:32610", "transform": from_origin(500_000, 4_200_000, 10, 10)}
    try:
        with rasterio.open(
            path, "w", compress=shape.compress, **form, **on_earth, **layouts[shape.layout]
        ) as file:
            for row in range(0, shape.height, _LINES):
                lines = min(_LINES, shape.height - row)
                file.write(_ground(shape, row, lines), window=Window(0, row, shape.width, lines))
                report("making the raster", row, shape.height, "rows")
    except rasterio.errors.RasterioError as error:
        raise DatasetError(tr("the raster cannot be made: {why}", why=error)) from error


def _ground(shape: RasterShape, row: int, lines: int) -> Any:
    """Some rows of all bands: whole numbers, the same on every machine."""
    import numpy as np

    x, y = np.arange(shape.width, dtype=np.int64), np.arange(row, row + lines, dtype=np.int64)
    heights = 5000 + (x[None] * 3 + y[:, None] * 2 + (x[None] * y[:, None] >> 9)) // 7 % 4096
    noise = np.random.PCG64(shape.seed * 1_000_003 + row).random_raw((lines, shape.width))
    shifts = range(0, 4 * shape.bands, 4)
    bands = [
        heights
        + 100 * (shift // 4)
        + (noise >> np.uint64(shift) & np.uint64(_NOISE)).astype(np.int64)
        for shift in shifts
    ]
    return np.stack(bands).astype(np.uint16)
