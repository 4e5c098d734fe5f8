"""The rules on work that is done elsewhere: by a server, or by programs that a workload runs.

Of data that is elsewhere:

- ONE tells a client that computes from one that waits, and FLAT and
  ALONG of its latencies a link that is full from a client that has one operation under way.
- MOST_OF_IT: of a client that sleeps for half of the time, the rest says little.
- STILL: a store that was paused for 6 of 16 s on a busy machine left threads that had wanted 1.7 of
  2 cores on average, and were no measure of what limits them.
- TURNED_AWAY: one retry in twenty operations is no accident.

All that is known of programs is seen from outside.  They take no part in Python's global lock, and
threads of theirs that wait say little: a tool that was given four threads on two cores keeps two
waiting.  So the rules go by the cores that they keep busy, from the CPU time that the operating
system counted for them:

- BUSY: from 0.8 of the cores on, no thread more can do much; from 0.9 on, none can do anything.
- With one thread that computes all the time there was nothing to wait for.  Where more threads
  leave cores idle that they could use, they wait for each other: for the part of the work that is
  one thread's, or for a lock.  From outside the two look the same.
- How long an ended program waited for a core is not known.  Where others took more than TAKEN of
  the cores, those were not idle, and a program that uses few may have wanted more.
- Of programs that a pipe joins it is seen which one waits for which: see
  `core.measure.machine.processes.measured_commands`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from core.judge.diagnosis.case import (
    ALONG,
    Case,
    Finding,
    finding,
    gain_text,
    others_text,
    resident_text,
    storage_text,
    wait_text,
)
from core.judge.diagnosis.facts import BACKOFF, Facts
from core.judge.diagnosis.rules import FLAT, MOST_OF_IT, ONE, WAITS, gil, more_cores
from core.language import marked, show_byte_rate, show_ratio, show_share, tr
from core.vocabulary import TAKEN, Cause, Confidence, OfPrograms, counts_refusals

TURNED_AWAY = 0.05
STILL = 0.2
BUSY, ALL_BUSY = 0.8, 0.9
ONE_PROGRAM = 1.25
"""Most cores that one thread seems to keep busy: its program's start and end are in it."""
PIPE_WAITS = 1 / 3
"""Share of the looks at two neighbours of a pipe from which on one waits for the other: one that
does not wait, but is waited for, holds up the others."""
_PAIRS = 3
_RETRIED = re.compile(r"retr(y|ies)", re.IGNORECASE)


def backpressure(case: Case) -> Finding | None:
    """The workload counted refused requests or, where it counts none, retries or waits for them.

    A server that is gone makes clients try again and wait too: where refusals are counted, only
    they prove anything, and without them retries are a hint.
    """
    facts = case.facts
    refused = _counted(facts, counts_refusals)
    away = refused or _counted(facts, lambda name: _RETRIED.search(name) is not None)
    often = {name: count for name, count in away.items() if count > TURNED_AWAY}
    if not often and (refused or facts.backoff <= TURNED_AWAY):
        return None
    evidence = [
        tr("{count} {name} for each operation", count=marked(f"{count:.2g}"), name=name)
        for name, count in often.items()
    ]
    if facts.backoff:
        share = show_share(facts.backoff)
        evidence.append(tr("{share} of the time was spent waiting to try again", share=share))
    return finding(
        Cause.BACKPRESSURE,
        evidence,
        tr("use fewer threads, or ask the store for a higher rate"),
        sure=bool(refused),
    )


def _counted(facts: Facts, named: Callable[[str], bool]) -> dict[str, float]:
    """Counters for each operation, by name, zeros included."""
    return {
        name: count for name, count in facts.counters.items() if name != BACKOFF and named(name)
    }


def pauses(case: Case) -> Finding | None:
    """The client sleeps for most of the time: neither the network nor the server is slow."""
    if case.facts.asleep < MOST_OF_IT:
        return None
    share = show_share(case.facts.asleep)
    return finding(
        Cause.PAUSES,
        (tr("the client slept for {share} of its threads' time", share=share),),
        tr("fewer and larger operations, or another client, will help"),
        threads_help=case.grows,
    )


def stall(case: Case) -> Finding | None:
    """Data that is elsewhere, and nothing came from there for a good part of the time.

    What was seen of the threads in the rest is no measure of what limits them.
    """
    if not case.remote or case.facts.stalled < STILL:
        return None
    share = show_share(case.facts.stalled)
    return finding(
        Cause.NETWORK,
        (case.remote, tr("no operation ended for {share} of the time", share=share)),
        tr("find out what the server waited for then, and measure again"),
    )


def client(case: Case) -> Finding | None:
    """Data that is elsewhere, and threads that seem to wait for it, but wait for their own client.

    In Python one thread computes at a time: of forty threads that keep a core busy between them,
    each waits nearly all the time, and the network is not what they wait for.
    """
    facts, demand = case.facts, case.facts.demand
    if not case.remote or demand is None or facts.workers < 2 or case.grows:
        return None
    all_cores = demand >= facts.cores / ONE
    if (facts.waiting or 0.0) < WAITS or not (all_cores or demand / facts.processes >= 1 / ONE):
        return None
    if (held_lock := gil(case)) is not None:
        return held_lock
    busy = tr(
        "cores busy or wanted by the client: {busy} of {cores}, with {threads} threads in all",
        busy=marked(f"{demand:.2g}"),
        cores=marked(f"{facts.cores:g}"),
        threads=facts.workers,
    )
    evidence = [case.remote, busy]
    if case.gain is not None:
        evidence.append(gain_text(case))
    return finding(
        Cause.CPU, evidence, more_cores(case) if all_cores else _another_client(case), sure=False
    )


def _another_client(case: Case) -> str:
    if case.gains:
        return tr("another client, or several processes of this one, will help")
    return tr(
        "another client, or several processes of this one, will help; threads beyond {threads} will not",
        threads=case.threads,
    )


def bandwidth(case: Case) -> Finding | None:
    """Data that is elsewhere: with more threads each operation takes as much longer."""
    facts, waiting = case.facts, case.facts.waiting
    if not case.remote or waiting is None or waiting < WAITS or case.threads < 2:
        return None
    longer, flat = case.longer, case.gain is not None and case.gain < FLAT
    if not flat or longer is None or longer < ALONG * case.threads:
        return None
    evidence = [case.remote, wait_text(waiting), gain_text(case)]
    evidence.append(
        tr("an operation takes {ratio} the time that it takes alone", ratio=show_ratio(longer))
    )
    if facts.byte_rate:
        evidence.append(tr("{rate} are moved", rate=show_byte_rate(facts.byte_rate)))
    return finding(
        Cause.BANDWIDTH,
        evidence,
        tr("a faster link or server will help")
        if case.gains
        else tr("a faster link or server will help, more threads will not"),
        sure=False,
    )


def network(case: Case) -> Finding | None:
    """Data that is elsewhere, and threads that wait."""
    waiting = case.facts.waiting
    if not case.remote or waiting is None or waiting < WAITS:
        return None
    evidence = [case.remote, wait_text(waiting)]
    advice = tr("more requests at a time will help") if case.grows else ""
    if case.gain is not None:
        evidence.append(gain_text(case))
    if case.threads > 1 and (case.gain or FLAT) < FLAT and (case.longer or FLAT) < FLAT:
        evidence.append(tr("an operation takes no longer than alone: one at a time is under way"))
        advice = tr(
            "a client that has several operations under way will help; "
            "more threads of this one will not"
        )
    return finding(Cause.NETWORK, evidence, advice, threads_help=case.grows)


def programs(case: Case) -> Finding | None:
    """Where programs do the work, what limits them, or UNKNOWN with what was seen."""
    demand = _cores_demanded(case.facts)
    if demand is None:
        return None
    for rule in (_all_cores, _storage, _pipe, _one_thread, _together):
        if limit := rule(case, demand):
            return limit
    return Finding(cause=Cause.UNKNOWN, confidence=Confidence.NONE, evidence=_evidence(case))


def _cores_demanded(facts: Facts) -> float | None:
    """Cores that the programs used or wanted."""
    return None if facts.busy is None else facts.busy + (facts.queued or 0.0)


def _all_cores(case: Case, demand: float) -> Finding | None:
    if demand < BUSY * case.facts.cores:
        return None
    sure = demand >= ALL_BUSY * case.facts.cores
    return finding(Cause.CPU, _evidence(case), more_cores(case), sure=sure)


def _leaves_cores(case: Case, demand: float) -> bool:
    """Whether cores that its threads could use were idle."""
    idle = case.facts.taken <= TAKEN
    return idle and demand < BUSY * min(case.threads, case.facts.cores)


def _storage(case: Case, demand: float) -> Finding | None:
    if not case.from_storage or not _leaves_cores(case, demand):
        return None
    return finding(
        Cause.DEVICE,
        (storage_text(case.facts.storage or 0.0), *resident_text(case.facts), *_evidence(case)),
        tr("a warm page cache or a faster disk will help"),
        sure=False,
    )


def _pipe(case: Case, _: float) -> Finding | None:
    waits = _waits(case.facts)
    waiting = {who for who, _ in waits}
    for pair, text in waits.items():
        if (whom := pair[1]) not in waiting:
            return finding(
                Cause.PIPE,
                (
                    tr("{program} holds up the others of its pipe: {why}", program=whom, why=text),
                    *_evidence(case),
                ),
                tr(
                    "give {program} more threads or a faster setting: the others have time",
                    program=whom,
                ),
                sure=case.facts.taken <= TAKEN,
            )
    return None


def _one_thread(case: Case, demand: float) -> Finding | None:
    if case.facts.workers > 1 or not BUSY <= demand <= ONE_PROGRAM:
        return None
    return finding(
        Cause.CPU,
        _evidence(case),
        tr("more threads can help, as far as the program can use them"),
        threads_help=True,
    )


def _together(case: Case, demand: float) -> Finding | None:
    alone = _cores_demanded(case.single) if case.single else None
    if alone is None or alone < BUSY or not _leaves_cores(case, demand):
        return None
    return finding(
        Cause.SERIAL,
        _evidence(case),
        tr("larger data or smaller blocks may give its threads more to do at a time"),
        sure=False,
    )


def _evidence(case: Case) -> tuple[str, ...]:
    facts, texts = case.facts, []
    assert facts.busy is not None
    texts.append(
        tr(
            "the program keeps {busy} of 1 core busy",
            "the program keeps {busy} of {count:g} cores busy",
            count=facts.cores,
            busy=marked(f"{facts.busy:.2g}"),
        )
    )
    if (facts.queued or 0.0) >= 0.1:
        texts.append(
            tr("{queued} of its threads wait for a core", queued=marked(f"{facts.queued:.2g}"))
        )
    if case.threads > 1 and case.gain is not None:
        texts.append(gain_text(case))
    if facts.taken > TAKEN:
        texts.append(others_text(facts))
    return (*texts, *[*_waits(facts).values()][:_PAIRS])


def _waits(facts: Facts) -> Mapping[tuple[str, str], str]:
    """Which programs of a pipe wait for which, and for how much of the time; the longest first."""
    waits: dict[tuple[str, str], float] = {}
    for name, count in facts.counters.items():
        who, waits_for, whom = name.partition(OfPrograms.WAITS)
        looks = _looks_at(facts, who, whom) if waits_for else 0.0
        if looks and count >= PIPE_WAITS * looks:
            waits[who, whom] = count / looks
    longest = sorted(waits, key=lambda pair: -waits[pair])
    return {pair: _wait_text(facts, *pair, show_share(waits[pair])) for pair in longest}


def _looks_at(facts: Facts, who: str, whom: str) -> float:
    """Looks at these neighbours, or at any in sessions that do not tell."""
    pairs = (OfPrograms.INTO.join((who, whom)), OfPrograms.INTO.join((whom, who)))
    known = (facts.counters[name] for name in pairs if name in facts.counters)
    return next(known, facts.counters.get(OfPrograms.PIPES, 0.0))


def _wait_text(facts: Facts, who: str, whom: str, share: str) -> str:
    words = {"program": who, "other": whom, "share": share}
    if OfPrograms.INTO.join((who, whom)) in facts.counters:
        return tr("{program} waits {share} of the time, as the pipe to {other} is full", **words)
    if OfPrograms.INTO.join((whom, who)) in facts.counters:
        return tr("{program} waits {share} of the time, as the pipe from {other} is empty", **words)
    return tr("{program} waits for {other} {share} of the time", **words)
