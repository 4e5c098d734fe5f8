"""A node that has something else than the coordinator is refused before any clock runs."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path

import msgspec
from dask_cluster import DaskProcesses, Far
from patience import PATIENCE

from core.catalog.dataset import Dataset
from core.catalog.registry import dataset_kind
from core.cluster.connection import Connection, Deadlines, spread
from core.plan.specify import specify
from core.result.outcome import Failed
from core.result.result import Trial


def refusal(trial: Trial) -> str:
    assert isinstance(trial.outcome, Failed)
    assert trial.outcome.error == "UnequalNode"
    assert trial.workers == ()
    return trial.outcome.message


def test_that_a_node_with_another_sluice_is_refused_and_told_what_to_install(
    dask: DaskProcesses, data: Dataset, tmp_path: Path
) -> None:
    other = tmp_path / "other" / "sluice-9.9.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: sluice\nVersion: 9.9.9\n")
    dask.worker(before=(str(other.parent),))
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
    other = tmp_path / "other" / "pyfaidx-0.0.7.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: pyfaidx\nVersion: 0.0.7\n")
    dask.worker(before=(str(other.parent),))
    spec = specify("fasta", dataset_kind("fasta").open(genome), {"reader": "pyfaidx"})
    with Connection(dask.address, Deadlines(joining=PATIENCE)) as connection:
        told = refusal(Far(connection, spec.dataset).run(spec))
    here = version("pyfaidx")
    assert f"it has pyfaidx 0.0.7, and here is {here}" in told
    assert f"install there: pip install pyfaidx=={here}" in told


def test_that_a_node_with_another_workload_is_refused(on_pair: Far) -> None:
    spec = msgspec.structs.replace(on_pair.spec(nodes=2), version=7)
    assert "it has rigged:Rigged 1, and here is 7" in refusal(on_pair.run(spec))


def test_that_a_node_with_other_data_is_refused(on_pair: Far) -> None:
    spec = on_pair.spec(nodes=2)
    other = msgspec.structs.replace(spec.dataset, fingerprint="0" * 32)
    told = refusal(on_pair.run(msgspec.structs.replace(spec, dataset=other)))
    assert "some.bin is other data there" in told


def test_that_a_node_without_the_data_is_refused(on_pair: Far) -> None:
    spec = on_pair.spec(nodes=2)
    gone = msgspec.structs.replace(spec.dataset, location="/nowhere/some.bin")
    told = refusal(on_pair.run(msgspec.structs.replace(spec, dataset=gone)))
    assert "/nowhere/some.bin is not there (put the data where all nodes have it" in told


def test_that_workers_on_different_machines_are_taken_first() -> None:
    workers = {
        "tcp://a:1": {"host": "a"},
        "tcp://a:2": {"host": "a"},
        "tcp://b:1": {"host": "b"},
        "tcp://c:1": {"host": "c"},
    }
    assert spread(workers) == ["tcp://a:1", "tcp://b:1", "tcp://c:1", "tcp://a:2"]
