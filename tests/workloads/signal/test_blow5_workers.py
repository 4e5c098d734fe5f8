"""The harness in C and Python do the same for a batch, and each says which it is."""

import ctypes
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from compilers import looked_for_anew, machine, with_broken_compiler, without_compiler
from driving import drive, open_job, performed
from signal_pairs import BY_ZSTD, complaints_of, made_pair
from signal_writing import File, Written, write

from core.language import DatasetError, SluiceError, Unavailable
from core.vocabulary import Dataset
from workloads.signal import blow5_native, thread_pools, zstd_libraries
from workloads.signal.make_signal import SignalShape
from workloads.signal.signal_parameters import ZSTD_DRIVER, SignalParameters
from workloads.signal.signal_workload import ReadSignals
from workloads.signal.slow5lib import Slow5Handle, libc

POOLED = ("blow5-pool", *BY_ZSTD, "pod5-c-io", "pod5-c-mmap")
HARNESSED = {**dict.fromkeys(POOLED, "pool"), "blow5-c": "batches"}
"""Readers that the harness serves, and what it does for each."""
KINDS = {"C": 1.0, "Python": 0.0}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, made: Callable[[str], Dataset]) -> Path:
    return made_pair(tmp_path_factory, made, SignalShape(reads=300, median_length=9000))


@pytest.fixture
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A machine with a C compiler, or one without."""
    with machine(request.param, thread_pools.library, monkeypatch) as way:
        yield way


both = pytest.mark.parametrize("kind", list(KINDS), indirect=True)


@both
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("access", ["sequential", "random"])
@pytest.mark.parametrize("reader", HARNESSED)
def test_that_workers_in_c_and_in_python_deliver_what_the_oracle_finds(
    pair: Path, kind: str, reader: str, access: str, threads: int
) -> None:
    job = open_job("signal", pair, threads=threads, reader=reader, access=access, batch_size=70)
    assert job.counters()[f"{HARNESSED[reader]} in C"] == KINDS[kind]
    assert complaints_of(job) == [""] * 5


@both
@pytest.mark.parametrize("depth", ["fetch", "stages"])
@pytest.mark.parametrize("access", ["sequential", "random"])
def test_that_workers_in_c_and_in_python_go_as_far_as_they_are_told(
    pair: Path, kind: str, access: str, depth: str
) -> None:
    chosen = {"reader": "blow5-pool", "depth": depth, "access": access}
    assert drive("signal", pair, batch_size=70, **chosen).clean


@pytest.mark.parametrize("reader", HARNESSED)
def test_that_each_trial_records_where_the_workers_are(
    pair: Path, monkeypatch: pytest.MonkeyPatch, reader: str
) -> None:
    parameters = SignalParameters(reader=reader)
    try:
        thread_pools.library.cache_clear()
        known = "Python" if thread_pools.library() is None else "C"
        assert ReadSignals().programs(parameters)[HARNESSED[reader]] == known
        thread_pools.library.cache_clear()
        without_compiler(monkeypatch)
        assert ReadSignals().programs(parameters)[HARNESSED[reader]] == "Python"
    finally:
        thread_pools.library.cache_clear()


def test_that_the_pool_is_pythons_where_the_compiler_does_not_compile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with looked_for_anew(thread_pools.library) as library:
        with_broken_compiler(monkeypatch, tmp_path)
        assert library() is None


def test_that_the_zstd_that_decompresses_is_recorded() -> None:
    versions = {
        reader: ReadSignals().programs(SignalParameters(reader=reader)).get("zstd")
        for reader in ("blow5-pool", "blow5-c", "blow5-zstd", "pod5-c-io")
    }
    assert (versions["blow5-zstd"] or "") == zstd_libraries.zstd_version_here()
    inside = zstd_libraries.zstd_version_inside_pyslow5()
    assert versions["blow5-pool"] == versions["blow5-c"] == inside
    assert versions["pod5-c-io"] is None


def test_that_a_machine_without_zstd_says_what_to_install(
    made: Callable[[str], Dataset], monkeypatch: pytest.MonkeyPatch
) -> None:
    made("signal")
    monkeypatch.setattr(zstd_libraries, "zstd_here", lambda: None)
    assert not ZSTD_DRIVER.installed
    with pytest.raises(Unavailable, match=r"no zstd library.*libzstd1"):
        ZSTD_DRIVER.require()


@pytest.mark.skipif(not BY_ZSTD, reason="this machine has no zstd library")
def test_that_records_that_are_not_of_zstd_are_refused(pair: Path) -> None:
    with pytest.raises(DatasetError, match="holds no blow5 with zstd"):
        open_job("signal", pair / "reads.zlib.blow5", reader="blow5-zstd")


def damaged(path: Path, folder: Path) -> Path:
    """The file with a byte of a record in the middle changed after what is known of it."""
    content = bytearray(path.read_bytes())
    for place in range(len(content) // 2, len(content) // 2 + 200):
        content[place] ^= 0xFF
    copy = folder / path.name
    copy.write_bytes(content)
    return copy


def told_by(job: Any, path: Path, spoiled: Path) -> list[str]:
    """What both steps say of each batch once the file is spoiled under the job."""
    path.write_bytes(spoiled.read_bytes())
    said = []
    with job.worker(0) as steps:
        for item in job.items:
            try:
                said.append(job.check(item, performed(steps, item)))
            except SluiceError as error:
                said.append(str(error))
    job.close()
    return said


@pytest.mark.parametrize("access", ["sequential", "random"])
@pytest.mark.parametrize("reader", ["blow5-pool", *BY_ZSTD])
def test_that_workers_in_c_and_in_python_say_the_same_of_a_damaged_record(
    pair: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: str, access: str
) -> None:
    source = pair / "reads.zstd.blow5"
    spoiled = damaged(source, tmp_path)
    said = {}
    for name in KINDS:
        own = tmp_path / name / "reads.blow5"
        own.parent.mkdir()
        own.write_bytes(source.read_bytes())
        with monkeypatch.context() as patch:
            thread_pools.library.cache_clear()
            if name == "Python":
                without_compiler(patch)
            job = open_job("signal", own, reader=reader, access=access, batch_size=70)
            said[name] = told_by(job, own, spoiled)
        thread_pools.library.cache_clear()
    assert any(said["C"])
    assert said["C"] == said["Python"]
    assert all("slow5lib cannot" in told or "differs" in told for told in said["C"] if told)


def test_that_freeing_records_never_compiles_since_the_collector_may_free_them_while_we_do(
    pair: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        pytest.fail("it waits for a lock that its own thread may hold")

    job = open_job("signal", pair, reader="blow5-pool", batch_size=70)
    with job.worker(0) as steps:
        records = performed(steps, job.items[0])
    job.close()
    thread_pools.library.cache_clear()
    monkeypatch.setattr(thread_pools, "loaded", refuse)
    records.__del__()
    assert not any(records.pointers)


@both
def test_that_batches_that_the_library_decodes_are_taken_in_any_order_and_timed(
    pair: Path, kind: str
) -> None:
    job = open_job("signal", pair, threads=2, reader="blow5-c", batch_size=70)
    with job.worker(0) as steps:
        (step,) = steps
        assert (step.at_once is not None) == (kind == "C")
        for place in (3, 1, 2, 4, 0, 1):
            item = job.items[place]
            assert job.check(item, performed(steps, item)) == ""
        if step.at_once is not None:
            done = step.at_once(job.items[1:3], False)
            assert [len(result) for result in done.results] == [70, 70]
            assert done.time == sum(done.took)
            assert min(done.took) > 0
    job.close()


@both
@pytest.mark.parametrize("threads", [1, 2])
def test_that_a_place_in_the_file_that_cannot_be_reached_is_an_error_of_that_batch(
    pair: Path, monkeypatch: pytest.MonkeyPatch, kind: str, threads: int
) -> None:
    job = open_job("signal", pair, threads=threads, reader="blow5-c", batch_size=70)
    read, write_end = os.pipe()
    stream_of = libc().fdopen
    stream_of.restype = ctypes.c_void_p
    with job.worker(0) as steps:
        with monkeypatch.context() as patch:
            patch.setattr(Slow5Handle, "stream", stream_of(read, b"r"))  # nobody seeks in a pipe
            with pytest.raises(SluiceError, match=r"cannot go to byte [\d,]+ of .*\.blow5"):
                performed(steps, job.items[2])
        assert job.check(job.items[2], performed(steps, job.items[2])) == ""
    job.close()
    os.close(read)
    os.close(write_end)


@both
def test_that_files_that_are_opened_again_and_again_are_opened_within_a_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: Callable[[str], Dataset], kind: str
) -> None:
    made("signal")
    for number in range(4):
        write(tmp_path / f"{number}.blow5", File(reads=[Written(read_id=f"read-{number}")]))
    for most, told in ((4, KINDS[kind]), (3, 0.0)):
        monkeypatch.setattr(blow5_native, "MOST_OPEN", most)
        job = open_job("signal", tmp_path, reader="blow5-c")
        assert job.counters()["batches in C"] == told
        assert complaints_of(job) == [""] * 4
