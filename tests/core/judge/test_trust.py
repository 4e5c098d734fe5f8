"""What keeps results from being good news, and what is said to do about it."""

from __future__ import annotations

from typing import Any

import building
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.judge import (
    advise,
    doubts_about,
    outdone_in_bytes,
)
from core.judge.comparison import compare
from core.judge.trust import wrong_in
from core.vocabulary import (
    Cancelled,
    Crashed,
    Doubt,
    Environment,
    MachineNoise,
    Reading,
    Result,
    Trial,
    VerdictKind,
    mood_of,
)
from core.vocabulary.attempts import taken_by_others

pytestmark = pytest.mark.quick

SURE = (1000.0, 1003.0, 998.0)


def good(*rates: float, threads: int = 1, **environment: Any) -> Result:
    spec = building.spec(threads=threads)
    return on(building.good(spec, *(rates or SURE)), building.environment(**environment))


def on(result: Result, environment: Environment) -> Result:
    return msgspec.structs.replace(result, environment=environment)


def told(*results: Result) -> str:
    return " ".join(doubt.full_text for doubt in doubts_about(results))


def test_that_nothing_speaks_against_repeated_trials_on_a_quiet_machine() -> None:
    assert doubts_about([good(), good(threads=2)]) == ()
    assert mood_of((), settled=True) == "good"
    assert mood_of((), settled=False) == "open"


@pytest.mark.parametrize("settled", [True, False])
def test_that_a_doubt_is_no_good_news_and_a_grave_one_is_bad(settled: bool) -> None:
    doubt = Doubt(text="It rained.", remedy="Wait.")
    grave = Doubt(text="It burnt.", remedy="Run.", grave=True)
    assert mood_of([doubt], settled=settled) == "open"
    assert mood_of([doubt, grave], settled=settled) == "bad"


# Figures that a guard suspects.

SUSPECTED = "The operations took 64.00 CPU seconds a second, more than the 2 that the cores have."


def suspected(result: Result) -> Result:
    """The same, with a doubt about its last trial."""
    *others, last = result.trials
    return replace(result, trials=(*others, replace(last, doubt=SUSPECTED)))


def test_that_a_suspected_figure_is_doubted_and_stays() -> None:
    result = suspected(good(threads=64))
    assert result.valid
    assert result.values("throughput") == pytest.approx(SURE)
    (doubt,) = doubts_about([good(), result])
    assert doubt.text == f"64 threads: {SUSPECTED}"
    assert "hold the figure against another program's, and report it" in doubt.remedy
    assert mood_of([doubt], settled=True) == "open"


def test_that_a_suspected_floor_is_named_and_counts() -> None:
    floor = building.good(building.spec("raw", parameters={}), *SURE)
    assert f"raw · 1 thread: {SUSPECTED}" in told(good(), good(threads=2), suspected(floor))


def test_that_a_comparison_says_that_a_side_is_suspected() -> None:
    verdict = compare(good(), suspected(good(2000.0, 2003.0, 1998.0)))
    assert verdict.kind is VerdictKind.FASTER
    assert SUSPECTED in verdict.sentence


# Wrong data.


def wrong(count: int, threads: int = 8) -> Result:
    """100 operations done, so many of them wrong."""
    of = building.spec(threads=threads)
    return building.result(of, [building.trial(of, rate=50.0, seconds=2.0, wrong=count)])


def test_that_wrong_operations_are_among_those_that_were_done() -> None:
    assert wrong_in([wrong(10, threads=1)]) == "10 wrong in 100"


@given(done=st.integers(1, 1000), share=st.floats(0.0, 1.0))
def test_that_never_more_are_wrong_than_were_checked(done: int, share: float) -> None:
    of = building.spec()
    trial = building.trial(of, rate=float(done), seconds=1.0, wrong=round(done * share))
    assert trial.checked == done >= trial.wrong


def test_that_requests_of_many_operations_count_as_many_when_they_are_checked() -> None:
    of = building.spec()
    trial = building.trial(of, rate=300.0, seconds=1.0, wrong=2)
    (worker,) = trial.workers
    batches = msgspec.structs.replace(worker, items=10, unverified=0)
    done = msgspec.structs.replace(trial, workers=(batches,))
    assert done.checked == 300
    left = msgspec.structs.replace(batches, unverified=4)
    cut = msgspec.structs.replace(done, workers=(left,), outcome=Crashed(stage="measuring"))
    assert cut.checked == 180


def unchecked(trial: Trial) -> Trial:
    """The same, with nothing of it compared with the truth."""
    left = tuple(msgspec.structs.replace(one, unverified=one.items) for one in trial.workers)
    return msgspec.structs.replace(trial, workers=left)


def test_that_what_a_dead_trial_left_unchecked_is_not_counted_as_checked() -> None:
    of = building.spec()
    crash = Crashed(stage="measuring", signal="SIGSEGV")
    trials = [
        building.trial(of, rate=50.0, seconds=2.0),
        unchecked(building.trial(of, index=1, rate=50.0, seconds=2.0, outcome=crash)),
        unchecked(
            building.trial(of, index=2, rate=50.0, wrong=3, outcome=Cancelled(stage="measuring"))
        ),
    ]
    assert wrong_in([building.result(of, trials)]) == "3 wrong in 103"


def test_that_wrong_data_anywhere_is_grave_and_its_setting_named() -> None:
    (doubt,) = doubts_about([good(), wrong(10)], [good()])
    assert doubt.grave
    assert doubt.text == "8 threads: Wrong data: 10 wrong in 96."  # 8 workers with 12 each
    assert "Do not use" in doubt.remedy


def test_that_wrong_data_of_the_bare_files_is_named_so() -> None:
    of = building.spec("raw", parameters={"access": "random"})
    bare = building.result(of, [building.trial(of, wrong=1)])
    assert doubts_about([good(), bare])[0].text.startswith("raw: Wrong data: ")


def test_that_wrong_data_that_was_announced_is_no_doubt() -> None:
    announced = wrong(10)
    assert doubts_about([announced, good()], (), expected=[announced.spec.digest]) == ()


# What operations move.


def blocks(size: int, rate: float, threads: int = 1) -> Result:
    """Reads of blocks of that size, so many each second."""
    of = building.spec("raw", threads=threads, parameters={"block_size": size})
    found = building.good(of, *(share * rate for share in (1.0, 1.002, 0.999)))
    trials = [
        msgspec.structs.replace(
            trial,
            workers=tuple(
                msgspec.structs.replace(
                    one,
                    bytes=size * one.operations,
                    window_bytes=round(size * one.window_operations),
                )
                for one in trial.workers
            ),
        )
        for trial in found.trials
    ]
    return msgspec.structs.replace(found, trials=tuple(trials))


def test_that_larger_operations_that_move_more_are_told() -> None:
    small, large = blocks(4096, 2_000_000.0), blocks(65_536, 200_000.0)
    (doubt,) = outdone_in_bytes(small, [small, large])
    assert doubt.text == (
        "Operations differ in size: block size 64 KiB moves 13.1 GB/s, this one 8.19 GB/s."
    )
    assert not doubt.grave
    assert outdone_in_bytes(large, [small, large]) == ()


@pytest.mark.parametrize(
    ("size", "rate"),
    [
        (65_536, 120_000.0),  # larger, but moves less
        (65_536, 130_000.0),  # as much
        (4096, 3_000_000.0),  # of the same size: it is simply faster
    ],
)
def test_that_nothing_is_told_of_others_that_are_no_larger_or_move_no_more(
    size: int, rate: float
) -> None:
    small = blocks(4096, 2_000_000.0)
    assert outdone_in_bytes(small, [small, blocks(size, rate)]) == ()


def test_that_advice_for_small_operations_names_the_larger_ones() -> None:
    settings = [
        blocks(size, rate * threads, threads)
        for size, rate in ((4096, 1e6), (65_536, 1e5))
        for threads in (1, 2)
    ]
    advice = advise(settings)
    assert advice is not None
    assert advice.values["block_size"] == 4096
    assert [doubt.text for doubt in advice.doubts] == [
        "Operations differ in size: 2 threads with block size 64 KiB moves 13.1 GB/s, "
        "this one 8.19 GB/s."
    ]


# How often, and how surely.


def test_that_a_single_trial_is_to_be_repeated() -> None:
    assert "Measured once" in told(good(1000.0))
    assert "at least three trials" in told(good(1000.0))


def test_that_a_single_trial_of_72_operations_is_to_be_longer_too() -> None:
    assert "with longer trials" in told(good(36.0))


@pytest.mark.parametrize(
    "rates",
    [
        (100.0, 143.0, 844.0),  # 143 ± 372
        (100.0, 844.0),
        (1000.0, 1100.0),  # two trials tell next to nothing
        (700.0, 1000.0, 1400.0),
        (*(1000.0,) * 20, 1.0, 2000.0),
    ],
)
def test_that_an_interval_that_spans_more_than_its_value_is_said(rates: tuple[float, ...]) -> None:
    (doubt,) = doubts_about([good(*rates)])
    assert "; the trials reached " in doubt.text
    assert doubt.text.startswith("2 trials: no interval yet") is (len(rates) == 2)
    assert doubt.text.startswith("3 trials: too few to tell") is (len(rates) == 3)
    assert doubt.remedy == "Repeat more, or make the trials longer."


def test_that_trials_of_few_operations_are_to_be_longer() -> None:
    assert "Make the trials longer" in told(good(1.0, 9.0, 30.0))


def test_that_an_interval_within_its_value_is_no_doubt() -> None:
    assert doubts_about([good(950.0, 1000.0, 1050.0)]) == ()


def test_that_only_what_the_news_is_about_must_be_repeated() -> None:
    best, other = good(), good(100.0, threads=2)
    assert doubts_about([best, other], [best]) == ()
    assert told(best, other).startswith("2 threads: Measured once")


def test_that_a_result_without_a_throughput_needs_no_doubt_about_its_interval() -> None:
    of = building.spec()
    assert doubts_about([building.result(of, [building.trial(of, errors=5)])]) == ()


# The machine.


@pytest.mark.parametrize(("load", "said"), [(8.0, False), (8.1, True), (40.0, True)])
def test_that_a_load_beyond_the_cores_is_said_with_what_to_do(load: float, said: bool) -> None:
    found = told(good(load_average=(load, 0.0, 0.0)))
    assert ("load" in found) == said
    if said:
        assert f"load {load:.1f}, cores 8" in found
        assert "Wait until the machine is quiet" in found


@pytest.mark.parametrize(("others", "said"), [(0.0, False), (0.7, False), (1.6, True)])
def test_that_a_load_that_trials_saw_nothing_of_is_that_of_what_has_ended(
    others: float, said: bool
) -> None:
    of = building.spec()
    noise = MachineNoise(seconds=1.0, cores=8, others=others)
    trials = [building.trial(of, index=at, rate=rate, noise=noise) for at, rate in enumerate(SURE)]
    before = building.environment(load_average=(20.0, 9.0, 5.0))
    assert ("The machine was busy" in told(on(building.result(of, trials), before))) == said


def test_that_the_load_of_a_large_machine_is_held_against_all_its_cores() -> None:
    # A job that may use 4 of 64 cores has neighbours, and they are no harm to it.
    shared = good(load_average=(50.0, 50.0, 50.0), logical_cores=64, affinity_cores=4)
    assert doubts_about([shared]) == ()


def test_that_a_machine_that_does_not_tell_its_load_is_not_doubted() -> None:
    assert doubts_about([good(load_average=None)]) == ()


def reading(at: float, **figures: Any) -> Reading:
    usual: dict[str, Any] = {
        "queued": 0.0,
        "cpu_user": 0.0,
        "cpu_system": 0.0,
        "switches_voluntary": 0,
        "switches_involuntary": 0,
    }
    return msgspec.structs.replace(building.reading(at), **(usual | figures))


def measured(*, running: float, queued: float, switches: int = 50, threads: int = 1) -> Result:
    """A second on two cores, as /proc tells it."""
    of = building.spec(threads=threads)
    last = reading(1.0, queued=queued, cpu_user=running, switches_voluntary=switches)
    trials = [
        building.trial(of, index=at, rate=rate, first=reading(0.0), last=last)
        for at, rate in enumerate(SURE)
    ]
    cores = building.environment(logical_cores=2, affinity_cores=2)
    return on(building.result(of, trials), cores)


# As seen on two cores, quiet and with three busy loops beside.
QUIET = (
    {"running": 1.04, "queued": 0.02},
    {"running": 1.94, "queued": 0.06, "switches": 1500, "threads": 2},
    {"running": 1.93, "queued": 1.93, "switches": 9000, "threads": 4},
    {"running": 1.41, "queued": 0.83, "switches": 160_000, "threads": 4},
)
CROWDED = (
    {"running": 0.69, "queued": 0.31, "switches": 100},
    {"running": 0.74, "queued": 1.25, "switches": 350, "threads": 2},
    {"running": 0.85, "queued": 2.74, "switches": 2400, "threads": 4},
)


@pytest.mark.parametrize("figures", QUIET)
def test_that_threads_that_wait_for_each_other_are_not_taken_for_a_busy_machine(
    figures: dict[str, Any],
) -> None:
    assert doubts_about([measured(**figures)]) == ()


@pytest.mark.parametrize("figures", CROWDED)
def test_that_cores_that_others_took_while_it_ran_are_said(figures: dict[str, Any]) -> None:
    found = told(measured(**figures))
    assert found.startswith("Other programs took ")
    assert "Wait until the machine is quiet" in found


def test_that_a_machine_that_was_and_stayed_busy_is_one_doubt() -> None:
    crowded = measured(**CROWDED[0])
    machine = msgspec.structs.replace(crowded.environment, load_average=(6.0, 6.0, 6.0))
    (doubt,) = doubts_about([on(crowded, machine)])
    assert "load 6.0, cores 2" in doubt.text
    assert "Other programs took 30 %" in doubt.text


def test_that_one_disturbed_trial_of_several_is_what_the_others_are_for() -> None:
    quiet, crowded = measured(**QUIET[0]), measured(**CROWDED[0])
    trials = (*quiet.trials[:2], *crowded.trials[2:])
    assert doubts_about([msgspec.structs.replace(quiet, trials=trials)]) == ()


def test_that_what_was_not_recorded_is_not_judged() -> None:
    trial = building.trial(building.spec())
    assert taken_by_others(trial, building.environment()) is None
    ended = msgspec.structs.replace(
        trial, first=reading(0.0), last=msgspec.structs.replace(reading(1.0), processes=0)
    )
    assert taken_by_others(ended, building.environment()) is None


@given(running=st.floats(0.0, 8.0), queued=st.floats(0.0, 100.0), switches=st.integers(0, 10**6))
def test_that_a_share_lies_between_nothing_and_all(
    running: float, queued: float, switches: int
) -> None:
    found = measured(running=running, queued=queued, switches=switches)
    share = taken_by_others(found.trials[0], found.environment)
    assert share is None or 0.0 <= share <= 1.0


@pytest.mark.parametrize(("busy", "doubted"), [(0.9, True), (0.4, False)])
def test_that_a_proxy_that_is_busy_is_doubted_to_be_what_limits(busy: float, doubted: bool) -> None:
    result = good(*SURE)
    trials = [replace(one, counters={"proxy seconds": busy * one.elapsed}) for one in result.trials]
    texts = [doubt.text for doubt in doubts_about([replace(result, trials=tuple(trials))])]
    assert any("busy for 90 % of the time" in text for text in texts) is doubted
