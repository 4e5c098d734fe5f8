"""The parts of the stand-in of Synapse that need no HTTP."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.lab.synapse.entities import Entities, RequestRefused
from core.lab.synapse.serving import Faults, Order
from core.lab.synapse.stored_files import OwnStorage, Presigner, StorageRefused, StoredParts
from core.lab.synapse.uploads import Uploads

pytestmark = pytest.mark.quick

MODEL = "org.sagebionetworks.repo.model."
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
PART = 5 * 2**20
PRESIGNER = Presigner("key", "http://here", 10)


def tree() -> tuple[Entities, str]:
    """Entities with one project, and its id; file handles are the same where they end alike."""
    entities = Entities(lambda one, other: one[-1] == other[-1])
    return entities, entities.create({"concreteType": MODEL + "Project", "name": "p"}).id


def file_of(entities: Entities, parent: str, name: str = "f", handle: str = "1") -> dict[str, Any]:
    given = {"concreteType": MODEL + "FileEntity", "name": name, "parentId": parent}
    return entities.create({**given, "dataFileHandleId": handle}).as_json()


@given(count=st.integers(0, 130), descending=st.booleans())
def test_that_pages_have_every_child_once_and_in_order(count: int, descending: bool) -> None:
    entities, project = tree()
    for number in range(count):
        name = f"{number * 7919 % 1000:03}-{number}"
        entities.create({"concreteType": MODEL + "Folder", "name": name, "parentId": project})
    asked = {"parentId": project, "includeTypes": ["folder"], "includeTotalChildCount": True}
    asked["sortDirection"] = "DESC" if descending else "ASC"
    page = entities.children(asked)
    seen = [one["name"] for one in page["page"]]
    while "nextPageToken" in page:
        assert len(page["page"]) == 50
        page = entities.children({**asked, "nextPageToken": page["nextPageToken"]})
        seen += [one["name"] for one in page["page"]]
    assert page["totalChildCount"] == count
    assert len(seen) == count
    assert seen == sorted(set(seen), reverse=descending)


def test_that_other_bytes_make_a_new_version_and_the_same_ones_do_not() -> None:
    entities, project = tree()
    first = file_of(entities, project, handle="11")
    entities.annotate(first["id"], {"etag": first["etag"], "annotations": {"a": 1}})
    same = entities.update(
        first["id"],
        {**entities.get(first["id"]).as_json(), "dataFileHandleId": "21"},
        new_version=False,
    ).as_json()
    assert same["versionNumber"] == 1
    other = entities.update(first["id"], {**same, "dataFileHandleId": "22"}, new_version=False)
    assert other.as_json()["versionNumber"] == 2
    assert other.as_json(1)["dataFileHandleId"] == "21"
    assert not other.as_json(1)["isLatestVersion"]
    assert other.annotations()["annotations"] == {"a": 1}
    asked_for = entities.update(first["id"], other.as_json(), new_version=True)
    assert asked_for.as_json()["versionNumber"] == 3


@pytest.mark.parametrize(
    ("call", "status", "reason"),
    [
        (lambda tree, top: file_of(tree, top, name="taken"), 409, "already exists with a parentId"),
        (lambda tree, top: file_of(tree, top, name="ü"), 400, "Names may only contain"),
        (lambda tree, top: file_of(tree, top, name="a\n"), 400, "Names may only contain"),
        (lambda tree, top: file_of(tree, "syn1", name="f"), 404, "syn1 does not exist"),
        (lambda tree, top: tree.annotate(top, {"etag": "old"}), 412, "since you last fetched it"),
        (lambda tree, top: tree.update(top, {}, new_version=False), 412, "since you last fetched"),
        (lambda tree, top: tree.child({"parentId": top, "entityName": "nobody"}), 404, "nobody"),
        (lambda tree, top: tree.children({"parentId": top}), 400, "includeTypes"),
        (lambda tree, top: tree.delete("syn2"), 404, "syn2 does not exist"),
    ],
)
def test_that_what_the_service_refuses_is_refused(call: Any, status: int, reason: str) -> None:
    entities, project = tree()
    file_of(entities, project, name="taken")
    with pytest.raises(RequestRefused, match=reason) as refused:
        call(entities, project)
    assert refused.value.status == status


def test_that_a_deleted_folder_takes_all_below_it_along() -> None:
    entities, project = tree()
    given = {"concreteType": MODEL + "Folder", "parentId": project}
    folder = entities.create({**given, "name": "folder"})
    inside = file_of(entities, folder.id, handle="11")
    kept = file_of(entities, project, handle="12")
    entities.delete(folder.id)
    assert entities.file_handles() == {"12"}
    with pytest.raises(RequestRefused):
        entities.get(inside["id"])
    assert entities.child({"parentId": project, "entityName": "f"}) == kept["id"]


def asked(url: str) -> tuple[str, dict[str, str]]:
    parts = urlsplit(url)
    return parts.path, dict(parse_qsl(parts.query))


@given(after=st.integers(0, 20))
def test_that_a_presigned_url_is_valid_until_it_expires(after: int) -> None:
    path, query = asked(PRESIGNER.url("GET", "/file/1", NOON))
    assert query["X-Amz-Date"] == "20260101T120000Z"
    assert query["X-Amz-Expires"] == "10"
    now = NOON + timedelta(seconds=after)
    if after < 10:
        PRESIGNER.check("GET", path, query, now)
    else:
        with pytest.raises(StorageRefused, match="Request has expired") as refused:
            PRESIGNER.check("GET", path, query, now)
        assert (refused.value.status, refused.value.code) == (403, "AccessDenied")


@pytest.mark.parametrize(
    "change",
    [
        lambda method, path, query: ("PUT", path, query),
        lambda method, path, query: (method, path + "1", query),
        lambda method, path, query: (method, path, {**query, "X-Amz-Expires": "99999"}),
        lambda method, path, query: (method, path, {**query, "X-Amz-Date": "20270101T120000Z"}),
        lambda method, path, query: (method, path, {}),
    ],
)
def test_that_a_presigned_url_allows_nothing_else(change: Any) -> None:
    path, query = asked(PRESIGNER.url("GET", "/file/1", NOON))
    with pytest.raises(StorageRefused) as refused:
        PRESIGNER.check(*change("GET", path, query), NOON)
    assert refused.value.code == "SignatureDoesNotMatch"


def test_that_faults_come_at_the_share_that_was_set_and_again_from_the_same_seed() -> None:
    def drawn(seed: int) -> list[str | None]:
        shares = {"unavailable": 0.05, "dropped": 0.2, "stalled": 0.5}
        faults = Faults(shares, spared={"stalled"}, seed=seed)  # type: ignore[arg-type]
        return [faults.next("GET /file/1") for _ in range(4000)]

    found = drawn(1)
    assert 140 < found.count("unavailable") < 260
    assert 700 < found.count("dropped") < 900
    assert "stalled" not in found
    assert found == drawn(1)
    assert found != drawn(2)


def test_that_ordered_faults_befall_the_next_requests_of_their_route_only() -> None:
    faults = Faults({}, spared=(), seed=1)
    orders = [Order(fault="failing", route="PUT /part", times=2), Order(fault="dropped")]
    faults.order(orders)
    found = [
        faults.next(route) for route in ("PUT /part/1", "GET /a", "PUT /part/2", "PUT /part/3")
    ]
    assert found == ["failing", "dropped", "failing", None]


@given(parts=st.lists(st.binary(min_size=1, max_size=5), min_size=1, max_size=12), data=st.data())
def test_that_any_range_of_a_stored_file_is_that_of_its_parts(
    parts: list[bytes], data: st.DataObject
) -> None:
    whole = b"".join(parts)
    start = data.draw(st.integers(0, len(whole)))
    stop = data.draw(st.integers(start, len(whole)))
    with TemporaryDirectory() as folder:
        stored = StoredParts(Path(folder))
        stored.begin("ab")
        md5s = {}
        for number, content in enumerate(parts, 1):
            md5s[number] = put(stored, "ab", number, content)
        put(stored, "ab", 1, b"sent again, and never added")
        assert stored.complete("ab", md5s) == stored.size("ab") == len(whole)
        found = b"".join(
            path.read_bytes()[first : first + size]
            for path, first, size in stored.stretches("ab", start, stop)
        )
        assert found == whole[start:stop]
        stored.remove("ab")
        assert stored.size("ab") is None
        assert not list(Path(folder).rglob("ab"))


def put(stored: StoredParts, key: str, number: int, content: bytes) -> str:
    md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
    part = stored.new_part(key)
    part.write(content)
    stored.keep(part, key, number, md5)
    return md5


REQUEST = {
    "concreteType": MODEL + "file.MultipartUploadRequest",
    "fileName": "f",
    "fileSizeBytes": PART + 3,
    "contentMD5Hex": "0" * 32,
    "partSizeBytes": PART,
}


def test_that_an_upload_is_resumed_checked_by_part_and_not_made_twice(tmp_path: Path) -> None:
    stored = OwnStorage(tmp_path, PRESIGNER)
    uploads = Uploads(stored)
    upload = uploads.start(REQUEST, restart=False)
    assert upload["partsState"] == "00"
    urls = uploads.part_urls(upload["uploadId"], {"partNumbers": [1, 2]})["partPresignedUrls"]
    key = urlsplit(urls[0]["uploadPresignedUrl"]).path.split("/")[2]
    md5 = put(stored, key, 2, b"end")
    added = uploads.add_part(upload["uploadId"], 2, "f" * 32)
    assert added["addPartState"] == "ADD_FAILED"
    assert "MD5" in added["errorMessage"]
    assert uploads.add_part(upload["uploadId"], 2, md5)["addPartState"] == "ADD_SUCCESS"
    again = uploads.start(REQUEST, restart=False)
    assert (again["uploadId"], again["partsState"]) == (upload["uploadId"], "01")
    with pytest.raises(RequestRefused, match=r"Missing 1 part\(s\)"):
        uploads.complete(upload["uploadId"])
    uploads.add_part(upload["uploadId"], 1, put(stored, key, 1, b"begin"))
    done = uploads.complete(upload["uploadId"])
    assert done["state"] == "COMPLETED"
    assert uploads.handle(done["resultFileHandleId"])["contentSize"] == 8
    twice = uploads.start(REQUEST, restart=False)
    assert twice["resultFileHandleId"] == done["resultFileHandleId"]
    anew = uploads.start(REQUEST, restart=True)
    assert (anew["state"], anew["partsState"]) == ("UPLOADING", "00")


def test_that_a_file_that_was_removed_must_be_uploaded_again(tmp_path: Path) -> None:
    stored = OwnStorage(tmp_path, PRESIGNER)
    uploads = Uploads(stored)
    small = {**REQUEST, "fileSizeBytes": 3}
    upload = uploads.start(small, restart=False)["uploadId"]
    url = uploads.part_urls(upload, {"partNumbers": [1]})["partPresignedUrls"][0][
        "uploadPresignedUrl"
    ]
    key = urlsplit(url).path.split("/")[2]
    uploads.add_part(upload, 1, put(stored, key, 1, b"end"))
    handle = uploads.complete(upload)["resultFileHandleId"]
    uploads.forget([handle])
    assert stored.size(key) is None
    assert uploads.start(small, restart=False)["state"] == "UPLOADING"
    told = uploads.downloads({"requestedFiles": [{"fileHandleId": handle}]})
    assert told["requestedFiles"] == [{"fileHandleId": handle, "failureCode": "NOT_FOUND"}]


@pytest.mark.parametrize(
    "change",
    [
        {"fileSizeBytes": 0},
        {"fileSizeBytes": None},
        {"partSizeBytes": PART - 1},
        {"fileSizeBytes": PART * 10_000 + 1},
        {"fileName": ""},
        {"concreteType": MODEL + "file.MultipartUploadCopyRequest"},
    ],
    ids=str,
)
def test_that_an_impossible_upload_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    uploads = Uploads(OwnStorage(tmp_path, PRESIGNER))
    with pytest.raises(RequestRefused) as refused:
        uploads.start({**REQUEST, **change}, restart=False)
    assert refused.value.status == 400


@pytest.mark.parametrize("number", [0, 3])
def test_that_a_part_that_the_upload_does_not_have_is_refused(number: int, tmp_path: Path) -> None:
    uploads = Uploads(OwnStorage(tmp_path, PRESIGNER))
    upload = uploads.start(REQUEST, restart=False)["uploadId"]
    with pytest.raises(RequestRefused, match="Part number"):
        uploads.part_urls(upload, {"partNumbers": [1, number]})
    with pytest.raises(RequestRefused, match="Part number"):
        uploads.add_part(upload, number, "0" * 32)
