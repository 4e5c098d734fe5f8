"""Where a raster is: a file here, an object in S3, a file on a web server.

What is on a server is read twice, by GDAL, which is measured, and by obstore for those who judge
it, which refuses answers that are not the range that was asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from core import Dataset, InvalidParameter, tr
from workloads.raster.raster_parameters import RasterParameters
from workloads.raster.tiff_oracle import TiffOracle
from workloads.shared import objects
from workloads.shared.objects import ObjectClient, client_for, not_given
from workloads.shared.servers import S3Access, S3Address, s3_address, status_of

_WEB = ("http", "https")
_ABSENT = 404
_CONNECTIONS = 4
"""Of those who judge."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """One raster, as GDAL reads it."""

    store: Literal["file", "s3", "http"]
    name: str
    """Its path, URL or key."""
    s3: S3Access | None = None
    timeout: float = 60.0
    """Seconds after which those who judge give an answer up."""

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
        client, key = self._client()
        try:
            size = client.size(key)
        except client.failures as error:
            client.close()
            raise not_given(self.shown, error) from error
        return TiffOracle(
            self.shown, partial(_range_of, client, key, self.shown), size, client.close
        )

    def put(self, path: Path) -> None:
        """Put a copy of a file there, unless one of that size is there; raises SluiceError."""
        client, key = self._client()
        with closing(client):
            try:
                if self._size_there(client, key) != path.stat().st_size:
                    client.put(key, path.read_bytes())
            except client.failures as error:
                raise not_given(self.shown, error) from error

    def _size_there(self, client: ObjectClient, key: str) -> int:
        """Its size; -1 where there is none."""
        try:
            return client.size(key)
        except client.failures as error:
            if status_of(error) != _ABSENT:
                raise
        client.get(key)  # says why, if not for that: an answer to a HEAD has no words
        return -1

    def _client(self) -> tuple[ObjectClient, str]:
        """What reads it for those who judge, and its name there; raises SluiceError."""
        folder, _, name = self.name.rpartition("/")
        key, url = (name, f"{folder}/") if self.s3 is None else (self.name, "")
        there = objects.Place(s3=self.s3, url=url, connections=_CONNECTIONS, timeout=self.timeout)
        return client_for("obstore", self.store).open(there, lambda name, by: None), key


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
        return Place(
            store="s3", name=key, s3=_access(parameters, bucket), timeout=parameters.timeout
        )
    parts = urlsplit(address)
    if parts.scheme not in _WEB or not parts.netloc:
        raise InvalidParameter(
            "address",
            tr("{address!r} is no address of a web server", address=address),
            tr("give https://host/file.tif, or http://host/folder/ for a copy"),
        )
    name = address if names_raster(address) else address + copy
    return Place(store="http", name=name, timeout=parameters.timeout)


def _access(parameters: RasterParameters, address: S3Address) -> S3Access:
    return S3Access(
        address=address,
        access_key=parameters.access_key,
        secret_key=parameters.secret_key,
        region=parameters.region,
        path_style=parameters.path_style,
    )


def _range_of(client: ObjectClient, key: str, where: str, offset: int, count: int) -> bytes:
    if not count:
        return b""
    try:
        return client.get_range(key, offset, count)
    except client.failures as error:
        raise not_given(where, error) from error
