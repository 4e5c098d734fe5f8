"""What limits programs that a workload runs: all that is known of them is seen from outside.

They take no part in Python's global lock, and threads of theirs that wait say little: a tool that
was given four threads on two cores keeps two waiting.  So the rules go by the cores that they keep
busy, from the CPU time that the operating system counted for them:

- BUSY: from 0.8 of the cores on, no thread more can do much; from 0.9 on, none can do anything.
- With one thread that computes all the time there was nothing to wait for.  Where more threads
  leave cores idle that they could use, they wait for each other: for the part of the work that is
  one thread's, or for a lock.  From outside the two look the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.analysis.diagnosis.case import (
    Case,
    Cause,
    Confidence,
    Finding,
    gain_told,
    resident_told,
    storage_told,
)
from core.analysis.diagnosis.facts import Facts
from core.catalog.workload import OfPrograms
from core.language.translation import marked, tr
from core.language.units import show_share

BUSY, ALL_BUSY = 0.8, 0.9
ONE = 1.25
"""Most cores that one thread seems to keep busy: its program's start and end are in it."""
SOME, MOST = 0.2, 0.5
"""Shares of the looks at a pipe: from the first on a wait is told, from the second on the program
that another waits for, and that waits for none, holds it up."""
_PAIRS = 3


def programs(case: Case) -> Finding | None:
    """Where programs do the work, what limits them, or UNKNOWN with what was seen."""
    wanted = _wanted(case.facts)
    if wanted is None:
        return None
    for rule in (_all_cores, _storage, _one_thread, _together):
        if found := rule(case, wanted):
            return found
    return Finding(cause=Cause.UNKNOWN, confidence=Confidence.NONE, evidence=_seen(case))


def _wanted(facts: Facts) -> float | None:
    """Cores that the programs used or wanted."""
    return None if facts.busy is None else facts.busy + (facts.queued or 0.0)


def _all_cores(case: Case, wanted: float) -> Finding | None:
    if wanted < BUSY * case.facts.cores:
        return None
    sure = wanted >= ALL_BUSY * case.facts.cores
    return Finding(
        cause=Cause.CPU,
        confidence=Confidence.SURE if sure else Confidence.LIKELY,
        evidence=_seen(case),
        advice=tr("more cores will help, more threads will not"),
    )


def _storage(case: Case, wanted: float) -> Finding | None:
    if not case.from_storage or wanted >= BUSY * min(case.threads, case.facts.cores):
        return None
    return Finding(
        cause=Cause.DEVICE,
        confidence=Confidence.LIKELY,
        evidence=(
            storage_told(case.facts.storage or 0.0),
            *resident_told(case.facts),
            *_seen(case),
        ),
        advice=tr("a warm page cache or a faster disk will help"),
    )


def _one_thread(case: Case, wanted: float) -> Finding | None:
    if case.facts.workers > 1 or not BUSY <= wanted <= ONE:
        return None
    return Finding(
        cause=Cause.CPU,
        confidence=Confidence.SURE,
        evidence=_seen(case),
        advice=tr("more threads can help, as far as the program can use them"),
    )


def _together(case: Case, wanted: float) -> Finding | None:
    alone = _wanted(case.single) if case.single else None
    if alone is None or alone < BUSY or wanted >= BUSY * min(case.threads, case.facts.cores):
        return None
    return Finding(
        cause=Cause.SERIAL,
        confidence=Confidence.LIKELY,
        evidence=_seen(case),
        advice=tr("larger data or smaller blocks may give its threads more to do at a time"),
    )


def _seen(case: Case) -> tuple[str, ...]:
    facts, told = case.facts, []
    assert facts.busy is not None
    told.append(
        tr(
            "the program keeps {busy} of {cores} cores busy",
            busy=f"{facts.busy:.2g}",
            cores=marked(f"{facts.cores:g}"),
        )
    )
    if (facts.queued or 0.0) >= 0.1:
        told.append(tr("{queued} of its threads wait for a core", queued=f"{facts.queued:.2g}"))
    if case.threads > 1 and case.gain is not None:
        told.append(gain_told(case))
    return (*told, *_waits(facts))


def _waits(facts: Facts) -> Iterator[str]:
    """Which programs of a pipe wait for which, and which of them holds the others up."""
    looks = facts.counters.get(OfPrograms.PIPES, 0.0)
    if not looks:
        return
    shares = {
        (who, whom): seen / looks
        for name, seen in facts.counters.items()
        for who, waits, whom in (name.partition(OfPrograms.WAITS),)
        if waits and seen >= SOME * looks
    }
    for (who, whom), share in sorted(shares.items(), key=lambda each: -each[1])[:_PAIRS]:
        yield tr(
            "{program} waits for {other} {share} of the time",
            program=who,
            other=whom,
            share=show_share(share),
        )
    waiting = {who for who, _ in shares}
    awaited = [whom for (_, whom), share in shares.items() if share >= MOST and whom not in waiting]
    for holding in dict.fromkeys(awaited):
        yield tr("{program} holds up the others of the pipe", program=holding)
