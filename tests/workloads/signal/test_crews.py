"""The pool in C and Python's threads do the same, and each says which it is."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from compilers import looked_for_anew, machine, with_broken_compiler, without_compiler
from driving import drive, open_job
from signal_pairs import complaints_of, made_pair
from zstd_here import BY_ZSTD

from core.catalog.dataset import Dataset
from core.errors import DatasetError, SluiceError, Unavailable
from workloads.signal import native_pool, zstdlib
from workloads.signal.signal_parameters import ZSTD_DRIVER, SignalParameters
from workloads.signal.signal_shapes import SignalShape
from workloads.signal.signal_workload import ReadSignals

POOLED = ("blow5-pool", *BY_ZSTD, "pod5-c-io", "pod5-c-mmap")
CREWS = {"C": 1.0, "Python": 0.0}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, made: Callable[[str], Dataset]) -> Path:
    return made_pair(tmp_path_factory, made, SignalShape(reads=300, median_length=9000))


@pytest.fixture
def crew(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A machine with a C compiler, or one without."""
    with machine(request.param, native_pool.library, monkeypatch) as way:
        yield way


both = pytest.mark.parametrize("crew", list(CREWS), indirect=True)


@both
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("access", ["sequential", "random"])
@pytest.mark.parametrize("reader", POOLED)
def test_that_both_crews_deliver_what_the_oracle_finds(
    pair: Path, crew: str, reader: str, access: str, threads: int
) -> None:
    job = open_job("signal", pair, threads=threads, reader=reader, access=access, batch_size=70)
    assert job.counters()["pool in C"] == CREWS[crew]
    assert complaints_of(job) == [""] * 5


@both
@pytest.mark.parametrize("depth", ["fetch", "stages"])
@pytest.mark.parametrize("access", ["sequential", "random"])
def test_that_both_crews_go_as_far_as_they_are_told(
    pair: Path, crew: str, access: str, depth: str
) -> None:
    chosen = {"reader": "blow5-pool", "depth": depth, "access": access}
    assert drive("signal", pair, batch_size=70, **chosen).clean


@pytest.mark.parametrize("reader", POOLED)
def test_that_the_crew_is_recorded_with_each_trial(
    pair: Path, monkeypatch: pytest.MonkeyPatch, reader: str
) -> None:
    parameters = SignalParameters(reader=reader)
    try:
        native_pool.library.cache_clear()
        known = "Python" if native_pool.library() is None else "C"
        assert ReadSignals().programs(parameters)["pool"] == known
        native_pool.library.cache_clear()
        without_compiler(monkeypatch)
        assert ReadSignals().programs(parameters)["pool"] == "Python"
    finally:
        native_pool.library.cache_clear()


def test_that_the_pool_is_pythons_where_the_compiler_does_not_compile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with looked_for_anew(native_pool.library) as library:
        with_broken_compiler(monkeypatch, tmp_path)
        assert library() is None


def test_that_the_zstd_that_decompresses_is_recorded() -> None:
    versions = {
        reader: ReadSignals().programs(SignalParameters(reader=reader)).get("zstd")
        for reader in ("blow5-pool", "blow5-c", "blow5-zstd", "pod5-c-io")
    }
    assert (versions["blow5-zstd"] or "") == zstdlib.version_here()
    assert versions["blow5-pool"] == versions["blow5-c"] == zstdlib.version_inside_pyslow5()
    assert versions["pod5-c-io"] is None


def test_that_a_machine_without_zstd_says_what_to_install(
    made: Callable[[str], Dataset], monkeypatch: pytest.MonkeyPatch
) -> None:
    made("signal")
    monkeypatch.setattr(zstdlib, "here", lambda: None)
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
            value = item
            try:
                for step in steps:
                    value = step.perform(value)
                said.append(job.check(item, value))
            except SluiceError as error:
                said.append(str(error))
    job.close()
    return said


@pytest.mark.parametrize("access", ["sequential", "random"])
@pytest.mark.parametrize("reader", ["blow5-pool", *BY_ZSTD])
def test_that_both_crews_say_the_same_of_a_damaged_record(
    pair: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: str, access: str
) -> None:
    source = pair / "reads.zstd.blow5"
    spoiled = damaged(source, tmp_path)
    said = {}
    for name in CREWS:
        own = tmp_path / name / "reads.blow5"
        own.parent.mkdir()
        own.write_bytes(source.read_bytes())
        with monkeypatch.context() as patch:
            native_pool.library.cache_clear()
            if name == "Python":
                without_compiler(patch)
            job = open_job("signal", own, reader=reader, access=access, batch_size=70)
            said[name] = told_by(job, own, spoiled)
        native_pool.library.cache_clear()
    assert any(said["C"])
    assert said["C"] == said["Python"]
    assert all("slow5lib cannot" in told or "differs" in told for told in said["C"] if told)
