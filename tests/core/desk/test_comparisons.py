"""What is offered after a comparison, and that its command finds the same pair."""

from __future__ import annotations

from pathlib import Path

import building
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.desk import Act, standings
from core.desk.comparisons import comparing_arguments, next_to_compare, plan_to_compare
from core.desk.steps import LONGEST
from core.judge import (
    choose,
    means_value,
    text_that_means,
)
from core.judge.comparison import compare
from core.measure import find_dataset
from core.vocabulary import Result, Value, Verdict, VerdictKind, ending, specify

pytestmark = pytest.mark.quick
STEADY = (1000.0, 1004.0, 998.0, 1002.0, 997.0, 1001.0)
WIDE = (900.0, 1104.0, 998.0, 1202.0, 897.0, 1001.0)


def one(*rates: float, threads: int = 1) -> Result:
    return building.good(building.spec(threads=threads), *rates)


def apart(result: Result) -> Result:
    """The same, measured in another session."""
    later = [msgspec.structs.replace(one, block=one.block + 100) for one in result.trials]
    return msgspec.structs.replace(result, trials=tuple(later))


def offered(baseline: Result, candidate: Result) -> list[Act]:
    verdict = compare(baseline, candidate)
    return [step.act for step in next_to_compare(verdict, baseline, candidate)]


def test_that_what_was_told_in_turn_offers_nothing() -> None:
    faster = tuple(2 * rate for rate in STEADY)
    assert offered(one(*STEADY), one(*faster, threads=2)) == []


def test_that_the_only_setting_has_no_rank_and_says_how_it_ended() -> None:
    alone, other = one(*STEADY), one(*(2 * rate for rate in STEADY), threads=2)
    (told,) = standings([alone], None, None, over=True)
    assert told.text == ending(alone)
    assert ending(alone) not in [
        place.text for place in standings([alone, other], None, None, over=True)
    ]


def test_that_what_is_open_is_offered_to_be_measured_in_turn() -> None:
    baseline, candidate = one(*STEADY), one(*WIDE, threads=2)
    (step,) = next_to_compare(compare(baseline, candidate), baseline, candidate)
    assert step.act is Act.AGAIN
    assert step.text.startswith("Measure both in turn (at most ")


def test_that_what_was_measured_apart_is_offered_to_be_measured_in_turn() -> None:
    faster = tuple(9 * rate for rate in STEADY)
    baseline, candidate = one(*STEADY), apart(one(*faster, threads=2))
    assert compare(baseline, candidate).kind is VerdictKind.FASTER
    assert offered(baseline, candidate) == [Act.AGAIN]


def test_that_one_setting_is_not_offered_against_itself() -> None:
    assert offered(one(*STEADY), apart(one(*WIDE))) == []


def test_that_what_cannot_be_compared_is_not_offered() -> None:
    pair = one(*STEADY), one(*WIDE, threads=2)
    verdict = Verdict(
        kind=VerdictKind.INVALID, metric="throughput", margin=0.05, baseline="a", candidate="b"
    )
    assert next_to_compare(verdict, *pair) == ()


@given(
    st.booleans()
    | st.integers(min_value=0, max_value=1 << 53)
    | st.floats(min_value=0.0, max_value=1e12)
    | st.text()
)
def test_that_a_value_is_written_as_it_is_read(value: Value) -> None:
    assert means_value(text_that_means(value), value)


def test_that_the_command_of_its_run_chooses_the_same_pair(tmp_path: Path) -> None:
    place = tmp_path / "some.bin"
    place.write_bytes(bytes(range(256)) * 256)
    data = find_dataset("raw", place)
    sides = [
        building.good(specify("raw", data, {"duration": 0.5, **values}), *STEADY)
        for values in (
            {"threads": 1, "warm_up": 0.0},
            {"threads": 2, "access": "random", "warm_up": 0.25},
        )
    ]
    plan = plan_to_compare(sides[0], sides[1])
    # Ten trials of each, of 0.5 s, and what is around them on this machine, which may be busy.
    assert 10.0 < plan.budget <= LONGEST
    command = comparing_arguments(plan, tmp_path / "a#b.sluice", 3)
    assert command[0] == "compare"
    assert command[3:] == ["--again", "--budget", f"{plan.budget:g}"]
    chosen = []
    for written, session in zip(command[1:3], (tmp_path / "a#b.sluice", ""), strict=True):
        before, _, filters = written.rpartition("#")
        assert before == str(session)
        wanted = dict(each.split("=") for each in filters.split(","))
        assert wanted.pop("run") == "3"
        chosen.append(choose(sides, wanted))
    assert chosen == [(sides[0],), (sides[1],)]
