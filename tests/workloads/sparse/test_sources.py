"""Where sparse files come from: indexes of blocks, and files that are slow or behind a server."""

import os
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from driving import open_job
from serving import running

from core.lab.kits import kit_of
from core.lab.servers.http import HTTP
from core.language import DatasetError, SluiceError, report_to_nobody
from core.vocabulary import registry
from workloads.shared.objects import Place
from workloads.shared.objects.http_client import HttpObjects
from workloads.sparse.slow_files import Delay, SlowFile
from workloads.sparse.sparse_datasets import IndexShape, SparseIndex, read_index, remote_file

SIZE = 100_000
AT_ONCE = Delay(0.0, 0)


HEAD = "# positions and lengths of the blocks of a sparse file\n"


def index_of(folder: Path, text: str | bytes) -> Path:
    data = text.encode() if isinstance(text, str) else text
    (folder / "index.txt").write_bytes(data)
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "remote.bin"
    path.write_bytes(bytes(place * 31 % 251 for place in range(SIZE)))
    return path


def test_that_ranges_are_those_of_the_file(file: Path) -> None:
    held = file.read_bytes()
    with closing(SlowFile(file, AT_ONCE)) as source:
        for position, length in ((0, 1), (0, SIZE), (777, 4096), (SIZE - 1, 1)):
            assert source.fetch(position, length) == held[position : position + length]


def test_that_a_request_takes_its_latency_and_its_share_of_the_bandwidth(file: Path) -> None:
    source = SlowFile(file, Delay(0.02, SIZE))
    begun = perf_counter()
    source.fetch(0, SIZE // 50)
    assert perf_counter() - begun >= 0.04
    source.close()


def test_that_a_file_cut_short_behind_our_back_is_no_more_than_an_error(
    svfsc: None, tmp_path: Path, file: Path
) -> None:
    index_of(tmp_path, f"{HEAD}0 4\n")
    job = open_job("sparse-remote", tmp_path, latency=0.0, accesses=16, access_size=4096)
    os.truncate(file, 10)
    assert said_of(job)
    job.close()


@pytest.mark.lab("http")
@pytest.mark.parametrize("client", ["http", "obstore"])
def test_that_a_file_on_a_web_server_is_read_by_each_client_and_must_be_the_same(
    svfsc: None, tmp_path: Path, file: Path, client: str
) -> None:
    pytest.importorskip("obstore")
    index_of(tmp_path, f"{HEAD}0 4\n")
    with running(HTTP, kit_of(HTTP, report_to_nobody), tmp_path / "nginx") as served:
        there = Place(url=served.server.address, connections=1, timeout=20.0)
        with closing(HttpObjects(there, lambda name, by: None)) as objects:
            objects.put("folder/same", file.read_bytes())
            objects.put("other", b"another file")
        given = {"source": "server", "client": client, "accesses": 32}
        job = open_job("sparse-remote", tmp_path, address=f"{there.url}folder/same", **given)
        assert said_of(job) == ""
        job.close()
        with pytest.raises(DatasetError, match="has 12 B"):
            open_job("sparse-remote", tmp_path, address=f"{there.url}other", **given)
        with pytest.raises(SluiceError, match="does not answer as it should"):
            open_job("sparse-remote", tmp_path, address=f"{there.url}none", **given)


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
    index_of(tmp_path, f"{HEAD}0 4\n")
    (tmp_path / "remote.bin").touch()
    with pytest.raises(DatasetError, match="is empty"):
        open_job("sparse-remote", tmp_path, latency=0.0)


def test_that_blocks_are_read_in_order(tmp_path: Path) -> None:
    assert read_index(index_of(tmp_path, f"{HEAD}0 4\n4 4\n100 1\n")) == [(0, 4), (4, 4), (100, 1)]


@pytest.mark.parametrize(
    "lines",
    [
        "",
        "0 4\n2 4\n",
        "100 4\n0 4\n",
        "-8 4\n",
        "0 0\n",
        "0 -1\n",
        "0\n",
        "0 4 4\n",
        "zero four\n",
        "0 4.5\n",
        "nan 1\n",
        f"{'9' * 5000} 1\n",
        f"{2**64} 4\n",
        f"{2**62} 4\n",
        f"0 {2**40}\n",
        "".join(f"{place << 28} {1 << 28}\n" for place in range(5)),
        "0 4\n\x00\x00\n",
    ],
)
def test_that_an_index_that_cannot_be_is_refused(tmp_path: Path, lines: str) -> None:
    with pytest.raises(DatasetError, match=r"index\.txt"):
        read_index(index_of(tmp_path, HEAD + lines))


def test_that_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read"):
        read_index(index_of(tmp_path, HEAD.encode() + b"\xff\xfe 4\n"))


def test_that_a_line_without_end_is_told_in_short(tmp_path: Path) -> None:
    with pytest.raises(DatasetError) as told:
        read_index(index_of(tmp_path, f"{HEAD}0 4\n0 4{' ' * 100_000}\n"))
    assert len(str(told.value)) < 1000


def test_that_only_the_head_makes_an_index(tmp_path: Path) -> None:
    kind = SparseIndex()
    assert not kind.recognises(tmp_path)
    assert not kind.recognises(index_of(tmp_path, "0 4\n"))
    assert not kind.recognises(index_of(tmp_path, ""))
    assert kind.recognises(index_of(tmp_path, f"{HEAD}0 4\n"))


def test_that_an_index_without_a_remote_file_is_a_dataset(tmp_path: Path) -> None:
    dataset = registry.open_dataset(index_of(tmp_path, f"{HEAD}0 4\n"), ("sparse-index",))
    assert dataset.kind == "sparse-index"
    assert remote_file(tmp_path) is None


def test_that_the_same_seed_makes_the_same_bytes(tmp_path: Path) -> None:
    shape = IndexShape(records=3, remote_size=100_000)
    made = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        SparseIndex().make(shape, folder, lambda *_: None)
        made.append([(folder / file).read_bytes() for file in ("index.txt", "remote.bin")])
    assert made[0] == made[1]
    assert len(made[0][1]) == 100_000
