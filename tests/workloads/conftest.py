"""Small datasets, a driver that runs a job as the engine would, and a watch over the data."""

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from core.catalog import registry
from core.catalog.dataset import Dataset, regular_files, tell_nobody
from core.catalog.generate import make_dataset
from core.catalog.load import Load
from core.catalog.parameters import Integer, build, declared
from core.catalog.workload import Context, Job
from core.errors import Unavailable
from core.host.folders import index_folder
from core.trial.counters import HEADER, SLOT, Count, Share
from core.trial.worker import Worker


@dataclass
class Driven:
    """What came of driving a job over all its items once."""

    job: Job[Any, Any]
    results: list[tuple[Any, Any]] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    steps: tuple[str, ...] = ()
    counters: Mapping[str, float] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        return bool(self.results) and not self.errors and not self.complaints


def open_job(name: str, path: Path, *, threads: int = 1, seed: int = 1, **parameters: Any) -> Any:
    workload = registry.workload(name)
    dataset = registry.open_dataset(path, workload.dataset_kinds)
    context = Context(
        dataset=dataset,
        parameters=build(workload.parameters, parameters),
        load=Load(threads=threads, seed=seed),
        process=0,
        run_id="test",
        cache=index_folder(dataset.fingerprint),
        tell=tell_nobody,
    )
    return workload.open(context)


def drive(
    name: str, path: Path, *, threads: int = 1, most: int = 10**9, **parameters: Any
) -> Driven:
    """Open, perform all items shared out over threads, check, count, close."""
    job = open_job(name, path, threads=threads, **parameters)
    driven = Driven(job)
    meeting = threading.Barrier(threads)

    def work(index: int) -> None:
        with job.worker(index) as steps:
            driven.steps = tuple(step.name for step in steps)
            meeting.wait()
            for place in range(index, min(len(job.items), most), threads):
                value = item = job.items[place]
                try:
                    for step in steps:
                        value = step.perform(value)
                except Exception as error:  # noqa: BLE001 - as the engine does
                    driven.errors.append(error)
                    continue
                driven.results.append((item, value))
                if complaint := job.check(item, value):
                    driven.complaints.append(complaint)
            meeting.wait()
            driven.counters = dict(job.counters())
            meeting.wait()

    workers = [threading.Thread(target=work, args=(index,)) for index in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    job.close()
    return driven


def timed(name: str, path: Path, *, operations: int, **parameters: Any) -> int:
    """How many of so many items a worker of the engine has timed as single operations."""
    words, head = (memoryview(bytearray(8 * size)).cast("q") for size in (SLOT, HEADER))
    job = open_job(name, path, **parameters)
    with job.worker(0) as steps:
        worker = Worker(job, steps, words, head, 0)
        worker.run(Share(0, 1, operations), 2**62)
    job.close()
    assert words[Count.ITEMS] == operations
    assert not words[Count.ERRORS]
    return words[Count.TIMED]


def small(shape: type) -> Any:
    """A shape of that kind with few and short things in it."""
    values = {
        kind.name: max(kind.low, min(kind.default, 20))
        for kind in declared(shape)
        if isinstance(kind, Integer) and kind.name != "seed"
    }
    return build(shape, values)


def listing(folder: Path) -> dict[Path, tuple[int, int]]:
    """All that a write beside the data would change."""
    places = [folder, *folder.rglob("*")]
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in places}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def need_drivers(name: str, **parameters: Any) -> None:
    """Skip where a driver is missing that not every machine can have, unless this is CI's."""
    workload = registry.workload(name)
    missing = [
        driver.distribution
        for driver in workload.drivers(build(workload.parameters, parameters))
        if not driver.installed
    ]
    if missing and os.environ.get("CI") != "true":
        pytest.skip(f"{' and '.join(missing)} cannot be used here")


@pytest.fixture
def svfsc() -> None:
    """Skips without svfsc, which a machine without a compiler cannot have."""
    need_drivers("sparse")


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache folder for all that is compiled, because that takes seconds."""
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture
def native(svfsc: None, compiled: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skips where the native harness for sparse files cannot be compiled."""
    need_drivers("sparse", language="cpp")
    monkeypatch.setenv("SLUICE_CACHE", str(compiled))


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Dataset]]:
    """A small generated dataset of a kind, the same throughout the session; do not change it."""
    folder = tmp_path_factory.mktemp("made")
    known: dict[str, Dataset] = {}

    def make(kind: str) -> Dataset:
        if kind not in known:
            shape = registry.dataset_kind(kind).shape
            assert shape is not None
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("SLUICE_CACHE", str(folder / "cache"))
                try:
                    known[kind] = make_dataset(kind, small(shape), folder / kind)
                except Unavailable as missing:
                    if os.environ.get("CI") == "true":
                        raise
                    pytest.skip(str(missing))
        return known[kind]

    yield make
    for dataset in known.values():
        assert any(regular_files(dataset.path))


@pytest.fixture
def untouched(made: Callable[[str], Dataset]) -> Iterator[Callable[[Path], None]]:
    """Fails a test after which anything beside the watched data has changed."""
    before: dict[Path, dict[Path, tuple[int, int]]] = {}

    def watch(path: Path) -> None:
        folder = path if path.is_dir() else path.parent
        before[folder] = listing(folder)

    yield watch
    for folder, was in before.items():
        assert listing(folder) == was
