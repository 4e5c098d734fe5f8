"""Reads past the page cache, and several in flight: the same bytes, and refusals that say why."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from driving import open_job
from test_raw_ways import Run
from ways import performed

from core.language import InvalidParameter, Unavailable
from core.measure import Count, find_dataset, import_path
from core.vocabulary import Dataset, admit, specify
from workloads.raw import block_reads, raw_workload
from workloads.raw.block_reads import NativeReads, queue_of
from workloads.raw.raw_workload import RawParameters, RawRead

SIZES = (1, 511, 512, 513, 4096, 5000, 70_001)


def _has_queue() -> bool:
    try:
        with queue_of(2):
            return True
    except Unavailable:
        return False


needs_queue = pytest.mark.skipif(not _has_queue(), reason="no io_uring, or no C compiler")
depths = pytest.mark.parametrize("depth", [1, pytest.param(5, marks=needs_queue)])


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Files that end within a sector and within a block, and data that is like no other."""
    folder = tmp_path / "files"
    folder.mkdir()
    for size in SIZES:
        (folder / f"{size}").write_bytes(Random(size).randbytes(size))
    try:
        raw_workload._require_direct(folder / "1", RawParameters(block_size=512, direct=True))
    except (Unavailable, AttributeError):
        pytest.skip("the folder for temporary files has no direct reads")
    return folder


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("block", [512, 4096, 131_072])
def test_that_direct_reads_are_those_of_the_whole_files(
    way: str, files: Path, block: int, many: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if many:
        monkeypatch.setattr(raw_workload, "_most_open", lambda: 2)
    job = open_job("raw", files, block_size=block, access="random", direct=True)
    run = Run(job)
    assert (run[Count.OPERATIONS], run[Count.ERRORS], run[Count.WRONG]) == (len(job.items), 0, 0)
    assert run[Count.BYTES] == sum(SIZES)


@needs_queue
@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize("many", [False, True])
def test_that_reads_in_flight_are_those_of_the_whole_files(
    files: Path, direct: bool, many: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if many:  # each thread keeps four open, so that files are closed while reads are prepared
        monkeypatch.setattr(raw_workload, "_most_open", lambda: 2)
        monkeypatch.setattr(raw_workload, "_MOST_OPEN", 2)
    job = open_job("raw", files, block_size=512, access="random", direct=direct, queue_depth=16)
    blocks = len(job.items)
    run = Run(job, 3 * blocks)
    assert (run[Count.OPERATIONS], run[Count.ERRORS], run[Count.WRONG]) == (3 * blocks, 0, 0)
    assert run[Count.BYTES] == 3 * sum(SIZES)
    assert run[Count.COMPARED] == 3 * blocks


@needs_queue
def test_that_several_reads_are_in_flight_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(4096 * 64))
    file = os.open(path, os.O_RDONLY)
    try:
        with queue_of(16) as queue:
            reads = NativeReads(4096, lambda file: file, depth=16, queue=queue)
            done = reads([(file, 4096, 4096 * block) for block in range(64)], False)
    finally:
        os.close(file)
    # The times of reads overlap: one after the other they would make up the whole.
    assert sum(done.took) > 4 * done.time


@needs_queue
def test_that_each_read_in_flight_has_memory_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "x"
    data = Random(3).randbytes(512 * 8)
    path.write_bytes(data)
    file = os.open(path, os.O_RDONLY)
    try:
        with queue_of(8) as queue:
            reads = NativeReads(512, lambda file: file, depth=8, queue=queue)
            reads([(file, 512, 512 * block) for block in range(8)], False)
            batch = reads._batch
            rooms = {ctypes.string_at(batch.memory + room * batch.apart, 512) for room in range(8)}
    finally:
        os.close(file)
    assert rooms == {data[start : start + 512] for start in range(0, len(data), 512)}


@needs_queue
@pytest.mark.parametrize(("claimed", "noted"), [(4, True), (2000, False)])
def test_that_a_queue_that_is_seldom_full_is_noted(
    tmp_path: Path, claimed: int, noted: bool
) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(512 * 2000))
    job = open_job("raw", path, block_size=512, queue_depth=4)
    assert job.notes == ()
    with job.worker(0) as (step,):
        for first in range(0, 2000, claimed):
            step.at_once(job.items.take(range(first, first + claimed)), False)
    job.close()
    assert any("the queue was not full" in note for note in job.notes) is noted


@depths
@pytest.mark.parametrize("direct", [False, True])
def test_that_a_byte_that_another_look_does_not_find_is_told_of_its_block(
    files: Path, depth: int, direct: bool
) -> None:
    path = files / "70001"
    job = open_job("raw", path, block_size=4096, direct=direct, queue_depth=depth)
    exchanged = bytearray(path.read_bytes())
    exchanged[3 * 4096 - 1] ^= 1
    (files / "new").write_bytes(exchanged)
    (files / "new").replace(path)
    run = Run(job)
    place = f"{path}, 4,096 bytes from 8,192 on"
    assert run.said == [("other bytes than a second look finds", place, True)]
    assert (run[Count.WRONG], run[Count.OPERATIONS]) == (1, 18)


@needs_queue
def test_that_an_error_in_flight_is_that_of_its_block_alone(files: Path) -> None:
    job = open_job("raw", files / "70001", block_size=512, queue_depth=4)
    items = list(job.items)[:10]
    folder = os.open(files, os.O_RDONLY | os.O_DIRECTORY)
    items[3] = (folder, 512, 0)
    with job.worker(0) as (step,):
        done = step.at_once(items, False)
    os.close(folder)
    assert [place for place, _ in done.failures] == [3]
    assert list(done.results) == [512] * 9
    job.close()


@depths
def test_that_a_file_that_shrinks_is_short_where_it_ends(files: Path, depth: int) -> None:
    path = files / "70001"
    job = open_job("raw", path, block_size=4096, direct=True, queue_depth=depth)
    os.truncate(path, 5000)
    run = Run(job)
    assert (run[Count.WRONG], run[Count.BYTES]) == (17, 5000)


def test_that_what_a_file_grew_by_is_not_read(way: str, files: Path) -> None:
    job = open_job("raw", files / "5000", block_size=4096, direct=True)
    with (files / "5000").open("ab") as file:
        file.write(bytes(4096))
    with job.worker(0) as (step,):
        results = performed(step, job.items)
    sizes = [one if isinstance(one, int) else len(one) for one in results]
    assert sizes == [4096, 904]
    job.close()


def test_that_a_file_system_without_direct_reads_is_named() -> None:
    path = Path("/proc/version")
    if not path.exists():
        pytest.skip("needs /proc")
    with pytest.raises(Unavailable) as refused:
        raw_workload._require_direct(path, RawParameters(direct=True))
    assert refused.value.cause == "unavailable: direct reads of 64.0 KiB of /proc/version"
    assert "set direct to no" in refused.value.remedy


def test_that_direct_reads_are_of_whole_sectors(made_zeros: Dataset) -> None:
    with pytest.raises(InvalidParameter, match="block_size"):
        admit(specify("raw", made_zeros, {"direct": True, "block_size": 700}))


def test_that_the_page_cache_has_no_meaning_for_direct_reads(made_zeros: Dataset) -> None:
    cold = {"page_cache": "cold"}
    assert specify("raw", made_zeros, cold | {"direct": True}).load.page_cache == "as-is"
    assert specify("raw", made_zeros, cold).load.page_cache == "cold"


def test_that_reads_in_flight_need_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_reads, "library", lambda: None)
    with pytest.raises(Unavailable, match="C compiler"), queue_of(2):
        pass
    with queue_of(1) as none:
        assert none is None


_FORBIDDEN = """
import ctypes, errno, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
rules = (0x20, 0, 0, 0), (0x15, 0, 1, 425), (0x06, 0, 0, 0x50000 | errno.EPERM), (0x06, 0, 0, 0x7fff0000)
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
program = struct.pack("HxxxxxxP", len(rules), ctypes.addressof(code))
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, program) == 0
from core.language import Unavailable
from workloads.raw.block_reads import queue_of
try:
    with queue_of(2):
        pass
except Unavailable as refused:
    print(refused.cause)
    print(refused.remedy)
"""


@needs_queue
def test_that_a_kernel_that_forbids_io_uring_is_named_with_who_can_allow_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FORBIDDEN],
        env=os.environ | {"PYTHONPATH": import_path()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    cause, remedy = done.stdout.splitlines()
    assert cause == "unavailable: io_uring (Operation not permitted)"
    assert "kernel.io_uring_disabled" in remedy


def test_that_fio_is_asked_for_the_same_reads(made_zeros: Dataset) -> None:
    spec = specify("raw", made_zeros, {"direct": True})
    parameters = RawParameters(direct=True, queue_depth=16)
    code = RawRead().in_code(parameters, spec.load, made_zeros)
    assert {"--ioengine=io_uring", "--iodepth=16", "--direct=1"} <= {*code["Shell"].split()}
    assert "Python" not in code  # it has no io_uring


@pytest.fixture
def made_zeros(tmp_path: Path) -> Dataset:
    (tmp_path / "zeros").write_bytes(bytes(4096))
    return find_dataset("raw", tmp_path / "zeros")
