"""Busy servers and broken connections: every file arrives, and what it took is counted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from driving import need_drivers
from faulty_proxy import Act, Acts
from transferring import S3_CLIENTS, through_proxy, transfer

pytestmark = pytest.mark.lab("s3")

MANY = 40


@pytest.fixture
def many_files(tmp_path: Path) -> Path:
    """A folder of more files than one refusal in twenty requests can miss."""
    root = tmp_path / "many"
    root.mkdir()
    for number in range(MANY):
        (root / f"file-{number}").write_bytes(b"%d" % number)
    return root


def every_third(act: Act) -> Acts:
    return lambda number: act if number % 3 == 1 else "pass"


@pytest.mark.parametrize(
    ("act", "counted"),
    [
        ("refuse", ("retries", "refusals")),
        ("throttle", ("retries", "refusals")),
        ("drop", ("retries",)),
    ],
)
def test_that_uploads_that_fail_in_passing_are_repeated_and_counted(
    s3: Mapping[str, Any], small_tree: Path, act: Act, counted: tuple[str, ...]
) -> None:
    with through_proxy(s3, acts=every_third(act)) as asked:
        done = transfer(small_tree, threads=1, **asked, direction="up")
    assert done.complaints == {}
    assert done.meter.faults == []
    assert done.meter.done_operations == 7
    assert [done.meter.tallies[name] for name in counted] == [4] * len(counted)
    assert done.meter.tallies["requests"] == 7 + 4


@pytest.mark.parametrize("client", S3_CLIENTS)
@pytest.mark.parametrize(
    ("direction", "method"), [("up", b"PUT"), ("down", b"GET")], ids=["up", "down"]
)
def test_that_every_file_arrives_from_a_server_that_refuses_one_request_in_twenty(
    s3: Mapping[str, Any], many_files: Path, client: str, direction: str, method: bytes
) -> None:
    refused: list[int] = []

    def refuse(number: int) -> Act:
        refused.extend([number] if number % 20 == 3 else [])
        return "refuse" if number % 20 == 3 else "pass"

    need_drivers("transfer", client=client)
    transfer(many_files, **s3, direction="down")  # the tree is placed
    with through_proxy(s3, acts=refuse, method=method) as asked:
        done = transfer(many_files, **{**asked, "client": client}, direction=direction)
    assert refused
    assert done.complaints == {}
    assert done.meter.faults == []
    assert done.meter.done_operations == MANY
    if client == "boto3":
        assert 1 <= done.meter.tallies["refusals"] <= len(refused)


@pytest.mark.parametrize("client", S3_CLIENTS)
def test_that_parts_whose_connection_is_cut_in_their_middle_are_sent_again(
    s3: Mapping[str, Any], large_tree: Path, client: str
) -> None:
    need_drivers("transfer", client=client)
    sizes = [path.stat().st_size for path in large_tree.iterdir()]
    with through_proxy(s3, acts=lambda number: "cut" if number < 3 else "pass") as asked:
        done = transfer(large_tree, threads=1, **{**asked, "client": client}, direction="up")
    assert done.complaints == {}
    assert done.meter.faults == []
    assert done.meter.done_operations == len(sizes)
    assert done.meter.bytes == sum(sizes)


def test_that_a_refusal_that_is_not_repeated_is_an_error_of_its_file(
    s3: Mapping[str, Any], small_tree: Path
) -> None:
    with through_proxy(s3, acts=every_third("refuse")) as asked:
        done = transfer(small_tree, threads=1, **{**asked, "attempts": 1}, direction="up")
    assert done.complaints == {}
    assert len(done.meter.faults) == 3
    assert {fault.wrong_data for fault in done.meter.faults} == {False}
    assert all("SlowDown" in fault.text for fault in done.meter.faults)
    assert done.meter.done_operations == 4


def test_that_a_download_cut_in_the_middle_of_a_part_counts_its_bytes_once(
    s3: Mapping[str, Any], large_tree: Path
) -> None:
    whole = transfer(large_tree, **s3, direction="down")
    sizes = [path.stat().st_size for path in large_tree.iterdir()]
    with through_proxy(s3, cut_after=sum(sizes) // 2) as asked:
        done = transfer(large_tree, threads=1, **asked, direction="down")
    assert done.complaints == {}
    assert done.meter.done_operations == len(sizes)
    assert done.meter.bytes == sum(sizes)
    assert done.meter.tallies["requests"] > whole.meter.tallies["requests"]


def test_that_s3fs_gives_up_a_file_whose_body_is_cut_and_fetches_the_others(
    s3: Mapping[str, Any], large_tree: Path
) -> None:
    need_drivers("transfer", client="s3fs")
    transfer(large_tree, **s3, direction="down")  # the tree is placed
    sizes = [path.stat().st_size for path in large_tree.iterdir()]
    with through_proxy({**s3, "client": "s3fs"}, cut_after=sum(sizes) // 2) as asked:
        done = transfer(large_tree, threads=1, **asked, direction="down")
    (fault,) = done.meter.faults
    assert "the answer ended after" in fault.text
    assert (done.complaints, done.meter.done_operations) == ({}, len(sizes) - 1)
