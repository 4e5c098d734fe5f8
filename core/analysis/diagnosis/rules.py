"""The rules, from the surest to the vaguest; the first that holds names the cause.

Each rule reads the facts of one result, and those of results beside it that differ in threads and
processes only, and gives its evidence in sentences.  The thresholds:

- HELD, ALWAYS_HELD: a thread that asks for Python's global lock gets it within tens of microseconds
  where it is let go of, and only after `sys.getswitchinterval` where it is not (see `core.trial.gil`).
  On a busy machine a holder that waits for a core looks the same now and then, not mostly.
- WAITS, RUNS, IDLE: above half of the time the threads wait for something that is not a core;
  below a third they mostly run or want to, below a fifth that is all they do.  Between the first
  two no one thing limits.
- ONE: a lock that is held while something is computed keeps one thread on a core, or wanting one,
  whatever their number; 25 % is what the rest of an operation, outside the lock, may add.
- FLAT, ALONG: throughput that grows less than 1.3 times is not worth the threads that were added;
  above 0.6 of their number the waits overlap.  Trials on a busy machine differ by 20 %.
- APART: processes that reach half as much again as the threads of one process share something
  inside it; less can be the scheduler, which gives every process its share.
- TINY, SHORT: the loop that calls, claims, keeps and counts takes 0.15 to 0.3 microseconds of CPU
  for each of many short operations; it is half of what is measured below the one, a quarter below
  the other.
- FROM_STORAGE: bytes from storage, for each byte that was handed out; read-ahead and compression
  move it either way, so half of them count as cold.
- IN_KERNEL, OF_FLOOR, RESIDENT: copying out of the page cache is the kernel's work, about half of
  the CPU time with a Python loop around it; a reader is bound by it only near the plain reads.
- TURNED_AWAY: one retry in twenty operations is no accident any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.analysis.diagnosis.causes import Cause, Confidence
from core.analysis.diagnosis.facts import BACKOFF, Facts
from core.language.units import show_byte_rate, show_ratio, show_seconds, show_share

HELD, ALWAYS_HELD = 0.5, 0.75
WAITS, RUNS, IDLE = 0.5, 0.33, 0.2
ONE = 1.25
FLAT, ALONG, APART = 1.3, 0.6, 1.5
TINY, SHORT = 0.5e-6, 1e-6
TURNED_AWAY = 0.05
IN_KERNEL = 0.45
FROM_STORAGE = 0.5
RESIDENT = 0.99
MOST_OF_IT = 0.5
OF_FLOOR = 0.5

_NO_FILES = re.compile(r"\[Errno (24|23)\]|EMFILE|ENFILE|Too many open files", re.IGNORECASE)
_UNPACKING = re.compile(
    r"inflat|decompress|uncompress|unpack|unzip|zstd|zlib|gunzip", re.IGNORECASE
)
_AWAY = re.compile(r"retr(y|ies)|503|slow ?down|throttl|backpressure|rejected", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Case:
    """One result's facts, and what stands beside it.

    `single`: the same with one thread; `spread`: with as many processes of one thread each.
    """

    facts: Facts
    raw: bool
    """The workload does nothing but read."""
    remote: str
    """Why the data is not on this machine, as a phrase; empty where it is."""
    floor: float | None
    """Bytes per second that plain reads of the same data with the same load reach."""
    single: Facts | None
    spread: Facts | None

    @property
    def threads(self) -> int:
        return self.facts.workers // self.facts.processes

    @property
    def gain(self) -> float | None:
        """Throughput over that of one thread."""
        return _ratio(self.facts.rate, self.single.rate if self.single else None)

    @property
    def from_storage(self) -> bool:
        """Whether a good part of the bytes came from storage."""
        storage, moved = self.facts.storage or 0.0, self.facts.byte_rate or 0.0
        return storage > 0 and storage >= FROM_STORAGE * moved

    @property
    def apart(self) -> float | None:
        """Throughput of processes over that of as many threads."""
        return _ratio(self.spread.rate if self.spread else None, self.facts.rate)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A rule's answer."""

    cause: Cause
    confidence: Confidence
    evidence: tuple[str, ...]
    advice: str = ""


def _ratio(one: float | None, two: float | None) -> float | None:
    return one / two if one and two else None


def find(case: Case) -> Finding:
    """The first rule that holds, or UNKNOWN with what was seen."""
    for rule in RULES:
        if found := rule(case):
            return found
    return Finding(cause=Cause.UNKNOWN, confidence=Confidence.NONE, evidence=seen(case))


def descriptors(case: Case) -> Finding | None:
    """The operating system said so."""
    said = [text for text in case.facts.complaints if _NO_FILES.search(text)]
    if not said:
        return None
    return Finding(
        cause=Cause.DESCRIPTORS,
        confidence=Confidence.SURE,
        evidence=(f"an operation failed with: {said[0][:120]}",),
        advice="keep fewer files open (a smaller cache, fewer threads) or raise `ulimit -n`",
    )


def backpressure(case: Case) -> Finding | None:
    """The workload counted requests that were turned away, or the time it then waited."""
    facts = case.facts
    away = {
        name: count
        for name, count in facts.counters.items()
        if name != BACKOFF and _AWAY.search(name) and count > TURNED_AWAY
    }
    if not away and facts.backoff <= TURNED_AWAY:
        return None
    evidence = [f"{count:.2g} {name} for each operation" for name, count in away.items()]
    if facts.backoff:
        evidence.append(f"{show_share(facts.backoff)} of the time was spent waiting to try again")
    return Finding(
        cause=Cause.BACKPRESSURE,
        confidence=Confidence.SURE,
        evidence=tuple(evidence),
        advice="use fewer threads, or ask the store for a higher rate",
    )


def harness(case: Case) -> Finding | None:
    """Operations as short as the loop around them.

    Not by the cost that the harness measured of itself: on a busy machine, or without a warm-up,
    that is measured before the loop has found its pace, and can be ten times too much.
    """
    each = case.facts.each
    if each is None or each > SHORT:
        return None
    return Finding(
        cause=Cause.HARNESS,
        confidence=Confidence.SURE if each <= TINY else Confidence.LIKELY,
        evidence=(
            f"an operation and the loop around it take {show_seconds(each)} of CPU, "
            "of which the loop alone takes about a quarter of a microsecond",
        ),
        advice="make each operation do more, such as larger blocks or whole records",
    )


def network(case: Case) -> Finding | None:
    """Data that is elsewhere, and threads that wait."""
    waiting = case.facts.waiting
    if not case.remote or waiting is None or waiting < WAITS:
        return None
    evidence = [case.remote, _waiting(waiting)]
    grows = case.gain is not None and case.gain >= ALONG * case.threads
    if case.gain is not None:
        evidence.append(_gain(case))
    return Finding(
        cause=Cause.NETWORK,
        confidence=Confidence.SURE,
        evidence=tuple(evidence),
        advice="more requests at a time will help" if grows else "",
    )


def device(case: Case) -> Finding | None:
    """Threads that wait while bytes come from storage."""
    facts, waiting = case.facts, case.facts.waiting
    if waiting is None or not case.from_storage:
        return None
    # What is left when the time in the queue for a core is taken away, which is not the device's.
    waiters = waiting * facts.workers
    if waiters < RUNS * (waiters + (facts.running or 0.0)):
        return None
    sure = waiting >= WAITS
    return Finding(
        cause=Cause.DEVICE,
        confidence=Confidence.SURE if sure else Confidence.LIKELY,
        evidence=(_storage(facts.storage or 0.0), *_resident(facts), _waiting(waiting)),
        advice="a warm page cache or a faster disk will help",
    )


def gil(case: Case) -> Finding | None:
    """Who asks for Python's global lock gets it only when it is taken from another."""
    held = case.facts.gil
    if held is None or held < HELD:
        return None
    evidence = [
        f"at {show_share(held)} of the looks Python's global lock was held until it was taken away"
    ]
    if case.gain is not None and case.threads > 1:
        evidence.append(_gain(case))
    if case.apart is not None and case.apart >= FLAT:
        evidence.append(_apart(case))
    return Finding(
        cause=Cause.GIL,
        confidence=Confidence.SURE if held >= ALWAYS_HELD else Confidence.LIKELY,
        evidence=tuple(evidence),
        advice="use processes instead of threads, or a reader that lets go of the lock",
    )


def lock(case: Case) -> Finding | None:
    """One thread at a time gets on, and it is not Python's own lock that the others wait for."""
    facts, waiting, demand = case.facts, case.facts.waiting, case.facts.demand
    if case.threads < 2 or waiting is None or demand is None or waiting < WAITS:
        return None
    if case.remote or (case.gain is not None and case.gain >= ALONG * case.threads):
        return None
    apart = case.apart is not None and case.apart >= APART
    # One that computes, and at least two that could: not a device that one request at a time uses.
    one_computes = 1 / ONE <= demand / facts.processes <= ONE and facts.gil is not None
    flat = case.gain is not None and case.gain < FLAT
    if not (one_computes or apart):
        return None
    evidence = [_waiting(waiting)]
    if one_computes:
        evidence.append("on average one thread runs or wants to, whatever their number")
    if case.gain is not None:
        evidence.append(_gain(case))
    if apart:
        evidence.append(_apart(case))
    if facts.gil is not None:
        evidence.append("Python's global lock is free for who asks for it")
    return Finding(
        cause=Cause.LOCK,
        confidence=Confidence.SURE if apart and (flat or one_computes) else Confidence.LIKELY,
        evidence=tuple(evidence),
        advice="give each thread its own handle, or use processes",
    )


def latency(case: Case) -> Finding | None:
    """Threads that wait, and whose waits overlap or cannot be shortened by processes either."""
    waiting = case.facts.waiting
    if waiting is None or waiting < WAITS or case.remote:
        return None
    overlap = case.gain is not None and case.threads > 1 and case.gain >= ALONG * case.threads
    saturated = (
        case.gain is not None and case.gain < FLAT and case.apart is not None and case.apart < FLAT
    )
    if not (overlap or saturated):
        return None
    evidence = [_waiting(waiting), _gain(case)]
    if saturated:
        evidence.append(_apart(case))
    return Finding(
        cause=Cause.DEVICE,
        confidence=Confidence.SURE if overlap and waiting > 0.8 else Confidence.LIKELY,
        evidence=tuple(evidence),
        advice="more threads will help" if overlap else "only a faster device will help",
    )


def page_cache(case: Case) -> Finding | None:
    """All of it out of memory, most of the CPU in the kernel, and as fast as plain reads are."""
    facts, waiting = case.facts, case.facts.waiting
    if waiting is None or waiting > RUNS or (facts.resident or 0.0) < RESIDENT:
        return None
    near_floor = case.raw or (
        case.floor is not None
        and facts.byte_rate is not None
        and facts.byte_rate >= OF_FLOOR * case.floor
    )
    copying = facts.system is not None and facts.system >= IN_KERNEL
    if facts.storage or not near_floor or not copying:
        return None
    assert facts.system is not None
    return Finding(
        cause=Cause.PAGE_CACHE,
        confidence=Confidence.SURE,
        evidence=(
            *_resident(facts),
            "nothing was read from storage",
            f"{show_share(facts.system)} of the CPU time is the kernel's, which copies it",
        ),
        advice="a faster disk will not help; measure with --page-cache cold to see the disk",
    )


def decompression(case: Case) -> Finding | None:
    """Threads that run, in a step that unpacks."""
    facts, waiting = case.facts, case.facts.waiting
    share = sum(part for name, part in facts.phases.items() if _UNPACKING.search(name))
    if waiting is None or waiting > WAITS or share < MOST_OF_IT:
        return None
    return Finding(
        cause=Cause.DECOMPRESSION,
        confidence=Confidence.SURE if waiting <= RUNS else Confidence.LIKELY,
        evidence=(
            *(
                f"{show_share(part)} of the time is {name}"
                for name, part in facts.phases.items()
                if _UNPACKING.search(name)
            ),
            _running(facts),
        ),
        advice="more cores, a faster codec or less compression will help",
    )


def cpu(case: Case) -> Finding | None:
    """Threads that run or want to all the time, outside Python's lock."""
    facts, waiting = case.facts, case.facts.waiting
    if waiting is None or waiting > RUNS:
        return None
    spare = facts.workers < facts.cores
    sure = facts.gil is not None and waiting <= IDLE and not case.from_storage
    return Finding(
        cause=Cause.CPU,
        confidence=Confidence.SURE if sure else Confidence.LIKELY,
        evidence=(_running(facts),),
        advice="more threads will help" if spare else "more cores will help, more threads will not",
    )


RULES: tuple[Callable[[Case], Finding | None], ...] = (
    descriptors,
    backpressure,
    harness,
    network,
    gil,
    device,
    lock,
    latency,
    page_cache,
    decompression,
    cpu,
)


def seen(case: Case) -> tuple[str, ...]:
    """What was seen where no rule holds."""
    facts, found = case.facts, []
    if facts.rate is None:
        found.append("no trial went well")
    if facts.waiting is not None:
        found.append(_waiting(facts.waiting))
    if case.threads > 1 and case.gain is not None:
        found.append(_gain(case))
    if facts.waiting is not None and facts.waiting >= WAITS and case.apart is None:
        found.append("whether processes would get on better was not measured; --why does it")
    return tuple(found)


def _waiting(share: float) -> str:
    return f"the threads wait {show_share(share)} of the time for something that is not a core"


def _running(facts: Facts) -> str:
    running, queued = facts.running or 0.0, facts.queued or 0.0
    told = (
        f"of {facts.workers} thread{'s' if facts.workers > 1 else ''} {running:.2g} run at a time"
    )
    if queued >= 0.1 * facts.workers:
        told += f" and {queued:.2g} wait for a core"
        if running < 0.8 * min(facts.workers, facts.cores):
            told += ", so other programs or a limit keep cores from them"
    return told


def _gain(case: Case) -> str:
    assert case.gain is not None
    return f"{case.threads} threads reach {show_ratio(case.gain)} what one does"


def _apart(case: Case) -> str:
    assert case.apart is not None
    return f"{case.facts.workers} processes reach {show_ratio(case.apart)} what as many threads do"


def _storage(rate: float) -> str:
    return f"{show_byte_rate(rate)} come from storage"


def _resident(facts: Facts) -> tuple[str, ...]:
    if facts.resident is None:
        return ()
    return (f"{show_share(facts.resident)} of the data was in the page cache at the start",)
