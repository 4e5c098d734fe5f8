"""The parameters of reading windows, and the options of GDAL that they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import override
from urllib.parse import urlsplit

from core import Driver, Option, choice, flag, integer, same_as
from workloads.shared.served import ServedParameters
from workloads.shared.servers import S3Parameters

_SET_UP = 'make .venv EXTRAS="rasters tiles"'
RASTERIO = Driver(module="rasterio", distribution="rasterio", install=_SET_UP)
TIFFFILE = Driver(module="tifffile", distribution="tifffile", install=_SET_UP)
IMAGECODECS = Driver(module="imagecodecs", distribution="imagecodecs", install=_SET_UP)
DECODERS = (TIFFFILE, IMAGECODECS)
"""By which windows are judged."""

_REMOTE = {"store": ("s3", "http")}
_KIB, _MIB = 1 << 10, 1 << 20


@dataclass(frozen=True, kw_only=True)
class RasterParameters(ServedParameters):
    """Which windows are read, and how GDAL reads them."""

    access: str = choice(
        "random",
        options={
            "random": "Windows at random places, as maps are panned.",
            "grid": "Windows side by side from the upper left corner, in a random order, as tiles are asked for.",
            "sequential": "The same windows row by row.",
        },
        help="Where windows are, and their order.",
    )
    window: int = integer(
        256, low=1, high=16_384, scale="log2", unit="pixels", help="Columns and rows of a window."
    )
    windows: int = integer(
        250,
        low=1,
        high=100_000,
        scale="log10",
        help="Most windows of a pass. Each pass begins without what GDAL keeps.",
    )
    level: int = integer(
        0,
        low=0,
        high=20,
        help="Overview that is read: 0 for the full resolution, 1 for the largest.",
    )
    handles: str = choice(
        "own",
        options={
            "own": Option(help="Each thread opens the raster once."),
            "each": Option(
                help="The raster is opened for each window, as many servers of tiles do.",
            ),
            "locked": Option(help="All threads share one open raster, with a lock."),
            "one": Option(
                help="All threads share one open raster without a lock, which GDAL forbids.",
            ),
        },
        help="How the raster is opened.",
    )
    decode_threads: int = integer(
        1, low=1, high=256, scale="log2", help="GDAL_NUM_THREADS: threads that decode one window."
    )
    block_cache: int = integer(
        0,
        low=0,
        high=1 << 40,
        unit="bytes",
        help="GDAL_CACHEMAX: decoded blocks that GDAL keeps in this process; 0 = 5 % of the memory.",
    )
    open_folder: str = choice(
        "empty",
        options={
            "empty": "Look for no other file (EMPTY_DIR).",
            "list": "List the folder, and look for files beside it (FALSE), which is GDAL's default.",
            "probe": "Look for files beside it one by one (TRUE).",
        },
        help="GDAL_DISABLE_READDIR_ON_OPEN: whether opening a raster looks around it.",
    )
    chunk_size: int = integer(
        16 * _KIB,
        low=_KIB,
        high=8 * _MIB,
        scale="log2",
        unit="bytes",
        only_when=_REMOTE,
        help="CPL_VSIL_CURL_CHUNK_SIZE: least bytes of a request.",
    )
    range_cache: int = integer(
        16_384_000,
        low=16 * _KIB,
        high=1 << 40,
        unit="bytes",
        only_when=_REMOTE,
        help="CPL_VSIL_CURL_CACHE_SIZE: fetched bytes that GDAL keeps in this process.",
    )
    file_cache: bool = flag(
        False,
        only_when={**_REMOTE, "handles": ("own", "each")},
        help="VSI_CACHE: whether each open raster keeps up to 25 MB of its file.",
    )
    merge_ranges: bool = flag(
        True,
        only_when=_REMOTE,
        help="GDAL_HTTP_MERGE_CONSECUTIVE_RANGES: whether ranges that touch are one request.",
    )
    attempts: int = same_as(S3Parameters, "attempts", default=1, only_when=_REMOTE)

    @property
    @override
    def kind_there(self) -> str:
        file = self.store == "http" and not urlsplit(self.address).path.endswith("/")
        return "raster" if file or self.ending in (".tif", ".tiff") else ""


_FOLDERS = {"empty": "EMPTY_DIR", "list": "FALSE", "probe": "TRUE"}


def gdal_options(parameters: RasterParameters) -> Mapping[str, str]:
    """GDAL's options for these parameters, but for keys and the address."""
    options = {
        "GDAL_NUM_THREADS": str(parameters.decode_threads),
        "GDAL_DISABLE_READDIR_ON_OPEN": _FOLDERS[parameters.open_folder],
    }
    if not parameters.remote:
        return options
    return options | {
        "CPL_VSIL_CURL_CHUNK_SIZE": str(parameters.chunk_size),
        "CPL_VSIL_CURL_CACHE_SIZE": str(parameters.range_cache),
        "VSI_CACHE": _yes(parameters.file_cache),
        "GDAL_HTTP_MERGE_CONSECUTIVE_RANGES": _yes(parameters.merge_ranges),
        "GDAL_HTTP_MAX_RETRY": str(parameters.attempts - 1),
        "GDAL_HTTP_TIMEOUT": f"{parameters.timeout:g}",
    }


def _yes(value: bool) -> str:
    return "YES" if value else "NO"
