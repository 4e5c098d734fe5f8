"""What a report says of that which limits the meaning of its figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import building
import msgspec
import pytest

from core.judge import load_study
from core.run import Session
from core.tell.report.report_content import Chapter, caveats
from core.vocabulary import PageCacheProof, Result

pytestmark = pytest.mark.quick

SPECS = [building.spec(threads=threads) for threads in range(1, 9)]
CROWDED = building.spec(threads=9)
NAMES = {CROWDED.digest: "crowded"} | {
    spec.digest: f"threads {spec.load.threads}" for spec in SPECS
}


def said(results: Sequence[Result]) -> tuple[str, ...]:
    return caveats(Chapter(title="a sweep", results=tuple(results)), NAMES)


def saying(words: str, results: Sequence[Result]) -> list[str]:
    return [one for one in said(results) if words in one]


@pytest.mark.parametrize(
    ("how", "told"),
    [
        (None, "The run was not finished, or still goes on: 1 of 4 trials are recorded."),
        ("cancelled", "The run was cancelled: 1 of 4 trials are recorded."),
        ("completed", ""),
    ],
)
def test_that_a_run_that_was_not_completed_says_how_much_of_it_there_is(
    tmp_path: Path, how: str | None, told: str
) -> None:
    plan = building.plan(SPECS[:2], repeats=2)
    with Session.create(tmp_path / "a.sluice") as session:
        number = session.begin_run(plan, building.environment(), {}, [])
        session.append(number, building.trial(SPECS[0]))
        if how:
            session.end_run(number, how)  # type: ignore[arg-type]
        chapter = Chapter(title="", results=tuple(session.results()), run=session.run(number))
    assert [one for one in caveats(chapter, NAMES) if "recorded" in one] == ([told] if told else [])


def test_that_results_of_one_and_of_two_trials_are_named() -> None:
    rates = ((1.0,), (1.0, 2.0), (1.0, 2.0, 3.0))
    results = [building.good(spec, *some) for spec, some in zip(SPECS, rates, strict=False)]
    assert saying("no interval yet", results) == [
        "1 trial: no interval yet (threads 1).",
        "2 trials: no interval yet (threads 2).",
    ]
    assert saying("no interval yet", [building.good(spec, 100.0) for spec in SPECS]) == [
        "1 trial: no interval yet (all results)."
    ]


@pytest.mark.parametrize(("bad", "named", "more"), [(1, 1, ""), (5, 5, ""), (6, 4, "2 more")])
def test_that_the_first_results_without_throughput_are_named_and_the_others_counted(
    bad: int, named: int, more: str
) -> None:
    results = [
        building.result(spec, [building.trial(spec, wrong=int(at < bad))])
        for at, spec in enumerate(SPECS)
    ]
    assert len(saying("is left out of comparisons", results)) == named
    assert [one[: len(more)] for one in saying("more result", results)] == ([more] if more else [])


def test_that_workers_beyond_the_cores_and_results_of_several_machines_are_told() -> None:
    cores = building.environment().usable_cores
    results = [building.good(spec, 100.0) for spec in (SPECS[-1], CROWDED)]
    assert SPECS[-1].load.threads == cores
    assert saying("More workers", results) == ["More workers than usable cores: crowded."]
    assert not saying("different machines", results)
    elsewhere = msgspec.structs.replace(
        results[1], environment=building.environment(machine_id="another")
    )
    assert saying("different machines", [results[0], elsewhere])


def test_that_notes_of_trials_are_told_once_with_how_many_have_them() -> None:
    trials = [
        building.trial(SPECS[0], index=at, notes=notes)
        for at, notes in enumerate([("hot",), ("hot", "late"), ()])
    ]
    told = said([building.result(SPECS[0], trials)])
    assert told[-2:] == ("hot (2 trials)", "late (1 trial)")


def test_that_the_page_cache_is_told_as_it_was() -> None:
    assert saying("left as it was", [building.good(SPECS[0], 1.0)]) == [
        "The page cache was left as it was: 50 % of the data was in it when the clocks started."
    ]


def test_that_one_in_many_that_was_timed_is_told() -> None:
    spec = SPECS[0]
    often, seldom = (building.histogram([10**6], times) for times in (1400, 100))
    assert not saying(
        "drawn at random", [building.result(spec, [building.trial(spec, histogram=often)])]
    )
    (told,) = saying(
        "drawn at random", [building.result(spec, [building.trial(spec, histogram=seldom)])]
    )
    assert told.startswith("One in up to 20 operations")
    untimed = building.result(spec, [building.trial(spec, histogram=b"")])
    assert saying("timed several at once", [untimed])


@pytest.mark.parametrize(("share", "told"), [(0.049, 0), (0.05, 1)])
def test_that_what_measuring_and_checking_cost_is_told_from_a_twentieth_on(
    share: float, told: int
) -> None:
    costly = building.trial(SPECS[0], self_cost=1e6 * share)
    found = saying("the cost of measuring itself", [building.result(SPECS[0], [costly])])
    assert len(found) == told
    checked = [
        msgspec.structs.replace(worker, paused=round(share * worker.ended))
        for worker in costly.workers
    ]
    trial = msgspec.structs.replace(costly, self_cost=0.0, workers=tuple(checked))
    found = saying("checking the data between", [building.result(SPECS[0], [trial])])
    assert len(found) == told


def test_that_data_that_was_in_the_page_cache_is_not_called_cold() -> None:
    half = PageCacheProof(wanted="cold", before=building.residency(), after=None)
    trial = building.trial(SPECS[0], page_cache=half)
    result = building.result(SPECS[0], [trial])
    assert saying("Not proven cold", [result])
    assert not saying("Not proven cold", [building.good(SPECS[0], 100.0)])
    assert not saying("left as it was", [result])


@pytest.mark.parametrize(("once", "more"), [(5, ""), (6, " and 2 more")])
def test_that_of_many_names_the_first_stand_for_all(once: int, more: str) -> None:
    results = [
        building.good(spec, *[100.0] * (1 if at < once else 3)) for at, spec in enumerate(SPECS)
    ]
    (told,) = saying("no interval yet", results)
    assert told.endswith(f"{more or '; threads 5'}).")


def test_that_an_unknown_study_compares_with_nothing(tmp_path: Path) -> None:
    plan = building.plan(SPECS[:1], study="of tomorrow")
    with Session.create(tmp_path / "a.sluice") as session:
        run = session.run(session.begin_run(plan, building.environment(), {}, []))
    results = (building.good(SPECS[0], 100.0),)
    told = caveats(Chapter(title="", results=results, run=run), NAMES)
    assert [one for one in told if "of tomorrow” is not known" in one]
    known = Chapter(title="", results=results, run=run, study=load_study("svfs-threads"))
    assert not [one for one in caveats(known, NAMES) if "is not known" in one]
