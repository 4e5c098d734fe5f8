"""Synapse through a client of our own: addresses, the token, and the requests that a place needs.

It repeats what is refused in passing, since a busy service is what transfers are measured on.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from threading import Event
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from core import DatasetError, InvalidParameter, SluiceError, reveal, tr
from workloads.shared.servers import PASSING
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_files import BLOCK, Tree

type Json = dict[str, Any]

_MODEL = "org.sagebionetworks.repo.model."
FOLDER, PROJECT, FILE = (_MODEL + kind for kind in ("Folder", "Project", "FileEntity"))
_ATTEMPTS = 8
_FIRST_WAIT, _LONGEST_WAIT = 0.1, 10.0
_TIMEOUT = 60.0
_PART = 8 << 20
_MOST_PARTS = 10_000
_EXPIRED = 403
_ABSENT = 404
_TAKEN = 409


class SynapseRefused(SluiceError):
    def __init__(self, status: int, reason: str, remedy: str) -> None:
        super().__init__(
            tr("Synapse refuses with {status}: {why}", status=status, why=reason), remedy
        )
        self.status = status


class FolderEntry(NamedTuple):
    id: str
    name: str
    is_folder: bool


class SynapseService:
    """The service at an address; for many threads."""

    def __init__(self, address: SynapseAddress, token: str, connections: int) -> None:
        import httpx

        self._endpoints = address.endpoints
        self._authorisation = {"Authorization": f"Bearer {token}"}
        self.broken: type[Exception] = httpx.TransportError
        """Raised where a connection breaks."""
        self._never = Event()
        limits = httpx.Limits(max_connections=connections)
        self._http: Any = httpx.Client(timeout=_TIMEOUT, limits=limits)

    def ask(self, method: str, uri: str, body: Json | None = None, of: str = "repo") -> Json:
        """The answer of a service; raises Refused, SluiceError."""
        url = self._endpoints[of] + uri
        answer = self._sent(
            lambda: self._http.request(method, url, json=body, headers=self._authorisation)
        )
        if answer.status_code >= 400:
            raise _refused(answer.status_code, _reason(answer))
        content: Json = answer.json() if answer.content else {}
        return content

    def _sent(self, send: Callable[[], Any]) -> Any:
        """The last answer to a request that is repeated while it fails in passing."""
        for attempt in range(_ATTEMPTS):
            after = 0.0
            try:
                answer = send()
            except self.broken as error:
                if attempt == _ATTEMPTS - 1:
                    raise SluiceError(
                        tr("Synapse does not answer: {why}", why=error),
                        tr("check the address, and that a server listens there"),
                    ) from error
            else:
                if answer.status_code not in PASSING or attempt == _ATTEMPTS - 1:
                    return answer
                after = _seconds(answer.headers.get("Retry-After", ""))
            self._never.wait(min(max(after, _FIRST_WAIT * 2**attempt), _LONGEST_WAIT))
        raise AssertionError("the last attempt returns or raises")

    def find(self, parent: str | None, name: str) -> str | None:
        try:
            child = self.ask("POST", "/entity/child", {"parentId": parent, "entityName": name})
        except SynapseRefused as refused:
            if refused.status == _ABSENT:
                return None
            raise
        return str(child["id"])

    def make(self, kind: str, name: str, parent: str | None, **more: str) -> str:
        """The id of a new project, folder or file, or of the one that is there by that name."""
        entity = {"concreteType": kind, "name": name, "parentId": parent, **more}
        try:
            return str(self.ask("POST", "/entity", entity)["id"])
        except SynapseRefused as refused:
            existing = self.find(parent, name) if refused.status == _TAKEN else None
            if existing is None:
                raise
            return existing

    def store(self, name: str, parent: str, handle: str) -> None:
        """A file with those bytes, in place of one that may be there."""
        place = f"/entity/{self.make(FILE, name, parent, dataFileHandleId=handle)}"
        entity = self.ask("GET", place)
        if entity["dataFileHandleId"] != handle:
            self.ask("PUT", place, {**entity, "dataFileHandleId": handle})

    def children(self, parent: str) -> Iterator[FolderEntry]:
        request: Json = {"parentId": parent, "includeTypes": ["file", "folder"]}
        while True:
            page = self.ask("POST", "/entity/children", request)
            for one in page["page"]:
                yield FolderEntry(one["id"], one["name"], one["type"] == FOLDER)
            if not page.get("nextPageToken"):
                return
            request["nextPageToken"] = page["nextPageToken"]

    def remove(self, id: str) -> None:
        try:
            self.ask("DELETE", f"/entity/{id}?skipTrashCan=true")
        except SynapseRefused as refused:
            if refused.status != _ABSENT:
                raise

    def upload(self, name: str, size: int, md5: str, read: Callable[[int, int], bytes]) -> str:
        """The file handle of bytes that `read(start, count)` gives."""
        part_size = max(_PART, -(-size // _MOST_PARTS))
        request = {
            "concreteType": f"{_MODEL}file.MultipartUploadRequest",
            "contentMD5Hex": md5,
            # Else the same upload again were the same file handle, which clients fetch once.
            "contentType": f"application/octet-stream; sluice={secrets.token_hex(8)}",
            "fileName": name,
            "fileSizeBytes": size,
            "generatePreview": False,
            "partSizeBytes": part_size,
        }
        begun = self.ask("POST", "/file/multipart", request, of="file")
        upload = begun["uploadId"]
        if begun["state"] != "COMPLETED":
            for number, state in enumerate(begun["partsState"], 1):
                if state == "0":
                    self._send_part(upload, number, read((number - 1) * part_size, part_size))
            begun = self.ask("PUT", f"/file/multipart/{upload}/complete", of="file")
        return str(begun["resultFileHandleId"])

    def _send_part(self, upload: str, number: int, content: bytes) -> None:
        def url() -> str:
            request = {"uploadId": upload, "partNumbers": [number]}
            uri = f"/file/multipart/{upload}/presigned/url/batch"
            answer = self.ask("POST", uri, request, of="file")
            return str(answer["partPresignedUrls"][0]["uploadPresignedUrl"])

        self._stored(lambda: self._http.put(url(), content=content))
        md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
        added = self.ask(
            "PUT", f"/file/multipart/{upload}/add/{number}?partMD5Hex={md5}", of="file"
        )
        if added["addPartState"] != "ADD_SUCCESS":
            raise SluiceError(
                tr("Synapse does not take a part: {why}", why=added.get("errorMessage", ""))
            )

    def _stored(self, send: Callable[[], Any]) -> Any:
        """The answer of the storage; a URL that has expired is asked for once more."""
        answer = self._sent(send)
        if answer.status_code == _EXPIRED:
            answer = self._sent(send)
        if answer.status_code >= 400:
            raise _refused(answer.status_code, answer.text)
        return answer

    def read(self, entity: str, handle: str) -> Iterator[bytes]:
        """The bytes of a file in blocks; raises SluiceError where they do not all come."""
        requested = {
            "includePreSignedURLs": True,
            "requestedFiles": [
                {
                    "fileHandleId": handle,
                    "associateObjectId": entity,
                    "associateObjectType": "FileEntity",
                }
            ],
        }

        def send() -> Any:
            batch = self.ask("POST", "/fileHandle/batch", requested, of="file")
            request = self._http.build_request("GET", batch["requestedFiles"][0]["preSignedURL"])
            answer = self._http.send(request, stream=True)
            if answer.status_code >= 400:
                answer.read()
                answer.close()
            return answer

        answer = self._stored(send)
        try:
            yield from answer.iter_bytes(BLOCK)
        finally:
            answer.close()

    def close(self) -> None:
        self._http.close()


def _refused(status: int, reason: str) -> SynapseRefused:
    remedies: Mapping[int, str] = {
        401: tr("check the token"),
        403: tr("check what the token may do with this project: view, modify and download"),
        404: tr("check the id in the address"),
    }
    return SynapseRefused(status, reason, remedies.get(status, ""))


def _reason(answer: Any) -> str:
    try:
        return str(answer.json()["reason"])
    except (ValueError, KeyError, TypeError):
        return str(answer.text)


def _seconds(header: str) -> float:
    try:
        return float(header)
    except ValueError:
        return 0.0


_HOSTS = ("synapse.org", "www.synapse.org")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_THREADS = 128
"""The client takes more for so many."""
_ID = re.compile(r"syn\d+")
_NAME = re.compile(r"[\w\-+.() ']{1,256}", re.ASCII)
"""What the service allows as the name of a file or folder."""


@dataclass(frozen=True, kw_only=True)
class SynapseAddress:
    """A place in Synapse: `synapse://synapse.org/syn123`, or the lab's stand-in."""

    host: str
    """With its port; empty = the service itself."""
    container: str
    """The project or folder in which everything is made; empty = a project of Sluice's own."""

    @property
    def endpoints(self) -> Mapping[str, str]:
        """The beginnings of the URLs of `repo`, `auth`, `file` and `portal`."""
        if not self.host:
            services = {
                name: f"https://{name}-prod.prod.sagebase.org/{name}/v1"
                for name in ("repo", "auth", "file")
            }
            return services | {"portal": "https://www.synapse.org/"}
        base = f"http://{self.host}"
        return {name: f"{base}/{name}/v1" for name in ("repo", "auth", "file")} | {"portal": base}


def synapse_address(address: str) -> SynapseAddress:
    """What an address means; raises InvalidParameter."""
    parts = urlsplit(address)
    container = parts.path.strip("/")
    is_host = parts.hostname in _HOSTS or parts.hostname in _LOOPBACK
    if parts.scheme != "synapse" or not is_host or parts.query or parts.fragment:
        raise _no_place(address)
    if container and not _ID.fullmatch(container):
        raise _no_place(address)
    if parts.hostname in _LOOPBACK:
        return SynapseAddress(host=parts.netloc, container=container)
    if not container:
        raise InvalidParameter(
            "address",
            tr("{address} names no project", address=address),
            tr("make a project for this, and add its id: synapse://synapse.org/syn123"),
        )
    return SynapseAddress(host="", container=container)


def _no_place(address: str) -> InvalidParameter:
    return InvalidParameter(
        "address",
        tr("{address!r} is no place in Synapse", address=address),
        tr("give synapse://synapse.org/syn123, or what lab start synapse prints"),
    )


def require_token(parameters: TransferParameters) -> None:
    """Raise InvalidParameter where no token is named."""
    if not parameters.token:
        raise InvalidParameter(
            "token",
            tr("Synapse wants a token"),
            tr("make a personal access token, and give where it is: env:NAME"),
        )


def token_of(parameters: TransferParameters) -> str:
    """The token itself; raises InvalidParameter, Unavailable."""
    require_token(parameters)
    return reveal(parameters.token, in_header=True)


def require_possible(tree: Tree, *, manifest: bool) -> None:
    """Raise DatasetError for a file that Synapse does not take.

    `manifest`: it is sent by one, whose names the client checks by a rule of its own.
    """
    for file in tree.files:
        if not file.size:
            raise DatasetError(
                tr("{file} is empty, and Synapse takes no empty files", file=file.name),
                tr("remove it, or choose another client"),
            )
        if not all(map(_NAME.fullmatch, file.name.split("/"))):
            raise DatasetError(
                tr("Synapse takes no file with the name {file!r}", file=file.name),
                tr("use letters, digits, spaces and - + . _ ( ) ' only, or choose another client"),
            )
        if manifest and "'" in file.name.rpartition("/")[2]:
            raise DatasetError(
                tr("synapse-sync takes no file with an apostrophe: {file}", file=file.name),
                tr("rename it, or choose the client synapse-walk, as Synapse itself takes it"),
            )
