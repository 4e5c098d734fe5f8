"""The files of the stand-in in an S3, where clients go by themselves, as those of the real one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.catalog.parameters import Driver
from core.lab.aws_signature import REGION

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
                # Else a URL would demand of whoever sends a part that it sends checksums, too.
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        )

    def begin(self, key: str) -> None:
        """Begin an upload in parts."""
        answer = self._s3.create_multipart_upload(**self._object(key))
        self._uploads[key] = answer["UploadId"]

    def part_url(self, key: str, number: int) -> str:
        """A URL of S3's own."""
        return self._url("upload_part", **self._upload(key), PartNumber=number)

    def has(self, key: str, number: int, md5: str) -> bool:
        """Whether S3 has such a part, whose ETag is its MD5."""
        asked = {"PartNumberMarker": number - 1, "MaxParts": 1}
        found = self._s3.list_parts(**self._upload(key), **asked).get("Parts", ())
        return any((one["PartNumber"], one["ETag"].strip('"')) == (number, md5) for one in found)

    def complete(self, key: str, parts: Mapping[int, str]) -> int:
        """Have S3 make an object of them."""
        named = [{"PartNumber": number, "ETag": f'"{parts[number]}"'} for number in sorted(parts)]
        asked = self._upload(key)
        self._s3.complete_multipart_upload(**asked, MultipartUpload={"Parts": named})
        del self._uploads[key]
        size: int = self._s3.head_object(**self._object(key))["ContentLength"]
        return size

    def file_url(self, key: str) -> str:
        """A URL of S3's own."""
        return self._url("get_object", **self._object(key))

    def remove(self, key: str) -> None:
        """Remove the object."""
        self._s3.delete_object(**self._object(key))

    def _object(self, key: str) -> dict[str, Any]:
        return {"Bucket": self._bucket, "Key": _FOLDER + key}

    def _upload(self, key: str) -> dict[str, Any]:
        return {**self._object(key), "UploadId": self._uploads[key]}

    def _url(self, request: str, **asked: Any) -> str:
        url: str = self._s3.generate_presigned_url(request, asked, ExpiresIn=self._expiry)
        return url
