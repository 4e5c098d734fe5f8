"""Where a raster is: a file here, an object in S3, a file on a web server.

What is on a server is read twice, by GDAL, which is measured, and by obstore for those who judge
it, which refuses answers that are not the range that was asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from core import Dataset, InvalidParameter, SluiceError, file_state, one_line, tr
from workloads.raster.gdal import remedy_of
from workloads.raster.raster_parameters import OBSTORE, RasterParameters
from workloads.raster.tiff_oracle import TiffOracle
from workloads.shared.servers import S3Access, S3Address, s3_address

_WEB = ("http", "https")
_TIMEOUT = "60s"
"""Of a request of those who judge."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """One raster, as GDAL reads it."""

    store: Literal["file", "s3", "http"]
    name: str
    """Its path, URL or key."""
    s3: S3Access | None = None

    @property
    def shown(self) -> str:
        """As messages name it."""
        return self.name if self.s3 is None else f"s3://{self.s3.address.bucket}/{self.name}"

    @property
    def gdal_path(self) -> str:
        """Its name in GDAL."""
        if self.s3 is not None:
            return f"/vsis3/{self.s3.address.bucket}/{self.name}"
        return f"/vsicurl/{self.name}" if self.store == "http" else self.name

    def options(self) -> Mapping[str, str]:
        """GDAL's options for reaching it, keys among them; raises InvalidParameter, Unavailable."""
        if self.s3 is None:
            return {}
        options = s3_options(self.s3)
        names = {"aws_access_key_id": "AWS_ACCESS_KEY_ID"}
        names["aws_secret_access_key"] = "AWS_SECRET_ACCESS_KEY"
        return options | {names[name]: key for name, key in self.s3.credentials().items()}

    def oracle(self) -> TiffOracle:
        """What it holds, by those who judge it; raises SluiceError."""
        if self.store == "file":
            return TiffOracle.of_file(Path(self.name))
        store, key = self.objects()
        with asking(self.shown):
            size = int(_obstore().head(store, key)["size"])
        return TiffOracle(self.shown, partial(_range_of, store, key, self.shown), size)

    def state(self) -> str:
        """What is other where the raster is another; raises SluiceError."""
        if self.store == "file":
            return file_state(Path(self.name))
        store, key = self.objects()
        with asking(self.shown):
            found = _obstore().head(store, key)
        version = found.get("e_tag") or found["last_modified"]
        return f"{self.shown} {found['size']} {version}"

    def put(self, path: Path) -> None:
        """Put a copy of a file there, unless one of that size is there; raises SluiceError."""
        store, key = self.objects()
        with asking(self.shown):
            try:
                if _obstore().head(store, key)["size"] == path.stat().st_size:
                    return
            except FileNotFoundError:
                pass
            _obstore().put(store, key, path)

    def objects(self) -> tuple[Any, str]:
        """What obstore reads it by, and its key there; raises SluiceError."""
        OBSTORE.require()
        from obstore.store import HTTPStore, S3Store

        common: dict[str, Any] = {
            "client_options": {"allow_http": True, "timeout": _TIMEOUT},
            "retry_config": {"max_retries": 2},
        }
        with asking(self.shown):
            if self.s3 is None:
                folder, _, key = self.name.rpartition("/")
                return HTTPStore.from_url(folder, **common), key
            keys = {key.removeprefix("aws_"): one for key, one in self.s3.credentials().items()}
            names: dict[str, Any] = {
                "endpoint": self.s3.address.endpoint,
                "region": self.s3.region or ("us-east-1" if self.s3.address.endpoint else ""),
                **keys,
            }
            store = S3Store(
                self.s3.address.bucket,
                virtual_hosted_style_request=not self.s3.path_style,
                **{name: one for name, one in names.items() if one},
                **common,
            )
            return store, self.name


def s3_options(access: S3Access) -> dict[str, str]:
    """GDAL's options for reaching a bucket, but for keys."""
    endpoint = urlsplit(access.address.endpoint)
    options = {"AWS_VIRTUAL_HOSTING": "FALSE" if access.path_style else "TRUE"}
    if access.region:
        options["AWS_REGION"] = access.region
    if endpoint.netloc:
        options |= {
            "AWS_S3_ENDPOINT": endpoint.netloc + endpoint.path.rstrip("/"),
            "AWS_HTTPS": "YES" if endpoint.scheme == "https" else "NO",
        }
    return options


def names_raster(address: str) -> bool:
    """Whether an address is that of a raster, which is read as it is; else copies are put there."""
    parts = urlsplit(address)
    named = re.search(r"\.tiff?$", parts.path, re.IGNORECASE)
    return bool(named or (parts.scheme in _WEB and not parts.path.endswith("/")))


def place_of(parameters: RasterParameters, dataset: Dataset) -> Place:
    """Where a trial reads; raises InvalidParameter."""
    address = parameters.address
    if parameters.store == "file":
        return Place(store="file", name=str(dataset.path))
    if not address:
        raise InvalidParameter(
            "address",
            tr("the store {store} needs an address", store=parameters.store),
            tr("give its location, without credentials"),
        )
    copy = f"raster-{dataset.fingerprint[:20]}.tif"
    if parameters.store == "s3":
        bucket = s3_address(address)
        key = bucket.prefix.rstrip("/") if names_raster(address) else bucket.prefix + copy
        return Place(store="s3", name=key, s3=_access(parameters, bucket))
    parts = urlsplit(address)
    if parts.scheme not in _WEB or not parts.netloc:
        raise InvalidParameter(
            "address",
            tr("{address!r} is no address of a web server", address=address),
            tr("give https://host/file.tif, or http://host/folder/ for a copy"),
        )
    return Place(store="http", name=address if names_raster(address) else address + copy)


def _access(parameters: RasterParameters, address: S3Address) -> S3Access:
    return S3Access(
        address=address,
        access_key=parameters.access_key,
        secret_key=parameters.secret_key,
        region=parameters.region,
        path_style=parameters.path_style,
    )


def _obstore() -> Any:
    import obstore

    return obstore


def _range_of(store: Any, key: str, where: str, offset: int, count: int) -> bytes:
    if not count:
        return b""
    with asking(where):
        return bytes(_obstore().get_range(store, key, start=offset, length=count))


@contextmanager
def asking(where: str) -> Iterator[None]:
    """Turn what obstore raises into SluiceError: a debug dump follows its first line."""
    from obstore.exceptions import BaseError

    try:
        yield
    except (BaseError, OSError, ValueError) as error:
        first = one_line((str(error).splitlines() or [type(error).__name__])[0])
        raise SluiceError(
            tr("{path} cannot be read: {why}", path=where, why=first), remedy_of(str(error))
        ) from error
