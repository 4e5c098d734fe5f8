"""Arrays on servers: how they get there, and how each library reaches them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import msgspec

from core import InvalidParameter, ReportProgress, cache_folder, tr, written_once
from workloads.arrays.array_kinds import ARRAY_2, NODE_3
from workloads.arrays.array_parameters import ArrayParameters
from workloads.shared.objects.failures import failure_of
from workloads.shared.servers import S3Access, S3Address, explained, placing, s3_address
from workloads.shared.threads import mapped

_MANIFEST = "sluice-manifest"
_THREADS, _REGION = 8, "us-east-1"


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

    def file(self, name: str, one: ArrayParameters) -> Any:
        """A file of the folder, which is read block by block."""
        if self.access is None or one.client == "obstore":
            import obstore

            return _File(obstore.open_reader(self.store(), name, buffer_size=one.block_size))
        from s3fs import S3FileSystem

        address, keys, region = self._place
        files = S3FileSystem(
            key=keys.get("aws_access_key_id"),
            secret=keys.get("aws_secret_access_key"),
            endpoint_url=address.endpoint or None,
            client_kwargs={"region_name": region},
            skip_instance_cache=True,  # else equal arguments give that of an earlier trial
        )
        return files.open(f"{address.bucket}/{address.prefix}{name}", block_size=one.block_size)


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
        prefix = _folder_of(at.prefix, one) if one.as_it_is else f"{at.prefix}{name}/"
        place = S3Address(bucket=at.bucket, prefix=prefix, endpoint=at.endpoint)
        keys = {"access_key": one.access_key, "secret_key": one.secret_key, "region": one.region}
        return Remote(access=S3Access(address=place, path_style=True, **keys), url="")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc or "@" in parts.netloc:
        why = tr("{address!r} is no URL of a folder", address=address)
        raise InvalidParameter("address", why, tr("give that of Zarr, or of the file's folder"))
    return Remote(access=None, url=_folder_of(address, parameters))


def _folder_of(place: str, parameters: ArrayParameters) -> str:
    """A folder of Zarr, or the folder of a file."""
    whole = place.rstrip("/")
    return whole.rpartition("/")[0] if parameters.as_it_is in ("hdf5", "netcdf") else whole


def described(remote: Remote, parameters: ArrayParameters, report: ReportProgress) -> Path:
    """What is at an address, here: Zarr's metadata, or the file to compare with; SluiceError."""
    store, name = remote.store(), PurePosixPath(urlsplit(parameters.address).path).name
    report("looking at the array")
    if parameters.as_it_is == "zarr":
        inside = parameters.array.strip("/")
        contents = {
            file: content
            for folder in dict.fromkeys(("", inside))
            for document in (NODE_3, ARRAY_2, ".zattrs", ".zmetadata")
            if (content := _found(store, file := str(PurePosixPath(folder, document))))
        }
        contents |= _consolidated(contents)
    else:
        contents = {name: _found(store, name)}
    digest = blake2b(msgspec.msgpack.encode(contents), digest_size=10).hexdigest()

    def write(unfinished: Path) -> None:
        for file, content in contents.items():
            (unfinished / file).parent.mkdir(parents=True, exist_ok=True)
            (unfinished / file).write_bytes(content)

    folder = written_once(cache_folder() / "arrays" / digest, write)
    return folder if parameters.as_it_is == "zarr" else folder / name


def _consolidated(contents: Mapping[str, bytes]) -> dict[str, bytes]:
    """The documents of a group's arrays, where it has them itself."""
    with suppress(msgspec.DecodeError, AttributeError, KeyError, TypeError):
        if ".zmetadata" in contents:
            every = msgspec.json.decode(contents[".zmetadata"])["metadata"]
            return {file: msgspec.json.encode(one) for file, one in every.items()}
        every = msgspec.json.decode(contents[NODE_3])["consolidated_metadata"]["metadata"]
        return {f"{path}/{NODE_3}": msgspec.json.encode(one) for path, one in every.items()}
    return {}


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
            if _found(store, _MANIFEST) == manifest:
                return
            every = (one["path"] for page in obstore.list(store) for one in page)
            obstore.delete(store, [name for name in every if name not in names])
            for done, _ in enumerate(mapped(_THREADS, "placing", send, names)):
                report("copying the array to S3", done, len(names), "file")
            obstore.put(store, _MANIFEST, manifest)
    except (BaseError, OSError) as error:
        raise explained(failure_of(error), where) from error


def _found(store: Any, name: str) -> bytes:
    """An object; empty where there is none."""
    import obstore

    try:
        return bytes(obstore.get(store, name).bytes())
    except FileNotFoundError:
        return b""


def failures_of_servers() -> tuple[type[Exception], ...]:
    from obstore.exceptions import BaseError

    return (BaseError,)
