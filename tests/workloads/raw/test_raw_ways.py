"""Reads in C do what reads in Python do, tell every block that is wrong, and say who they are."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from compilers import looked_for_anew, with_broken_compiler, without_compiler
from driving import open_job
from hypothesis import given, settings
from hypothesis import strategies as st
from peaks import CAN_FORGET, peak, reset_peak, resident
from ways import WAYS, performed

from core.measure import Count, Share, Worker
from core.measure.trial.counters import HEADER, SLOT
from core.vocabulary import Dataset, Job
from workloads.raw import block_reads, raw_workload
from workloads.raw.block_reads import NativeReads
from workloads.raw.blocks import FileBlocks
from workloads.raw.raw_workload import RawParameters, RawRead

in_c = pytest.mark.skipif(block_reads.library() is None, reason="a C compiler is missing")


class Run:
    """What the engine counts of a job's items, each performed once."""

    def __init__(self, job: Job[Any, Any], items: int | None = None) -> None:
        self.words, head = (memoryview(bytearray(8 * size)).cast("q") for size in (SLOT, HEADER))
        with job.worker(0) as steps:
            self.worker = Worker(job, steps, self.words, head, 0)
            self.worker.run(Share(0, 1, items or len(job.items)))
            self.worker.verify()
        job.close()

    def __getitem__(self, count: Count) -> int:
        return self.words[count]

    @property
    def said(self) -> list[tuple[str, str, bool]]:
        found = self.worker.complaints.by_kind.values()
        return [(one.text, one.first_item, one.wrong_data) for one in found]


def test_that_both_ways_count_all_blocks_and_bytes(
    way: str, made: Callable[[str], Dataset]
) -> None:
    path = made("seqrepo").path
    job = open_job("raw", path, block_size=4096, access="random")
    assert job.counters()["reads in C"] == WAYS[way]
    blocks = len(job.items)
    run = Run(job, 3 * blocks)
    assert (run[Count.OPERATIONS], run[Count.ERRORS], run[Count.WRONG]) == (3 * blocks, 0, 0)
    assert run[Count.UNVERIFIED] == 0
    files = (file for file in path.rglob("*") if file.name != "sluice-dataset.json")
    assert run[Count.BYTES] == 3 * sum(file.stat().st_size for file in files if file.is_file())


@in_c
def test_that_each_read_in_c_has_a_latency_of_its_own(made: Callable[[str], Dataset]) -> None:
    job = open_job("raw", made("seqrepo").path, block_size=512)
    run = Run(job, 20_000)
    assert run[Count.TIMED] == 20_000
    assert run.worker._timer.took < run[Count.ENDED] - run[Count.STARTED]
    assert run[Count.COMPARED] == 20_000


@in_c
@settings(max_examples=30, deadline=None)
@given(data=st.binary(min_size=1, max_size=9000), block=st.sampled_from([512, 700, 4096]))
def test_that_the_harness_reads_the_bytes_that_are_there(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, block: int
) -> None:
    path = tmp_path_factory.mktemp("bytes") / "x"
    path.write_bytes(data)
    file, second = (os.open(path, os.O_RDONLY) for _ in range(2))
    try:
        reads = NativeReads(block, lambda file: second)
        places = range(0, len(data), block)
        items = [(file, min(block, len(data) - place), place) for place in places]
        done = reads(items[:1], False)
        assert ctypes.string_at(reads._batch.memory, done.results[0]) == data[:block]
        for compare in (False, True):
            assert list(reads(items, compare).results) == [length for _, length, _ in items]
    finally:
        os.close(file)
        os.close(second)


@in_c
@settings(max_examples=60, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 3000), min_size=1, max_size=6),
    seed=st.none() | st.integers(0, 100),
    begin=st.integers(0, 500),
    step=st.integers(1, 7),
    count=st.integers(1, 60),
)
def test_that_the_harness_reads_the_blocks_that_were_claimed(
    tmp_path_factory: pytest.TempPathFactory,
    sizes: list[int],
    seed: int | None,
    begin: int,
    step: int,
    count: int,
) -> None:
    """It computes them itself."""
    folder = tmp_path_factory.mktemp("claimed")
    data = {}
    files = []
    for number, size in enumerate(sizes):
        data[number] = Random(number).randbytes(size)
        (folder / str(number)).write_bytes(data[number])
        files.append(os.open(folder / str(number), os.O_RDONLY))
    try:
        blocks = FileBlocks(sizes, files, 100, seed)
        claimed = range(begin, begin + count * step, step)
        reads = NativeReads(100, lambda file: file)
        done = reads(blocks.take(claimed), True)
        rows = blocks.rows(claimed)
        assert list(done.results) == rows[:, 1].tolist()
        file, length, offset = rows[-1].tolist()
        last = data[files.index(file)][offset : offset + length]
        assert ctypes.string_at(reads._batch.memory, length) == last
    finally:
        for file in files:
            os.close(file)


@pytest.mark.parametrize("block", [512, 65_536])
def test_that_a_byte_that_another_look_does_not_find_is_told(
    way: str, tmp_path: Path, block: int
) -> None:
    """As where a file is exchanged, or a read is answered with what is there no more."""
    path = tmp_path / "exchanged"
    path.write_bytes(bytes(5 * block))
    job = open_job("raw", path, block_size=block)
    exchanged = bytearray(5 * block)
    exchanged[3 * block - 1] = 1
    (tmp_path / "new").write_bytes(exchanged)
    (tmp_path / "new").replace(path)
    run = Run(job)
    place = f"{path}, {block:,} bytes from {2 * block:,} on"
    assert run.said == [("other bytes than a second look finds", place, True)]
    assert (run[Count.WRONG], run[Count.OPERATIONS], run[Count.BYTES]) == (1, 5, 5 * block)


def test_that_the_second_look_finds_a_file_that_became_shorter_by_exchange(
    way: str, tmp_path: Path
) -> None:
    path = tmp_path / "exchanged"
    path.write_bytes(bytes(1500))
    job = open_job("raw", path, block_size=512)
    (tmp_path / "new").write_bytes(bytes(600))
    (tmp_path / "new").replace(path)
    found = Run(job)
    assert found[Count.WRONG] == 2
    assert {text for text, _, _ in found.said} == {"other bytes than a second look finds"}


def test_that_a_file_that_shrinks_is_short_where_it_ends(way: str, tmp_path: Path) -> None:
    path = tmp_path / "shrinking"
    path.write_bytes(bytes(10_000))
    job = open_job("raw", path, block_size=4096)
    os.truncate(path, 5000)
    run = Run(job)
    assert run[Count.WRONG] == 2
    assert run[Count.BYTES] == 5000
    assert (run.said[0][0], run.said[0][1]) == (
        "short: 904 of 4,096 bytes",
        f"{path}, 4,096 bytes from 4,096 on",
    )


def test_that_an_error_is_that_of_its_block_alone(way: str, tmp_path: Path) -> None:
    """A folder can be opened and not read; so does a disk answer that fails in one place."""
    folder = tmp_path / "files"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / name).write_bytes(bytes(2000))
    job = open_job("raw", folder, block_size=512)
    unreadable = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    os.dup2(unreadable, job.items[4][0])  # the file b
    os.close(unreadable)
    run = Run(job)
    assert (run[Count.ERRORS], run[Count.OPERATIONS], run[Count.WRONG]) == (4, 8, 0)
    assert run[Count.UNVERIFIED] == 0
    text, item, wrong = run.said[0]
    assert text == "IsADirectoryError: [Errno 21] Is a directory"
    assert (item, wrong) == (f"{folder / 'b'}, 512 bytes from 0 on", False)


def test_that_failures_keep_their_places(way: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(bytes(2048))
    job = open_job("raw", tmp_path / "x", block_size=512)
    closed = os.open(tmp_path / "x", os.O_RDONLY)
    os.close(closed)
    items = list(job.items)
    if way == "Python":
        items[1] = (closed, 512, 0)
    else:
        items[1] = (items[1][0], 512, -1)
    with job.worker(0) as (step,):
        found = performed(step, items)
    assert [isinstance(one, OSError) for one in found] == [False, True, False, False]
    assert found[1].errno == (errno.EBADF if way == "Python" else errno.EINVAL)
    job.close()


@in_c
def test_that_a_second_look_that_fails_ends_the_trial_by_name(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(600))
    job = open_job("raw", path, block_size=512)
    path.unlink()
    path.mkdir()
    with pytest.raises(IsADirectoryError, match=f"Is a directory: '{path}'"):
        Run(job)


@in_c
@pytest.mark.parametrize(
    ("block", "most"), [(512, 16_384), (65_536, 4096), (1 << 20, 256), (1 << 24, 16)]
)
def test_that_few_blocks_are_read_between_two_looks_at_the_stop_flag(
    tmp_path: Path, block: int, most: int
) -> None:
    (tmp_path / "x").write_bytes(bytes(100))
    job = open_job("raw", tmp_path / "x", block_size=block)
    assert job.held == most
    job.close()


@pytest.mark.skipif(not CAN_FORGET, reason="the system cannot forget a peak")
def test_that_memory_is_that_of_a_few_blocks(way: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(1 << 20))
    job = open_job("raw", path, block_size=65_536)
    reset_peak()
    before = resident()
    assert Run(job, 1000)[Count.OPERATIONS] == 1000
    assert peak() - before < 32 << 20


def test_that_the_way_is_recorded_with_each_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        block_reads.library.cache_clear()
        known = "Python" if block_reads.library() is None else "C"
        assert RawRead().programs(RawParameters()) == {"reads": known}
        block_reads.library.cache_clear()
        without_compiler(monkeypatch)
        assert RawRead().programs(RawParameters()) == {"reads": "Python"}
    finally:
        block_reads.library.cache_clear()


def test_that_python_reads_where_the_compiler_does_not_compile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with looked_for_anew(block_reads.library) as library:
        with_broken_compiler(monkeypatch, tmp_path)
        assert library() is None


def test_that_more_files_than_can_be_open_are_read_and_compared(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw_workload, "_most_open", lambda: 4)
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(300):
        (folder / f"{number:03}").write_bytes(number.to_bytes(2) * 350)
    job = open_job("raw", folder, threads=1, access="random", block_size=512)
    run = Run(job)
    assert (run[Count.OPERATIONS], run[Count.WRONG]) == (600, 0)
    assert job.counters()["reads in C"] == WAYS[way]
    assert job.counters()["files opened"] >= 300
