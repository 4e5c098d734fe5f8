"""The rules of the diagnosis, on facts that are made up."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec
import pytest

from core.judge.diagnosis import find
from core.judge.diagnosis.case import Case, Finding
from core.judge.diagnosis.facts import Facts
from core.language import translated_by
from core.vocabulary import Cause, Confidence, Diagnosis

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


def test_that_beside_others_a_lock_that_seems_held_is_not_blamed_for_threads_that_compute() -> None:
    """Whoever holds it waits for a core; what was seen beside six loops."""
    beside = {"cores": 2.0, "gil": 1.0, "taken": 0.77}
    packed = case(950.0, running=0.45, queued=1.77, phases={"inflate": 0.9}, **beside)
    assert find(packed).cause is Cause.DECOMPRESSION
    assert find(case(950.0, running=0.4, queued=1.2, **beside)).cause is Cause.GIL
    unclear = case(950.0, workers=8, running=0.4, queued=1.8, spread=1900.0, **beside)
    assert find(unclear).cause is Cause.UNKNOWN


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


@pytest.mark.parametrize(
    "one",
    [
        case(),
        case(remote="far", workers=40, running=0.9, queued=0.1, single=900.0),
        case(None, remote="far", workers=40, running=1.7, queued=2.0),
        case(remote="far", latency=0.4, single=950.0, alone=0.1, running=0.05),
        case(busy=1.7, gil=0.0, running=1.0, cores=2.0),
    ],
)
def test_that_more_threads_are_never_called_useless_where_each_more_has_helped(one: Case) -> None:
    assert "will not" in find(one).advice
    gaining = find(dataclasses.replace(one, gains=True))
    assert gaining.advice
    assert "will not" not in gaining.advice


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
        "a server that stood still, and threads that wanted cores before": case(
            None, remote="far", workers=32, running=0.9, queued=4.0, stalled=0.3
        ),
        "a client that sleeps now and then": case(asleep=0.2, remote="far", **IDLE),
        "a rare retry": case(counters={"retries": 0.001}, remote="far", **IDLE),
        "waiting for a server": case(remote="far", **IDLE),
        "a client of a server that grows with its threads": case(
            remote="far", workers=40, running=0.9, rate=10_000.0
        ),
        "one operation under way": case(remote="far", latency=0.1, single=950.0, alone=0.1, **IDLE),
    },
    (Cause.PAUSES, Confidence.SURE): {
        "a client that sleeps": case(asleep=0.9, remote="far", **IDLE),
        "a client that sleeps, and grows with its threads": case(asleep=0.5, remote="far", **IDLE),
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
        "a program that may have wanted the cores of others": case(
            busy=1.2, before=0.98, single=850.0, taken=0.6, **PROGRAM
        ),
        "a program that reads from storage, and may have wanted the cores of others": case(
            busy=0.6, before=0.5, storage=9e5, resident=0.0, taken=0.6, **PROGRAM
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
        "gzip holds up the others of its pipe: sort waits for gzip 90 % of the time."
    )
    assert "cat waits for gzip 55 % of the time" in told.evidence
    assert told.advice == "give gzip more threads or a faster setting: the others have time"


def test_that_a_wait_on_a_full_pipe_and_one_on_an_empty_one_are_told_apart() -> None:
    joined = {"cat | gzip": 11.0, "gzip | sort": 20.0}
    told = told_of(find(case(busy=0.9, counters=PIPE | joined, **PROGRAM)))
    assert told.sentence == (
        "gzip holds up the others of its pipe: "
        "cat waits 100 % of the time, as the pipe to gzip is full."
    )
    assert "sort waits 90 % of the time, as the pipe from gzip is empty" in told.evidence


def test_that_cores_are_not_called_idle_that_others_use() -> None:
    found = find(case(busy=1.2, before=0.98, single=850.0, taken=0.6, **PROGRAM))
    assert "other programs took 60 % of the time on cores that its threads wanted" in found.evidence
    pipe = find(case(busy=0.9, counters=PIPE, taken=0.6, **PROGRAM))
    assert (pipe.cause, pipe.confidence) == (Cause.PIPE, Confidence.LIKELY)


def test_that_no_program_of_a_pipe_is_named_where_none_waits_much() -> None:
    counters = {"looks at pipes": 20.0, "sort waits for gzip": 6.0}
    assert find(case(busy=0.9, counters=counters, **PROGRAM)).cause is not Cause.PIPE
    assert find(case(busy=1.95, counters=PIPE, **PROGRAM)).cause is Cause.CPU


def test_that_what_would_tell_more_is_said_where_it_was_not_measured() -> None:
    found: Finding = find(case(single=950.0, **IDLE))
    assert found.evidence[-1] == "whether processes would do better was not measured"


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
