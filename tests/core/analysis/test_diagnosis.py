"""The rules of the diagnosis, on facts that are made up."""

from __future__ import annotations

from typing import Any

import building
import msgspec
import pytest

from core.analysis.diagnosis import (
    Cause,
    Confidence,
    Diagnosis,
    Facts,
    diagnose,
    diagnose_all,
    facts_of,
    find,
    probe,
)
from core.analysis.diagnosis.case import Case, Finding
from core.host.machine_noise import MachineNoise
from core.language.translation import translated_by
from core.result.outcome import Failed
from core.result.result import Result
from core.result.trial_record import PageCacheProof

pytestmark = pytest.mark.quick


def facts(**changes: Any) -> Facts:
    """Four threads that run all the time on four cores."""
    usual = Facts(
        workers=4,
        processes=1,
        cores=4.0,
        rate=1000.0,
        byte_rate=1e6,
        running=3.9,
        queued=0.0,
        system=0.1,
        voluntary=10.0,
        storage=0.0,
        resident=1.0,
        gil=0.0,
        each=1e-3,
        phases={},
        counters={},
        backoff=0.0,
        complaints=(),
    )
    return msgspec.structs.replace(usual, **changes)


PROGRAM = {"gil": 0.0, "running": 1.0, "cores": 2.0}
"""What is seen of this process while it waits for a program's threads on two cores."""
ONE = facts(workers=1, running=0.98, rate=260.0)
IDLE = {"running": 0.05}


def case(single: float | None = 260.0, spread: float | None = None, **changes: Any) -> Case:
    """A case whose neighbours reach these rates."""
    alone, before = changes.pop("alone", None), changes.pop("before", None)
    beside = {key: changes.pop(key) for key in ("raw", "remote", "floor") if key in changes}
    return Case(
        facts=facts(**changes),
        **{"raw": False, "remote": "", "floor": None, **beside},
        single=None
        if single is None
        else msgspec.structs.replace(ONE, rate=single, latency=alone, busy=before),
        spread=None if spread is None else facts(processes=4, rate=spread),
    )


def test_that_of_threads_bound_to_a_core_it_is_said_and_more_cores_are_advised() -> None:
    found = find(case(None, workers=1, running=0.99, cores=1.0, bound=True))
    assert found.cause is Cause.CPU
    assert "bound to 1 core" in found.evidence[0]
    assert found.advice == "more cores will help, more threads will not"
    free = find(case(None, workers=1, running=0.99, cores=4.0))
    assert "bound" not in free.evidence[0]
    assert free.advice == "more threads will help"


def test_that_where_others_have_the_cores_it_is_said_and_a_quiet_machine_is_advised() -> None:
    crowded = find(case(running=0.5, queued=3.3, taken=0.8))
    assert crowded.evidence[-1] == (
        "other programs took 80 % of the time on cores that its threads wanted"
    )
    assert crowded.advice == "wait until the machine is quiet, then measure again"
    alone = find(case(running=0.5, queued=3.3, taken=0.2))
    assert (len(alone.evidence), alone.confidence) == (1, Confidence.SURE)
    assert "more cores will help" in alone.advice


def test_that_only_the_cores_that_a_trial_may_use_count() -> None:
    result = building.good(building.spec(threads=4, cores=2), 100.0)
    seen = facts_of(result)
    assert (seen.cores, seen.bound) == (2.0, True)
    assert facts_of(building.good(building.spec(threads=4), 100.0)).cores == 8.0
    more = building.good(building.spec(threads=4, cores=100), 100.0)
    assert facts_of(more).cores == 8.0


CASES: dict[tuple[Cause, Confidence], dict[str, Case]] = {
    (Cause.CPU, Confidence.SURE): {
        "threads that run": case(),
        "threads that want to run": case(running=1.0, queued=2.9),
        "a server and no waiting": case(remote="far"),
        "far below plain reads": case(floor=1e9, system=0.6),
        "a little unpacking": case(phases={"read": 0.7, "inflate": 0.3}),
        "a program on all cores, and threads of it that wait": case(
            busy=1.95, before=1.0, single=520.0, **PROGRAM
        ),
        "a program that wants all cores of a busy machine": case(busy=1.2, queued=0.7, **PROGRAM),
        "a program with one thread": case(None, **{**PROGRAM, "workers": 1}, busy=0.98),
    },
    (Cause.CPU, Confidence.LIKELY): {
        "threads that want to run, on cores that others have": case(
            running=0.5, queued=3.3, taken=0.8
        ),
        "a client of a server that keeps one core busy": case(
            remote="far", workers=40, running=0.9, queued=0.1, single=900.0
        ),
        "a client of a server that wants all cores": case(
            None, remote="far", workers=40, running=1.7, queued=2.0
        ),
        "one that looks held, and threads that gain as much as they have cores": case(
            running=2.9, gil=0.6
        ),
        "one that looks held, and threads that all want to run": case(
            running=1.0, queued=2.9, gil=0.5, taken=0.5, spread=1900.0
        ),
        "bytes from storage that keep up": case(storage=9e5, resident=0.0),
        "a program on nearly all cores": case(busy=1.7, **PROGRAM),
    },
    (Cause.PAGE_CACHE, Confidence.LIKELY): {
        "copying on cores that others have": case(
            raw=True, system=0.9, running=1.0, queued=2.9, taken=0.5
        ),
        "copying, and threads that wait for new memory": case(
            raw=True, system=0.6, running=1.1, queued=1.1, single=800.0, spread=1650.0
        ),
    },
    (Cause.NETWORK, Confidence.SURE): {
        "waiting for a server, beside other programs": case(remote="far", taken=0.5, **IDLE),
        "waiting for a server that is gone": case(
            counters={"503": 0.0, "retries": 2.0, "backoff seconds": 0.1},
            backoff=0.3,
            remote="far",
            **IDLE,
        ),
        "a rare retry": case(counters={"retries": 0.001}, remote="far", **IDLE),
        "waiting for a server": case(remote="far", **IDLE),
        "a client of a server that grows with its threads": case(
            remote="far", workers=40, running=0.9, rate=10_000.0
        ),
        "one operation under way": case(remote="far", latency=0.1, single=950.0, alone=0.1, **IDLE),
    },
    (Cause.DESCRIPTORS, Confidence.SURE): {
        "an error of the kernel": case(complaints=("OSError: [Errno 24] Too many open files: 'x'",))
    },
    (Cause.BACKPRESSURE, Confidence.SURE): {
        "refusals": case(counters={"503": 0.4, "retries": 0.4}, backoff=0.3, **IDLE)
    },
    (Cause.BACKPRESSURE, Confidence.LIKELY): {
        "retries": case(counters={"retries": 0.4}, **IDLE),
        "backing off": case(backoff=0.3, **IDLE),
    },
    (Cause.HARNESS, Confidence.SURE): {
        "a tiny operation": case(each=3e-7, gil=1.0),
        "a tiny operation, and threads that wait for Python's lock": case(
            each=3e-7, gil=1.0, harness=0.05
        ),
    },
    (Cause.HARNESS, Confidence.LIKELY): {
        "a short operation": case(each=8e-7),
        "a short operation, and the harness's cost": case(each=8e-7, harness=0.3),
    },
    (Cause.PAGE_CACHE, Confidence.SURE): {
        "copying in short operations, many of them in one call": case(
            raw=True, system=0.9, each=4e-7, harness=0.07
        ),
        "copying": case(raw=True, system=0.6),
        "as fast as plain reads": case(floor=1.2e6, system=0.6),
    },
    (Cause.GIL, Confidence.SURE): {
        "a client of a server that waits for Python's lock": case(
            remote="far", workers=40, running=1.0, gil=0.9, single=900.0
        ),
        "a held lock of Python's": case(950.0, running=1.0, gil=0.95),
        "one thread that holds it": case(None, workers=1, running=0.98, gil=0.95),
    },
    (Cause.BANDWIDTH, Confidence.LIKELY): {
        "a full link": case(remote="far", latency=0.4, single=950.0, alone=0.1, **IDLE)
    },
    (Cause.GIL, Confidence.LIKELY): {"one mostly held": case(950.0, running=1.0, gil=0.6)},
    (Cause.LOCK, Confidence.SURE): {
        "a lock held while waiting": case(single=950.0, spread=3900.0, **IDLE),
        "a lock held while computing": case(single=950.0, spread=3900.0, running=0.9, queued=0.1),
    },
    (Cause.LOCK, Confidence.LIKELY): {
        "one that computes, and Python's lock is held now and then": case(
            single=950.0, spread=3900.0, running=0.9, queued=0.1, gil=0.3
        ),
        "one that computes, and nothing beside it": case(single=None, running=1.0),
    },
    (Cause.DEVICE, Confidence.SURE): {
        "waits that overlap": case(single=250.0, **IDLE),
        "waiting, and bytes from storage": case(storage=9e5, resident=0.0, running=0.5),
    },
    (Cause.DEVICE, Confidence.LIKELY): {
        "a device at its limit": case(single=950.0, spread=1000.0, resident=0.0, **IDLE),
        "bytes from storage on a busy machine": case(
            storage=9e5, resident=0.0, running=0.8, queued=2.6
        ),
        "a program that waits for bytes from storage": case(
            busy=0.6, before=0.5, storage=9e5, resident=0.0, **PROGRAM
        ),
    },
    (Cause.UNKNOWN, Confidence.NONE): {
        "waits that more threads do not shorten, of data that was in the page cache": case(
            single=950.0, spread=1000.0, **IDLE
        ),
        "other bytes from storage, and the data was in the page cache": case(
            single=None, storage=9e5, running=0.2
        ),
        "waiting, and nothing beside it": case(single=None, **IDLE),
        "waiting, and no pair": case(single=950.0, **IDLE),
        "half and half": case(running=2.3),
        "a program that failed at once, and held a lock": case(rate=None, running=1.0, gil=0.95),
        "a program that waits with one thread, too": case(
            busy=0.6, before=0.5, single=950.0, **PROGRAM
        ),
        "a program of threads of its own choice": case(None, **{**PROGRAM, "workers": 1}, busy=1.4),
        "no readings": case(running=None, queued=None),
    },
    (Cause.DECOMPRESSION, Confidence.SURE): {
        "unpacking": case(phases={"read": 0.2, "decompress": 0.8})
    },
    (Cause.SERIAL, Confidence.LIKELY): {
        "a program whose threads leave a core idle": case(
            busy=1.2, before=0.98, single=850.0, **PROGRAM
        )
    },
}
NAMED = {name: (one, *told) for told, cases in CASES.items() for name, one in cases.items()}


@pytest.mark.parametrize("name", NAMED)
def test_that_the_evidence_names_the_cause(name: str) -> None:
    made_up, cause, confidence = NAMED[name]
    found = find(made_up)
    assert (found.cause, found.confidence) == (cause, confidence)
    assert found.evidence or name == "no readings"


def told_of(found: Finding) -> Diagnosis:
    return Diagnosis(
        cause=found.cause,
        confidence=found.confidence,
        of="",
        evidence=found.evidence,
        advice=found.advice,
    )


@pytest.mark.parametrize("name", NAMED)
def test_that_all_of_a_diagnosis_is_translated(name: str) -> None:
    made_up, *_ = NAMED[name]
    with translated_by(lambda text: f"«{text}»"):
        found = find(made_up)
        told = told_of(found)
        texts = [told.sentence, *told.evidence, *filter(None, [told.advice])]
    assert all(text.startswith("«") for text in texts if text != made_up.remote)


def test_that_a_client_with_one_operation_under_way_is_told_from_a_full_link() -> None:
    serial = find(case(remote="far", latency=0.1, single=950.0, alone=0.1, **IDLE))
    assert "one at a time" in serial.evidence[-1]
    assert "more threads of this one will not" in serial.advice
    full = find(case(remote="far", latency=0.4, single=950.0, alone=0.1, **IDLE))
    assert full.evidence[-1] == "1.00 MB/s are moved"
    unknown = find(case(remote="far", single=950.0, **IDLE))
    assert (unknown.cause, unknown.advice) == (Cause.NETWORK, "")


def test_that_of_programs_it_is_said_how_many_cores_they_keep_busy() -> None:
    found = find(case(busy=1.2, before=0.98, queued=0.2, single=850.0, **PROGRAM))
    assert found.evidence[:2] == (
        "the program keeps 1.2 of 2 cores busy",
        "0.2 of its threads wait for a core",
    )
    assert "Python" not in " ".join(found.evidence)


PIPE = {"looks at pipes": 20.0, "sort waits for gzip": 18.0, "cat waits for gzip": 11.0}


def test_that_of_a_pipe_the_program_is_named_for_which_the_others_wait() -> None:
    told = told_of(find(case(busy=0.9, counters=PIPE, **PROGRAM)))
    assert told.cause is Cause.PIPE
    assert told.sentence == (
        "gzip holds up the others of its pipe: sort waits for it 90 % of the time."
    )
    assert "cat waits for gzip 55 % of the time" in told.evidence
    assert told.advice == "give gzip more threads or a faster setting: the others have time"


def test_that_no_program_of_a_pipe_is_named_where_none_waits_much() -> None:
    counters = {"looks at pipes": 20.0, "sort waits for gzip": 6.0}
    assert find(case(busy=0.9, counters=counters, **PROGRAM)).cause is not Cause.PIPE
    assert find(case(busy=1.95, counters=PIPE, **PROGRAM)).cause is Cause.CPU


def test_that_the_cores_that_programs_keep_busy_come_from_their_own_cpu_time() -> None:
    result = building.good(building.spec(threads=4), 100.0)
    assert facts_of(result).busy is None
    (trial,) = result.trials
    spent = msgspec.structs.replace(trial, counters={"CPU seconds": 0.015 * trial.operations})
    again = msgspec.structs.replace(result, trials=(spent,))
    assert facts_of(again).busy == pytest.approx(1.5, rel=0.01)


def test_that_what_would_tell_more_is_said_where_it_was_not_measured() -> None:
    found: Finding = find(case(single=950.0, **IDLE))
    assert "--why" in found.evidence[-1]


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
    assert found.of == "threads 4 · processes 1"
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
    assert found.of == "threads 1"
    assert found.advice != "more threads will help"
    assert found.evidence[-1] == "2 threads reach 0.990× the throughput of 1"
    assert diagnose_all([]) is None


def test_that_the_reason_speaks_of_the_advised_setting_by_what_it_shows_itself() -> None:
    four = computing(1000.0, 8)
    results = [computing(130.0, 1), four, waiting(1010.0, threads=16), waiting(1300.0, threads=32)]
    found = diagnose_all(results, four.spec)
    assert found is not None
    assert (found.of, found.cause) == ("threads 8", Cause.CPU)
    assert found.advice == "more cores will help, more threads will not"


def test_that_of_the_fewest_threads_that_are_as_good_the_most_tell_what_they_do_not() -> None:
    rates = {1: 250.0, 4: 1000.0, 5: 1005.0, 8: 1010.0, 16: 1300.0}
    results = [waiting(rate, threads=threads) for threads, rate in rates.items()]
    found = diagnose_all(results, results[1].spec)
    assert found is not None
    assert found.of == "threads 4"
    assert found.evidence[-1] == "8 threads reach 1.01× the throughput of 4"  # 16 do help
    most = diagnose_all(results, results[-1].spec)
    assert most is not None
    assert most.of == "threads 16"


def test_that_an_operation_of_a_program_is_told_by_its_parts() -> None:
    found = find(
        case(None, **{**PROGRAM, "workers": 1}, busy=0.4, queued=0.1, rate=2.0, latency=0.5)
    )
    assert found.evidence[-3:] == (
        "an operation takes 500 ms and 200 ms of CPU time",
        "50.0 ms of it is waiting for a core",
        "250 ms of it is waiting for something else, such as files or a server",
    )
    several = find(case(busy=1.2, before=0.98, rate=2.0, latency=0.5, storage=4e6, **PROGRAM))
    assert several.evidence[-2:] == (
        "an operation takes 500 ms and 600 ms of CPU time",
        "1.9 MiB for it come from storage",
    )


def test_that_an_operation_of_a_client_is_told_by_the_time_of_its_threads() -> None:
    found = find(case(remote="far", client=True, workers=8, running=0.8, rate=4.0, single=3.9))
    assert found.evidence[-2:] == (
        "an operation takes 2.0 s of its threads' time, and 200 ms of it CPU time",
        "1.8 s of it is waiting for something else, such as files or a server",
    )


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
