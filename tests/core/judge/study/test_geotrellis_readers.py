"""A study of stores: what it measures here depends on cores, and on the servers that run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import building
import msgspec
import pytest

from core.judge import load_study, reproduction_of
from core.judge.study.cells import one_way, server_values
from core.judge.study.reproduction import scoreboard
from core.lab.lab_folder import LabFolder
from core.language import Unavailable, report_to_nobody
from core.measure import lab_servers, make_dataset
from core.measure.machine.lab_records import lab_link
from core.run import Request, task_of
from core.tell.card_text import sum_up
from core.tell.cli import main
from core.tell.report.report_content import Chapter, card_of
from core.tell.tables.result_tables import summarise
from core.vocabulary import Dataset, Result, ServerUse
from core.vocabulary.registry import servers_of
from workloads.tiles.make_layer import LayerShape
from workloads.tiles.tile_parameters import PYSPARK

NAME = "geotrellis-readers"
STORES = {"File", "Hadoop", "S3", "Accumulo", "Cassandra"}


@pytest.fixture
def no_lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path / "lab"))


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return Dataset(kind="tile-layer", location=str(tmp_path), fingerprint="00" * 16)


@pytest.mark.quick
@pytest.mark.parametrize("cores", [0.5, 1, 2, 3, 4, 6, 8, 16, 100])
def test_that_on_every_machine_claims_are_about_cells_of_the_study(cores: float) -> None:
    study = load_study(NAME, cores)
    labels = [cell.label for cell in study.cells]
    assert len(labels) == len(set(labels)) == 5 * (6 + 3) + 2 * 4
    for claim in study.claims:
        assert {claim.cell, claim.to or claim.cell} <= set(labels), claim.text
        assert "{" not in claim.text
    assert {cell.base for cell in study.cells} <= set(labels)


@pytest.mark.quick
@pytest.mark.parametrize(("cores", "threads"), [(1, 2), (2, 2), (6, 4), (8, 8), (64, 16)])
def test_that_claims_about_the_cores_are_about_as_many_threads(cores: float, threads: int) -> None:
    claims = load_study(NAME, cores).claims
    (more,) = [claim for claim in claims if claim.text.startswith("More") and "Cass" in claim.text]
    assert more.cell == f"Cassandra, {2 * threads} threads"
    assert more.to == f"Cassandra, {threads} threads"
    assert "twice as many against as many" in more.text  # no number, so that it can be translated


@pytest.mark.quick
@pytest.mark.parametrize(
    ("cores", "ratio"), [(2, 15541 / 20120), (5, 15541 / 20120), (6, 12532 / 10610)]
)
def test_that_the_published_figures_are_those_of_the_nearest_cores(
    cores: float, ratio: float
) -> None:
    figures = {cell.label: cell.published for cell in load_study(NAME, cores).cells}
    many, four = figures["Accumulo, 32 threads"], figures["Accumulo, 4 threads"]
    assert many is not None
    assert four is not None
    assert many / four == pytest.approx(ratio, rel=0.001)
    assert figures["File, 4 threads"] is None


@pytest.mark.quick
@pytest.mark.parametrize("store", ["accumulo", "cassandra"])
def test_that_what_ran_on_some_cores_is_never_taken_for_what_ran_on_all(store: str) -> None:
    cells = [cell for cell in load_study(NAME, 2).cells if cell.at["store"] == store]
    collection = [cell for cell in cells if cell.at["reader"] == "collection"]
    places = {(cell.at["cores"], cell.at["threads"]) for cell in collection}
    assert len(places) == len(collection) == 6 + 4
    assert {cores for cores, _ in places} == {0, 1, 2}


@pytest.mark.quick
@pytest.mark.parametrize(
    ("store", "ratios"),
    [("Accumulo", (18541 / 9541, 20120 / 10610)), ("Cassandra", (9511 / 4541, 13261 / 7610))],
)
def test_that_claims_about_twice_the_cores_have_the_published_ratios(
    store: str, ratios: tuple[float, float]
) -> None:
    study = load_study(NAME, 2)
    twice = [one for one in study.claims if one.text.startswith("Twice") and store in one.text]
    assert [study.published_ratio(claim) for claim in twice] == pytest.approx(ratios, rel=0.002)


@pytest.mark.quick
def test_that_cells_for_more_cores_than_there_are_are_left_out_with_a_sentence(
    no_lab: None, dataset: Dataset
) -> None:
    study = load_study(NAME, 2)
    (cell,) = [cell for cell in study.cells if cell.label == "File, 4 threads"]
    many = msgspec.structs.replace(cell, at=cell.at | {"cores": 1000}, label="on many")
    changed = msgspec.structs.replace(study, cells=(cell, many))
    assert list(changed.specs(dataset, {})) == ["File, 4 threads"]
    assert "1000 cores were asked for" in changed.reason(many, dataset)


def measured(rates: dict[str, float]) -> list[Result]:
    """Results of these cells, in tiles a second."""
    cells = {cell.label: cell for cell in load_study(NAME, 2).cells}
    found = []
    for label, rate in rates.items():
        own = dict(cells[label].at)
        load = {name: int(own.pop(name)) for name in ("threads", "cores") if name in own}
        spec = building.spec("tiles", parameters=own, **load)
        steady = (rate * (0.998 + 0.001 * at) for at in range(5))
        found.append(building.good(spec, *steady))
    return found


@pytest.mark.quick
def test_that_its_headline_is_the_cheapest_number_of_threads_of_each_store() -> None:
    results = measured(
        {
            "File, 1 thread": 50.0,
            "File, 2 threads": 100.0,
            "File, 4 threads": 100.1,
            "S3, 1 thread": 20.0,
            "S3, 4 threads": 80.0,
            "Accumulo on 1 core, 8 threads": 500.0,
            "Cassandra, 8 threads": 500.0,
        }
    )
    study = load_study(NAME, 2)
    found = reproduction_of(study, results)
    headline = sum_up(results, len(results), reproduction=found)
    assert headline.text == "Threads to use here: File 2 threads, S3 4 threads."
    assert card_of(Chapter(title="", results=tuple(results), study=study)).lead == headline.text


@pytest.mark.quick
def test_that_the_time_of_a_tile_stands_beside_the_rate() -> None:
    results = measured({"File, 1 thread": 50.0})
    board = reproduction_of(load_study(NAME, 2), results).board
    row = dict(zip(board.titles, board.rows[0], strict=False))
    assert row["time per tile"] == "20.0 ms"
    titles = [column.title for column in summarise(results).columns]
    assert titles[titles.index("Throughput") + 1] == "Time per tile"


@pytest.mark.quick
def test_that_ratios_are_to_four_threads_of_the_same_store(no_lab: None) -> None:
    rows = {row[0]: row for row in scoreboard(load_study(NAME, 4), {}).rows}
    assert rows["Accumulo, 4 threads"][2] == rows["Cassandra, 4 threads"][2] == "1.00×"
    assert rows["Cassandra, 32 threads"][2] == "0.575×"


@pytest.mark.quick
def test_that_stores_without_a_server_are_left_out_with_a_sentence(
    no_lab: None, dataset: Dataset
) -> None:
    study = load_study(NAME, 2)
    specs = study.specs(dataset, {})
    assert {spec.parameters["store"] for spec in specs.values()} == {"file"}
    for cell in study.cells:
        if cell.label.startswith(("S3", "Cassandra")):
            assert "python -m core lab start" in study.reason(cell, dataset)
    task = task_of(Request(workload="tiles", study=NAME, floor=False), dataset)
    told = [one for one in task.left_out if "the lab's server s3 does not run" in one]
    assert len(told) == 1
    assert re.match(r"\d+ settings, S3, 1 thread to S3 RDD, 32 threads: ", told[0])


@pytest.mark.quick
def test_that_a_store_is_where_the_lab_says(tmp_path: Path) -> None:
    servers = [
        {"name": "hdfs", "state": "ready", "address": "hdfs://127.0.0.1:9/tiles"},
        {"name": "s3", "state": "starting", "address": ""},
    ]
    (tmp_path / "state.json").write_text(json.dumps({"keeper": 1, "servers": servers}))
    assert lab_servers(tmp_path) == {}  # as its keeper was killed
    with LabFolder(tmp_path).kept():
        addresses = {name: one.address for name, one in lab_servers(tmp_path).items()}
    uses = tuple(
        ServerUse(server=name, at={"store": name}, values={"window": 3}) for name in ("hdfs", "s3")
    )
    values = {"store": "hdfs", "threads": 4}
    wanted = {"address": "hdfs://127.0.0.1:9/tiles", "window": 3}
    assert server_values(values, uses, addresses) == wanted
    with pytest.raises(Unavailable, match="s3 does not run"):
        server_values({"store": "s3"}, uses, addresses)
    assert server_values({"store": "file"}, uses, {}) == {}


_S3, _PROXY = "s3://tiles?endpoint=http://a", "s3://tiles?endpoint=http://b"


@pytest.mark.quick
@pytest.mark.parametrize(
    ("used", "cassandra", "asked"),
    [
        (("s3", "cassandra"), "directly", _S3),
        (("s3", "cassandra"), "20 ms", _PROXY),
        (("s3",), "directly", _PROXY),
    ],
)
def test_that_all_stores_of_a_study_go_through_a_slow_link_or_none(
    used: tuple[str, ...], cassandra: str, asked: str
) -> None:
    uses = [use for use in servers_of(load_study(NAME).workload) if use.server in used]
    servers = {
        "s3": (_S3, "directly"),
        "proxy": (_PROXY, "20 ms"),
        "cassandra": ("cassandra://c/tiles", cassandra),
    }
    (use,) = [use for use in uses if use.server == "s3"]
    assert use.found(one_way(uses, servers))["address"] == asked


@pytest.mark.quick
def test_that_a_trial_knows_how_its_store_was_reached(tmp_path: Path) -> None:
    servers = [
        {"name": "s3", "state": "ready", "address": _S3},
        {
            "name": "proxy",
            "state": "ready",
            "address": _PROXY,
            "options": {"of": "s3", "latency": 0.02, "rate": 0.0},
        },
    ]
    (tmp_path / "state.json").write_text(json.dumps({"keeper": 1, "servers": servers}))
    with LabFolder(tmp_path).kept():
        assert lab_link(["s3", _S3], tmp_path) == "directly"
        assert lab_link(["s3", _PROXY], tmp_path) == "through the slow link, 20 ms"
        assert lab_link(["s3", "s3://mine"], tmp_path) == ""


@pytest.mark.quick
@pytest.mark.parametrize("text", ["", "[]", '{"servers": 3}', '{"servers": [{"name": 1}]}'])
def test_that_a_damaged_state_of_the_lab_is_a_lab_that_does_not_run(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "state.json").write_text(text)
    assert lab_servers(tmp_path) == {}


@pytest.mark.slow
def test_that_the_study_runs_on_files_alone(
    no_lab: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("SLUICE_CACHE", "SLUICE_STATE", "SLUICE_SESSIONS"):
        monkeypatch.setenv(name, str(tmp_path / name))
    tiles = LayerShape(columns=8, rows=8, tile_size=64)
    make_dataset("tile-layer", tiles, tmp_path / "layer", report_to_nobody)
    data = ("--dataset", str(tmp_path / "layer"))
    short = ("--repeats", "1", "--duration", "0.1", "--warm-up", "0", *data)
    assert main(["study", NAME, *short, "--session", str(tmp_path / "of.sluice")]) == 0
    told = capsys.readouterr().out
    rows = [line.split() for line in told.splitlines() if line.startswith(" File")]
    completed = [row for row in rows if row[-1] == "completed"]
    assert len(completed) == 6 + 3 * PYSPARK.installed, told


@pytest.mark.quick
@pytest.mark.parametrize("cores", [1, 4, 50])
def test_that_claims_about_writers_are_about_cells_of_their_study(cores: float) -> None:
    study = load_study("geotrellis-writers", cores)
    labels = {cell.label for cell in study.cells}
    assert {claim.cell for claim in study.claims} | {claim.to for claim in study.claims} <= labels
    assert {cell.base for cell in study.cells} <= labels


@pytest.mark.quick
def test_that_what_writers_do_is_never_taken_for_a_reader(no_lab: None, dataset: Dataset) -> None:
    readers, writers = load_study(NAME, 2), load_study("geotrellis-writers", 2)
    specs = writers.specs(dataset, {})
    assert len(specs) == 6
    for spec in specs.values():
        for cell in readers.cells:
            assert not cell.at.items() <= spec.values.items()
