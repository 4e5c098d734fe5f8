"""Any parameter may be an axis of a sweep or a search, and the advice speaks over all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import building
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from strategies import axis_of
from turning import in_turns

from core.judge import advise, thread_curves
from core.judge.study import preset
from core.measure import Cancel
from core.run import Request, task_of
from core.run.engine import run
from core.run.run_search import run_search
from core.run.search_plan import search_for_request
from core.tell.cli.measure_command import requested
from core.tell.tables.result_tables import summarise
from core.vocabulary import (
    POOLED,
    Advice,
    Advised,
    Axis,
    Choice,
    Event,
    Explained,
    Flag,
    Integer,
    Kind,
    Load,
    Real,
    Result,
    RunSpec,
    Slot,
    TimedOut,
    Trial,
    TrialEnded,
    Value,
    collect,
    declared,
    named,
    setting_of,
    show_value,
    written,
)
from core.vocabulary.registry import load_workload

DATASET = building.dataset()
OF_LOAD = [kind for kind in declared(Load) if kind.name != "threads"]
OF_RAW = list(declared(load_workload("raw").parameters))
KINDS = [*OF_LOAD, *OF_RAW]
THREADS = Axis("threads", (1, 2, 4))

each_parameter = pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What came of a run: its advice, and everything that was measured."""

    advice: Advice
    trials: tuple[Trial, ...]
    results: tuple[Result, ...]
    texts: tuple[str, ...] = ()

    def values(self, name: str) -> set[Value]:
        """Values of a parameter that were measured."""
        return {one.spec.values[name] for one in self.results}

    def told(self, name: str) -> set[Value]:
        """Values of a parameter that the advice speaks of."""
        advice = self.advice
        settings = [advice.values, *(rival.values for rival in advice.rivals)]
        settings += [values for values, _ in advice.refused]
        return {one[name] for one in settings if name in one} | {*advice.over.get(name, ())}


type Rate = Callable[[RunSpec], float | None]
"""Throughput of a trial; None = it times out."""


def steady(spec: RunSpec) -> float:
    """Scales to three threads."""
    return 100.0 * min(spec.load.threads, 3)


def trials_of(rate: Rate, noise: float = 0.01) -> Any:
    def run_trial(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        wobble = 1 + noise * ((slot.index * 7919) % 13 - 6) / 6
        found = rate(slot.spec)
        given_up = TimedOut(stage="measuring", limit=1.0, stalled=False)
        yield TrialEnded(
            trial=building.trial(
                slot.spec,
                index=slot.index,
                block=slot.block,
                rate=(found or 1.0) * wobble,
                outcome=None if found else given_up,
            )
        )

    return run_trial


def swept(request: Request, run_trial: Any) -> Seen:
    """A sweep by the engine, and the advice on it."""
    plan = task_of(request, DATASET).plan
    events = run(plan, Cancel(), run_block=in_turns(run_trial))
    trials = tuple(event.trial for event in events if isinstance(event, TrialEnded))
    results = collect(plan.specs, trials, building.environment(), {})
    advice = advise(results)
    assert advice is not None
    return Seen(advice=advice, trials=trials, results=results)


def searched(request: Request, run_trial: Any) -> Seen:
    """A search by the engine."""
    search, _ = search_for_request(request, DATASET)
    run_block = in_turns(run_trial)
    events = list(run_search(search, building.environment(), Cancel(), run_block=run_block))
    trials = tuple(event.trial for event in events if isinstance(event, TrialEnded))
    (advised,) = [event for event in events if isinstance(event, Advised)]
    return Seen(
        advice=advised.advice,
        trials=trials,
        results=collect(search.plan.specs, trials, building.environment(), {}),
        texts=tuple(event.text for event in events if isinstance(event, Explained)),
    )


def asked(*axes: Axis, search: bool = False) -> Request:
    # Never called: the trials here are made up.
    cluster = "tcp://nowhere:1" if any(axis.name == "nodes" for axis in axes) else ""
    return Request(workload="raw", axes=axes, search=search, floor=False, cluster=cluster)


def several(kind: Kind) -> tuple[Value, ...]:
    """Three values of a parameter, or all where there are fewer, beginning with its lowest."""
    match kind:
        case Choice():
            return tuple(kind.options)[:3]
        case Flag():
            return (False, True)
        case Integer():
            return (kind.low, kind.low + 1, kind.low + 2)
        case Real():
            return (float(kind.low), kind.low + 1.5, kind.low + 2.5)
        case _:
            raise AssertionError(kind)


def held_against_all(seen: Seen, name: str) -> None:
    """Everything that was measured is in the advice, and the sentence names the axis."""
    assert seen.advice.trials == len(seen.trials)
    assert seen.told(name) == seen.values(name)
    assert len(summarise(seen.results).rows) == len(seen.results)
    if seen.advice.values or name in POOLED:
        one_process = (name, seen.advice.values.get(name)) == (
            "processes",
            1,
        )  # goes without saying
        assert named(name) in seen.advice.sentence or one_process


@each_parameter
def test_that_a_sweep_may_go_along_any_parameter(kind: Kind) -> None:
    values = several(kind)
    seen = swept(asked(THREADS, Axis(kind.name, values)), trials_of(steady))
    held_against_all(seen, kind.name)
    assert len(seen.trials) == 3 * len(THREADS.values) * len(values)
    assert seen.values(kind.name) == {*values}
    assert seen.advice.values["threads"] == 4
    assert all(show_value(value) in seen.advice.sentence for value in seen.told("threads"))


@each_parameter
def test_that_a_search_may_go_along_any_parameter(kind: Kind) -> None:
    values = several(kind)
    seen = searched(asked(THREADS, Axis(kind.name, values), search=True), trials_of(steady))
    held_against_all(seen, kind.name)
    assert seen.advice.values["threads"] == 4
    # The first or the least of those that are equally good.
    assert seen.advice.values.get(kind.name, values[0]) == values[0]


@each_parameter
@pytest.mark.parametrize("search", [False, True])
def test_that_an_axis_of_one_value_is_one(kind: Kind, search: bool) -> None:
    request = asked(THREADS, Axis(kind.name, several(kind)[-1:]), search=search)
    seen = (searched if search else swept)(request, trials_of(steady))
    assert seen.advice.trials == len(seen.trials)
    assert seen.advice.values["threads"] == 4
    assert seen.values(kind.name) == {*several(kind)[-1:]}


@each_parameter
def test_that_a_parameter_alone_may_be_swept(kind: Kind) -> None:
    plan = task_of(asked(Axis(kind.name, several(kind))), DATASET).plan
    events = run(plan, Cancel(), run_block=in_turns(trials_of(steady)))
    trials = [event.trial for event in events if isinstance(event, TrialEnded)]
    results = collect(plan.specs, trials, building.environment(), {})
    assert len(results) == len(several(kind))
    assert (advise(results) is None) == (kind.name != "processes")


@some.composite
def curves(draw: Any) -> Rate:
    """Rates that depend on threads and on all else, and here and there no rate at all."""
    peak = draw(some.integers(1, 8))
    spread = draw(some.sampled_from([0.0, 0.01, 0.3]))
    failing = draw(some.sampled_from([0, 0, 0, 3, 1]))

    def rate(spec: RunSpec) -> float | None:
        drawn = int(spec.digest, 16)
        if failing and drawn % failing == 0:
            return None
        return 100.0 * min(spec.load.threads, peak) * (1 + spread * (drawn % 97) / 97)

    return rate


def small(kind: Kind) -> some.SearchStrategy[Axis]:
    """One to four values of a parameter; of processes few, for each of them takes time."""
    if kind.name == "processes":
        counts = some.lists(some.integers(1, 6), min_size=1, max_size=4, unique=True)
        return counts.map(lambda values: Axis(kind.name, tuple(values)))
    return axis_of(kind)


@pytest.mark.parametrize("search", [False, True])
@each_parameter
@settings(max_examples=8)
@given(data=some.data())
def test_that_nothing_measured_along_an_axis_is_lost(
    kind: Kind, search: bool, data: some.DataObject
) -> None:
    axis = data.draw(small(kind))
    counts = data.draw(some.lists(some.integers(1, 8), min_size=2, max_size=4, unique=True))
    rate, noise = data.draw(curves()), data.draw(some.sampled_from([0.001, 0.05, 0.5]))
    request = asked(Axis("threads", tuple(counts)), axis, search=search)
    seen = (searched if search else swept)(request, trials_of(rate, noise))
    assert seen.advice.trials == len(seen.trials)
    assert seen.values(axis.name) <= {*axis.values}
    if search:
        assert seen.advice.values.get(axis.name, axis.values[0]) in axis.values
    else:
        assert seen.values(axis.name) == {*axis.values}
    if len(axis.values) > 1:
        held_against_all(seen, axis.name)


@each_parameter
@pytest.mark.parametrize("many", [False, True])
def test_that_the_command_line_takes_any_parameter_for_an_axis(kind: Kind, many: bool) -> None:
    values = several(kind)
    told = f"{kind.flag.removeprefix('--')}={','.join(written(kind, one) for one in values)}"
    threads = Axis("threads", tuple(range(1, 26))) if many else THREADS
    counts = ",".join(map(str, threads.values))
    request = requested("raw", {"axes": (f"threads={counts}", told)})
    asked_for = {axis.name: axis.values for axis in request.axes} | {
        name: (value,) for name, value in request.values.items()
    }
    assert asked_for == {"threads": threads.values, kind.name: values}
    assert request.search == (many and kind.name != "seed")


SEEDS = Axis("seed", (1, 2))


def of_seeds(spec: RunSpec) -> float:
    """What is drawn with seed 2 is easier."""
    return steady(spec) * (1.004 if spec.load.seed == 2 else 1.0)


def test_that_trials_of_all_seeds_count_for_one_setting_and_are_named() -> None:
    seen = swept(asked(THREADS, SEEDS), trials_of(of_seeds))
    (line,) = thread_curves(seen.results)
    assert [len(point.throughputs) for point in line.points] == [6, 6, 6]
    assert seen.advice.values == {"threads": 4}
    assert seen.advice.sentence.endswith("more than 4 were not tried. Measured over seed 1, 2.")


def test_that_a_search_measures_every_setting_with_every_seed() -> None:
    seen = searched(asked(THREADS, SEEDS, search=True), trials_of(of_seeds))
    assert seen.advice.values == {"threads": 4}
    assert seen.advice.sentence.endswith("Measured over seed 1, 2.")
    for threads in (1, 2, 4):
        counts = [len(r.trials) for r in seen.results if r.spec.load.threads == threads]
        assert len(counts) == 2
        assert counts[0] == counts[1] > 0


def test_that_a_setting_that_fails_with_one_seed_is_refused() -> None:
    def rate(spec: RunSpec) -> float | None:
        return None if (spec.load.seed, spec.load.threads) == (2, 4) else steady(spec)

    for seen in (
        swept(asked(THREADS, SEEDS), trials_of(rate)),
        searched(asked(THREADS, SEEDS, search=True), trials_of(rate)),
    ):
        assert seen.advice.values == {"threads": 2}
        assert {dict(values)["threads"] for values, _ in seen.advice.refused} == {4}


def test_that_many_seeds_are_counted_and_not_listed() -> None:
    seen = swept(asked(THREADS, Axis("seed", tuple(range(20)))), trials_of(steady))
    assert seen.advice.sentence.endswith(" Measured over 20 values of seed.")


DEADLINES = Axis("deadline", (1.0, 600.0))


def patient_only(spec: RunSpec) -> float | None:
    return None if spec.load.deadline == 1.0 else steady(spec)


@pytest.mark.parametrize("search", [False, True])
def test_that_what_works_with_one_deadline_is_not_refused_for_another(search: bool) -> None:
    seen = (searched if search else swept)(
        asked(THREADS, DEADLINES, search=search), trials_of(patient_only)
    )
    assert seen.advice.values == {"threads": 4, "deadline": 600.0}
    assert "4 threads with deadline 600 s" in seen.advice.sentence
    assert {dict(values)["deadline"] for values, _ in seen.advice.refused} == {1.0}


@pytest.mark.parametrize("name", ["operations", "seed"])
def test_that_a_search_may_choose_nought(name: str) -> None:
    seen = searched(asked(THREADS, Axis(name, (0, 1)), search=True), trials_of(steady))
    assert seen.advice.values["threads"] == 4
    assert seen.advice.confident


def test_that_a_value_without_effect_is_not_searched_and_is_said() -> None:
    request = Request(
        workload="fasta",
        values={"slice": "whole"},
        axes=(THREADS, Axis("length", (1, 2, 3))),
        search=True,
        floor=False,
    )
    search, reasons = search_for_request(request, DATASET)
    assert len(search.settings) == 3
    assert reasons == ("length 2 does the same as 1 here", "length 3 does the same as 1 here")
    seen = searched(request, trials_of(steady))
    assert seen.advice.values["threads"] == 4
    assert seen.advice.trials == len(seen.trials)


def test_that_floors_of_several_seeds_are_each_the_measure_of_their_own() -> None:
    request = Request(workload="fasta", axes=(Axis("threads", (1, 2)), SEEDS), floor=True)
    plan = task_of(request, DATASET).plan
    raw = [spec for spec in plan.specs if spec.workload == "raw"]
    assert len(raw) == 4
    results = [building.good(spec, 100.0 * spec.load.seed) for spec in plan.specs]
    floors = {
        result.spec.load.seed: cell.value
        for result, cell in zip(results, shares_of(results), strict=False)
    }
    assert floors == {1: 1.0, 2: 1.0}


def shares_of(results: Sequence[Result]) -> Sequence[Any]:
    return summarise(results).column("floor")


def test_that_a_study_without_repeats_has_those_of_a_sweep() -> None:
    from core.vocabulary.limits import REPEATS

    fields = preset.Study.__struct_fields__
    assert preset.Study.__struct_defaults__[fields.index("repeats") - len(fields)] == REPEATS


def test_that_settings_are_told_as_people_write_values() -> None:
    assert setting_of({"threads": 2, "duration": 1.0, "b": True}) == (
        "2 threads with duration 1 s · b yes"
    )
