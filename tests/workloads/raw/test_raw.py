import resource
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from driving import drive, open_job
from hypothesis import given, settings
from hypothesis import strategies as st
from ways import performed

from core.vocabulary import Dataset
from workloads.raw.blocks import FileBlocks, Permutation
from workloads.raw.raw_workload import NumberedJob


@settings(max_examples=60, deadline=None)
@given(count=st.integers(1, 3000), seed=st.integers(0, 2**31))
def test_that_a_permutation_takes_every_number_once(count: int, seed: int) -> None:
    permutation = Permutation(count, seed)
    assert sorted(permutation(np.arange(count)).tolist()) == list(range(count))


def test_that_seeds_give_different_orders_without_runs() -> None:
    first, second = (Permutation(10_000, seed)(np.arange(10_000)).tolist() for seed in (1, 2))
    assert first != second
    in_a_row = sum(after == before + 1 for before, after in pairwise(first))
    assert in_a_row < 100


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 5000), min_size=1, max_size=8),
    block=st.integers(1, 2000),
    seed=st.none() | st.integers(0, 100),
)
def test_that_blocks_cover_every_byte_of_every_file_once(
    sizes: list[int], block: int, seed: int | None
) -> None:
    names = [10 * number for number in range(len(sizes))]
    blocks = FileBlocks(sizes, names, block, seed)
    assert len(blocks) == len(list(blocks))
    if seed is None:
        assert list(blocks) == sorted(blocks, key=lambda extent: (extent[0], extent[2]))
    for name, size in zip(names, sizes, strict=True):
        extents = sorted((offset, length) for file, length, offset in blocks if file == name)
        assert [offset for offset, _ in extents] == list(range(0, size, block))
        assert sum(length for _, length in extents) == size
        assert all(length <= block for _, length in extents)


@pytest.mark.parametrize("block_size", [512, 65_536, 1 << 20])
@pytest.mark.parametrize("access", ["sequential", "random"])
def test_that_all_bytes_of_a_dataset_are_read_by_all_threads_together(
    way: str,
    made: Callable[[str], Dataset],
    untouched: Callable[[Path], None],
    access: str,
    block_size: int,
) -> None:
    path = made("seqrepo").path
    untouched(path)
    driven = drive("raw", path, threads=3, access=access, block_size=block_size)
    assert driven.clean
    data = [
        file for file in path.rglob("*") if file.is_file() and file.name != "sluice-dataset.json"
    ]
    read = driven.job.weigh([read for _, read in driven.results]).bytes
    assert read == sum(file.stat().st_size for file in data)
    assert driven.counters["files opened"] == len(data)


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    """More than are kept open, as few descriptors as most systems allow being allowed."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(300):
        (folder / f"{number:03}").write_bytes(bytes([128 + number % 100]) * (600 + number))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
    yield folder
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_that_many_files_are_never_all_open(way: str, files: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    job = open_job("raw", files, threads=2, access="random", block_size=512)
    assert isinstance(job, NumberedJob)
    with job.worker(0) as (step,):
        for item in job.items:
            (read,) = performed(step, [item])
            assert job.check(item, read) == ""
            # Half of 256 for one of two readers, and 256 for the second look of verification.
            assert len(list(Path("/proc/self/fd").iterdir())) - before <= 128 + 256
        assert job.counters()["files opened"] >= 300
    job.close()
    links = (link.readlink() for link in Path("/proc/self/fd").iterdir() if link.is_symlink())
    assert not any(files in link.parents for link in links)


def test_that_a_vanished_file_is_an_error_of_its_reads_only(way: str, files: Path) -> None:
    job = open_job("raw", files, block_size=4096)
    (files / "007").unlink()
    with job.worker(0) as (step,):
        results = performed(step, job.items)
    job.close()
    assert [type(each) for each in results if isinstance(each, OSError)] == [FileNotFoundError]


def test_that_bytes_of_another_place_are_wrong(tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    path.write_bytes(bytes(range(256)) * 32)
    job = open_job("raw", path, block_size=512)
    first, second = job.items[0], job.items[1]
    (tmp_path / "numbers").write_bytes(bytes(range(255, -1, -1)) * 32)
    with job.worker(0) as (step,):
        read = step.perform(first)
        assert job.check(second, read) == ""
        assert job.check(second, bytes(512)) == "other bytes than a second look finds"
    job.close()


@pytest.mark.parametrize("way", ["Python"], indirect=True)
def test_that_no_more_results_are_alive_than_fit_into_a_processors_cache(
    way: str, tmp_path: Path
) -> None:
    (tmp_path / "x").write_bytes(bytes(100))
    held = [
        open_job("raw", tmp_path / "x", block_size=size).held for size in (4096, 65_536, 1 << 24)
    ]
    assert held == [64, 4, 1]


def test_that_the_results_that_may_be_alive_do_not_overwrite_each_other(
    way: str, tmp_path: Path
) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"".join(bytes([number]) * 131_072 for number in range(12)) + b"end")
    job = open_job("raw", path, block_size=131_072)
    with job.worker(0) as (step,):
        for start in range(0, len(job.items), job.held):
            items = list(job.items)[start : start + job.held]
            results = performed(step, items)
            assert [job.check(*pair) for pair in zip(items, results, strict=True)] == [""] * len(
                items
            )
    job.close()


def test_that_a_block_is_told_by_its_file_and_place(made: Callable[[str], Dataset]) -> None:
    path = made("seqrepo").path
    job = open_job("raw", path, block_size=512)
    first, second = job.describe(job.items[0]), job.describe(job.items[1])
    assert first == f"{path / 'aliases.sqlite3'}, 512 bytes from 0 on"
    assert second == f"{path / 'aliases.sqlite3'}, 512 bytes from 512 on"
    job.close()
