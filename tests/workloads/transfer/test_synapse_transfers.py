"""The clients of Synapse against the stand-in: what they count, what they leave, how they fail."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE
from transferring import Counting, new_mark, open_transfer, performed, remote_of, transfer

from core.language import DatasetError, SluiceError, report_to_nobody
from core.measure import reveal
from core.vocabulary import build
from workloads.transfer.synapse_remote import MADE_HERE, flaw_of
from workloads.transfer.synapse_service import FOLDER, SynapseService, synapse_address
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.transfer_workload import Transfer
from workloads.transfer.trees_in_remotes import own_folder, sent_prefix

pytestmark = [
    pytest.mark.lab("synapse"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

CLIENTS = ("synapse-sync", "synapse-walk")
DIRECTIONS = ("up", "down")
PART = 8 << 20
"""Bytes of the client's parts."""
STORED = {
    "annot1": {"type": "STRING", "value": ["value1"]},
    "annot2": {"type": "LONG", "value": ["1"]},
    "annot3": {"type": "DOUBLE", "value": ["1.2"]},
    "annot4": {"type": "BOOLEAN", "value": ["true"]},
    "annot5": {"type": "TIMESTAMP_MS", "value": ["1577836800000"]},
}


@pytest.fixture(params=CLIENTS)
def asked(synapse: Mapping[str, Any], request: pytest.FixtureRequest) -> Mapping[str, Any]:
    return {**synapse, "client": request.param}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A file of more than one part, and one of the same name and bytes in each of two folders."""
    root = tmp_path / "files"
    for name, size in {"large": PART + 1000, "one/same": 5000, "two/same": 5000}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(size.to_bytes(8) * (size // 8))
    return root


def size_of(tree: Path) -> int:
    return sum(path.stat().st_size for path in tree.rglob("*") if path.is_file())


def lab(asked: Mapping[str, Any], path: str, body: Any = None) -> Any:
    """What the process of the stand-in answers that takes requests of JSON."""
    base = asked["address"].replace("synapse://", "http://")
    headers = {"Authorization": f"Bearer {reveal(asked['token'])}"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data, headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.loads(answer.read())


@pytest.fixture
def service(asked: Mapping[str, Any]) -> Iterator[SynapseService]:
    """A client of our own, of a project that is nobody's."""
    found = SynapseService(synapse_address(asked["address"]), reveal(asked["token"]), 1)
    yield found
    found.close()


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_that_the_bytes_of_every_pass_move_though_the_service_knows_them(
    asked: Mapping[str, Any], tree: Path, direction: str
) -> None:
    meter = Counting()
    job = open_transfer(tree, meter, **asked, direction=direction)
    with job.worker(0) as steps:
        for number in (1, 2):
            rows = performed(steps, 0)
            assert not list(job.faults(0, rows))
            assert meter.faults == []
            assert meter.done_operations == meter.timed == 3 * number
            assert meter.bytes == number * size_of(tree)
    job.close()


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_that_as_many_requests_are_counted_as_the_service_has_had(
    asked: Mapping[str, Any], tree: Path, direction: str
) -> None:
    meter = Counting()
    job = open_transfer(tree, meter, **asked, direction=direction)
    with job.worker(0) as (preparing, moving):
        going = preparing.perform(0)
        counted = meter.tallies.get("requests", 0)
        before = sum(lab(asked, "/lab/stats")["requests"].values())
        rows = moving.perform(going)
        served = sum(lab(asked, "/lab/stats")["requests"].values()) - before
    assert not list(job.faults(0, rows))
    job.close()
    # The storage has two parts and two files, and down a look at the size of the large one.
    stored = 4 if direction == "up" else 5
    assert meter.tallies["requests"] - counted == served + stored
    assert "retries" not in meter.tallies


@pytest.mark.parametrize(
    ("direction", "route", "fault"),
    [
        ("up", "PUT /file/v1/file/multipart", "unavailable"),
        ("up", "POST /repo/v1/entity", "dropped"),
        ("down", "POST /file/v1/fileHandle/batch", "unavailable"),
        ("down", "POST /repo/v1/entity", "throttled"),
    ],
)
def test_that_what_the_service_refuses_in_passing_is_repeated_and_counted(
    asked: Mapping[str, Any], tree: Path, direction: str, route: str, fault: str
) -> None:
    meter = Counting()
    job = open_transfer(tree, meter, **asked, direction=direction)
    with job.worker(0) as (preparing, moving):
        going = preparing.perform(0)
        lab(asked, "/lab/faults", [{"fault": fault, "route": route, "times": 1}])
        rows = moving.perform(going)
    assert not list(job.faults(0, rows))
    job.close()
    assert meter.faults == []
    assert meter.done_operations == 3
    assert meter.bytes == size_of(tree)
    assert meter.tallies["retries"] == 1
    status = {"unavailable": "503", "throttled": "429"}.get(fault)
    assert status is None or meter.tallies[status] == 1


def test_that_annotations_arrive_and_are_looked_at(asked: Mapping[str, Any], tree: Path) -> None:
    done = transfer(tree, **asked, direction="up", annotations=True)
    assert done.complaints == {}
    assert done.meter.faults == []
    assert done.meter.done_operations == 3


@pytest.mark.parametrize("name", STORED)
@pytest.mark.parametrize("change", [None, {"type": "STRING", "value": ["else"]}], ids=str)
def test_that_an_annotation_that_is_missing_or_other_is_told(name: str, change: Any) -> None:
    assert flaw_of(STORED) == ""
    stored = {**STORED, name: change} if change else {**STORED}
    if not change:
        del stored[name]
    assert name in flaw_of(stored)


def test_that_files_without_their_annotations_are_wrong(
    asked: Mapping[str, Any], tree: Path, service: SynapseService
) -> None:
    mark = new_mark()
    job = open_transfer(tree, Counting(), **asked, direction="up", annotations=True, mark=mark)
    with job.worker(0) as steps:
        rows = performed(steps, 0)
    project = service.find(None, "Sluice transfers")
    for name in (sent_prefix(mark).rstrip("/"), "0", "large"):
        assert project is not None
        project = service.find(project, name)
    told = service.ask("GET", f"/entity/{project}/annotations2")
    service.ask("PUT", f"/entity/{project}/annotations2", {**told, "annotations": {}})
    faults = {fault.item: fault for fault in job.faults(0, rows)}
    job.close()
    assert list(faults) == ["large"]
    assert "annotation" in faults["large"].text
    assert faults["large"].wrong_data


def test_that_making_the_manifest_is_a_phase_of_its_own(
    synapse: Mapping[str, Any], tree: Path
) -> None:
    job = open_transfer(tree, Counting(), **synapse, client="synapse-sync", direction="up")
    with job.worker(0) as steps:
        assert [(step.name, step.apart) for step in steps] == [
            ("manifest", True),
            ("transfer", False),
        ]
    job.close()


def test_that_nothing_is_read_from_or_written_to_the_users_home(
    asked: Mapping[str, Any], tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    mark = new_mark()
    for direction in DIRECTIONS:
        done = transfer(tree, **asked, direction=direction, mark=mark)
        assert done.complaints == {}
    assert list(home.iterdir()) == []
    assert not list(own_folder(mark).glob("*"))


def test_that_where_a_file_fails_each_other_one_is_done_or_told(
    asked: Mapping[str, Any], tree: Path
) -> None:
    gone = [tree / "two" / "same"]

    def remove_once() -> None:
        if gone:
            gone.pop().unlink()

    meter = Counting(on_begin=remove_once)
    done = transfer(tree, meter, **asked, direction="up", threads=1)
    failed = {fault.item: fault.text for fault in meter.faults}
    assert done.complaints == {}
    assert "two/same" in failed
    assert len(failed) + meter.done_operations == 3
    assert not any(fault.wrong_data for fault in meter.faults)
    if asked["client"] == "synapse-walk":
        assert list(failed) == ["two/same"]


def test_that_a_manifest_that_is_no_longer_true_is_told_in_the_clients_words(
    synapse: Mapping[str, Any], tree: Path
) -> None:
    job = open_transfer(tree, Counting(), **synapse, client="synapse-sync", direction="up")
    with job.worker(0) as (preparing, moving):
        going = preparing.perform(0)
        (tree / "large").unlink()
        with pytest.raises(SluiceError, match="large"):
            moving.perform(going)
    job.close()


@pytest.mark.parametrize(
    ("name", "size"), [("empty", 0), ("ünï", 1), ("a/b&c", 1), ("two\nlines", 1)], ids=repr
)
def test_that_files_that_the_service_does_not_take_are_told_before_the_clock(
    asked: Mapping[str, Any], tmp_path: Path, name: str, size: int
) -> None:
    path = tmp_path / "files" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x" * size)
    (path.parent / "other").write_bytes(b"fine")
    with pytest.raises(DatasetError, match="Synapse takes no"):
        open_transfer(tmp_path / "files", Counting(), **asked, direction="up")


def test_that_a_folder_with_other_files_is_not_sent_by_sync(
    synapse: Mapping[str, Any], tree: Path
) -> None:
    one = tree / "one" / "same"
    (tree / "one" / "private").write_bytes(b"not to be sent")
    job = open_transfer(one, Counting(), **synapse, client="synapse-sync", direction="up")
    with job.worker(0) as (preparing, _), pytest.raises(DatasetError, match="private"):
        preparing.perform(0)
    job.close()


@pytest.mark.parametrize(
    ("mistake", "remedy"),
    [
        ({"token": "env:SLUICE_TEST_WRONG"}, "check the token"),
        ({"container": "/syn999999999"}, "check the id"),
        ({"host": "127.0.0.1:{closed}"}, "check the address"),
    ],
    ids=["wrong token", "missing project", "nobody listens"],
)
def test_that_mistakes_are_told_before_the_clock_and_without_the_token(
    asked: Mapping[str, Any],
    tree: Path,
    unused_port: int,
    monkeypatch: pytest.MonkeyPatch,
    mistake: dict[str, str],
    remedy: str,
) -> None:
    monkeypatch.setenv("SLUICE_TEST_WRONG", "not-the-token")
    host = asked["address"].removeprefix("synapse://")
    host = mistake.get("host", host).format(closed=unused_port)
    address = f"synapse://{host}{mistake.get('container', '')}"
    token = mistake.get("token", asked["token"])
    with pytest.raises(SluiceError) as told:
        open_transfer(tree, Counting(), **{**asked, "address": address, "token": token})
    assert remedy in told.value.remedy
    assert "not-the-token" not in str(told.value)
    assert reveal(asked["token"]) not in str(told.value)


def test_that_more_threads_than_the_client_takes_are_refused(
    asked: Mapping[str, Any], tree: Path
) -> None:
    with pytest.raises(SluiceError, match="128"):
        open_transfer(tree, Counting(), threads=129, **asked, direction="up")


def test_that_only_what_sluice_has_made_is_removed(
    asked: Mapping[str, Any], tree: Path, service: SynapseService
) -> None:
    place = remote_of(**asked)
    project = service.find(None, "Sluice transfers")
    mark = new_mark()
    top = sent_prefix(mark).rstrip("/")
    theirs = service.make(FOLDER, top, project, description="made by somebody")
    with pytest.raises(SluiceError, match=top):
        Transfer().remove_leftovers(
            mark, build(TransferParameters, {**asked, "direction": "up"}), report_to_nobody
        )
    assert service.find(project, top) == theirs
    own = service.ask("GET", f"/entity/{theirs}")
    service.ask("PUT", f"/entity/{theirs}", {**own, "description": MADE_HERE})
    place.put(f"{top}/0/file", tree / "large")
    assert place.remove(f"{top}/") == 1
    assert service.find(project, top) is None
    place.close()


def test_that_everything_is_made_in_the_project_that_the_address_names(
    asked: Mapping[str, Any], tree: Path, service: SynapseService
) -> None:
    project = service.make(
        "org.sagebionetworks.repo.model.Project", f"of {new_mark()} {asked['client']}", None
    )
    address = f"{asked['address']}/{project}"
    for direction in DIRECTIONS:
        done = transfer(tree, **{**asked, "address": address}, direction=direction)
        assert done.complaints == {}
    left = [child.name.partition("-")[0] for child in service.children(project)]
    assert sorted(left) == ["sent", "tree", "tree"]
    service.remove(project)
