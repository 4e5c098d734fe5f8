"""Requests by real Spark: read, judged, timed apart from Spark's own work, and ended."""

from __future__ import annotations

import os
import pickle
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from driving import need_drivers, open_job
from marking import arguments_of

from core.language import SluiceError, report_to_nobody
from core.measure import cache_folder
from core.vocabulary import Context, Dataset, Load, build, open_dataset, values_of
from workloads.tiles.layer_catalogue import Layer, rectangle
from workloads.tiles.layer_in_store import layer_of, open_store, place_layer
from workloads.tiles.make_layer import LayerShape, make_layer
from workloads.tiles.rdd_job import (
    JobFailed,
    PartitionTask,
    open_partition,
    open_rdd_job,
    read_partition,
)
from workloads.tiles.spark_application import own_words
from workloads.tiles.stores.file_store import file_of
from workloads.tiles.tile_parameters import TileParameters
from workloads.tiles.tiles_workload import TilesOfImagery


@pytest.fixture
def spark() -> None:
    """Skips without Spark, which is large."""
    need_drivers("tiles", reader="rdd")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A layer that no other test has, of 24 places with 6 holes."""
    path = tmp_path / "layer"
    path.mkdir()
    shape = LayerShape(columns=6, rows=4, tile_size=16, bands=2, holes=0.25, level=1, seed=77)
    make_layer(shape, path, report_to_nobody)
    return path


@pytest.fixture
def layer(folder: Path) -> Iterator[Layer]:
    opened = Layer.open(folder)
    yield opened
    opened.close()


def dataset_of(folder: Path) -> Dataset:
    return open_dataset(folder, ("tile-layer",))


def keys_of(layer: Layer) -> list[int]:
    heading = layer.heading
    return list(rectangle(heading.column, heading.row, heading.columns, heading.rows))


def damage(layer: Layer) -> dict[str, int]:
    """Make two tiles wrong, one a hole, and one unreadable; returns the complaints expected."""
    first, second, third, fourth, *_ = layer.placed
    store = open_store(build(TileParameters, {}), layer_of(layer.heading))
    store.put(first, layer.object(second))
    store.put(second, layer.object(first))
    store.put(third, b"no deflated data")
    store.close()
    file_of(cache_folder() / "tiles" / layer_of(layer.heading), fourth).unlink()
    return {"the tile of another key": 2, "a hole where the layer has a tile": 1, "error": 1}


def reading(folder: Path, threads: int = 3, **parameters: Any) -> PartitionTask:
    values = values_of(build(TileParameters, parameters))
    return PartitionTask(
        dataset=dataset_of(folder), values=values, threads=threads, job=uuid.uuid4().hex[:8]
    )


@pytest.mark.parametrize("way", [{}, {"batch": 5}, {"depth": "fetch"}], ids=str)
def test_that_a_partition_reads_and_verifies_its_keys(
    folder: Path, layer: Layer, way: dict[str, Any]
) -> None:
    place_layer(dataset_of(folder), build(TileParameters, {}), report_to_nobody)
    keys = keys_of(layer)[:17]
    ((part, counted),) = read_partition(reading(folder, **way), iter(keys))
    assert (part.operations, part.complaints, counted) == (17, (), {})
    assert part.bytes == sum(layer.placed[key].size for key in keys if key in layer.placed)


def test_that_a_partition_tells_every_wrong_tile(folder: Path, layer: Layer) -> None:
    place_layer(dataset_of(folder), build(TileParameters, {}), report_to_nobody)
    expected = damage(layer)
    ((part, _),) = read_partition(reading(folder), iter(keys_of(layer)))
    wrong = {one.text: one.count for one in part.complaints if one.wrong_data}
    errors = [one for one in part.complaints if not one.wrong_data]
    assert wrong | {"error": sum(one.count for one in errors)} == expected
    assert part.operations == 23


def test_that_partitions_of_a_process_share_a_store_until_another_job_comes(
    folder: Path, layer: Layer
) -> None:
    place_layer(dataset_of(folder), build(TileParameters, {}), report_to_nobody)
    first, later = reading(folder), reading(folder)
    assert list(open_partition(first, [])) == []
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        ((part, _),) = read_partition(first, iter(keys_of(layer)))
        assert part.operations == 24
    ((part, _),) = read_partition(later, iter(keys_of(layer)))
    assert part.operations == 24
    assert len(os.listdir("/proc/self/fd")) <= before


def test_that_an_empty_partition_is_no_fault(folder: Path) -> None:
    place_layer(dataset_of(folder), build(TileParameters, {}), report_to_nobody)
    ((part, _),) = read_partition(reading(folder), iter(()))
    assert (part.operations, part.bytes, part.complaints) == (0, 0, ())


def test_that_what_partitions_are_sent_holds_references_to_secrets(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILES_PLANTED", "plan+ed/secret")
    sent = reading(folder, store="s3", address="s3://tiles", secret_key="env:TILES_PLANTED")
    told = pickle.dumps(sent)
    assert b"env:TILES_PLANTED" in told
    assert b"plan+ed" not in told


def answer(job: Any) -> Any:
    with job.worker(0) as (step,):
        return step.perform(job.items[0])


def family() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


def pids() -> set[int]:
    """Ours, those of servers that the suite has started among them."""
    return {process.pid for process in family()}


@pytest.mark.slow
@pytest.mark.parametrize("master", ["local[2]", "local-cluster[2,1,600]"])
def test_that_real_spark_reads_requests_and_finds_what_is_wrong(
    spark: None, folder: Path, layer: Layer, cache: Path, master: str
) -> None:
    before, variables = pids(), dict(os.environ)
    job = open_job("tiles", folder, threads=3, reader="rdd", master=master)
    try:
        assert (job.workers, job.partitions, job.client_threads) == (1, 2, 6)
        whole = answer(job)
        assert list(job.faults(job.items[0], whole)) == []
        weight = job.weigh([whole])
        assert (weight.operations, weight.bytes) == (24, layer.heading.bytes)
        assert weight.paused == whole.verifying
        assert [part.operations for part in whole.parts] == [12, 12]
        assert 0 < whole.inside < whole.took

        job.rewind()
        expected = damage(layer)
        whole = answer(job)
        faults = list(job.faults(job.items[0], whole))
        wrong = [fault.text for fault in faults if fault.wrong_data]
        assert {text: wrong.count(text) for text in wrong} | {"error": 1} == expected
        assert len(faults) == 4
        counters = job.counters()
        assert (counters["windows"], counters["tiles of a window"]) == (1, 24)
        alone = counters["seconds of jobs"] - counters["seconds in partitions"]
        assert counters["seconds of jobs alone"] == pytest.approx(alone)
        assert alone > 0

        (settings,) = cache.glob("spark/*/conf/spark-defaults.conf")
        assert settings.stat().st_mode & 0o777 == 0o600
        secret = settings.read_text().partition("spark.authenticate.secret ")[2].split()[0]
        assert len(secret) > 20
        assert "java" in (told := "\n".join(word for one in family() for word in arguments_of(one)))
        assert secret not in told
    finally:
        job.close()
    assert pids() <= before
    assert list((cache / "spark").iterdir()) == []
    assert dict(os.environ) == variables


@pytest.mark.slow
def test_that_a_partition_that_breaks_is_told_in_its_own_words(
    spark: None, folder: Path, layer: Layer
) -> None:
    context = Context(
        dataset=dataset_of(folder),
        parameters=build(
            TileParameters, {"reader": "rdd", "master": "local[1]", "address": "/dev/null/nowhere"}
        ),
        load=Load(threads=1),
        process=0,
        run_id="test",
        cache=folder,
        report=report_to_nobody,
    )
    before = pids()
    with pytest.raises(JobFailed) as raised:
        answer(open_rdd_job(context, keys_of(layer)))
    told = str(raised.value)
    assert "/dev/null/nowhere" in told
    assert "\n" not in told
    assert pids() <= before


def test_that_a_master_where_nobody_listens_is_refused_at_once(spark: None, folder: Path) -> None:
    with pytest.raises(SluiceError, match=r"nobody answers at 127\.0\.0\.1:1"):
        open_job("tiles", folder, reader="rdd", master="spark://127.0.0.1:1")


@pytest.mark.parametrize(
    ("told", "own"),
    [
        ("", "Exception"),
        (
            "java.net.ConnectException: Connection refused\n\tat sun.nio.ch",
            "java.net.ConnectException: Connection refused",
        ),
        (
            "org.apache.spark.SparkException: Job aborted: \nTraceback (most recent call last):\n"
            '  File "worker.py", line 1, in main\n    process()\n'
            "core.language.errors.SluiceError: nobody answers: start it\n\n\tat org.apache.spark.api\n",
            "core.language.errors.SluiceError: nobody answers: start it",
        ),
    ],
)
def test_that_an_error_is_told_without_the_traces_around_it(told: str, own: str) -> None:
    assert own_words(Exception(told)) == own


def test_that_with_spark_processes_and_shares_mean_nothing() -> None:
    asked = build(TileParameters, {"reader": "rdd"})
    assert TilesOfImagery().irrelevant(asked) == {"processes", "share"}
    assert TilesOfImagery().irrelevant(build(TileParameters, {})) == set()


def test_that_cores_mean_nothing_where_spark_is_on_other_machines() -> None:
    def irrelevant(master: str) -> frozenset[str]:
        return TilesOfImagery().irrelevant(
            build(TileParameters, {"reader": "rdd", "master": master})
        )

    assert "cores" in irrelevant("spark://far:7077")
    assert not {"cores"} & (irrelevant("local[2]") | irrelevant("local-cluster[2,1,600]"))


def test_that_what_a_collection_reads_is_not_varied_by_spark() -> None:
    asked = build(TileParameters, {"reader": "collection", "master": "local[7]", "partitions": 3})
    assert asked == build(TileParameters, {})
