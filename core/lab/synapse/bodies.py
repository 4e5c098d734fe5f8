"""What the bodies of requests say, as far as the stand-in reads them; the rest is kept or left."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from core.lab.synapse.entity import Json
from core.lab.synapse.error_answers import Refused


class _Body(msgspec.Struct, rename="camel"):
    """Members that are not declared are ignored."""


class EntityBody(_Body):
    """An entity that is made or changed."""

    concrete_type: str = ""
    name: str | None = None
    parent_id: str | None = None
    data_file_handle_id: str | None = None
    version_label: str | None = None
    etag: str | None = None


class AnnotationsBody(_Body):
    """The annotations of an entity."""

    etag: str | None = None
    annotations: dict[str, object] | None = None


class LookupBody(_Body):
    """The name of a child; without a parent it is a project."""

    entity_name: str
    parent_id: str | None = None


class ChildrenBody(_Body):
    """Which children are wanted."""

    include_types: Sequence[str] = ()
    parent_id: str | None = None
    next_page_token: str | None = None
    sort_by: str | None = None
    sort_direction: str | None = None
    include_total_child_count: bool = False


class UploadBody(_Body):
    """The request of an upload; sizes in bytes."""

    concrete_type: str
    file_name: str
    file_size_bytes: int
    part_size_bytes: int
    content_md5_hex: str = msgspec.field(name="contentMD5Hex")
    content_type: str | None = None


class PartsBody(_Body):
    """The parts of an upload that URLs are wanted for."""

    part_numbers: Sequence[int]


class RequestedFile(_Body):
    """A file that is wanted."""

    file_handle_id: str | int


class DownloadsBody(_Body):
    """The files that are wanted, and what of them."""

    requested_files: Sequence[RequestedFile]
    include_file_handles: bool = False
    include_urls: bool = msgspec.field(name="includePreSignedURLs", default=False)


def read_body[T: _Body](body: Json, kind: type[T]) -> T:
    """The body as that kind; raises Refused for any other."""
    try:
        return msgspec.convert(body, kind)
    except msgspec.ValidationError as error:
        raise Refused(400, str(error)) from None
