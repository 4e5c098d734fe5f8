"""A node that has something else than the coordinator is refused before any clock runs."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest
from dask_cluster import DaskProcesses, Far
from patience import PATIENCE

from core.measure import Connection
from core.measure.cluster.connection import Deadlines, spread
from core.vocabulary import Dataset, Failed, Trial, dataset_kind, specify


def refusal(trial: Trial) -> str:
    assert isinstance(trial.outcome, Failed)
    assert trial.outcome.error == "UnequalNode"
    assert trial.workers == ()
    return trial.outcome.message


def pretended(folder: Path, name: str, version: str) -> str:
    """A folder of modules in which that version seems to be installed."""
    described = folder / "other" / f"{name}-{version}.dist-info"
    described.mkdir(parents=True)
    (described / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    )
    return str(described.parent)


def test_that_a_node_with_another_sluice_is_refused_and_told_what_to_install(
    dask: DaskProcesses, data: Dataset, tmp_path: Path
) -> None:
    dask.worker(before=(pretended(tmp_path, "sluice", "9.9.9"),))
    with Connection(dask.address, Deadlines(joining=PATIENCE)) as connection:
        far = Far(connection, data)
        told = refusal(far.run(far.spec()))
    assert told.startswith("node 1 of 1 (tcp://127.0.0.1:")
    here = version("sluice")
    wanted = f"here is {here}; install there: pip install sluice=={here}"
    assert f"it has Sluice 9.9.9, and {wanted}" in told


def test_that_a_node_with_another_python_is_refused(
    dask: DaskProcesses, data: Dataset, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import platform\nplatform.python_version = lambda: '3.99.1'\n"
    )
    dask.worker(before=(str(tmp_path),))
    with Connection(dask.address, Deadlines(joining=PATIENCE)) as connection:
        far = Far(connection, data)
        told = refusal(far.run(far.spec()))
    here = platform.python_version()
    assert f"it has Python 3.99.1, and here is {here}; install there: Python {here}" in told


def test_that_a_node_with_another_driver_is_refused_and_told_what_to_install(
    dask: DaskProcesses, tmp_path: Path
) -> None:
    genome = tmp_path / "genome.fa"
    genome.write_text(">one\nACGTACGT\n>two\nTTGACA\n")
    dask.worker(before=(pretended(tmp_path, "pyfaidx", "0.0.7"),))
    spec = specify("fasta", dataset_kind("fasta").open(genome), {"reader": "pyfaidx"})
    with Connection(dask.address, Deadlines(joining=PATIENCE)) as connection:
        told = refusal(Far(connection, spec.dataset).run(spec))
    here = version("pyfaidx")
    assert f"it has pyfaidx 0.0.7, and here is {here}" in told
    assert f"install there: pip install pyfaidx=={here}" in told


@pytest.mark.parametrize(
    ("spec", "dataset", "told"),
    [
        ({"version": 7}, {}, "it has rigged:Rigged 1, and here is 7"),
        ({}, {"fingerprint": "0" * 32}, "some.bin is other data there"),
        (
            {},
            {"location": "/nowhere/some.bin"},
            "/nowhere/some.bin is not there (put the data where all nodes have it",
        ),
    ],
    ids=["workload", "data", "no data"],
)
def test_that_a_node_with_another_workload_or_other_data_is_refused(
    on_pair: Far, spec: dict[str, object], dataset: dict[str, object], told: str
) -> None:
    here = on_pair.spec(nodes=2)
    other = msgspec.structs.replace(here.dataset, **dataset)
    assert told in refusal(on_pair.run(msgspec.structs.replace(here, dataset=other, **spec)))


def test_that_workers_on_different_machines_are_taken_first() -> None:
    workers = {
        "tcp://a:1": {"host": "a"},
        "tcp://a:2": {"host": "a"},
        "tcp://b:1": {"host": "b"},
        "tcp://c:1": {"host": "c"},
    }
    assert spread(workers) == ["tcp://a:1", "tcp://b:1", "tcp://c:1", "tcp://a:2"]
