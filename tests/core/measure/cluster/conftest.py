"""Clusters of real Dask processes, and trials on them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from containers import Containers, refusal
from patience import PATIENCE

from core.measure import Connection
from core.measure.cluster.connection import Deadlines
from core.vocabulary import AnyFiles, Dataset

pytest.importorskip("distributed")
# The rigged workload is also what dies on nodes.
sys.path.append(str(Path(__file__).parents[3] / "faults"))

from dask_cluster import DaskProcesses, Far


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    path = tmp_path_factory.mktemp("data") / "some.bin"
    path.write_bytes(bytes(range(256)) * 256)
    return AnyFiles().open(path)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskProcesses]:
    """A scheduler and two workers, for tests that leave them alive."""
    with DaskProcesses(tmp_path_factory.mktemp("pair")) as dask:
        dask.worker()
        dask.worker()
        yield dask


@pytest.fixture(scope="module")
def on_pair(pair: DaskProcesses, data: Dataset) -> Iterator[Far]:
    with Connection(pair.address, Deadlines(joining=PATIENCE)) as connection:
        yield Far(connection, data)


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[DaskProcesses]:
    """A cluster of a test's own, to be damaged."""
    with DaskProcesses(tmp_path / "dask") as found:
        yield found


@pytest.fixture
def containers(tmp_path: Path) -> Iterator[Containers]:
    """A network without a node yet, with some data."""
    if refusal():
        pytest.skip(refusal())
    (tmp_path / "some.bin").write_bytes(bytes(range(256)) * 256)
    with Containers(tmp_path) as found:
        yield found
