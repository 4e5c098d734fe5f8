"""Small datasets, caches of the tests' own, real servers, and a watch over the data."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from driving import need_drivers, skipped_where_unavailable, small

from core.lab.lab_client import Lab, throw_away_lab
from core.measure import make_dataset
from core.vocabulary import Dataset, registry, regular_files


def listing(folder: Path) -> dict[Path, tuple[int, int]]:
    """All that a write beside the data would change."""
    places = [folder, *folder.rglob("*")]
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in places}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


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
                with skipped_where_unavailable():
                    known[kind] = make_dataset(kind, small(shape), folder / kind)
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


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Real servers, each started when it is first asked for; all are stopped at the end."""
    folder = tmp_path_factory.mktemp("lab")
    with pytest.MonkeyPatch.context() as patch, throw_away_lab(folder) as lab:
        patch.setenv("SLUICE_LAB", str(folder))
        yield lab


@pytest.fixture(scope="session")
def unused_port() -> Iterator[int]:
    """Taken, but nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]
