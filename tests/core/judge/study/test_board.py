"""What a study's table and claims make of metrics, scales, lines and cells that cannot be run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import building
import msgspec
import pytest

from core.judge import Judged, Judgement, Study, listing, load_study, study_names
from core.judge.study.cells import Ladder, StudyCell, cells_on
from core.judge.study.judge_claims import _judge_values, judge
from core.judge.study.preset import Claim
from core.judge.study.reproduction import scoreboard
from core.language import Unavailable
from core.tell.cli import main
from core.vocabulary import Dataset, Result, Value

pytestmark = pytest.mark.quick

SPARSE = load_study("svfs-read")
SIZES = (32, 512, 4096, 16_384)


def needing(size: int, *seconds: float) -> Result:
    """A result of needs of that size that took so long each."""
    spec = building.spec("sparse", parameters={"need_size": size})
    return building.good(spec, *(1 / each for each in seconds))


def line_judged(results: Sequence[Result | None], high: float = 0.5) -> Judged:
    cells = tuple(f"{size} B" for size in SIZES[: len(results)])
    claim = Claim(
        text="", kind="linear", cells=cells, over="need_size", published="a line", high=high
    )
    study = msgspec.structs.replace(SPARSE, claims=(claim,))
    found = {name: one for name, one in zip(cells, results, strict=True) if one is not None}
    (judged,) = judge(study, found)
    return judged


def straight(size: int) -> float:
    return 0.2e-6 + 0.1e-9 * size


def test_that_what_grows_in_a_line_is_linear() -> None:
    judged = line_judged([needing(size, straight(size), 1.01 * straight(size)) for size in SIZES])
    assert judged.judgement is Judgement.REPRODUCED


def test_that_what_grows_with_the_square_is_not() -> None:
    judged = line_judged([needing(size, *[1e-15 * size**2] * 2) for size in SIZES])
    assert judged.judgement is Judgement.NOT_REPRODUCED


def test_that_one_repetition_off_the_line_leaves_it_open() -> None:
    bent = {size: (straight(size), straight(size)) for size in SIZES}
    bent[4096] = (straight(4096), 20 * straight(4096))
    judged = line_judged([needing(size, *seconds) for size, seconds in bent.items()])
    assert judged.judgement is Judgement.CANNOT_TELL


def test_that_a_line_needs_three_cells_and_all_of_them() -> None:
    good = [needing(size, straight(size), straight(size)) for size in SIZES]
    for results in (good[:2], [*good[:3], None]):
        judged = line_judged(results)
        assert judged.judgement is Judgement.CANNOT_TELL
        assert "three cells" in judged.reason


def small_study(**changes: object) -> Study:
    cells = (
        StudyCell(at={"language": "cpp"}, label="C++", published=6.3),
        StudyCell(at={"language": "python"}, label="Python", published=2.1),
    )
    return msgspec.structs.replace(SPARSE, cells=cells, baseline="C++", claims=(), **changes)


def row_of(
    study: Study, results: dict[str, Result], label: str, everything: Sequence[Result] = ()
) -> tuple[str, ...]:
    return next(row for row in scoreboard(study, results, everything).rows if row[0] == label)


def test_that_the_table_shows_the_studys_metric_in_its_own_unit() -> None:
    # The trials of `building` read five bytes with each operation.
    result = building.good(building.spec(), *[float(2 << 20)] * 3)
    row = row_of(small_study(metric="byte_rate", scale=float(1 << 20)), {"C++": result}, "C++")
    assert row[3].startswith("10")
    in_calls = row_of(small_study(metric="throughput", scale=1.0), {"C++": result}, "C++")
    assert in_calls[3].startswith("2,097,")


def test_that_the_table_shows_what_share_of_plain_reads_is_reached() -> None:
    signal = building.spec("signal", parameters={"access": "sequential"})
    plain = building.spec("raw", parameters={"access": "sequential", "block_size": 131_072})
    study = small_study(columns=("floor",))
    result, floor = building.good(signal, 100.0), building.good(plain, 400.0)
    assert scoreboard(study, {}).titles[5] == "of raw"
    assert row_of(study, {"C++": result}, "C++", [result, floor])[5] == "25 %"
    assert row_of(study, {"C++": result}, "C++", [result])[5] == "–"


@pytest.mark.parametrize(
    ("cores", "threads"),
    [(1, [4]), (2, [4]), (3, [4, 6]), (8, [4, 8, 16]), (20, [4, 8, 16, 32, 40])],
)
def test_that_a_ladder_goes_as_far_as_the_machine(cores: float, threads: list[int]) -> None:
    four = StudyCell(at={"reader": "any", "threads": 4}, label="4 threads", published=1.0)
    last = StudyCell(at={"reader": "other", "threads": 1}, label="other")
    ladder = Ladder(after="4 threads", label="{} threads", threads_per_core=2.0)
    *rungs, end = cells_on((four, last), (ladder,), cores)
    assert [cell.at for cell in rungs] == [{"reader": "any", "threads": n} for n in threads]
    assert [cell.label for cell in rungs] == [f"{n} threads" for n in threads]
    assert [cell.published for cell in rungs] == [1.0, *[None] * (len(threads) - 1)]
    assert end == last


def test_that_a_signal_study_goes_to_twice_the_cores() -> None:
    for name in ("slow5-pod5-sequential", "slow5-pod5-random"):
        labels = [cell.label for cell in load_study(name, 10).cells]
        assert len(labels) == len(set(labels))
        for reader in ("BLOW5 C", "BLOW5 CXX", "POD5 io", "POD5 mmap"):
            assert {f"{reader}, {n} threads" for n in (2, 4, 8, 16, 20)} <= set(labels)


@pytest.mark.parametrize(
    ("metric", "here"),
    [("byte_rate", "10.3 MiB/s (9 MiB/s to 11.8 MiB/s)"), ("p50", "462 ns (402 ns to 531 ns)")],
)
def test_that_a_value_is_told_as_the_table_tells_it(metric: str, here: str) -> None:
    claim = Claim(text="", kind="value", cell="C++", metric=metric, published="")
    study = msgspec.structs.replace(small_study(), claims=(claim,))
    result = building.good(building.spec(), 2.0 * 2**20, 2.2 * 2**20, 2.0 * 2**20)
    (judged,) = judge(study, {"C++": result})
    assert judged.here == here


@pytest.mark.parametrize(("value", "here"), [(1 / 18, "0.05556"), (2796.0, "2796")])
def test_that_a_count_that_all_trials_share_is_whole_or_has_four_digits(
    value: float, here: str
) -> None:
    claim = Claim(text="", kind="counter", cell="C++", metric="requests_each", published="")
    assert _judge_values(claim, [value, value]).here == here


@pytest.fixture
def index(tmp_path: Path) -> Dataset:
    return Dataset(kind="sparse-index", location=str(tmp_path), fingerprint="00" * 16)


@pytest.fixture
def no_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with the Python module and without its C++ sources."""
    module = ModuleType("svfsc")
    module.__spec__ = ModuleSpec("svfsc", None)
    monkeypatch.setitem(sys.modules, "svfsc", module)
    monkeypatch.setattr("sys.prefix", "/nowhere")
    monkeypatch.delenv("SLUICE_SVFSC_SOURCES", raising=False)


@pytest.fixture
def nothing_of_it(no_sources: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which svfsc could not be built."""
    monkeypatch.setitem(sys.modules, "svfsc", None)


def test_that_a_cell_without_its_driver_is_a_row_with_the_remedy(no_sources: None) -> None:
    row = row_of(small_study(), {}, "C++")
    assert row[-1].startswith("unavailable: the C++ sources of svfsc are missing (install: make")
    assert row[-1].count("install: make") == 1
    assert row_of(small_study(), {}, "Python")[-1] == "not measured"


def test_that_the_other_cells_are_run_where_one_cannot_be(no_sources: None, index: Dataset) -> None:
    assert list(small_study().specs(index, {})) == ["Python"]


def test_that_a_study_of_which_no_cell_can_be_run_says_why(
    nothing_of_it: None, index: Dataset
) -> None:
    with pytest.raises(Unavailable, match="svfsc are missing"):
        small_study().specs(index, {})
    assert all("unavailable" in row[-1] for row in scoreboard(small_study(), {}).rows)


def test_that_the_list_of_studies_says_which_cannot_be_run(
    nothing_of_it: None, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = {one.name: one for one in listing()}
    assert "svfsc are missing" in rows["svfs-read"].missing
    assert rows["svfs-read"].claims
    assert main(["studies"]) == 0
    assert "not here: unavailable: the C++ sources" in capsys.readouterr().out


def test_that_doctor_tells_the_module_from_its_sources(
    no_sources: None, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["doctor"])
    lines = {line[6:30].strip(): line for line in capsys.readouterr().out.splitlines()}
    assert lines["svfsc"].startswith("ok")
    assert lines["svfsc from C++"].startswith("look")
    assert "install: make .venv" in lines["svfsc from C++"]


def test_that_the_list_of_studies_leaves_out_no_study_of_which_a_part_runs(
    no_sources: None,
) -> None:
    rows = {one.name: one for one in listing()}
    assert rows["svfs-read"].missing == ""


@pytest.mark.parametrize("name", study_names())
def test_that_what_a_study_refers_to_is_there(name: str) -> None:
    study = load_study(name)
    labels = [cell.label for cell in study.cells]
    assert len(set(labels)) == len(labels)
    assert study.baseline in labels
    configurations: list[dict[str, Value]] = [cell.at for cell in study.cells]
    assert all(one not in configurations[:place] for place, one in enumerate(configurations))
    for line in (line for figure in study.figures for line in figure.lines):
        at = [cell.at for label in line.cells for cell in study.cells if cell.label == label]
        assert len(at) == len(line.cells)
        assert not line.charted or len(line.charted) == len(line.cells)
    for figure in study.figures:
        drawn = {label for line in figure.lines for label in line.cells}
        assert all(figure.over in cell.at for cell in study.cells if cell.label in drawn)
    for claim in study.claims:
        assert {claim.cell, claim.to, *claim.cells} <= {*labels, ""}
        assert claim.low <= claim.high
