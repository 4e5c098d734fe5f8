"""Slow files: what they hand out, how long they wait, and what a server does with odd requests."""

import os
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from driving import open_job
from patience import PATIENCE

from core.errors import DatasetError, SluiceError
from workloads.sparse.slow_files import Delay, HttpFile, RangeServer, RangeSource, SlowFile

SIZE = 100_000
AT_ONCE = Delay(0.0, 0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "remote.bin"
    path.write_bytes(bytes(place * 31 % 251 for place in range(SIZE)))
    return path


@pytest.fixture
def server(file: Path) -> Iterator[RangeServer]:
    served = RangeServer(file, AT_ONCE)
    yield served
    served.close()


@pytest.fixture(params=["file", "http"])
def source(
    request: pytest.FixtureRequest, file: Path, server: RangeServer
) -> Iterator[RangeSource]:
    opened = SlowFile(file, AT_ONCE) if request.param == "file" else HttpFile(server.port)
    yield opened
    opened.close()


def test_that_ranges_are_those_of_the_file(source: RangeSource, file: Path) -> None:
    held = file.read_bytes()
    for position, length in ((0, 1), (0, SIZE), (777, 4096), (SIZE - 1, 1)):
        assert source.fetch(position, length) == held[position : position + length]


@pytest.mark.parametrize(
    ("header", "status", "length"),
    [
        (None, 206, SIZE),
        ("bytes=0-0", 206, 1),
        (f"bytes=10-{10**30}", 206, SIZE - 10),
        (f"bytes={SIZE}-{SIZE}", 416, None),
        (f"bytes={10**30}-{10**30}", 416, None),
        ("bytes=9-3", 416, None),
        ("bytes=-5", 206, SIZE),
        ("bytes=0-1,5-6", 206, SIZE),
        ("lines=1-2", 206, SIZE),
    ],
)
def test_that_odd_ranges_get_an_answer(
    server: RangeServer, header: str | None, status: int, length: int | None
) -> None:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request("GET", "/", headers={"Range": header} if header else {})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    assert answer.status == status
    assert length is None or len(body) == length


def test_that_a_refusal_is_an_error_that_says_so(server: RangeServer) -> None:
    source = HttpFile(server.port)
    with pytest.raises(SluiceError, match="answered 416"):
        source.fetch(SIZE, 1)
    source.close()


def test_that_a_server_listens_on_this_machine_alone_and_no_longer_than_it_is_open(
    file: Path,
) -> None:
    served = RangeServer(file, AT_ONCE)
    port = served.port
    served.close()
    with pytest.raises(ConnectionRefusedError):
        HttpFile(port).fetch(0, 1)


def test_that_a_request_takes_its_latency_and_its_share_of_the_bandwidth(file: Path) -> None:
    source = SlowFile(file, Delay(0.02, SIZE))
    begun = perf_counter()
    source.fetch(0, SIZE // 50)
    assert perf_counter() - begun >= 0.04
    source.close()


def test_that_a_file_cut_short_behind_our_back_is_no_more_than_an_error(
    svfsc: None, tmp_path: Path, file: Path
) -> None:
    (tmp_path / "index.txt").write_text(
        "# positions and lengths of the blocks of a sparse file\n0 4\n"
    )
    job = open_job("sparse-remote", tmp_path, latency=0.0, accesses=16, access_size=4096)
    os.truncate(file, 10)
    assert said_of(job)
    job.close()


def said_of(job: Any) -> str:
    """The first error or complaint of a pass; empty where all went well."""
    with job.worker(0) as steps:
        for item in job.items:
            value = item
            try:
                for step in steps:
                    value = step.perform(value)
            except (OSError, ValueError) as error:
                return f"error: {error}"
            if complaint := job.check(item, value):
                return str(complaint)
    return ""


def test_that_an_empty_file_is_refused(svfsc: None, tmp_path: Path) -> None:
    (tmp_path / "index.txt").write_text(
        "# positions and lengths of the blocks of a sparse file\n0 4\n"
    )
    (tmp_path / "remote.bin").touch()
    with pytest.raises(DatasetError, match="is empty"):
        open_job("sparse-remote", tmp_path, latency=0.0)
