"""Where no single operation was timed there is no percentile, whoever is asked."""

from __future__ import annotations

import csv
import io
import json

import building
import msgspec
import pytest
from page import Page
from test_export import exported

from core.judge import (
    Limits,
    advise,
    load_study,
    typical,
)
from core.judge.comparison import compare
from core.judge.study.reproduction import scoreboard
from core.measure import Count, Observer, SharedCounters
from core.measure.trial.counters import COUNTS
from core.tell.card_text import sum_up
from core.tell.cli.terminal_run import trial_line
from core.tell.report.page import render_report
from core.tell.report.report_content import Chapter, Report
from core.tell.tables.result_tables import summarise, tabulate_trials
from core.vocabulary import METRICS, Result, Trial, VerdictKind

QUANTILES = {name: METRICS[name].quantile or 0.0 for name in ("p50", "p99", "p999")}

pytestmark = pytest.mark.quick

SPECS = [building.spec(threads=threads) for threads in (1, 2, 4)]


def with_workers(trial: Trial, **changes: object) -> Trial:
    workers = tuple(msgspec.structs.replace(one, **changes) for one in trial.workers)
    return msgspec.structs.replace(trial, workers=workers)


def untimed(trial: Trial) -> Trial:
    """As where no item is a single operation."""
    return msgspec.structs.replace(
        with_workers(trial, timed=0, timed_squares=0),
        histogram=building.histogram([]),
        moments=tuple(msgspec.structs.replace(one, p50=0, p99=0) for one in trial.moments),
    )


@pytest.fixture
def results() -> list[Result]:
    return [
        building.result(spec, [untimed(building.trial(spec, index=3 * at + n)) for n in range(3)])
        for at, spec in enumerate(SPECS)
    ]


@pytest.fixture
def timed() -> list[Result]:
    """The same with each operation timed on its own."""
    return [
        building.good(spec, 1000.0, 1001.0, 999.0, first=3 * at) for at, spec in enumerate(SPECS)
    ]


def test_that_a_trial_and_a_result_have_no_latency(results: list[Result]) -> None:
    for result in results:
        assert result.latencies is None
        for name, quantile in QUANTILES.items():
            assert typical(result, name) is None
            assert result.values(name) == []
            assert all(trial.latency(quantile) is None for trial in result.trials)


def test_that_the_tables_have_none(results: list[Result], timed: list[Result]) -> None:
    for key in ("p50", "p99"):
        assert {cell.text for cell in summarise(results).column(key)} == {"–"}
        assert {cell.value for cell in tabulate_trials(results).column(key)} == {None}
        assert None not in {cell.value for cell in summarise(timed).column(key)}
        assert None not in {cell.value for cell in tabulate_trials(timed).column(key)}


@pytest.mark.parametrize("name", ["p50_seconds", "p99_seconds", "p999_seconds"])
def test_that_csv_has_none(results: list[Result], timed: list[Result], name: str) -> None:
    def told(of: list[Result]) -> set[bool]:
        return {
            bool(row[name]) for row in csv.DictReader(io.StringIO(exported(of, "csv").decode()))
        }

    assert told(results) == {False}
    assert told(timed) == {True}


def test_that_json_has_none(results: list[Result], timed: list[Result]) -> None:
    def told(of: list[Result]) -> set[bool]:
        found = json.loads(exported(of, "json"))["results"]
        return {value is not None for one in found for value in one["metrics"]["p99"]}

    assert told(results) == {False}
    assert told(timed) == {True}


def test_that_openmetrics_has_none(results: list[Result], timed: list[Result]) -> None:
    assert "sluice_latency_seconds{" not in exported(results, "openmetrics").decode()
    assert "sluice_latency_seconds{" in exported(timed, "openmetrics").decode()


def test_that_markdown_and_the_terminal_have_none(
    results: list[Result], timed: list[Result]
) -> None:
    assert " ms |" not in exported(results, "markdown").decode()
    assert " ms |" in exported(timed, "markdown").decode()
    assert "p99" not in trial_line(results[0].trials[0])
    assert "p99 3" in trial_line(timed[0].trials[0])


def test_that_the_report_has_none_and_says_why(results: list[Result], timed: list[Result]) -> None:
    def page(of: list[Result]) -> Page:
        chapter = Chapter(title="a sweep", results=tuple(of))
        return Page(render_report(Report(title="a sweep", chapters=(chapter,))))

    why = "the time of a single one is unknown"
    told, other = page(results), page(timed)
    assert any(why in text for text in told.texts)
    assert not any(why in text for text in other.texts)
    assert "Latency of one operation" not in told.texts
    assert "Latency of one operation" in other.texts
    titles, *rows = told.table("Trials in the order").rows
    for name in ("p50", "p99", "p99.9"):
        assert {row[titles.index(name)] for row in rows} == {"–"}


@pytest.mark.parametrize("metric", QUANTILES)
def test_that_none_is_compared(results: list[Result], timed: list[Result], metric: str) -> None:
    verdict = compare(results[0], results[1], metric=metric)
    assert verdict.kind is VerdictKind.INVALID
    assert verdict.reasons[0] == f"the baseline has trials without {metric}: 3 of 3"
    assert compare(timed[0], timed[1], metric=metric).kind is not VerdictKind.INVALID


def test_that_advice_has_none_and_cannot_tell_of_a_limit(
    results: list[Result], timed: list[Result]
) -> None:
    limits = Limits(most={"p99": 10.0})
    told, other = advise(results, limits), advise(timed, limits)
    assert told is not None
    assert other is not None
    assert {step.p99 for step in told.steps} == {None}
    assert None not in {step.p99 for step in other.steps}
    assert not told.confident
    assert "its p99 is not known" in told.sentence
    assert "p99" not in other.sentence
    without = advise(results)
    assert without is not None
    assert "p99" not in without.sentence


def test_that_the_card_and_the_scoreboard_have_none(
    results: list[Result], timed: list[Result]
) -> None:
    assert "99 %" not in sum_up(results[:1], 1).detail
    assert "99 %" in sum_up(timed[:1], 1).detail
    study = load_study("seqrepo-fd-cache")
    label = study.cells[0].label
    place = 5 + study.columns.index("p99")
    assert scoreboard(study, {label: results[0]}).rows[0][place] == "–"
    assert scoreboard(study, {label: timed[0]}).rows[0][place] != "–"


def test_that_trials_with_too_few_operations_are_taken_together() -> None:
    few = building.histogram([1_000_000] * 98 + [3_000_000] * 2, times=6)
    trials = [building.trial(SPECS[0], index=at, histogram=few) for at in range(3)]
    result = building.result(SPECS[0], trials)
    assert result.values("p99") == []
    assert typical(result, "p99") == pytest.approx(3e-3, rel=0.01)
    assert typical(result, "p50") == pytest.approx(1e-3, rel=0.01)
    assert typical(result, "p999") is None


def test_that_a_side_of_which_one_trial_tells_no_p99_is_not_compared_by_the_others() -> None:
    few = building.histogram([1_000_000], times=100)
    some = building.good(SPECS[0], *[1000.0] * 5)
    trials = (*some.trials[:4], msgspec.structs.replace(some.trials[4], histogram=few))
    verdict = compare(
        building.good(SPECS[1], *[1000.0] * 5, first=5),
        building.result(SPECS[0], trials),
        metric="p99",
    )
    assert verdict.kind is VerdictKind.INVALID
    assert verdict.reasons == ("the candidate has trials without p99: 1 of 5",)


class Timing:
    """A worker's slot into which operations of some length are put, and a look at it."""

    def __init__(self) -> None:
        self.block = SharedCounters.create(1)
        self.slot = self.block.slot(0)
        self.slot[Count.STARTED] = 1
        self.observer = Observer(self.block)

    def look(self, bucket: int, count: int, weight: int = 1) -> tuple[int, int]:
        self.slot[COUNTS + bucket] += count * weight
        self.slot[Count.TIMED] += count
        self.slot[Count.TIMED_SQUARES] += count * weight * weight
        moment = self.observer.look()
        return moment.p50, moment.p99

    def close(self) -> None:
        self.slot.release()
        self.block.close()


def test_that_moments_have_the_percentiles_of_as_many_operations_as_these_need() -> None:
    timing = Timing()
    assert timing.look(100, 0) == (0, 0)
    assert timing.look(100, 19) == (0, 0)
    assert timing.look(100, 1) == (100, 0)
    assert timing.look(100, 979) == (100, 0)
    assert timing.look(100, 1) == (100, 100)
    assert timing.look(90, 0) == (100, 100)  # a pause is no reason to forget
    timing.close()


def test_that_moments_follow_operations_that_become_slower() -> None:
    timing = Timing()
    for _ in range(5):
        assert timing.look(100, 5_000) == (100, 100)
    found = [timing.look(120, 5_000) for _ in range(2)]
    assert found[-1] == (120, 120)
    timing.close()


def test_that_few_that_stand_for_many_give_a_moment_no_percentile() -> None:
    timing = Timing()
    assert timing.look(100, 15, weight=1024) == (0, 0)
    assert timing.look(100, 5, weight=1024) == (100, 0)
    timing.close()
