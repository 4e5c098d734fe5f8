"""The real synapseclient against the stand-in: what it moves arrives, whatever goes wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import synapse_calls as calls
from patience import PATIENCE
from synapse_service import Service

pytestmark = pytest.mark.lab("synapse")

PART = 8 * 2**20
"""The size of the client's parts, up and down."""

type Client = Callable[..., Any]
type MakeFile = Callable[..., Path]


def test_that_a_login_is_with_the_token_only(service: Service, real_client: Client) -> None:
    refused = real_client(calls.login, service.base, "wrong" + service.token)
    assert refused.startswith("SynapseAuthenticationError: "), refused
    wrong = Request(f"{service.base}/repo/v1/userProfile", headers={"Authorization": "Bearer x"})
    with pytest.raises(HTTPError) as unauthorised, urlopen(wrong, timeout=PATIENCE):
        pass
    with unauthorised.value as answer:
        assert (answer.code, json.load(answer)) == (401, {"reason": "Invalid access token"})
    assert real_client(calls.login, service.base, service.token) == "sluice"


def test_that_a_file_and_its_annotations_come_back(
    real_client: Client, project: str, made_file: MakeFile
) -> None:
    path = made_file(10_000)
    folder = real_client(calls.new_folder, project, "a folder")
    entity = real_client(calls.store, path, folder, calls.ANNOTATIONS)
    content, annotations, version = real_client(calls.get, entity)
    assert content == path.read_bytes()
    assert annotations == calls.ANNOTATIONS
    assert version == 1
    assert real_client(calls.annotate, entity, {"other": ["x", "y"]}) == {"other": ["x", "y"]}
    assert real_client(calls.children, folder) == ["file.bin"]
    assert real_client(calls.home) == []


def test_that_a_file_of_several_parts_goes_and_comes_in_parts(
    service: Service, real_client: Client, project: str, made_file: MakeFile
) -> None:
    before = service.stats()
    path = made_file(PART + 1_000_000)
    entity = real_client(calls.store, path, project)
    assert real_client(calls.get, entity)[0] == path.read_bytes()
    after = service.stats()
    assert new(before, after, "requests", "PUT /part/{key}/{number}") == 2
    assert new(before, after, "statuses", "206") == 2
    assert after["bytes up"] - before["bytes up"] == path.stat().st_size
    # The client looks at the size of a large file by a request whose answer it does not read: that
    # is abandoned, or fitted into the buffers.
    more = after["bytes down"] - before["bytes down"] - path.stat().st_size
    assert more in (0, path.stat().st_size)


def test_that_a_tree_is_synced_both_ways(real_client: Client, project: str) -> None:
    names = ("one/a.bin", "one/b.bin", "one/c.bin", "two/a.bin", "two/b.bin", "top.bin")
    tree = {name: name.encode() * 2000 for name in names}
    assert real_client(calls.sync_up, tree, project) is None
    assert real_client(calls.sync_down, project) == tree


def test_that_changed_bytes_are_a_new_version_and_the_old_ones_stay(
    real_client: Client, project: str, made_file: MakeFile
) -> None:
    path = made_file(5000)
    entity = real_client(calls.store, path, project)
    first = path.read_bytes()
    assert real_client(calls.store, path, project) == entity
    assert real_client(calls.get, entity)[::2] == (first, 1)
    second = made_file(6000).read_bytes()
    assert real_client(calls.store, path, project) == entity
    assert real_client(calls.get, entity)[::2] == (second, 2)
    assert real_client(calls.get, entity, 1)[::2] == (first, 1)


def test_that_children_of_several_pages_are_all_listed(
    service: Service, real_client: Client, project: str
) -> None:
    model = "org.sagebionetworks.repo.model.Folder"
    names = [f"folder {number:03}" for number in range(103)]
    for name in names:
        given = {"concreteType": model, "name": name, "parentId": project}
        service.ask(service.base, "/repo/v1/entity", given)
    before = service.stats()
    assert real_client(calls.children, project) == names
    assert new(before, service.stats(), "requests", "POST /repo/v1/entity/children") == 3


UP, DOWN = "PUT /part", "GET /file"


@pytest.mark.parametrize(
    ("fault", "route"),
    [
        ("throttled", "POST /file/v1/file/multipart"),
        ("throttled", "POST /file/v1/fileHandle/batch"),
        ("unavailable", "POST /repo/v1/entity"),
        ("failing", "PUT /file/v1/file/multipart"),
        ("dropped", "POST /file/v1/fileHandle/batch"),
        *[(fault, route) for fault in ("unavailable", "failing") for route in (UP, DOWN)],
        *[("dropped", UP), ("dropped", DOWN), ("expired", UP), ("expired", DOWN)],
    ],
)
def test_that_a_fault_ends_in_the_right_bytes_by_the_clients_own_retry(
    service: Service,
    real_client: Client,
    project: str,
    made_file: MakeFile,
    fault: str,
    route: str,
) -> None:
    path = made_file(100_000)
    before = service.stats()
    service.order({"fault": fault, "route": route, "times": 1})
    entity = real_client(calls.store, path, project)
    assert entity.startswith("syn"), entity
    assert real_client(calls.get, entity)[0] == path.read_bytes()
    after = service.stats()
    assert new(before, after, "faults", fault) == 1
    assert after["bytes up"] - before["bytes up"] == 100_000
    assert after["bytes down"] - before["bytes down"] == 100_000


@pytest.mark.parametrize("fault", ["dropped", "unavailable"])
def test_that_a_fault_among_several_parts_ends_in_the_right_bytes(
    service: Service, real_client: Client, project: str, made_file: MakeFile, fault: str
) -> None:
    path = made_file(PART + 500_000)
    before = service.stats()
    service.order({"fault": fault, "route": UP, "times": 1})
    entity = real_client(calls.store, path, project)
    assert entity.startswith("syn"), entity
    service.order({"fault": fault, "route": DOWN, "times": 2})
    assert real_client(calls.get, entity)[0] == path.read_bytes()
    assert new(before, service.stats(), "faults", fault) == 3


def test_that_what_never_gets_better_is_an_error_of_the_client(
    service: Service, real_client: Client, project: str, made_file: MakeFile
) -> None:
    entity = real_client(calls.store, made_file(1000), project)
    service.order({"fault": "expired", "route": DOWN, "times": 1000})
    refused = real_client(calls.get, entity)
    assert refused.startswith("SynapseHTTPError: 403"), refused
    service.order({"fault": "expired", "route": UP, "times": 1000})
    refused = real_client(calls.store, made_file(2000, "other.bin"), project)
    assert refused.startswith("SynapseUploadFailedException"), refused


def test_that_a_name_that_synapse_does_not_allow_is_refused(
    real_client: Client, project: str
) -> None:
    refused = real_client(calls.new_folder, project, "grüße")
    assert refused.startswith("SynapseHTTPError: 400"), refused
    assert "Names may only contain: letters, numbers" in refused


def new(before: dict[str, Any], after: dict[str, Any], what: str, of: str) -> int:
    """How many have come."""
    count: int = after[what].get(of, 0) - before[what].get(of, 0)
    return count
