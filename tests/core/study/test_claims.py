"""When a published claim counts as reproduced, and what is listed."""

from __future__ import annotations

import building
import msgspec
import pytest

from core.cli import main
from core.output.card_text import Headline, headline_of_study
from core.result.result import Result
from core.study import (
    FAMILIES,
    Claim,
    Judgement,
    judge,
    listing,
    load_study,
    reproduction_of,
    study_names,
)

pytestmark = pytest.mark.quick

STUDY = load_study("seqrepo-fd-cache")
SAME = Claim(
    text="", kind="ratio", cell="ours", to="theirs", published="1.0×", low=0.95, high=1 / 0.95
)
FASTER = Claim(text="", kind="ratio", cell="ours", to="theirs", published="2×", low=1.3)
BREAKS = Claim(text="", kind="breaks", cell="ours", published="does not complete")
STEADY = (1000.0, 1010.0, 990.0, 1005.0, 995.0)


def judged(claim: Claim, ours: Result, theirs: Result | None = None) -> Judgement:
    study = msgspec.structs.replace(STUDY, claims=(claim,))
    cells = {"ours": ours} | ({"theirs": theirs} if theirs else {})
    return judge(study, cells)[0].judgement


def rated(factor: float, wobble: float = 0.001, trials: int = 5) -> Result:
    rates = [factor * rate * (1 + wobble * (-1) ** at) for at, rate in enumerate(STEADY[:trials])]
    return building.good(building.spec(), *rates)


@pytest.mark.parametrize(
    ("ours", "judgement"),
    [
        (rated(1.01), Judgement.REPRODUCED),
        (rated(0.97), Judgement.REPRODUCED),
        (rated(1.2), Judgement.NOT_REPRODUCED),
        (rated(0.8), Judgement.NOT_REPRODUCED),
        (rated(1 / 0.95), Judgement.CANNOT_TELL),
    ],
)
def test_that_no_real_difference_is_shown_by_an_interval_within_the_range(
    ours: Result, judgement: Judgement
) -> None:
    assert judged(SAME, ours, rated(1.0)) is judgement


def test_that_noise_around_one_is_no_equivalence() -> None:
    assert judged(SAME, rated(1.0, wobble=0.3), rated(1.0)) is Judgement.CANNOT_TELL


def test_that_the_ratio_is_the_cells_over_the_others() -> None:
    assert judged(FASTER, rated(2.0), rated(1.0)) is Judgement.REPRODUCED
    assert judged(FASTER, rated(1.0), rated(2.0)) is Judgement.NOT_REPRODUCED


def test_that_one_trial_shows_nothing() -> None:
    assert judged(FASTER, rated(2.0, trials=1), rated(1.0)) is Judgement.CANNOT_TELL
    value = Claim(text="", kind="value", cell="ours", metric="fds", published="9", low=1, high=60)
    assert judged(value, rated(1.0, trials=1)) is Judgement.CANNOT_TELL
    assert judged(value, rated(1.0)) is Judgement.REPRODUCED


def test_that_a_break_is_denied_only_after_enough_trials() -> None:
    assert judged(BREAKS, rated(1.0, trials=4)) is Judgement.CANNOT_TELL
    assert judged(BREAKS, rated(1.0)) is Judgement.NOT_REPRODUCED
    assert judged(BREAKS, building.invalid()[0]) is Judgement.REPRODUCED


def test_that_all_five_families_are_listed_and_the_missing_say_so() -> None:
    rows = {one.name: one for one in listing()}
    assert set(rows) >= {name for family in FAMILIES for name in family.studies}
    assert {one.family for one in rows.values()} >= {1, 2, 3, 4, 5}
    for name, row in rows.items():
        assert bool(row.claims) == (name in study_names())
        assert row.missing or row.claims


def test_that_a_study_says_the_family_it_is_listed_in() -> None:
    for family in FAMILIES:
        for name in set(family.studies) & set(study_names()):
            assert load_study(name).family == family.number


def test_that_studies_prints_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["studies"]) == 0
    out = capsys.readouterr().out
    for family in FAMILIES:
        for name in family.studies:
            assert name in out


def headline(of: int = 18, **cells: list[str]) -> Headline:
    results = building.study_of_costs(**cells)
    return headline_of_study(reproduction_of(load_study("svfs-threads"), results), results, of, {})


def test_that_the_headline_of_a_study_counts_its_claims() -> None:
    told = headline()
    assert told.text == "5 of 6 published claims are reproduced here."
    assert told.mood == "good"
    assert "1 is not: " in told.detail


def test_that_the_headline_of_an_unfinished_study_is_open() -> None:
    told = headline(of=19)
    assert told.mood == "open"
    assert "18 of 19 configurations measured so far" in told.detail


def test_that_a_study_whose_claims_are_mostly_open_is_no_good_news() -> None:
    told = headline(of=16, without=["C++ coalesced, 1 thread", "Python coalesced, 1 thread"])
    assert told.mood == "open"
    assert "cannot be told" in told.detail


def test_that_wrong_data_is_in_the_headline() -> None:
    assert "3 wrong in" in headline(broken=["C++ coalesced, 64 threads"]).detail
