"""Arrays on servers: how they get there, and how each library reaches them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from core import InvalidParameter, ReportProgress, SluiceError, tr
from workloads.arrays.array_parameters import ArrayParameters
from workloads.shared.servers import S3Access, S3Address, placing, remedy_of, s3_address
from workloads.shared.threads import mapped

_MANIFEST = "sluice-manifest"
_THREADS, _REGION, _BLOCK = 8, "us-east-1", 64 << 10


@dataclass(frozen=True, kw_only=True)
class Remote:
    """Where an array's folder, or the folder of its file, is on a server."""

    access: S3Access | None
    """Of the bucket, with the folder's prefix; None for a web server."""
    url: str
    """Of a web server."""

    @property
    def _place(self) -> tuple[S3Address, dict[str, str], str]:
        """Address, keys as environments name them, and region; raises SluiceError."""
        assert self.access is not None
        keys = dict(self.access.credentials())
        return self.access.address, keys, self.access.region or _REGION

    def store(self) -> Any:
        """The folder as obstore reaches it; raises SluiceError."""
        from obstore.store import HTTPStore, S3Store

        options: dict[str, Any] = {"client_options": {"allow_http": True}}
        if self.access is None:
            return HTTPStore(self.url, **options)
        address, keys, region = self._place
        options |= {"endpoint": address.endpoint} if address.endpoint else {}
        options |= {name.removeprefix("aws_"): key for name, key in keys.items()}
        return S3Store(address.bucket, prefix=address.prefix, region=region, **options)

    def kvstore(self) -> dict[str, Any]:
        """The same as tensorstore reaches it, which takes keys from the environment."""
        if self.access is None:
            return {"driver": "http", "base_url": self.url}
        address, keys, region = self._place
        place: dict[str, Any] = {"driver": "s3", "bucket": address.bucket, "aws_region": region}
        if address.endpoint:
            host = urlsplit(address.endpoint).netloc
            place |= {"endpoint": address.endpoint, "host_header": host}
        if keys:
            os.environ.update({name.upper(): key for name, key in keys.items()})
            place["aws_credentials"] = {"type": "environment"}
        return {**place, "path": address.prefix}

    def file(self, name: str) -> Any:
        """A file of the folder, which is read block by block."""
        import obstore

        return _File(obstore.open_reader(self.store(), name, buffer_size=_BLOCK))


class _File:
    """A file whose answers are Python's own bytes, which h5py insists on."""

    def __init__(self, file: Any) -> None:
        self.seek, self.tell, self._read = file.seek, file.tell, file.read

    def read(self, size: int) -> bytes:
        return bytes(self._read(size))


def remote_of(parameters: ArrayParameters, name: str, address: str = "") -> Remote | None:
    """Where the data of that name is; None for files.  Raises InvalidParameter for no address.

    `address`: that of a link to the server.
    """
    if parameters.store == "file":
        return None
    address = address or parameters.address
    if parameters.store == "s3":
        one, at = parameters, s3_address(address)
        place = S3Address(bucket=at.bucket, prefix=f"{at.prefix}{name}/", endpoint=at.endpoint)
        keys = {"access_key": one.access_key, "secret_key": one.secret_key, "region": one.region}
        return Remote(access=S3Access(address=place, path_style=True, **keys), url="")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc or "@" in parts.netloc:
        why = tr("{address!r} is no URL of a folder", address=address)
        raise InvalidParameter("address", why, tr("give that of Zarr, or of the file's folder"))
    return Remote(access=None, url=address.rstrip("/"))


def place_copy(remote: Remote, root: Path, files: Sequence[Path], report: ReportProgress) -> None:
    """Copy files to S3 unless they are there; raises SluiceError.

    What a web server has is only read: trials find out whether it is the same.
    """
    if remote.access is None:
        return
    import obstore
    from obstore.exceptions import BaseError

    store, where = remote.store(), remote.access.address
    base = root if root.is_dir() else root.parent
    names = {file.relative_to(base).as_posix(): file for file in files}
    state = {name: [file.stat().st_size, file.stat().st_mtime_ns] for name, file in names.items()}
    manifest = msgspec.json.encode(state)

    def send(name: str) -> None:
        obstore.put(store, name, names[name].read_bytes())

    try:
        with placing("array", str(where)):
            if _manifest_in(store) == manifest:
                return
            every = (one["path"] for page in obstore.list(store) for one in page)
            obstore.delete(store, [name for name in every if name not in names])
            for done, _ in enumerate(mapped(_THREADS, "placing", send, names)):
                report("copying the array to S3", done, len(names), "file")
            obstore.put(store, _MANIFEST, manifest)
    except (BaseError, OSError) as error:
        why = tr("S3 does not give {bucket}: {why}", bucket=where.bucket, why=first_line(error))
        raise SluiceError(why, remedy_of(error) or tr("check address and keys")) from error


def _manifest_in(store: Any) -> bytes:
    import obstore

    try:
        return bytes(obstore.get(store, _MANIFEST).bytes())
    except FileNotFoundError:
        return b""


def first_line(error: Exception) -> str:
    """What a library says, without the dump of its internals that follows."""
    return str(error).strip().partition("\n")[0] or type(error).__name__
