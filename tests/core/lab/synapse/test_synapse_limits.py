"""The stand-in as slow, busy and unreliable as it is told to be, asked by plain HTTP."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import md5
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fuzzing import drawn
from patience import PATIENCE
from synapse_service import Service

from core.lab.keeper_messages import NotStarted, Started
from core.lab.lab_client import Lab
from core.measure import reveal

pytestmark = pytest.mark.lab("synapse")

type Ask = Callable[..., tuple[int, Any, Any]]

A_MOMENT = 1.0
"""Seconds without a byte after which a test takes a server for stalled."""


@contextmanager
def asking(place: str, token: str) -> Iterator[Ask]:
    """A connection that is kept: asks for something, gives the status, the headers and the JSON."""
    connection = http.client.HTTPConnection(place, timeout=PATIENCE)

    def ask(method: str, path: str, body: Any = None) -> tuple[int, Any, Any]:
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, {"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        return answer.status, answer.headers, json.loads(answer.read() or b"null")

    try:
        yield ask
    finally:
        connection.close()


@pytest.fixture
def start(empty_lab: Lab) -> Callable[..., tuple[str, str]]:
    """Starts the stand-in with options; returns its place and its token."""

    def started(**options: float) -> tuple[str, str]:
        answers = list(
            empty_lab.start(["synapse"], options={"synapse": options}, deadline=PATIENCE)
        )
        (state,) = (one.server for one in answers if isinstance(one, Started))
        return state.address.removeprefix("synapse://"), reveal("lab:synapse/token")

    return started


def upload_url(ask: Ask, content: bytes) -> tuple[str, str]:
    """Begin an upload of one part; returns its id and the presigned URL."""
    asked = {
        "concreteType": "org.sagebionetworks.repo.model.file.MultipartUploadRequest",
        "fileName": "f",
        "fileSizeBytes": len(content),
        "contentMD5Hex": md5(content, usedforsecurity=False).hexdigest(),
        "partSizeBytes": 5 * 2**20,
    }
    _, _, upload = ask("POST", "/file/v1/file/multipart", asked)
    path = f"/file/v1/file/multipart/{upload['uploadId']}"
    _, _, urls = ask("POST", f"{path}/presigned/url/batch", {"partNumbers": [1]})
    return path, urls["partPresignedUrls"][0]["uploadPresignedUrl"]


def download_url(ask: Ask, path: str, content: bytes) -> str:
    """Finish an upload; returns the presigned URL of the file."""
    digest = md5(content, usedforsecurity=False).hexdigest()
    assert ask("PUT", f"{path}/add/1?partMD5Hex={digest}")[2]["addPartState"] == "ADD_SUCCESS"
    handle = ask("PUT", f"{path}/complete")[2]["resultFileHandleId"]
    wanted = {"requestedFiles": [{"fileHandleId": handle}], "includePreSignedURLs": True}
    _, _, found = ask("POST", "/file/v1/fileHandle/batch", wanted)
    url: str = found["requestedFiles"][0]["preSignedURL"]
    return url


def move(url: str, method: str, content: bytes | None = None, **headers: str) -> Any:
    """The answer to a request of a presigned URL, and its body."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE)
    try:
        connection.request(method, f"{parts.path}?{parts.query}", content, headers)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def test_that_requests_are_late_and_bytes_are_paced(start: Callable[..., tuple[str, str]]) -> None:
    place, token = start(latency=0.1, bandwidth=1_000_000, expiry=60.0)
    content = drawn(1).randbytes(400_000)
    with asking(place, token) as ask:
        for _ in range(3):
            begun = time.monotonic()
            assert ask("GET", "/repo/v1/userProfile")[0] == 200
            assert time.monotonic() - begun >= 0.1
        path, url = upload_url(ask, content)
        assert parse_qs(urlsplit(url).query)["X-Amz-Expires"] == ["60"]
        begun = time.monotonic()
        assert move(url, "PUT", content)[0].status == 200
        assert time.monotonic() - begun >= 0.4
        begun = time.monotonic()
        assert move(download_url(ask, path, content), "GET")[1] == content
        assert time.monotonic() - begun >= 0.4


def test_that_faults_come_at_their_share_and_are_told_by_the_lab(
    start: Callable[..., tuple[str, str]], empty_lab: Lab
) -> None:
    place, token = start(throttled=0.3, failing=0.1, dropped=0.1, retry_after=2.0)
    statuses: list[int] = []
    for _ in range(150):
        with asking(place, token) as ask:
            try:
                status, headers, told = ask("GET", "/repo/v1/userProfile")
            except (http.client.RemoteDisconnected, ConnectionResetError):
                status = 0
            statuses.append(status)
            if status == 429:
                assert headers["Retry-After"] == "2"
                assert "too frequent" in told["reason"]
    (state,) = empty_lab.servers()
    assert state.counted["throttled"] == statuses.count(429) > 20
    assert state.counted["failing"] == statuses.count(500) > 2
    assert state.counted["dropped"] == statuses.count(0) > 2
    assert statuses.count(200) > 50
    assert state.counted["requests"] == 150
    assert float(state.counted["cpu seconds of the service"]) > 0


def test_that_a_server_that_stalls_gives_half_a_file_and_then_nothing(service: Service) -> None:
    content = drawn(2).randbytes(1_000_000)
    with asking(urlsplit(service.base).netloc, service.token) as ask:
        path, url = upload_url(ask, content)
        move(url, "PUT", content)
        parts = urlsplit(download_url(ask, path, content))
    service.order({"fault": "stalled", "route": "GET /file", "times": 1})
    connection = http.client.HTTPConnection(parts.netloc, timeout=A_MOMENT)
    connection.request("GET", f"{parts.path}?{parts.query}")
    answer = connection.getresponse()
    assert answer.length == 1_000_000
    assert answer.read(500_000) == content[:500_000]
    with pytest.raises(TimeoutError):
        answer.read(1)
    before = service.stats()["bytes abandoned"]
    answer.close()
    connection.close()
    until = time.monotonic() + PATIENCE
    while service.stats()["bytes abandoned"] == before:  # it lets go of who has left
        assert time.monotonic() < until
    assert service.stats()["bytes abandoned"] == before + 500_000


def test_that_a_bundle_is_made_and_changed_with_its_annotations(service: Service) -> None:
    with asking(urlsplit(service.base).netloc, service.token) as ask:
        project = {"concreteType": "org.sagebionetworks.repo.model.Project", "name": "bundled"}
        found = []
        for value in ("one", "other"):
            noted = {"annotations": {"text": {"type": "STRING", "value": [value]}}}
            place = f"{found[0]['id']}/bundle2" if found else "bundle2/create"
            body = {"entity": found[0] if found else project, "annotations": noted}
            status, _, bundle = ask("PUT" if found else "POST", f"/repo/v1/entity/{place}", body)
            assert (status, bundle["annotations"]["annotations"]) == (
                200 if found else 201,
                noted["annotations"],
            )
            found = [bundle["entity"]]


def test_that_answers_have_what_the_clients_own_tests_give_it(service: Service) -> None:
    """The members are those in the answers that synapseclient's unit tests make up."""
    model = "org.sagebionetworks.repo.model."
    content = drawn(4).randbytes(10)
    with asking(urlsplit(service.base).netloc, service.token) as ask:
        made = {"concreteType": model + "Project", "name": "members"}
        _, _, project = ask("POST", "/repo/v1/entity", made)
        path, url = upload_url(ask, content)
        move(url, "PUT", content)
        download_url(ask, path, content)
        _, _, upload = ask("PUT", f"{path}/complete")
        given = {"concreteType": model + "FileEntity", "name": "f", "parentId": project["id"]}
        given["dataFileHandleId"] = upload["resultFileHandleId"]
        _, _, entity = ask("POST", "/repo/v1/entity", given)
        wanted = ("includeEntity", "includeAnnotations", "includeFileHandles")
        asked = dict.fromkeys(wanted, True)
        _, _, bundle = ask("POST", f"/repo/v1/entity/{entity['id']}/bundle2", asked)
        asked = {"parentId": project["id"], "includeTypes": ["file"]}
        (child,) = ask("POST", "/repo/v1/entity/children", asked)[2]["page"]
    assert child.keys() >= {"id", "name", "type", "versionNumber", "versionLabel", "benefactorId"}
    assert child["benefactorId"] == int(project["id"].removeprefix("syn"))
    assert bundle["entityType"] == "file"
    stamps = {"etag", "createdOn", "modifiedOn", "createdBy"}
    mine = {"id", "name", "parentId", "concreteType", "dataFileHandleId", "modifiedBy"}
    assert bundle["entity"].keys() >= stamps | mine | {"versionNumber", "versionLabel"}
    assert bundle["annotations"].keys() == {"id", "etag", "annotations"}
    of_file = {"contentType", "contentMd5", "fileName", "contentSize", "storageLocationId"}
    of_place = {"status", "bucketName", "key", "isPreview", "concreteType", "id"}
    assert bundle["fileHandles"][0].keys() >= stamps | of_file | of_place
    assert upload.keys() >= {"uploadId", "state", "partsState", "resultFileHandleId"}


def test_that_ranges_signatures_and_digests_are_answered_as_s3_does(service: Service) -> None:
    content = drawn(3).randbytes(1000)
    with asking(urlsplit(service.base).netloc, service.token) as ask:
        path, url = upload_url(ask, content)
        answer, body = move(url, "PUT", content, **{"Content-MD5": "AAAAAAAAAAAAAAAAAAAAAA=="})
        assert (answer.status, b"BadDigest" in body) == (400, True)
        answer, _ = move(url, "PUT", content)
        assert answer.headers["ETag"] == f'"{md5(content, usedforsecurity=False).hexdigest()}"'
        url = download_url(ask, path, content)
    for asked, first, last in (("100-199", 100, 199), ("900-", 900, 999), ("990-5000", 990, 999)):
        answer, body = move(url, "GET", Range=f"bytes={asked}")
        assert answer.status == 206
        assert answer.headers["Content-Range"] == f"bytes {first}-{last}/1000"
        assert body == content[first : last + 1]
    answer, body = move(url, "GET", Range="bytes=1000-")
    assert (answer.status, b"InvalidRange" in body) == (416, True)
    answer, body = move(url + "0", "GET")
    assert (answer.status, b"SignatureDoesNotMatch" in body) == (403, True)
    answer, body = move(url, "PUT", content)
    assert answer.status == 405


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/repo/v1/nothing", None, 404),
        ("POST", "/repo/v1/entity", ["not an object"], 400),
        ("POST", "/repo/v1/entity", {"concreteType": "a.Spreadsheet"}, 400),
        ("POST", "/file/v1/fileHandle/batch", {}, 400),
        ("POST", "/file/v1/file/multipart", {"fileSizeBytes": "many"}, 400),
        ("POST", "/lab/faults", [{"fault": "smoke"}], 400),
    ],
)
def test_that_nonsense_is_refused_with_a_reason(
    service: Service, method: str, path: str, body: Any, status: int
) -> None:
    with asking(urlsplit(service.base).netloc, service.token) as ask:
        found, _, told = ask(method, path, body)
    assert found == status
    assert told["reason"]


@pytest.mark.parametrize("options", [{"throttled": 1.5}, {"failing": 0.6, "dropped": 0.5}])
def test_that_impossible_shares_are_a_mistake_of_the_user(
    empty_lab: Lab, options: dict[str, float]
) -> None:
    answers = list(empty_lab.start(["synapse"], options={"synapse": options}))
    (told,) = (one for one in answers if isinstance(one, NotStarted))
    assert told.exit_code == 2
