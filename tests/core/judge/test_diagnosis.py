"""What limits a result, by what its trials recorded and by the results beside it."""

from __future__ import annotations

from typing import Any

import building
import msgspec
import pytest

from core.judge import diagnose, diagnose_all, probe
from core.judge.diagnosis.facts import facts_of
from core.vocabulary import Cause, Confidence, Failed, MachineNoise, PageCacheProof, Result

pytestmark = pytest.mark.quick


def test_that_only_the_cores_that_a_trial_may_use_count() -> None:
    result = building.good(building.spec(threads=4, cores=2), 100.0)
    seen = facts_of(result)
    assert (seen.cores, seen.bound) == (2.0, True)
    assert facts_of(building.good(building.spec(threads=4), 100.0)).cores == 8.0
    more = building.good(building.spec(threads=4, cores=100), 100.0)
    assert facts_of(more).cores == 8.0


def test_that_the_cores_that_programs_keep_busy_come_from_their_own_cpu_time() -> None:
    result = building.good(building.spec(threads=4), 100.0)
    assert facts_of(result).busy is None
    (trial,) = result.trials
    spent = msgspec.structs.replace(trial, counters={"CPU seconds": 0.015 * trial.operations})
    again = msgspec.structs.replace(result, trials=(spent,))
    assert facts_of(again).busy == pytest.approx(1.5, rel=0.01)


def waiting(rate: float, **load: Any) -> Result:
    """A result whose threads hardly run; the rest is as built."""
    of = building.spec(parameters={"cache": "lru"}, **load)
    made = building.good(of, rate, rate * 1.001)
    last = msgspec.structs.replace(building.reading(2.0), cpu_user=0.01, cpu_system=0.01)
    trials = [
        msgspec.structs.replace(
            trial,
            last=last,
            moments=tuple(
                msgspec.structs.replace(
                    moment,
                    reading=msgspec.structs.replace(
                        building.reading(moment.at), cpu_user=0.0, cpu_system=0.0
                    ),
                )
                for moment in trial.moments
            ),
            workers=tuple(
                msgspec.structs.replace(worker, gil_looks=10, gil_held=0)
                for worker in trial.workers
            ),
            counters={},
        )
        for trial in made.trials
    ]
    return msgspec.structs.replace(made, trials=tuple(trials))


def test_that_a_result_is_explained_by_those_beside_it() -> None:
    threads = waiting(1000.0, threads=4)
    beside = [threads, waiting(950.0, threads=1), waiting(3900.0, threads=1, processes=4)]
    found = diagnose(threads, beside)
    assert (found.cause, found.confidence) == (Cause.LOCK, Confidence.SURE)
    assert found.of == "4 threads"
    assert found.sentence == (
        "Limited by lock contention. The threads wait for a lock that they share."
    )
    assert diagnose(threads).cause is Cause.UNKNOWN


def test_that_other_caches_explain_nothing() -> None:
    threads = waiting(1000.0, threads=4)
    other = waiting(950.0, threads=1)
    spec = msgspec.structs.replace(other.spec, parameters={"cache": "none"})
    assert diagnose(threads, [msgspec.structs.replace(other, spec=spec)]).cause is Cause.UNKNOWN


def computing(rate: float, threads: int) -> Result:
    """Threads that run, or want to run, all the time on eight cores."""
    made = building.good(building.spec(parameters={"cache": "lru"}, threads=threads), rate, rate)
    busy = [
        msgspec.structs.replace(building.reading(at), cpu_user=at * min(threads, 8), cpu_system=0.0)
        for at in (0.0, 2.0)
    ]
    trials = [
        msgspec.structs.replace(
            trial,
            moments=(),
            first=busy[0],
            last=busy[1],
            workers=tuple(
                msgspec.structs.replace(worker, gil_looks=10, gil_held=0)
                for worker in trial.workers
            ),
        )
        for trial in made.trials
    ]
    return msgspec.structs.replace(made, trials=tuple(trials))


def test_that_what_keeps_more_threads_from_helping_limits_the_advised_one() -> None:
    one = computing(1000.0, 1)
    results = [one, waiting(990.0, threads=2), waiting(980.0, threads=8)]
    assert diagnose(one).advice == "more threads will help"
    found = diagnose_all(results, one.spec)
    assert found is not None
    assert found.of == "1 thread"
    assert found.advice != "more threads will help"
    told = [one for one in found.evidence if "2 threads reach 0.990×" in one]
    assert told == ["2 threads reach 0.990× what one does"]
    assert diagnose_all([]) is None


def test_that_the_reason_speaks_of_the_advised_setting_by_what_it_shows_itself() -> None:
    four = computing(1000.0, 8)
    results = [computing(130.0, 1), four, waiting(1010.0, threads=16), waiting(1300.0, threads=32)]
    found = diagnose_all(results, four.spec)
    assert found is not None
    assert (found.of, found.cause) == ("8 threads", Cause.CPU)
    assert found.advice == "more cores will help, more threads will not"


def test_that_of_the_fewest_threads_that_are_as_good_the_most_tell_what_they_do_not() -> None:
    rates = {1: 250.0, 4: 1000.0, 5: 1005.0, 8: 1010.0, 16: 1300.0}
    results = [waiting(rate, threads=threads) for threads, rate in rates.items()]
    found = diagnose_all(results, results[1].spec)
    assert found is not None
    assert found.of == "4 threads"
    assert found.evidence[-1] == "8 threads reach 1.01× the throughput of 4"  # 16 do help
    most = diagnose_all(results, results[-1].spec)
    assert most is not None
    assert most.of == "16 threads"


def test_that_a_result_without_a_good_trial_is_diagnosed_by_its_errors() -> None:
    of = building.spec()
    message = "[Errno 24] Too many open files: '/data/x'"
    outcome = Failed(stage="preparing", error="OSError", message=message)
    failed = building.result(of, [building.trial(of, outcome=outcome, workers=())])
    found = diagnose_all([failed])
    assert found is not None
    assert found.cause is Cause.DESCRIPTORS


def test_that_the_facts_are_slopes_between_the_first_look_and_the_last() -> None:
    of = building.spec(threads=4)
    built = building.trial(of, rate=1000.0)
    assert built.last is not None
    trial = msgspec.structs.replace(
        built,
        last=msgspec.structs.replace(built.last, queued=3.0, read_bytes=8_000_000),
        moments=tuple(
            msgspec.structs.replace(
                moment, reading=msgspec.structs.replace(building.reading(moment.at), queued=0.0)
            )
            for moment in built.moments
        ),
        page_cache=PageCacheProof(wanted="as-is", before=building.residency(), after=None),
    )
    found = facts_of(building.result(of, [trial]))
    assert found.running == pytest.approx(1.0)
    assert found.queued == pytest.approx(1.5)
    assert found.demand == pytest.approx(2.5)
    assert found.waiting == pytest.approx(0.375)
    assert found.system == pytest.approx(0.25)
    assert found.storage == pytest.approx(4_000_000)
    assert found.gil is None


def test_that_time_which_the_hypervisor_took_was_wanted_and_not_waited_for() -> None:
    of = building.spec(threads=4)
    built = building.trial(of, rate=1000.0)
    assert built.last is not None
    looks = [msgspec.structs.replace(building.reading(at), queued=0.5 * at) for at in (0.0, 2.0)]
    trial = msgspec.structs.replace(built, moments=(), first=looks[0], last=looks[1])
    noise = MachineNoise(seconds=2.0, cores=8, others=0.0, steal=3.0)
    calm, robbed = (
        facts_of(building.result(of, [msgspec.structs.replace(trial, noise=one)]))
        for one in (None, noise)
    )
    assert calm.queued is not None
    assert calm.waiting is not None
    assert robbed.queued == pytest.approx(calm.queued + 1.5)
    assert robbed.waiting == pytest.approx(calm.waiting - 1.5 / 4)
    assert calm.taken == pytest.approx(0.5 / 1.5, abs=0.01)
    assert robbed.taken == 0.0  # no other program ran


def test_that_the_probe_measures_one_thread_the_threads_and_as_many_processes() -> None:
    of = building.spec(threads=4)
    loads = [(one.load.threads, one.load.processes) for one in probe(of)]
    assert loads == [(1, 1), (4, 1), (1, 4)]
    single = [(one.load.threads, one.load.processes) for one in probe(building.spec())]
    assert single == [(1, 1), (2, 1), (1, 2)]
    assert {one.load.duration for one in probe(of)} == {of.load.duration}


def test_that_threads_which_wait_for_a_store_elsewhere_wait_for_the_network() -> None:
    for address, cause in (("s3://bucket", Cause.NETWORK), ("file:///a", Cause.UNKNOWN)):
        made = waiting(1000.0, threads=4)
        spec = msgspec.structs.replace(made.spec, parameters={"address": address})
        assert diagnose(msgspec.structs.replace(made, spec=spec)).cause is cause
