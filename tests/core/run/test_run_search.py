"""The search driven by the engine, with trials that take no time."""

from __future__ import annotations

import dataclasses
import re
import select
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import building
import msgspec
import pytest
from turning import in_turns

from core.judge import Limits
from core.language import UsageError
from core.measure import Cancel
from core.run import Request, Session, recorded, task_of
from core.run.run_search import Search, run_search
from core.run.sample_layout import SearchTerms
from core.run.search_plan import search_axes, search_for_request
from core.tell.card_text import headline_of
from core.tell.cli.measure_command import requested
from core.vocabulary import (
    REPEATS,
    Advice,
    Advised,
    Axis,
    Cancelled,
    Diagnosed,
    Event,
    Explained,
    RunEnded,
    RunPlanned,
    RunSpec,
    Slot,
    TrialEnded,
    TrialStarted,
    choice,
    integer,
)

pytestmark = pytest.mark.quick


@dataclass(frozen=True, kw_only=True)
class Parameters:
    cache: str = choice("none", options={"none": "", "lru": "", "pool": ""}, help="")
    cache_size: int = integer(128, low=1, high=4096, scale="log2", help="")


type Curve = Callable[[RunSpec], float]
type RunTrial = Callable[[Slot, str, Cancel], Iterator[Event]]


def knee(spec: RunSpec) -> float:
    """Rises to 6 threads; a cache makes it five times as fast."""
    return 100.0 * min(spec.load.threads, 6) * (1.0 if spec.values["cache"] == "none" else 5.0)


def trials_of(curve: Curve, noise: float = 0.01) -> RunTrial:
    """Trials with the throughput of a curve, give or take."""

    def run_trial(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        wobble = 1 + noise * ((slot.index * 7919) % 13 - 6) / 6
        yield TrialEnded(trial=measured(slot, curve(slot.spec) * wobble))

    return run_trial


def measured(slot: Slot, rate: float, **fields: Any) -> Any:
    trial = building.trial(slot.spec, index=slot.index, rate=max(rate, 1.0), **fields)
    return msgspec.structs.replace(trial, block=slot.block)


def search(
    threads: int = 16, second: Axis | None = None, beside: Any = None, **terms: Any
) -> Search:
    return Search(
        title="tune",
        base=building.spec(parameters={"cache": "none", "cache_size": 128}),
        parameters=Parameters,
        threads=Axis("threads", tuple(range(1, threads + 1))),
        second=second,
        terms=SearchTerms(**terms),
        beside=beside or {},
    )


def events_of(wanted: Search, run_trial: RunTrial, cancel: Cancel | None = None) -> list[Event]:
    """What a search says whose rounds are carried out in turns."""
    run_block = in_turns(run_trial)
    return list(run_search(wanted, building.environment(), cancel or Cancel(), run_block=run_block))


def advice_in(events: list[Event]) -> Advice:
    (advised,) = [event for event in events if isinstance(event, Advised)]
    return advised.advice


CACHES = Axis("cache", ("none", "lru"))


def test_that_the_knee_is_found_in_a_fraction_of_the_sweep() -> None:
    advice = advice_in(events_of(search(), trials_of(knee)))
    assert advice.confident
    assert advice.values == {"threads": 6}
    assert advice.trials <= 0.6 * advice.whole
    assert advice.whole == 16 * REPEATS
    assert advice.trials_text.startswith(f"{advice.trials} in ")
    assert "; measuring all 16 settings takes 48 (3 of each) in about " in advice.trials_text
    assert "nothing was saved" not in advice.trials_text


def slow_first(spec: RunSpec) -> float:
    """The second and third values are faster; threads matter little."""
    return {"none": 1.0, "lru": 10.0, "pool": 12.0}[str(spec.values["cache"])] * (
        1 + 0.01 * spec.load.threads
    )


def test_that_each_value_is_looked_at_before_anything_is_measured_again() -> None:
    wanted = search(threads=4, second=Axis("cache", ("none", "lru", "pool")))
    trials = [
        event.trial.spec_digest
        for event in events_of(wanted, trials_of(slow_first))
        if isinstance(event, TrialEnded)
    ]
    first = trials[: next(at for at, one in enumerate(trials) if one in trials[:at])]
    caches = {spec.digest: spec.values["cache"] for spec in wanted.specs}
    assert {caches[digest] for digest in first} == {"none", "lru", "pool"}
    # Nearly all of the time is for the values that a first look does not rule out.
    assert Counter(caches[digest] for digest in trials)["none"] <= 0.4 * len(trials)


def test_that_what_was_never_measured_is_named_and_not_included() -> None:
    events = events_of(search(threads=32), trials_of(knee))
    advice = advice_in(events)
    measured = len({one.trial.spec_digest for one in events if isinstance(one, TrialEnded)})
    left = 32 - measured
    assert left > 1
    (standing,) = [reason for reason in advice.reasons if "surely" in reason]
    assert f" of the {measured} measured" in standing
    assert standing.endswith(f"; {left} were not.")
    assert advice.unmeasured == left


def test_that_a_search_that_took_as_many_trials_as_a_sweep_says_so() -> None:
    advice = advice_in(events_of(search(threads=4, most_trials=24), trials_of(knee, noise=1.2)))
    assert advice.trials >= advice.whole == 4 * REPEATS
    assert "measuring all 4 settings takes 12 (3 of each)" in advice.trials_text
    assert advice.trials_text.endswith(
        ("nothing was saved", "only against the latter was anything saved")
    )


def test_that_a_single_setting_is_compared_with_nothing() -> None:
    events = events_of(search(threads=1), trials_of(knee))
    advice = advice_in(events)
    assert advice.sentence == "Use 1 thread; no other setting was to be tried."
    assert advice.reasons == ("nothing else was measured.",)
    assert advice.trials_text.startswith(f"{advice.trials} in ")
    assert "sweep" not in advice.trials_text
    first, second, *_ = [event.text for event in events if isinstance(event, Explained)]
    assert first == (
        "There is only one setting, which is measured 200 times at most. "
        "The first trial shows how fast it is."
    )
    assert second == "Measuring it again shows the noise."


def test_that_threads_that_are_given_are_not_told_as_too_few() -> None:
    advice = advice_in(events_of(search(threads=1, second=CACHES), trials_of(knee)))
    assert advice.sentence == (
        "Use 1 thread with cache LRU, no lock; no other number of threads was to be tried."
    )


PRICES = [
    (20, 48, 80, "20; measuring all 16 settings takes 48 (3 of each), or 80 (5 of each) for the same precision"),
    (20, 48, 48, "20; measuring all 16 settings takes 48 (3 of each)"),
    (48, 48, 48, "48; measuring all 16 settings takes 48 (3 of each); nothing was saved"),
    (50, 48, 80, "50; measuring all 16 settings takes 48 (3 of each), or 80 (5 of each) for the same precision;"
     " only against the latter was anything saved"),
    (40, 48, 32, "40; measuring all 16 settings takes 48 (3 of each), or 32 (2 of each) for the same precision;"
     " against the latter nothing was saved"),
    (90, 48, 80, "90; measuring all 16 settings takes 48 (3 of each), or 80 (5 of each) for the same precision;"
     " nothing was saved"),
]  # fmt: skip


@pytest.mark.parametrize(("trials", "whole", "as_precise", "told"), PRICES)
def test_that_the_price_is_told_against_sweeps_and_never_flattered(
    trials: int, whole: int, as_precise: int, told: str
) -> None:
    found = advice_in(events_of(search(), trials_of(knee)))
    advice = msgspec.structs.replace(
        found, trials=trials, whole=whole, as_precise=as_precise, trial_seconds=0.0
    )
    assert advice.trials_text == told
    assert headline_of(advice).detail.endswith(f" Trials: {told}.")


def test_that_the_price_is_told_in_seconds_too_as_long_for_each_trial_as_was_seen() -> None:
    found = advice_in(events_of(search(), trials_of(knee)))
    advice = msgspec.structs.replace(found, trials=20, whole=48, as_precise=80, trial_seconds=1.5)
    assert advice.trials_text == (
        "20 in 30.0 s; measuring all 16 settings takes 48 (3 of each) in about 1:12 min,"
        " or 80 (5 of each) in about 2:00 min for the same precision"
    )


def test_that_equal_precision_is_that_of_the_two_settings_that_decided() -> None:
    def curve(spec: RunSpec) -> float:
        return {1: 100.0, 2: 190.0, 3: 191.0}[spec.load.threads]

    events = events_of(search(threads=3), trials_of(curve, noise=0.06))
    advice = advice_in(events)
    told = Counter(e.spec.load.threads for e in events if isinstance(e, TrialStarted))
    assert advice.settings == 3
    assert advice.values["threads"] in (2, 3)
    # They met in every block, so the error of their ratio is that of their numbers of trials.
    assert told[2] == told[3]
    assert advice.as_precise == 3 * told[2]


def test_that_a_search_that_may_take_more_than_a_sweep_says_so_beforehand() -> None:
    def first_words(wanted: Search) -> str:
        return next(e.text for e in events_of(wanted, trials_of(knee)) if isinstance(e, Explained))

    assert first_words(search(threads=4, most_trials=24)).startswith(
        "Measuring all 4 settings takes 12 trials; the search ends when it is sure, "
        "after 24 trials at the latest. The values are few"
    )
    assert first_words(search(threads=16, most_trials=48)).startswith("A coarse ladder")


def test_that_one_number_of_repeats_is_meant_everywhere() -> None:
    assert Request().repeats == REPEATS
    assert requested("raw", {"repeats": None}).repeats == REPEATS
    wanted, _ = search_for_request(
        Request(workload="raw", search=True, axes=(Axis("threads", (1, 2, 4, 8)),)),
        building.dataset(),
    )
    swept = Request(workload="raw", axes=(Axis("threads", (1, 2, 4, 8)),))
    assert wanted.whole == len(task_of(swept, building.dataset()).plan.slots()) == 12


@pytest.mark.parametrize(("most", "trials"), [(4, 24), (8, 24), (16, 48)])
def test_that_a_search_takes_no_more_than_a_sweep_unless_that_is_short(
    most: int, trials: int
) -> None:
    axes = (Axis("threads", tuple(range(1, most + 1))),)
    wanted, _ = search_for_request(
        Request(workload="raw", search=True, axes=axes), building.dataset()
    )
    assert wanted.terms.most_trials == trials


def test_that_values_with_which_nothing_works_do_not_end_a_search() -> None:
    def run_trial(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        wrong = 3 if slot.spec.values["cache"] == "none" else 0
        yield TrialEnded(trial=measured(slot, knee(slot.spec), wrong=wrong))

    advice = advice_in(events_of(search(second=CACHES), run_trial))
    assert advice.values == {"threads": 6, "cache": "lru"}
    assert {dict(values)["cache"] for values, _ in advice.refused} == {"none"}


def test_that_a_second_parameter_is_searched_too() -> None:
    advice = advice_in(events_of(search(second=CACHES), trials_of(knee)))
    assert advice.values == {"threads": 6, "cache": "lru"}
    assert "6 threads with cache LRU, no lock" in advice.sentence
    assert "with cache none" not in advice.sentence  # measured once there, which tells nothing


def test_that_of_a_count_the_smallest_that_does_is_used() -> None:
    def enough(spec: RunSpec) -> float:
        size = spec.values["cache_size"]
        return knee(spec) * min(float(size), 256.0)

    sizes = Axis("cache_size", (64, 128, 256, 512, 1024))
    advice = advice_in(events_of(search(second=sizes), trials_of(enough)))
    assert advice.values == {"threads": 6, "cache_size": 256}


def test_that_a_run_begins_with_its_plan_and_says_why_before_each_round() -> None:
    events = events_of(search(), trials_of(knee))
    assert isinstance(events[0], RunPlanned)
    assert [type(event) for event in events[-3:]] == [Advised, Diagnosed, RunEnded]
    blocks = [event.block for event in events if isinstance(event, TrialStarted)]
    reasons = [event for event in events if isinstance(event, Explained)]
    assert len(reasons) == len(set(blocks))
    assert all(reason.text and reason.expected >= reason.trials for reason in reasons)
    started = [event.index for event in events if isinstance(event, TrialStarted)]
    assert started == list(range(len(started)))


def test_that_what_fails_is_never_advised() -> None:
    def run_trial(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        wrong = 3 if slot.spec.load.threads > 4 else 0
        yield TrialEnded(trial=measured(slot, knee(slot.spec), wrong=wrong))

    advice = advice_in(events_of(search(), run_trial))
    assert advice.values == {"threads": 4}
    assert any(why == "wrong data in 3" for _, why in advice.refused)


def test_that_limits_of_the_user_are_kept() -> None:
    slow = advice_in(events_of(search(limits=Limits(most={"p99": 1e-9})), trials_of(knee)))
    assert slow.values == {}
    assert not slow.confident
    assert slow.as_precise == slow.whole


def test_that_a_search_that_is_stopped_gives_the_best_so_far_and_says_so() -> None:
    cancel = Cancel()
    run_real = trials_of(knee)

    def run_trial(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        if slot.index == 12:
            cancel.request()
            yield TrialEnded(trial=measured(slot, 1.0, outcome=Cancelled(stage="measuring")))
        else:
            yield from run_real(slot, run_id, cancel)

    events = events_of(search(), run_trial, cancel)
    advice = advice_in(events)
    assert advice.stopped
    assert not advice.confident
    assert advice.sentence.startswith("Leading so far: ")
    assert advice.trials == 12
    assert isinstance(events[-1], RunEnded)
    assert events[-1].cancelled


def test_that_a_search_stopped_before_its_first_trial_has_nothing_to_advise() -> None:
    cancel = Cancel()
    cancel.request()
    advice = advice_in(events_of(search(second=CACHES), trials_of(knee), cancel))
    assert advice.values == {}
    assert advice.sentence == "Cannot tell: nothing was measured."


def test_that_it_is_said_that_all_trials_are_spent() -> None:
    advice = advice_in(events_of(search(most_trials=12), trials_of(knee, noise=0.4)))
    assert not advice.confident
    assert advice.trials <= 12
    assert any("all trials allowed" in reason for reason in advice.reasons)


def test_that_what_explains_the_chosen_setting_is_measured_beside_it() -> None:
    bare = search()
    floors = {
        spec.digest: (msgspec.structs.replace(spec, workload="raw"),)
        for spec in bare.settings.values()
    }
    events = events_of(search(beside=floors), trials_of(knee))
    raw = [
        event.spec.load.threads
        for event in events
        if isinstance(event, TrialStarted) and event.spec.workload == "raw"
    ]
    assert raw == [6] * REPEATS
    assert advice_in(events).values == {"threads": 6}


def test_that_a_search_is_one_run_of_a_session(tmp_path: Path) -> None:
    wanted = search(second=CACHES)
    with Session.create(tmp_path / "tuned.sluice") as session:
        run = session.begin_run(wanted.plan, building.environment(), {}, ["sluice"])
        stream = run_search(
            wanted, building.environment(), Cancel(), run_block=in_turns(trials_of(knee))
        )
        advice = advice_in(list(recorded(stream, session, run)))
        assert session.run(run).how == "completed"
        assert session.run(run).plan.adaptive
        results = session.results(run)
        assert sum(len(result.trials) for result in results) == advice.trials
        assert session.remaining(run) == ()


def test_that_a_search_goes_over_threads_and_one_more() -> None:
    threads, sizes = Axis("threads", (2, 3, 4, 5)), Axis("block_size", (4096, 65536))
    assert search_axes([sizes, threads]) == (threads, sizes)
    assert search_axes([threads]) == (threads, None)


def test_that_a_search_over_three_parameters_is_refused() -> None:
    with pytest.raises(UsageError, match="one more parameter"):
        search_axes([Axis(name, (1,)) for name in ("threads", "block_size", "access")])
    with pytest.raises(UsageError, match="over threads"):
        search_axes([Axis("block_size", (1, 2))])


@pytest.mark.parametrize("threads", [(), (0, 1), ("two",)])
def test_that_threads_are_whole_numbers_from_one_up(threads: tuple[Any, ...]) -> None:
    with pytest.raises(UsageError, match="needs numbers of threads"):
        Search(
            title="",
            base=building.spec(),
            parameters=Parameters,
            threads=Axis("threads", threads),
        )


def slowly(run_trial: RunTrial) -> RunTrial:
    """Trials that take a moment, as a search with a budget looks at the clock."""

    def run_slowly(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        time.sleep(0.05)
        yield from run_trial(slot, run_id, cancel)

    return run_slowly


def test_that_a_search_whose_time_is_over_gives_the_best_so_far_and_says_what_is_left() -> None:
    wanted = dataclasses.replace(search(), budget=0.5)
    events = events_of(wanted, slowly(trials_of(knee, noise=0.3)))
    advice = advice_in(events)
    assert advice.values["threads"] in range(1, 17)
    assert advice.stopped
    assert not advice.confident
    assert advice.sentence.startswith("Leading so far: ")
    over = r"The time of 500 ms is over. Never measured: \d+ threads?[;.] "
    assert re.search(over, headline_of(advice).detail)
    assert "Next would have come: " in headline_of(advice).detail
    assert isinstance(events[-1], RunEnded)
    assert not events[-1].cancelled


def test_that_a_search_with_time_enough_is_the_same_as_without_a_budget() -> None:
    wanted = dataclasses.replace(search(), budget=3600.0)
    advice = advice_in(events_of(wanted, trials_of(knee)))
    assert advice.confident
    assert advice == msgspec.structs.replace(
        advice_in(events_of(search(), trials_of(knee))), trial_seconds=advice.trial_seconds
    )


def test_that_a_trial_that_takes_longer_than_the_whole_search_is_asked_to_end() -> None:
    def endless(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        select.select([cancel], [], [])
        ended = Cancelled(stage="measuring")
        yield TrialEnded(trial=building.trial(slot.spec, index=slot.index, outcome=ended))

    asked = Cancel()
    events = events_of(dataclasses.replace(search(), budget=0.3), endless, asked)
    advice = advice_in(events)
    assert not advice.values
    assert not asked.requested
    assert "Never measured: 1 thread; 2 threads" in " ".join(advice.reasons)


def test_that_the_user_can_end_a_search_that_has_a_budget() -> None:
    asked = Cancel()

    def until_asked(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        asked.request()
        select.select([cancel], [], [])
        yield from trials_of(knee)(slot, run_id, cancel)

    events = events_of(dataclasses.replace(search(), budget=3600.0), until_asked, asked)
    assert isinstance(events[-1], RunEnded)
    assert events[-1].cancelled
    assert "The time of" not in " ".join(advice_in(events).reasons)


def test_that_a_budget_of_a_search_shortens_trials_of_the_usual_length() -> None:
    dataset = building.spec().dataset
    axes = (Axis("threads", tuple(range(1, 9))),)
    request = Request(workload="raw", search=True, axes=axes, budget=20.0)
    wanted, _ = search_for_request(request, dataset)
    assert wanted.budget == wanted.plan.budget == 20.0
    assert wanted.base.load.duration < 3.0
    chosen = msgspec.structs.replace(request, values={"duration": 5.0})
    assert search_for_request(chosen, dataset)[0].base.load.duration == 5.0
