"""What one setting did inside: its bars are whole, in proportion, and not too many."""

from __future__ import annotations

import building
import msgspec
import pytest

from core.analysis.figures import FigureBar
from core.language.units import show_seconds
from core.output.inside import Inside
from core.result.outcome import Crashed
from core.result.result import Result

pytestmark = pytest.mark.quick


def bars(result: Result, title: str) -> tuple[FigureBar, ...]:
    """Those of the section of that title, if there is one."""
    inside = Inside.of(result, result, {result.spec.digest: ""})
    found = {section.title: section.bars for section in inside.sections}
    return found.get(title, ())


def test_that_percentiles_are_those_of_the_setting_and_of_the_best_one() -> None:
    result = building.good(building.spec(threads=1), 1000.0, 1001.0)
    best = building.good(building.spec(threads=2), 2000.0, 2001.0)
    names = {result.spec.digest: "one", best.spec.digest: "two"}
    drawn = Inside.of(result, best, names).percentiles.curves
    assert [curve.name for curve in drawn] == ["one", "two"]
    assert [point.at for point in drawn[0].points][:3] == [50.0, 90.0, 95.0]
    assert drawn[0].points[0].value == pytest.approx(0.001, rel=0.05)
    assert [curve.name for curve in Inside.of(best, best, names).percentiles.curves] == ["two"]


def test_that_what_was_not_timed_has_no_latencies() -> None:
    spec = building.spec()
    result = building.result(spec, [building.trial(spec, histogram=b"")])
    assert Inside.of(result, result, {spec.digest: ""}).percentiles.curves == ()
    assert bars(result, "Trials")


def test_that_parts_of_the_time_add_up_to_all_of_it() -> None:
    spec = building.spec()
    both = [building.trial(spec, index=at, steps=("open", "fetch")) for at in range(2)]
    trials = [
        msgspec.structs.replace(
            one,
            workers=tuple(
                msgspec.structs.replace(worker, phases=(10**9, 3 * 10**9)) for worker in one.workers
            ),
        )
        for one in both
    ]
    found = {
        bar.name: (bar.value, bar.text) for bar in bars(building.result(spec, trials), "Time in")
    }
    assert found == {
        "open": (0.25, f"25 % · {show_seconds(2)}"),
        "fetch": (0.75, f"75 % · {show_seconds(6)}"),
    }


def test_that_the_first_workers_of_the_last_trial_are_told_and_how_many_more_there_are() -> None:
    spec = building.spec(threads=20)
    found = bars(building.good(spec, 1000.0, 2000.0), "Workers of the last trial")
    assert [bar.name for bar in found] == [*(f"#{number}" for number in range(1, 17)), "4 more"]
    assert [bar.value for bar in found] == [1.0] * 16 + [0.0]
    assert found[0].text.startswith("100/s, ")
    sixteen = bars(building.good(building.spec(threads=16), 1000.0), "Workers of the last trial")
    assert [bar.name for bar in sixteen][-1] == "#16"


def test_that_memory_and_files_are_in_proportion_to_the_most_of_each() -> None:
    found = {
        bar.name: bar.value for bar in bars(building.good(building.spec(), 1.0), "Memory and files")
    }
    assert found["peak"] == 1
    assert 0 < found["own"] < 1
    assert found["open files"] == 1
    assert found["dataset files"] == pytest.approx(12 / 20)


def test_that_trials_are_in_proportion_to_the_best_and_bad_ends_stand_out() -> None:
    spec = building.spec()
    crashed = building.trial(spec, index=2, outcome=Crashed(stage="measuring", signal="SIGBUS"))
    result = building.result(spec, [*building.good(spec, 100.0, 200.0).trials, crashed])
    found = bars(result, "Trials")
    assert [(bar.name, bar.value, bar.failed) for bar in found] == [
        ("trial 1", pytest.approx(0.5), False),
        ("trial 2", 1.0, False),
        ("trial 3", 0.0, True),
    ]


def test_that_of_many_trials_the_last_24_are_told() -> None:
    found = bars(building.good(building.spec(), *[100.0] * 30), "Trials")
    assert [bar.name for bar in found] == [f"trial {number}" for number in range(7, 31)]
