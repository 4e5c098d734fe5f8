"""What rasterio does not show of the GDAL that it has loaded: what is kept, and what is counted.

GDAL keeps fetched bytes and decoded blocks for the whole process, across opens and even across
credentials: a raster that is opened again with a wrong key costs no request and opens.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import warnings
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from core import SluiceError, Unavailable, one_line, tr
from workloads.shared.objects import TOO_LATE, RequestFailed
from workloads.shared.servers import remedy_of


class Counts(NamedTuple):
    """What GDAL counts of its own requests."""

    requests: int
    bytes: int
    """Of the bodies of answers."""


@cache
def library() -> ctypes.CDLL:
    """The GDAL of this process's rasterio; raises Unavailable where it cannot be asked."""
    import rasterio._base  # the extension module, which loads GDAL

    for name in _loaded(Path(rasterio._base.__file__).parent):
        try:
            gdal = ctypes.CDLL(name)
            gdal.VSINetworkStatsGetAsSerializedJSON.restype = ctypes.c_void_p
            gdal.GDALSetCacheMax64.argtypes = [ctypes.c_int64]
        except (OSError, AttributeError):
            continue
        return gdal
    raise Unavailable(
        tr("unavailable: the GDAL of this rasterio cannot be asked what it keeps"),
        tr("install: {command}", command="pip install --only-binary :all: rasterio"),
    )


def _loaded(package: Path) -> list[str]:
    """Where GDAL may be: mapped into this process, or beside the package."""
    try:
        maps = Path("/proc/self/maps").read_text("utf-8", "replace")
    except OSError:
        maps = ""
    mapped = re.findall(r"(/\S*/libgdal\S*)$", maps, re.MULTILINE)
    beside = [*package.glob(".dylibs/libgdal*"), *package.parent.glob("rasterio.libs/*gdal*")]
    return [*dict.fromkeys(mapped), *map(str, beside)]


def configure(options: Mapping[str, str], block_cache: int) -> None:
    """Set options for all threads of this process, and the most that decoded blocks take."""
    import rasterio.errors

    gdal = library()
    for name, value in {**options, "CPL_VSIL_NETWORK_STATS_ENABLED": "YES"}.items():
        gdal.CPLSetConfigOption(name.encode(), os.fsencode(value))
    if block_cache:
        gdal.GDALSetCacheMax64(block_cache)
    # A raster need not be on Earth.
    warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
    forget()


def forget() -> None:
    """Drop all that GDAL keeps of files and servers, and count requests anew."""
    gdal = library()
    gdal.VSICurlClearCache()
    while gdal.GDALFlushCacheBlock():
        pass


def reset_counts() -> None:
    library().VSINetworkStatsReset()


def counts() -> Counts:
    """The requests since `reset_counts`, those that failed too."""
    gdal = library()
    text = gdal.VSINetworkStatsGetAsSerializedJSON(None)
    if not text:
        return Counts(0, 0)
    try:
        counted: Mapping[str, Any] = json.loads(ctypes.string_at(text))
    finally:
        gdal.VSIFree(ctypes.c_void_p(text))
    methods = counted.get("methods", {}).values()
    return Counts(
        sum(one.get("count", 0) for one in methods),
        sum(one.get("downloaded_bytes", 0) for one in methods),
    )


def cause_of(error: BaseException) -> str:
    """The reason for an error of rasterio's, which stands at the end of its chain; one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    text = str(getattr(error, "errmsg", "") or error)
    return one_line(" ".join(text.split())).removesuffix(".")


_CODE = re.compile(r"InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|XAdminUserNotFound")
_STATUS = re.compile(r"\b(?:HTTP|code|error|status)\D{0,20}([45]\d\d)\b", re.IGNORECASE)
_LATE = re.compile(r"timed? ?out|timeout", re.IGNORECASE)


def refused(where: str, error: BaseException) -> SluiceError:
    """The error for what GDAL cannot read, in its own words, with what to do where it is known."""
    cause = cause_of(error)
    code, status, late = (one.search(cause) for one in (_CODE, _STATUS, _LATE))
    known = code[0] if code else TOO_LATE * bool(late and not status)
    answer = RequestFailed(cause, status=int(status[1]) if status else 0, code=known)
    return SluiceError(tr("{path} cannot be read: {why}", path=where, why=cause), remedy_of(answer))
