"""Measured again: two settings in turn, and the request of a plan."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import building
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Axis, Inspection, Request
from core.judge import pairs_in
from core.judge.estimation import measured_apart
from core.language import DatasetError, UsageError
from core.measure import find_dataset, sessions_folder
from core.run import Session, again, data_changes, request_of, request_of_setting, task_of
from core.run.session.plan_trust import trust
from core.tell.cli import main
from core.vocabulary import FEWEST_TO_STOP, REPEATS_TO_COMPARE, Completed, Dataset, Result, specify

QUICK = {"duration": 0.0, "operations": 200, "warm_up": 0.0}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path / "kept"))
    place = tmp_path / "data"
    place.mkdir()
    (place / "some.bin").write_bytes(bytes(range(256)) * 4096)
    return find_dataset("raw", place)


def result(data: Dataset, **values: Any) -> Result:
    return building.good(specify("raw", data, QUICK | values), 100.0, 110.0, 105.0)


def session(path: Path, *results: Result) -> str:
    with Session.create(path) as opened:
        for one in results:
            plan = building.plan([one.spec], repeats=len(one.trials))
            run = opened.begin_run(plan, building.environment(), {}, ["sluice"])
            for trial in one.trials:
                opened.append(run, trial)
            opened.end_run(run, "completed")
            trust(opened.run(run))
    return str(path)


def test_that_both_sides_stand_in_every_block(data: Dataset) -> None:
    plan = again([(result(data), result(data, threads=2))], repeats=4)
    blocks = [slot.block for slot in plan.slots()]
    assert blocks == [0, 0, 1, 1, 2, 2, 3, 3]
    threads = [[s.spec.load.threads for s in plan.slots() if s.block == at] for at in (0, 3)]
    assert [sorted(one) for one in threads] == [[1, 2], [1, 2]]


def test_that_a_side_of_several_pairs_is_measured_once(data: Dataset) -> None:
    base = result(data)
    pairs = [(base, result(data, threads=count)) for count in (2, 4)]
    plan = again(pairs, repeats=2)
    assert len(plan.specs) == 3
    measured = [building.good(spec, 1.0, 2.0) for spec in plan.specs]
    told = [(a.spec.load.threads, b.spec.load.threads) for a, b in pairs_in(plan, measured)]
    assert told == [(1, 2), (1, 4)]
    assert pairs_in(plan, measured[1:]) == ()


def test_that_with_a_budget_each_side_has_the_fewest_trials_that_can_tell(data: Dataset) -> None:
    pair = (result(data), result(data, threads=2))
    assert again([pair]).repeats == REPEATS_TO_COMPARE
    assert again([pair], budget=30.0).repeats == FEWEST_TO_STOP
    assert again([pair], 7, budget=30.0).repeats == 7


def test_that_one_setting_is_not_measured_against_itself(data: Dataset) -> None:
    with pytest.raises(UsageError, match="nothing to measure in turn"):
        again([(result(data), result(data))], repeats=2)


def test_that_data_that_is_gone_is_said_to_be_gone(data: Dataset) -> None:
    pair = (result(data), result(data, threads=2))
    (data.path / "some.bin").unlink()
    with pytest.raises(DatasetError, match="has changed since it was measured"):
        again([pair], repeats=2)
    data.path.rmdir()
    with pytest.raises(DatasetError, match="does not exist"):
        again([pair], repeats=2)


def test_that_data_that_has_changed_is_not_measured(data: Dataset) -> None:
    pair = (result(data), result(data, threads=2))
    with (data.path / "some.bin").open("r+b") as file:
        file.write(b"other")
    with pytest.raises(DatasetError, match="has changed since it was measured"):
        again([pair], repeats=2)


def sides(data: Dataset, tmp_path: Path) -> Sequence[str]:
    return [
        session(tmp_path / "a.sluice", result(data)),
        session(tmp_path / "b.sluice", result(data, threads=2)),
    ]


@pytest.mark.parametrize("turns", ["auto", "off"])
def test_that_compare_again_measures_in_turn_into_one_new_session_and_judges_that(
    data: Dataset, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], turns: str
) -> None:
    asked = ["compare", *sides(data, tmp_path), "--again", "--repeats", "3", "--turns", turns]
    code = main([*asked, "--json"])
    lines = capsysbinary.readouterr().out.splitlines()
    assert msgspec.json.decode(lines[0])["type"] == "run-planned"
    told = msgspec.json.decode(lines[-1])
    assert (told["type"], told["exit_code"]) == ("compared", code)
    (verdict,) = told["verdicts"]
    assert verdict["trials"] == [3, 3]
    assert verdict["drift"] is None
    assert "apart" not in verdict["sentence"]
    (path,) = sessions_folder().iterdir()
    with Session.read(path) as opened:
        one, two = opened.results()
    assert {type(trial.outcome) for side in (one, two) for trial in side.trials} == {Completed}
    assert not measured_apart(one.trials, two.trials)
    assert all(
        bool(trial.turns) is (turns == "auto") for side in (one, two) for trial in side.trials
    )


def test_that_compare_again_prints_a_verdict_and_where_the_trials_are_kept(
    data: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "again.sluice"
    main(["compare", *sides(data, tmp_path), "--again", "--repeats", "2", "--session", str(place)])
    told = capsys.readouterr()
    assert "2 threads" in told.out
    assert " interval" in told.out
    assert str(place) in told.err
    assert place.exists()


def test_that_what_belongs_to_again_is_refused_without_it(
    data: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = sides(data, tmp_path)
    for name, value in (("--repeats", "3"), ("--turns", "off")):
        assert main(["compare", *both, name, value]) == 2
        assert f"{name} belongs to --again" in capsys.readouterr().err


def test_that_a_refused_comparison_leaves_no_session_behind(
    data: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = session(tmp_path / "a.sluice", result(data))
    assert main(["compare", place, place, "--again"]) == 2
    assert "nothing to measure in turn" in capsys.readouterr().err
    assert not sessions_folder().exists()


COUNTS = st.lists(st.integers(1, 16), unique=True, min_size=2, max_size=4)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    for number in range(4):
        (folder / f"{number}.bin").write_bytes(bytes(range(256)) * 64)
    return folder


@given(
    threads=COUNTS,
    cold=st.booleans(),
    repeats=st.integers(1, 9),
    duration=st.sampled_from((0.2, 1.0, 3.0)),
    budget=st.sampled_from((0.0, 20.0)),
    seed=st.integers(1, 99),
)
def test_that_a_request_made_from_a_plan_makes_the_same_plan(
    files: Path,
    threads: list[int],
    cold: bool,
    repeats: int,
    duration: float,
    budget: float,
    seed: int,
) -> None:
    request = Request(
        workload="raw",
        values={"duration": duration, "seed": seed},
        axes=(
            Axis("threads", tuple(sorted(threads))),
            *([Axis("page_cache", ("as-is", "cold"))] if cold else []),
        ),
        repeats=repeats,
        budget=budget,
        floor=False,
    )
    dataset = Inspection.of(files, "raw").dataset
    plan = task_of(request, dataset).plan
    again = task_of(request_of(plan), dataset).plan
    assert {spec.digest for spec in again.specs} == {spec.digest for spec in plan.specs}
    assert (again.repeats, again.budget, again.terms) == (plan.repeats, plan.budget, plan.terms)
    assert (again.turns, again.seed) == (plan.turns, plan.seed)


def test_that_a_plan_is_asked_for_with_the_words_that_led_to_it(files: Path) -> None:
    axes = (Axis("threads", (1, 2, 4)), Axis("page_cache", ("cold", "as-is")))
    request = Request(workload="raw", axes=axes, dataset=files, budget=30.0, floor=False)
    plan = task_of(request, Inspection.of(files, "raw").dataset).plan
    assert plan.specs[0].load.duration < 1.0
    assert request_of(plan).command_line() == request.command_line()
    assert "duration" not in request_of_setting(plan, plan.specs[0]).values


def test_that_data_is_compared_with_what_was_measured(tmp_path: Path) -> None:
    (tmp_path / "one.bin").write_bytes(bytes(1000))
    data = Inspection.of(tmp_path).dataset
    spec = building.spec("raw", parameters={"block_size": 4096}, data=data)
    assert data_changes([spec]) == ()
    (tmp_path / "one.bin").write_bytes(bytes(1001))
    (change,) = data_changes([spec])
    assert "has changed since it was measured" in change
    unknown = Dataset(kind="of nobody", location=str(tmp_path), fingerprint="00")
    (change,) = data_changes([building.spec("raw", data=unknown)])
    assert "nobody knows its kind" in change
    gone = Dataset(kind="files", location=str(tmp_path / "no"), fingerprint="00")
    with pytest.raises(DatasetError, match="does not exist any more"):
        data_changes([building.spec("raw", data=gone)])
