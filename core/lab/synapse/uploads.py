"""Multipart uploads and file handles of the stand-in.

As in the real service, an upload is found again by its request, so that it can be resumed, and a
finished one is not made again; parts are checked by their MD5, and the MD5 of the whole file is
what the client says it is.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from core.lab.synapse.entities import (
    USER,
    Body,
    Json,
    RequestRefused,
    not_found,
    read_body,
    timestamp,
)
from core.lab.synapse.stored_files import StoredFiles

STORAGE_LOCATION = 1
_FILE = "org.sagebionetworks.repo.model.file."
_LEAST_PART = 5 * 2**20  # bytes, as S3 demands
_MOST_PARTS = 10_000
_UPLOAD = _FILE + "MultipartUploadRequest"

DESTINATION: Json = {
    "concreteType": _FILE + "S3UploadDestination",
    "storageLocationId": STORAGE_LOCATION,
    "uploadType": "S3",
    "banner": "",
    "stsEnabled": False,
}
"""Where the service wants all files."""


class UploadBody(Body):
    """The request of an upload; sizes in bytes."""

    concrete_type: str
    file_name: str
    file_size_bytes: int
    part_size_bytes: int
    content_md5_hex: str = msgspec.field(name="contentMD5Hex")
    content_type: str | None = None


class PartsBody(Body):
    part_numbers: Sequence[int]


class RequestedFile(Body):
    file_handle_id: str | int


class DownloadsBody(Body):
    requested_files: Sequence[RequestedFile]
    include_file_handles: bool = False
    include_urls: bool = msgspec.field(name="includePreSignedURLs", default=False)


@dataclass(kw_only=True)
class _Upload:
    id: str
    key: str
    """Of what will be stored."""
    request: UploadBody
    parts: int
    added: dict[int, str] = field(default_factory=dict)
    """MD5s by the numbers of parts."""
    handle: str = ""
    """The file handle, once it is complete."""
    begun: str = field(default_factory=timestamp)

    def status(self) -> Json:
        state = ("1" if number in self.added else "0" for number in range(1, self.parts + 1))
        status = {
            "uploadId": self.id,
            "state": "COMPLETED" if self.handle else "UPLOADING",
            "partsState": "".join(state),
            "startedBy": USER,
            "startedOn": self.begun,
            "updatedOn": timestamp(),
        }
        return status | {"resultFileHandleId": self.handle} if self.handle else status


class Uploads:
    """All uploads and file handles.  Its methods raise RequestRefused as the service refuses."""

    def __init__(self, stored: StoredFiles) -> None:
        self._stored = stored
        self._uploads: dict[str, _Upload] = {}
        self._by_request: dict[str, _Upload] = {}
        self._handles: dict[str, Json] = {}
        self._last = 100_000

    def start(self, request: Json, *, restart: bool) -> Json:
        body = read_body(request, UploadBody)
        _require_possible(body)
        digest = hashlib.sha256(msgspec.json.encode(request, order="deterministic")).hexdigest()
        upload = self._by_request.get(digest)
        if upload is None or restart:
            self._last += 1
            parts = -(-body.file_size_bytes // body.part_size_bytes)
            upload = _Upload(id=str(self._last), key=uuid.uuid4().hex, request=body, parts=parts)
            self._by_request[digest] = self._uploads[upload.id] = upload
            self._stored.begin(upload.key)
        return upload.status()

    def part_urls(self, id: str, body: Json) -> Json:
        """A presigned URL for each of the parts that are asked for."""
        upload = self._upload(id)
        urls = [
            {
                "partNumber": number,
                "uploadPresignedUrl": self._stored.part_url(upload.key, number),
                "signedHeaders": {},
            }
            for number in read_body(body, PartsBody).part_numbers
            if _is_part(upload, number)
        ]
        return {"partPresignedUrls": urls}

    def add_part(self, id: str, number: int, md5: str) -> Json:
        """Take a part that was stored, if it has that MD5."""
        upload = self._upload(id)
        if upload.handle:
            raise RequestRefused(400, "Cannot add parts to completed file upload.")
        _is_part(upload, number)
        answer: Json = {"uploadId": id, "partNumber": number}
        if not self._stored.has(upload.key, number, md5):
            reason = "The provided MD5 does not match the MD5 of the uploaded part."
            return answer | {"addPartState": "ADD_FAILED", "errorMessage": reason}
        upload.added[number] = md5
        return answer | {"addPartState": "ADD_SUCCESS"}

    def complete(self, id: str) -> Json:
        upload = self._upload(id)
        if not upload.handle:
            if missing := upload.parts - len(upload.added):
                raise RequestRefused(
                    400,
                    f"Missing {missing} part(s).  All parts must be successfully added before a"
                    " file upload can be completed.",
                )
            size = self._stored.complete(upload.key, upload.added)
            upload.handle = self._new_handle(upload, size)
        return upload.status()

    def handle(self, id: str) -> Json:
        if str(id) not in self._handles:
            raise not_found(f"FileHandle {id}")
        return self._handles[str(id)]

    def same_content(self, one: str, other: str) -> bool:
        return bool(self.handle(one)["contentMd5"] == self.handle(other)["contentMd5"])

    def downloads(self, body: Json) -> Json:
        request = read_body(body, DownloadsBody)
        handles = (str(one.file_handle_id) for one in request.requested_files)
        return {"requestedFiles": [self._download(handle, request) for handle in handles]}

    def of_md5(self, md5: str) -> set[str]:
        return {one["id"] for one in self._handles.values() if one["contentMd5"] == md5}

    def forget(self, ids: Iterable[str]) -> None:
        """Remove files that no entity has any more."""
        gone = {one: self._handles.pop(one) for one in ids if one in self._handles}
        for handle in gone.values():
            self._stored.remove(handle["key"])
        for table in (self._by_request, self._uploads):
            for name in [name for name, upload in table.items() if upload.handle in gone]:
                del table[name]

    def _upload(self, id: str) -> _Upload:
        if id not in self._uploads:
            raise not_found(f"MultipartUpload {id}")
        return self._uploads[id]

    def _new_handle(self, upload: _Upload, size: int) -> str:
        self._last += 1
        new, request, now = str(self._last), upload.request, timestamp()
        self._handles[new] = {
            "id": new,
            "concreteType": _FILE + "S3FileHandle",
            "contentType": request.content_type,
            "contentMd5": request.content_md5_hex,
            "fileName": request.file_name,
            "contentSize": size,
            "status": "AVAILABLE",
            "bucketName": "sluice",
            "key": upload.key,
            "storageLocationId": STORAGE_LOCATION,
            "isPreview": False,
            "createdBy": USER,
            "createdOn": now,
            "modifiedOn": now,
            "etag": str(uuid.uuid4()),
        }
        return new

    def _download(self, id: str, requested: DownloadsBody) -> Json:
        if id not in self._handles:
            return {"fileHandleId": id, "failureCode": "NOT_FOUND"}
        answer: Json = {"fileHandleId": id}
        handle = self._handles[id]
        if requested.include_file_handles:
            answer["fileHandle"] = handle
        if requested.include_urls:
            answer["preSignedURL"] = self._stored.file_url(handle["key"])
        return answer


def _require_possible(body: UploadBody) -> None:
    """Raise RequestRefused for an upload that the service does not begin."""
    if body.concrete_type != _UPLOAD:
        raise RequestRefused(400, f"Request type unsupported: {body.concrete_type}")
    for name in ("file_name", "content_md5_hex"):
        if not getattr(body, name):
            raise RequestRefused(400, f"MultipartUploadRequest.{name} is required.")
    size, part_size = body.file_size_bytes, body.part_size_bytes
    if size < 1:
        raise RequestRefused(400, "File size must be at least one byte")
    if part_size < _LEAST_PART:
        raise RequestRefused(400, f"The part size must be at least {_LEAST_PART} bytes.")
    if size > part_size * _MOST_PARTS:
        raise RequestRefused(400, f"The number of parts must not be more than {_MOST_PARTS}.")


def _is_part(upload: _Upload, number: int) -> bool:
    """True; raises RequestRefused for a part that the upload does not have."""
    if number < 1:
        raise RequestRefused(400, "Part numbers cannot be less than one.")
    if number > upload.parts:
        raise RequestRefused(
            400,
            "Part number cannot be larger than number of parts. Number of parts:"
            f" {upload.parts}, provided part number: {number}",
        )
    return True
