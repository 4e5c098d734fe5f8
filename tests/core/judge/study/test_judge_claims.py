"""When a published claim counts as reproduced, and what is listed."""

from __future__ import annotations

import math

import building
import msgspec
import pytest

from core.judge import (
    FAMILIES,
    Judged,
    Judgement,
    listing,
    load_study,
    reproduction_of,
    sizes,
    study_names,
    tally,
)
from core.judge.study.cells import StudyCell
from core.judge.study.judge_claims import Size, judge
from core.judge.study.preset import Claim
from core.language import UnknownName
from core.tell.card_text import sum_up
from core.tell.card_values import Headline
from core.tell.cli import main
from core.vocabulary import Result

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


def test_that_a_study_and_a_kind_of_claim_that_are_not_known_are_named() -> None:
    with pytest.raises(
        UnknownName, match=r"named 'seqrepo-fd-cash' \(did you mean seqrepo-fd-cache"
    ):
        load_study("seqrepo-fd-cash")
    with pytest.raises(ValueError, match="a claim of an unknown kind: odd"):
        judged(msgspec.structs.replace(SAME, kind="odd"), rated(1.0), rated(1.0))


def test_that_a_break_is_denied_only_after_enough_trials() -> None:
    assert judged(BREAKS, rated(1.0, trials=4)) is Judgement.CANNOT_TELL
    assert judged(BREAKS, rated(1.0)) is Judgement.NOT_REPRODUCED
    assert judged(BREAKS, building.invalid()[0]) is Judgement.REPRODUCED


def test_that_all_five_families_are_listed_and_the_missing_say_so() -> None:
    rows = {one.name: one for one in listing()}
    assert set(rows) >= {name for family in FAMILIES for name in family.studies}
    assert {one.family for one in rows.values()} >= {1, 2, 3, 4, 5}
    for name, row in rows.items():
        of_programs = name in study_names() and bool(load_study(name).programs)
        assert bool(row.claims) == (name in study_names() and not of_programs)
        assert row.missing or row.claims or of_programs


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
    return sum_up(results, of, reproduction=reproduction_of(load_study("svfs-threads"), results))


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


def test_that_a_single_claim_is_spoken_of_as_one() -> None:
    kept = ("C++ coalesced, 1 thread", "C++ coalesced, 128 threads")
    others = [cell.label for cell in load_study("svfs-threads").cells if cell.label not in kept]
    told = headline(of=2, without=others)
    assert told.text == "1 of 6 published claims is reproduced here."
    assert "5 cannot be told from these trials" in told.detail


def test_that_wrong_data_is_in_the_headline() -> None:
    assert "3 wrong in" in headline(broken=["C++ coalesced, 64 threads"]).detail


RISING = Claim(text="", kind="ratio", cell="b", to="a", published="2×", direction="more")
FALLING = Claim(text="", kind="ratio", cell="a", to="b", published="0.5×", direction="less")


def of_published_two(claim: Claim, factor: float, wobble: float = 0.001) -> Judged:
    """What is said of b ÷ a, whose published ratio is 2, where it is so much here."""
    cells = [
        StudyCell(at={}, label=label, published=rate) for label, rate in (("a", 50.0), ("b", 100.0))
    ]
    study = msgspec.structs.replace(STUDY, claims=(claim,), cells=tuple(cells), baseline="a")
    (one,) = judge(study, {"a": rated(1.0), "b": rated(factor, wobble)})
    return one


@pytest.mark.parametrize("claim", [RISING, FALLING])
@pytest.mark.parametrize(
    ("factor", "judgement", "size"),
    [
        (2.1, Judgement.REPRODUCED, Size.AS_PUBLISHED),
        (1.3, Judgement.REPRODUCED, Size.LESS),
        (4.0, Judgement.REPRODUCED, Size.MORE),
        (1.02, Judgement.REPRODUCED, Size.LESS),
        (0.999, Judgement.NOT_REPRODUCED, Size.LESS),
        (0.7, Judgement.NOT_REPRODUCED, Size.LESS),
    ],
)
def test_that_direction_and_size_of_an_effect_are_judged_apart(
    claim: Claim, factor: float, judgement: Judgement, size: Size
) -> None:
    found = of_published_two(claim, factor)
    assert found.judgement is judgement
    # Of an inverse ratio more is less.
    turned = {Size.LESS: Size.MORE, Size.MORE: Size.LESS}
    assert found.size is (size if claim is RISING else turned.get(size, size))


def test_that_a_size_on_the_edge_of_its_range_cannot_be_told_though_the_direction_is_plain() -> (
    None
):
    found = of_published_two(RISING, 2.2, wobble=0.15)
    assert (found.judgement, found.size) == (Judgement.REPRODUCED, Size.CANNOT_TELL)


def test_that_a_direction_is_told_from_an_interval_as_strict_as_a_verdict() -> None:
    """At 95 % one of forty studies would find an effect that is not there."""
    found = of_published_two(RISING, 1.15, wobble=0.085)
    low = float(found.here.split("(")[1].split("×")[0])
    assert low <= 1.0
    assert found.judgement is Judgement.CANNOT_TELL
    assert found.reason.startswith("about ")


def test_that_what_cannot_be_told_says_how_many_trials_would_tell() -> None:
    few, many = (of_published_two(RISING, factor, wobble=0.085).reason for factor in (1.15, 1.08))
    assert 5 < trials_in(few) < trials_in(many)
    assert "too close" in of_published_two(RISING, 1.015, wobble=0.3).reason
    ranged = Claim(text="", kind="ratio", cell="b", to="a", published="1×", low=0.9, high=1.11)
    assert 5 < trials_in(of_published_two(ranged, 1.0, wobble=0.12).reason) < 100
    assert of_published_two(ranged, 1.0001).reason == ""


def trials_in(reason: str) -> int:
    return int(reason.split("about ")[1].split(maxsplit=1)[0])


def test_that_only_effects_with_a_published_figure_have_a_size() -> None:
    without = msgspec.structs.replace(RISING, metric="peak_rss")
    assert of_published_two(without, 2.0).size is None
    ranged = msgspec.structs.replace(RISING, low=3.0, high=5.0)
    assert of_published_two(ranged, 4.0).size is Size.AS_PUBLISHED
    assert of_published_two(ranged, 1.5).size is Size.LESS


def test_that_sizes_are_counted_in_a_sentence() -> None:
    found = [of_published_two(RISING, factor) for factor in (1.3, 2.0, 2.1, 9.0)]
    assert sizes(found) == "Effects compared in size: 2 as published, 1 smaller, 1 larger."
    assert tally(found).endswith(sizes(found))
    assert sizes(judge(STUDY, {})) == ""


def test_that_claims_with_a_direction_are_ratios_with_both_ends_of_a_size_or_none() -> None:
    for name in study_names():
        for claim in load_study(name).claims:
            assert not claim.direction or claim.kind == "ratio"
            one_sided = (claim.low == 0.0) != (claim.high == math.inf)
            assert not claim.direction or not one_sided, claim.text
