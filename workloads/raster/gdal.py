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
from workloads.shared.servers import look_at_server


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


_KEYS = re.compile(r"AccessKey|Signature|AccessDenied|UserNotFound", re.IGNORECASE)
_STATUS = re.compile(r"\b(?:HTTP|code|error|status)\D{0,20}([45]\d\d)\b", re.IGNORECASE)


def remedy_of(cause: str) -> str:
    """What to do about a refusal, by its status or words; empty where that is not known."""
    keys = tr("check the keys, and what they may read")
    if _KEYS.search(cause):
        return keys
    match = _STATUS.search(cause)
    if match is None:
        silent = re.search(r"timed? ?out|timeout", cause, re.IGNORECASE)
        return tr("look whether the server is overloaded, or give a longer timeout") * bool(silent)
    status = match[1]
    remedies = {
        "401": keys,
        "403": keys,
        "404": tr("check the address"),
        "429": tr("use fewer threads, or more attempts"),
        "503": tr("use fewer threads, or more attempts"),
    }
    return remedies.get(status) or (look_at_server() if status >= "500" else "")


def refused(where: str, error: BaseException) -> SluiceError:
    """The error for what GDAL cannot read, in its own words."""
    cause = cause_of(error)
    return SluiceError(tr("{path} cannot be read: {why}", path=where, why=cause), remedy_of(cause))
