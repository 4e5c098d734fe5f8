"""Where the service keeps files: in folders of its own, or in an S3 of the lab.

A presigned URL allows one request for a while, in the form that S3 gives it; its signature is an
HMAC of what it allows, and not AWS's, which only S3 itself has to check.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol
from urllib.parse import urlencode

from core.lab.servers.s3 import REGION
from core.measure import remove_tree
from core.vocabulary import Driver


class StorageRefused(Exception):
    """The request is answered as S3 does, with that status and code."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message

    def body(self) -> bytes:
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f"<Error><Code>{self.code}</Code><Message>{self.message}</Message>"
            f"<RequestId>{secrets.token_hex(8).upper()}</RequestId></Error>"
        ).encode()


_FORM = "%Y%m%dT%H%M%SZ"


class Presigner:
    def __init__(self, key: str, base: str, expiry: float) -> None:
        """`base` stands before every path; `expiry` in seconds, at least 1."""
        self._key = key.encode()
        self._base = base
        self._expiry = max(1, int(expiry))

    def url(self, method: str, path: str, now: datetime | None = None) -> str:
        date = (now or datetime.now(UTC)).strftime(_FORM)
        expires = str(self._expiry)
        query = {
            "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
            "X-Amz-Date": date,
            "X-Amz-Expires": expires,
            "X-Amz-SignedHeaders": "host",
            "X-Amz-Signature": self._signature(method, path, date, expires),
        }
        return f"{self._base}{path}?{urlencode(query)}"

    def check(
        self, method: str, path: str, query: Mapping[str, str], now: datetime | None = None
    ) -> None:
        """Raise StorageRefused, as S3 does, unless that request is allowed now."""
        date, expires = query.get("X-Amz-Date", ""), query.get("X-Amz-Expires", "")
        right = self._signature(method, path, date, expires)
        if not hmac.compare_digest(right, query.get("X-Amz-Signature", "")):
            raise StorageRefused(
                403,
                "SignatureDoesNotMatch",
                "The request signature we calculated does not match the signature you provided.",
            )
        end = datetime.strptime(date, _FORM).replace(tzinfo=UTC) + timedelta(seconds=int(expires))
        if (now or datetime.now(UTC)) >= end:
            raise expired()

    def _signature(self, method: str, path: str, date: str, expires: str) -> str:
        text = "\n".join((method, path, date, expires))
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()


def expired() -> StorageRefused:
    """How S3 answers a presigned URL that was valid once."""
    return StorageRefused(403, "AccessDenied", "Request has expired")


class StoredFiles(Protocol):
    """Files that clients send in parts and fetch whole, at URLs that let them in for a while.

    Keys are hexadecimal digits, parts are numbered from 1 and known by their MD5.
    """

    def begin(self, key: str) -> None:
        """Parts of that file may come from now on."""

    def part_url(self, key: str, number: int) -> str:
        """Where a part is sent to by PUT."""

    def has(self, key: str, number: int, md5: str) -> bool:
        """Whether a part with that MD5 has come."""

    def complete(self, key: str, parts: Mapping[int, str]) -> int:
        """Make a file of the parts with these MD5s, by number; returns its size in bytes."""

    def file_url(self, key: str) -> str:
        """Where a complete file is fetched from by GET."""

    def remove(self, key: str) -> None:
        """Remove a complete file."""


class Stretch(NamedTuple):
    path: Path
    start: int
    size: int


class StoredParts:
    """The folder; keys are hexadecimal digits."""

    def __init__(self, folder: Path) -> None:
        self._coming = folder / "coming"
        self._done = folder / "done"
        for one in (self._coming, self._done):
            one.mkdir(parents=True, exist_ok=True)

    def begin(self, key: str) -> None:
        (self._coming / key).mkdir()

    def expects(self, key: str) -> bool:
        return (self._coming / key).is_dir()

    def new_part(self, key: str) -> IO[bytes]:
        """A file for a part that is coming; `keep` or `drop` ends it."""
        return tempfile.NamedTemporaryFile(dir=self._coming / key, prefix="new-", delete=False)

    def keep(self, part: IO[bytes], key: str, number: int, md5: str) -> None:
        part.close()
        Path(part.name).replace(self._coming / key / f"{number}.{md5}")

    def drop(self, part: IO[bytes]) -> None:
        part.close()
        Path(part.name).unlink(missing_ok=True)

    def has(self, key: str, number: int, md5: str) -> bool:
        return md5.isalnum() and (self._coming / key / f"{number}.{md5}").is_file()

    def complete(self, key: str, parts: Mapping[int, str]) -> int:
        """Make a file of the parts with these MD5s, by number; returns its size in bytes."""
        coming, done, size = self._coming / key, self._done / key, 0
        for number, md5 in parts.items():
            path = (coming / f"{number}.{md5}").rename(coming / str(number))
            size += path.stat().st_size
        for path in coming.iterdir():
            if not path.name.isdigit():  # parts that were sent again, or cut
                path.unlink()
        coming.rename(done)
        return size

    def remove(self, key: str) -> None:
        with suppress(FileNotFoundError):
            remove_tree(self._done / key)

    def size(self, key: str) -> int | None:
        try:
            return sum(path.stat().st_size for path in self._parts(key))
        except FileNotFoundError:
            return None

    def stretches(self, key: str, start: int, stop: int) -> Iterator[Stretch]:
        """Where the bytes from `start` up to `stop` of a complete file are."""
        at = 0
        for path in self._parts(key):
            size = path.stat().st_size
            first, last = max(start - at, 0), min(stop - at, size)
            if first < last:
                yield Stretch(path, first, last - first)
            at += size

    def _parts(self, key: str) -> list[Path]:
        """The parts in their order; raises FileNotFoundError."""
        return sorted((self._done / key).iterdir(), key=lambda path: int(path.name))


class OwnStorage(StoredParts):
    """A folder that the stand-in's process `storage` serves; complete parts stay in their files."""

    def __init__(self, folder: Path, presigner: Presigner) -> None:
        super().__init__(folder)
        self._presigner = presigner

    def part_url(self, key: str, number: int) -> str:
        return self._presigner.url("PUT", f"/part/{key}/{number}")

    def file_url(self, key: str) -> str:
        return self._presigner.url("GET", f"/file/{key}")


BOTO3 = Driver(module="boto3", distribution="boto3", install="pip install sluice[transfer]")
_FOLDER = "synapse/"


class S3Storage:
    """Objects below one folder of a bucket, each begun as an upload in parts."""

    def __init__(
        self, endpoint: str, bucket: str, *, access_key: str, secret_key: str, expiry: float
    ) -> None:
        """`expiry`: seconds that presigned URLs are valid, at least 1."""
        import boto3
        from botocore.config import Config

        self._bucket, self._expiry = bucket, max(1, int(expiry))
        self._uploads: dict[str, str] = {}
        self._s3: Any = boto3.client(
            "s3",
            endpoint_url=endpoint,
            aws_access_key_id=access_key,
            aws_secret_access_key=secret_key,
            region_name=REGION,
            config=Config(
                signature_version="s3v4",
                s3={"addressing_style": "path"},
                # Else a URL would demand checksums from each sender of a part.
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        )

    def begin(self, key: str) -> None:
        answer = self._s3.create_multipart_upload(**self._object(key))
        self._uploads[key] = answer["UploadId"]

    def part_url(self, key: str, number: int) -> str:
        return self._url("upload_part", **self._upload(key), PartNumber=number)

    def has(self, key: str, number: int, md5: str) -> bool:
        """Whether S3 has such a part, whose ETag is its MD5."""
        page = {"PartNumberMarker": number - 1, "MaxParts": 1}
        stored = self._s3.list_parts(**self._upload(key), **page).get("Parts", ())
        return any((one["PartNumber"], one["ETag"].strip('"')) == (number, md5) for one in stored)

    def complete(self, key: str, parts: Mapping[int, str]) -> int:
        named = [{"PartNumber": number, "ETag": f'"{parts[number]}"'} for number in sorted(parts)]
        upload = self._upload(key)
        self._s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": named})
        del self._uploads[key]
        size: int = self._s3.head_object(**self._object(key))["ContentLength"]
        return size

    def file_url(self, key: str) -> str:
        return self._url("get_object", **self._object(key))

    def remove(self, key: str) -> None:
        self._s3.delete_object(**self._object(key))

    def _object(self, key: str) -> dict[str, Any]:
        return {"Bucket": self._bucket, "Key": _FOLDER + key}

    def _upload(self, key: str) -> dict[str, Any]:
        return {**self._object(key), "UploadId": self._uploads[key]}

    def _url(self, request: str, **asked: Any) -> str:
        url: str = self._s3.generate_presigned_url(request, asked, ExpiresIn=self._expiry)
        return url
