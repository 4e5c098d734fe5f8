"""What settings would do on a quiet machine is told where it can be, and never where it cannot."""

from __future__ import annotations

from collections.abc import Sequence

import building
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.judge import advise, compare_answers, typical
from core.judge.alone import alone
from core.tell.cli.compare_verdicts import exit_code
from core.vocabulary import (
    UNKNOWN,
    CoreUse,
    Grade,
    MachineNoise,
    OfPrograms,
    Result,
    Slice,
    Trial,
    VerdictKind,
    pack,
)

pytestmark = pytest.mark.quick

WOBBLE = (1.0, 1.004, 0.997, 1.001, 0.998)
CORES = 2


def on_machine(threads: int, trials: Sequence[Trial]) -> Result:
    machine = building.environment(logical_cores=CORES, affinity_cores=CORES)
    of = building.spec(threads=threads)
    return msgspec.structs.replace(building.result(of, trials), environment=machine)


def ran(threads: int, rate: float, running: float, queued: float, waits: float = 0.0) -> Result:
    """Trials whose threads ran on so many cores, and wanted more."""
    of, noise = building.spec(threads=threads), MachineNoise(seconds=2.0, cores=CORES, others=4.0)
    trials = []
    for at, one in enumerate(WOBBLE):
        made = building.trial(of, index=at, block=at, rate=rate * one, noise=noise)
        workers = tuple(
            msgspec.structs.replace(
                worker,
                cpu=round(worker.window * running / threads),
                process_cpu=round(worker.window * running) if worker.worker == 0 else None,
                window_cpu=round(worker.window * running / threads),
                window_queued=round(worker.window * queued / threads),
                window_waits=round(worker.window / 1e9 * waits / threads),
            )
            for worker in made.workers
        )
        trials.append(msgspec.structs.replace(made, workers=workers))
    return on_machine(threads, trials)


@given(
    threads=st.integers(1, 8),
    share=st.floats(0.15, 0.95),
    each=st.floats(200.0, 10_000.0),
)
def test_that_threads_that_compute_are_told_as_they_are_alone(
    threads: int, share: float, each: float
) -> None:
    """Each has a core of its own while there are enough; others leave a share of that."""
    cores = min(threads, CORES)
    beside = ran(threads, share * cores * each, share * cores, threads - share * cores)
    (told,) = alone([beside]).results
    assert typical(told) == pytest.approx(cores * each, rel=0.02)
    assert 0.0 <= told.error < 0.05


@given(queued=st.floats(0.0, 0.3), threads=st.integers(1, 8))
def test_that_work_that_hardly_wants_a_core_stands_within_what_it_waited(
    queued: float, threads: int
) -> None:
    asleep = ran(threads, 100.0, 0.01, queued)
    (told,) = alone([asleep]).results
    assert (typical(told) or 0.0) * 1.01 >= 100.0
    assert (typical(told) or 0.0) <= 101.0 / (1.0 - 2.0 * queued / threads)


def test_that_threads_that_hand_a_lock_to_each_other_are_not_computed() -> None:
    """Two that share one reader: beside one loop they did twice what they do alone, and the waits
    for the lock looked like waits for a core (measured: 0.99 running, 0.92 waiting, 730 waits)."""
    told = alone([ran(1, 2160.0, 0.99, 0.01), ran(2, 2120.0, 0.99, 0.92, waits=730.0)])
    assert [one.spec.load.threads for one in told.results] == [1]
    (most,) = told.most
    assert typical(most) == pytest.approx(2 * 2140.0, rel=0.02), "all cores, and no more"


def test_that_threads_that_were_blocked_for_long_are_not_computed() -> None:
    told = alone([ran(2, 100.0, 0.6, 0.6)])
    assert told.results == ()
    assert not told.unknown


def test_that_where_the_kernel_says_nothing_of_waits_it_is_not_told_why_they_waited() -> None:
    noise = MachineNoise(seconds=2.0, cores=CORES, others=4.0)
    of = building.spec(threads=2)
    told = alone([on_machine(2, [building.trial(of, noise=noise)])])
    assert told.results == ()
    assert told.unknown


def test_that_an_advice_beside_others_has_a_claim_for_now_and_one_for_the_quiet_machine() -> None:
    """As measured on two cores beside two busy loops: blocks of 64 KiB."""
    advice = advise(
        [
            ran(1, 62993.0, 0.55, 0.45),
            ran(2, 101458.0, 0.96, 1.03, waits=50.0),
            ran(4, 133147.0, 1.26, 2.45, waits=400.0),
            ran(8, 148181.0, 1.43, 4.39, waits=1400.0),
        ]
    )
    assert advice is not None
    assert advice.beside
    assert not advice.confident
    assert advice.now.setting == {"threads": 8}
    assert advice.now.confidence is Grade.SURE
    assert advice.quiet.setting == {"threads": 2}
    assert advice.quiet.error > 0.0
    assert advice.quiet.low is not None
    assert advice.quiet.high is not None
    assert advice.quiet.low < 2.0 < advice.quiet.high
    assert advice.sentence.startswith("8 threads for now, 2 when the machine is quiet. Now ")
    assert "computed from how long threads waited for a core" in advice.sentence


def test_that_one_lock_leaves_an_answer_for_now_alone() -> None:
    advice = advise(
        [
            ran(1, 1359.0, 0.60, 0.40),
            ran(2, 1710.0, 0.74, 0.85, waits=550.0),
            ran(4, 1781.0, 0.79, 1.68, waits=1500.0),
        ]
    )
    assert advice is not None
    assert advice.now.told
    assert not advice.quiet.told
    assert "wait for each other" in advice.quiet.reason


def in_turns(threads: int, rates: Sequence[tuple[float, float]], block: int) -> Trial:
    """A trial in turns, each with its rate and the cores that others used in it."""
    slices = [
        Slice(
            at,
            at * 10**9,
            10**8,
            round(rate / 10),
            round(rate / 10),
            0,
            0,
            0,
            others=round(others * 10**8),
        )
        for at, (rate, others) in enumerate(rates)
    ]
    noise = MachineNoise(seconds=2.0, cores=CORES, others=3.0)
    of = building.spec(threads=threads)
    return building.trial(of, index=block, block=block, noise=noise, slices=pack(slices))


def test_that_the_quiet_turns_of_a_measurement_are_kept_where_it_got_busy_in_the_middle() -> None:
    """In the busy rounds four threads take more than their share."""
    few, many = (
        [in_turns(n, [(quiet, 0.05)] * 20 + [(busy, 1.9)] * 20, at) for at in range(3)]
        for n, quiet, busy in ((2, 2000.0, 700.0), (4, 2000.0, 1400.0))
    )
    told = alone([on_machine(2, few), on_machine(4, many)])
    assert told.kept == pytest.approx(0.45, abs=0.06), "not the rounds beside busy ones"
    assert [typical(one) for one in told.results] == pytest.approx([2000.0, 2000.0], rel=0.01)
    assert told.error == 0.0


def test_that_a_few_quiet_turns_are_no_answer() -> None:
    trials = [in_turns(2, [(2000.0, 0.05)] * 5 + [(700.0, 1.9)] * 35, at) for at in range(3)]
    assert alone([on_machine(2, trials)]).kept == 0.0


def test_that_a_programs_threads_are_accounted_by_its_own_counters() -> None:
    of = building.spec(threads=4)
    counters = {OfPrograms.CPU: 2.0, OfPrograms.QUEUED: 5.0, OfPrograms.GAVE_UP: 20.0}
    trial = building.trial(of, rate=10.0, seconds=2.0, counters=counters, client_threads=4)
    use = CoreUse.of(trial)
    assert use is not None
    assert (use.threads, use.running, use.queued, use.waits) == pytest.approx((4, 1.0, 2.5, 10.0))


def test_that_threads_of_a_library_beside_the_workers_have_no_account() -> None:
    trial = ran(1, 100.0, 0.9, 0.1).trials[0]
    worker = msgspec.structs.replace(trial.workers[0], process_cpu=3 * trial.workers[0].cpu)
    assert CoreUse.of(trial) is not None
    assert CoreUse.of(msgspec.structs.replace(trial, workers=(worker,))) is None


def with_cache(result: Result, cache: str) -> Result:
    """The same of another cache."""
    of = msgspec.structs.replace(result.spec, parameters={**result.spec.parameters, "cache": cache})
    trials = tuple(msgspec.structs.replace(one, spec_digest=of.digest) for one in result.trials)
    return msgspec.structs.replace(result, spec=of, trials=trials)


def later(result: Result) -> Result:
    """The same, measured a day later."""
    trials = tuple(
        msgspec.structs.replace(one, started=one.started + 86_400.0, block=one.block + 100)
        for one in result.trials
    )
    return msgspec.structs.replace(result, trials=trials)


def test_that_a_verdict_beside_others_says_what_holds_on_the_quiet_machine() -> None:
    """Both computed: the difference is the same, as both lost as much."""
    slow, fast = ran(2, 700.0, 0.9, 1.1), with_cache(ran(2, 1400.0, 0.9, 1.1), "none")
    (verdict,) = compare_answers([(slow, fast)])
    assert verdict.kind is VerdictKind.FASTER
    assert verdict.beside
    assert verdict.quiet is VerdictKind.FASTER
    assert exit_code([verdict]) == 0
    assert "Computed for the quiet machine: faster." in verdict.sentence


def test_that_no_gate_rests_on_what_holds_for_now_alone() -> None:
    slow = ran(2, 700.0, 0.7, 0.8, waits=600.0)
    fast = with_cache(ran(2, 1400.0, 0.7, 0.8, waits=600.0), "none")
    for pair, kind in (((slow, fast), VerdictKind.FASTER), ((fast, slow), VerdictKind.SLOWER)):
        (verdict,) = compare_answers([pair])
        assert verdict.kind is kind
        assert verdict.lasting is VerdictKind.UNDECIDED
        assert exit_code([verdict]) == 4
        assert "On the quiet machine it cannot be told." in verdict.sentence


def test_that_answers_of_different_kinds_are_not_compared() -> None:
    quiet, beside = ran(2, 1900.0, 1.99, 0.01), later(ran(2, 900.0, 0.9, 1.1))
    (verdict,) = compare_answers([(quiet, with_cache(beside, "none"))])
    assert verdict.kind is VerdictKind.INVALID
    assert "The candidate was measured beside other programs, which took 55 %" in verdict.because
    (both,) = compare_answers([(quiet, later(with_cache(quiet, "none")))])
    assert both.kind is not VerdictKind.INVALID


def test_that_each_turn_of_threads_that_compute_is_computed_by_its_own_account() -> None:
    """Half of the turns beside one loop, half beside three: the rates alone are the same."""
    noise = MachineNoise(seconds=2.0, cores=CORES, others=3.0)
    shares = [0.9, 0.3] * 10
    trials = []
    for at in range(3):
        slices = [
            Slice(
                number,
                number * 10**9,
                10**8,
                round(1e6 * share),
                round(1e6 * share),
                0,
                0,
                0,
                cpu=round(2 * share * 10**8),
                queued=round(2 * (1.0 - share) * 10**8),
                others=10**8,
            )
            for number, share in enumerate(shares)
        ]
        made = ran(2, 6e6, 1.2, 0.8).trials[at]
        trials.append(msgspec.structs.replace(made, noise=noise, slices=pack(slices)))
    (told,) = alone([on_machine(2, trials)]).results
    assert typical(told) == pytest.approx(1e7, rel=0.02)
    for trial in told.trials:
        rates = [1e9 * turn.items / turn.active for turn in trial.turns]
        assert rates == pytest.approx([1e7] * 20, rel=0.01)


def mixed(threads: int, rate: float, shares: Sequence[float]) -> Result:
    """Trials whose threads had these shares of their cores, each with what it did with them."""
    cores = min(threads, CORES)
    of_each = [
        ran(threads, share * rate, share * cores, threads - share * cores) for share in shares
    ]
    trials = [result.trials[at] for at, result in enumerate(of_each)]
    return on_machine(threads, trials)


def test_that_disturbed_trials_that_leave_the_answer_open_make_two_claims() -> None:
    """Most trials of each setting were quiet, and yet nothing is sure."""
    shares = [1.0, 0.25, 1.0, 1.0, 0.3]
    advice = advise([mixed(1, 100.0, [1.0] * 5), mixed(2, 195.0, shares)])
    assert advice is not None
    assert advice.beside
    assert advice.taken > 0.1
    assert advice.quiet.setting == {"threads": 2}
    assert advice.quiet.ratio == pytest.approx(1.95, rel=0.05)


def test_that_a_program_is_computed_with_a_larger_error_than_threads_of_ours() -> None:
    threads = ran(2, 100.0, 0.9, 1.1)
    counters = {OfPrograms.CPU: 1.8, OfPrograms.QUEUED: 2.2, OfPrograms.GAVE_UP: 0.0}
    trials = [
        msgspec.structs.replace(trial, counters=counters, client_threads=2)
        for trial in threads.trials
    ]
    (own,), (program,) = (alone([one]).results for one in (threads, on_machine(2, trials)))
    assert typical(program) == pytest.approx(typical(own), rel=0.02)
    assert program.error > 1.5 * own.error


def test_that_a_gain_above_the_cores_is_an_answer_where_no_thread_waited_for_a_core() -> None:
    """Measured on two quiet cores: one thread 1,820 sequences a second, two 4,190."""
    advice = advise([ran(1, 1821.0, 1.0, 0.0), ran(2, 4192.0, 1.95, 0.02)])
    assert advice is not None
    assert not advice.beside
    assert advice.quiet.setting == {"threads": 2}
    assert advice.quiet.ratio == pytest.approx(2.3, rel=0.01)


def test_that_turns_of_which_nobody_knows_what_others_did_are_not_quiet() -> None:
    """As those of older sessions."""
    trials = [in_turns(2, [(2000.0, 0.05)] * 40, at) for at in range(3)]
    assert alone([on_machine(2, trials)]).kept == 1.0
    older = [
        msgspec.structs.replace(
            trial,
            slices=pack(msgspec.structs.replace(turn, others=UNKNOWN) for turn in trial.turns),
        )
        for trial in trials
    ]
    assert alone([on_machine(2, older)]).kept == 0.0
    assert Slice(0, 0, 10**8, 1, 1, 0, 0, 0).others == UNKNOWN


def test_that_others_spoil_times_and_not_memory() -> None:
    slow, fast = ran(2, 700.0, 0.7, 0.8, waits=600.0), ran(2, 1400.0, 0.7, 0.8, waits=600.0)
    pair = slow, with_cache(fast, "none")
    (memory,), (latency,), (rate,) = (
        compare_answers([pair], metric=metric) for metric in ("peak_rss", "p50", "throughput")
    )
    assert not memory.beside
    assert memory.lasting is memory.kind
    assert latency.beside
    assert latency.quiet is None
    assert rate.beside


TAKEN = ((0.9, 0.5), (0.5, 0.8), (0.7, 0.6), (0.6, 0.9), (0.8, 0.7), (0.5, 0.6))
"""Cores that each side got in each block, beside other programs."""


def computed_at(cpu_each: float, cache: str, side: int) -> Result:
    """One thread that takes so much CPU time for an operation, on as many cores as were left."""
    trials = []
    for at, cores in enumerate(TAKEN):
        one = ran(1, cores[side] / cpu_each, cores[side], 1.0 - cores[side]).trials[0]
        jitter = WOBBLE[at % len(WOBBLE)]
        workers = tuple(
            msgspec.structs.replace(worker, process_cpu=round((worker.process_cpu or 0) * jitter))
            for worker in one.workers
        )
        began = one.started + 10.0 * at
        place = {"index": at, "block": at, "started": began, "workers": workers}
        trials.append(msgspec.structs.replace(one, **place))
    return with_cache(on_machine(1, trials), cache)


def test_that_cpu_time_tells_of_equal_loads_what_the_clock_leaves_open() -> None:
    base, more = computed_at(0.001, "lru", 0), computed_at(0.00106, "none", 1)
    (verdict,) = compare_answers([(base, more)])
    assert verdict.kind is VerdictKind.UNDECIDED
    assert verdict.reasons[0].startswith("by CPU time 1.06×")
    (same,) = compare_answers([(base, computed_at(0.001, "none", 1))])
    assert same.kind is VerdictKind.UNDECIDED
    assert not same.reasons[0].startswith("by CPU time")
