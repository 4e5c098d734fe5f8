"""Where a raster is: a file here, an object in S3, a file on a web server.

What is on a server is read twice, by GDAL, which is measured, and by obstore for those who judge
it, which refuses answers that are not the range that was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from core import Dataset
from workloads.raster.raster_parameters import RasterParameters
from workloads.raster.tiff_oracle import TiffOracle
from workloads.shared.objects import not_given
from workloads.shared.served import Served
from workloads.shared.servers import S3Access


class Place(NamedTuple):
    """One raster, as GDAL reads it."""

    path: Path
    served: Served | None = None
    """Where it is on a server, and not at the path."""

    @property
    def shown(self) -> str:
        """As messages name it."""
        return str(self.served or self.path)

    @property
    def s3(self) -> S3Access | None:
        return self.served.place.s3 if self.served else None

    @property
    def gdal_path(self) -> str:
        """Its name in GDAL."""
        if self.served is None:
            return str(self.path)
        return f"/vsicurl/{self.served.url}".replace("/vsicurl/s3://", "/vsis3/", 1)

    def options(self) -> Mapping[str, str]:
        """GDAL's options for reaching it, keys among them; raises InvalidParameter, Unavailable."""
        keys = self.s3.credentials() if self.s3 else {}
        return s3_options(self.s3) | {name.upper(): key for name, key in keys.items()}

    def oracle(self) -> TiffOracle:
        """What it holds, by those who judge it; raises SluiceError."""
        if self.served is None:
            return TiffOracle.of_file(self.path)
        client, name, shown = self.served.client(), self.served.name, self.shown

        def read_at(offset: int, count: int) -> bytes:
            try:
                return client.get_range(name, offset, count) if count else b""
            except client.failures as error:
                raise not_given(shown, error) from error

        try:
            return TiffOracle(shown, read_at, client.size(name), client.close)
        except client.failures as error:
            client.close()
            raise not_given(shown, error) from error


def s3_options(access: S3Access | None) -> dict[str, str]:
    """GDAL's options for reaching a bucket, but for keys; none for other places."""
    if access is None:
        return {}
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


def place_of(parameters: RasterParameters, dataset: Dataset) -> Place:
    """Where a trial reads; raises InvalidParameter."""
    return Place(dataset.path, parameters.served(dataset, "raster.tif"))
