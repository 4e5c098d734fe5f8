"""Busy servers and broken connections: every file arrives, and what it took is counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from faulty_proxy import Act, Acts, faulty
from transferring import transfer

pytestmark = pytest.mark.lab("s3")


@contextmanager
def through_proxy(s3: Mapping[str, Any], **faults: Any) -> Iterator[Mapping[str, Any]]:
    address, _, port = s3["address"].rpartition(":")
    with faulty(int(port), **faults) as proxy:
        yield {**s3, "address": f"{address}:{proxy}"}


def every_third(act: Act) -> Acts:
    return lambda number: act if number % 3 == 1 else "pass"


def test_that_refused_uploads_are_repeated_and_counted(
    s3: Mapping[str, Any], small_tree: Path
) -> None:
    with through_proxy(s3, acts=every_third("refuse")) as asked:
        done = transfer(small_tree, threads=1, **asked, direction="up")
    assert done.complaints == {}
    assert done.meter.faults == []
    assert done.meter.done_operations == 7
    assert done.meter.tallies["503"] == done.meter.tallies["retries"] == 4
    assert done.meter.tallies["requests"] == 7 + 4


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


def test_that_uploads_whose_connection_is_dropped_are_repeated(
    s3: Mapping[str, Any], small_tree: Path
) -> None:
    with through_proxy(s3, acts=every_third("drop")) as asked:
        done = transfer(small_tree, threads=1, **asked, direction="up")
    assert done.complaints == {}
    assert done.meter.done_operations == 7
    assert done.meter.tallies["retries"] == 4


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
