"""What limits programs that a workload runs: all that is known of them is seen from outside.

They take no part in Python's global lock, and threads of theirs that wait say little: a tool that
was given four threads on two cores keeps two waiting.  So the rules go by the cores that they keep
busy, from the CPU time that the operating system counted for them:

- BUSY: from 0.8 of the cores on, no thread more can do much; from 0.9 on, none can do anything.
- With one thread that computes all the time there was nothing to wait for.  Where more threads
  leave cores idle that they could use, they wait for each other: for the part of the work that is
  one thread's, or for a lock.  From outside the two look the same.
- Of programs that a pipe joins it is seen which one waits for which: see
  `core.host.processes.command_run`.
"""

from __future__ import annotations

from collections.abc import Mapping

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
from core.catalog.workload_job import OfPrograms
from core.language.translation import tr
from core.language.units import show_share

BUSY, ALL_BUSY = 0.8, 0.9
ONE = 1.25
"""Most cores that one thread seems to keep busy: its program's start and end are in it."""
WAITS = 0.5
"""Share of the looks at a pipe from which on a program waits for another: one that does not wait,
but is waited for, holds up the others."""
_PAIRS = 3


def programs(case: Case) -> Finding | None:
    """Where programs do the work, what limits them, or UNKNOWN with what was seen."""
    wanted = _wanted(case.facts)
    if wanted is None:
        return None
    for rule in (_all_cores, _storage, _pipe, _one_thread, _together):
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


def _pipe(case: Case, _: float) -> Finding | None:
    waits = _waits(case.facts)
    waiting = {who for who, _ in waits}
    for (who, whom), share in waits.items():
        if whom not in waiting:
            return Finding(
                cause=Cause.PIPE,
                confidence=Confidence.SURE,
                evidence=(
                    tr(
                        "{program} holds up the others of its pipe: {other} waits for it {share} of the time",
                        program=whom,
                        other=who,
                        share=share,
                    ),
                    *_seen(case),
                ),
                advice=tr(
                    "give {program} more threads or a faster setting: the others have time",
                    program=whom,
                ),
            )
    return None


def _one_thread(case: Case, wanted: float) -> Finding | None:
    if case.facts.workers > 1 or not BUSY <= wanted <= ONE:
        return None
    return Finding(
        cause=Cause.CPU,
        confidence=Confidence.SURE,
        evidence=_seen(case),
        advice=tr("more threads can help, as far as the program can use them"),
        threads_help=True,
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
            "the program keeps {busy} of 1 core busy",
            "the program keeps {busy} of {count:g} cores busy",
            count=facts.cores,
            busy=f"{facts.busy:.2g}",
        )
    )
    if (facts.queued or 0.0) >= 0.1:
        told.append(tr("{queued} of its threads wait for a core", queued=f"{facts.queued:.2g}"))
    if case.threads > 1 and case.gain is not None:
        told.append(gain_told(case))
    waits = [
        tr("{program} waits for {other} {share} of the time", program=who, other=whom, share=share)
        for (who, whom), share in _waits(facts).items()
    ]
    return (*told, *waits[:_PAIRS])


def _waits(facts: Facts) -> Mapping[tuple[str, str], str]:
    """Which programs of a pipe wait for which, and how much of the time; most of it first."""
    looks = facts.counters.get(OfPrograms.PIPES, 0.0)
    seen = {
        (who, whom): count / looks
        for name, count in facts.counters.items()
        for who, waits, whom in (name.partition(OfPrograms.WAITS),)
        if waits and count >= WAITS * looks
    }
    return {pair: show_share(seen[pair]) for pair in sorted(seen, key=lambda pair: -seen[pair])}
