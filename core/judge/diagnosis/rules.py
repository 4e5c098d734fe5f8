"""The rules on what limits a reader's own threads, and on operations that fail.

Each rule reads the facts of one result, and of results beside it that differ in threads and
processes only.  It gives its evidence in sentences.  The thresholds:

- HELD, ALWAYS_HELD: a thread that asks for Python's global lock gets it within tens of microseconds
  where the holder lets go, and only after `sys.getswitchinterval` where it does not (see
  `core.measure.trial.worker_threads`).  On a busy machine a holder that waits for a core looks the
  same sometimes, but not most of the time.  A short trial has two or three looks, so one of them is
  half: where all of several threads run or want to, they do not wait for the lock, whatever the
  looks say. Beside six busy loops on two cores (`tests/benchmarks/bench_lock_waits.py`) two threads
  that decode in Python waited a quarter of the time, eight that compute outside the lock at most 15
  %.
- IN_TURNS: where others took cores, four threads that decode in Python ran or wanted 1.5 to 1.8
  cores together, and four that decompress outside the lock 2.2 to 2.7 (beside 2 and 6 loops), while
  all of three looks found the lock held (`tests/benchmarks/bench_known_causes.py`).
- FREE: above this share of slow answers the lock is not free, and a busy machine may hide that the
  holder keeps it, so a lock of the reader's own is no longer sure.
- WAITS, RUNS, IDLE: above one half of the time, the threads wait for something that is not a core.
  Below a third they mostly run or want to run; below a fifth they do nothing else.  Between a third
  and a half no single cause limits.
- ONE: a lock that is held during a computation keeps one thread on a core, or wanting one, for any
  number of threads; the rest of an operation, outside the lock, can add up to 25 %.
- FLAT, ALONG: below 1.3 times the throughput, the added threads do not help; above 0.6 times their
  number, their waits overlap.  Trials on a busy machine differ by 20 %.
- APART: where processes reach 1.5 times the throughput of as many threads, the threads share
  something inside their process; less can be the scheduler, which gives every process its share.
- TINY, SHORT: the loop that calls, claims, keeps and counts takes 0.15 to 0.3 microseconds of CPU
  for each short operation.  That is half of the measured time below TINY, a quarter below SHORT.
  Where the harness has found less than LITTLE of the time to be its own, and Python's lock is held
  for less than LET_GO of it, there is no such loop.
- IN_KERNEL, OF_FLOOR, RESIDENT: the kernel copies out of the page cache; with a Python loop around
  it that is about half of the CPU time.  It limits a reader only near the speed of plain reads.
  Its threads may wait as well: a read of 1 MiB takes new memory from the kernel, and the threads
  of a process do that one after another (they waited 35 to 58 % of the time, and 4 processes
  reached 1.6 times what 4 threads did).  That is no lock of the reader's, so it comes before LOCK.
"""

from __future__ import annotations

import re

from core.judge.diagnosis.case import (
    Case,
    Finding,
    apart_text,
    cores_text,
    finding,
    gain_text,
    resident_text,
    storage_text,
    wait_text,
)
from core.judge.diagnosis.facts import Facts
from core.language import show_seconds, show_share, tr
from core.vocabulary import TAKEN, Cause

HELD, ALWAYS_HELD = 0.5, 0.75
IN_TURNS = 2.0
FREE = 0.2
WAITS, RUNS, IDLE = 0.5, 0.33, 0.2
ONE = 1.25
FLAT, APART = 1.3, 1.5
TINY, SHORT = 0.5e-6, 1e-6
LITTLE, LET_GO = 0.1, 0.5
IN_KERNEL = 0.45
MOST_OF_IT = 0.5
OF_FLOOR = 0.5

_NO_FILES = re.compile(r"\[Errno (24|23)\]|EMFILE|ENFILE|Too many open files", re.IGNORECASE)
_UNPACKING = re.compile(
    r"inflat|decompress|uncompress|unpack|unzip|zstd|zlib|gunzip", re.IGNORECASE
)


def shared_reader(case: Case) -> Finding | None:
    """Wrong data, and threads that share a reader; sure where the same was right without that."""
    shared = case.shared
    if shared is None:
        return None
    return finding(
        Cause.SHARED, (shared.cause,), shared.remedy, sure=bool(shared.name and shared.right)
    )


def descriptors(case: Case) -> Finding | None:
    """The operating system reported it."""
    complaints = [text for text in case.facts.complaints if _NO_FILES.search(text)]
    if not complaints:
        return None
    return finding(
        Cause.DESCRIPTORS,
        (tr("an operation failed with: {text}", text=complaints[0][:120]),),
        tr("keep fewer files open (a smaller cache, fewer threads) or raise `ulimit -n`"),
    )


def harness(case: Case) -> Finding | None:
    """Operations as short as the loop around them.

    The harness's own measured cost proves nothing: on a busy machine, or without a warm-up, it is
    measured before the loop has reached its pace, and can be ten times too high.
    """
    facts = case.facts
    if facts.each is None or facts.each > SHORT:
        return None
    if _in_one_call(facts):
        return None
    each = facts.each
    return finding(
        Cause.HARNESS,
        (
            tr(
                "an operation and the loop around it take {time} of CPU, "
                "of which the loop alone takes about a quarter of a microsecond",
                time=show_seconds(each),
            ),
        ),
        tr("make each operation do more, such as larger blocks or whole records"),
        sure=each <= TINY,
    )


def _in_one_call(facts: Facts) -> bool:
    """Whether operations can have no loop of Python around each, as where C performs many at once.

    Then the harness has found next to nothing, and Python's lock is let go.  Where threads wait for
    that, the harness's share of their time is small, too.
    """
    if facts.harness is None or facts.gil is None:
        return False
    return facts.harness < LITTLE and facts.gil < LET_GO


def device(case: Case) -> Finding | None:
    """Threads that wait while bytes come from storage."""
    facts, waiting = case.facts, case.facts.waiting
    if waiting is None or not case.from_storage:
        return None
    # The wait without the queue for a core, which the device does not cause.
    waiters = waiting * facts.workers
    if waiters < RUNS * (waiters + (facts.running or 0.0)):
        return None
    sure = waiting >= WAITS
    return finding(
        Cause.DEVICE,
        (storage_text(facts.storage or 0.0), *resident_text(facts), wait_text(waiting)),
        tr("a warm page cache or a faster disk will help"),
        sure=sure,
    )


def gil(case: Case) -> Finding | None:
    """A thread gets Python's global lock only when it is taken from another thread."""
    share, waiting = case.facts.gil, case.facts.waiting
    if share is None or share < HELD or case.fills:
        return None
    if case.threads > 1 and waiting is not None and waiting <= IDLE:
        return None
    demand = (case.facts.demand or 0.0) / case.facts.processes
    if case.facts.taken > TAKEN and demand > IN_TURNS:
        return None
    evidence = [
        tr(
            "in {share} of the samples Python's global lock was held until it was taken",
            share=show_share(share),
        )
    ]
    if case.gain is not None and case.threads > 1:
        evidence.append(gain_text(case))
    if case.apart is not None and case.apart >= FLAT:
        evidence.append(apart_text(case))
    return finding(
        Cause.GIL,
        evidence,
        tr("use processes instead of threads, or a reader that lets go of the lock"),
        sure=share >= ALWAYS_HELD,
    )


def page_cache(case: Case) -> Finding | None:
    """All data comes from memory, most CPU time is the kernel's, and plain reads are no faster."""
    facts, waiting = case.facts, case.facts.waiting
    if waiting is None or not case.cached:
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
    evidence = [
        *resident_text(facts),
        tr("nothing was read from storage"),
        tr(
            "{share} of the CPU time is the kernel's, which copies it",
            share=show_share(facts.system),
        ),
    ]
    advice = tr("a faster disk will not help; measure with a cold page cache to see the disk")
    if waiting > RUNS and case.apart is not None and case.apart >= FLAT:
        evidence += [wait_text(waiting), apart_text(case)]
        advice = tr(
            "use processes or smaller blocks: threads wait for each other where each read takes "
            "new memory from the kernel; a faster disk will not help"
        )
    return finding(Cause.PAGE_CACHE, evidence, advice, sure=waiting <= RUNS)


def _looks_held_beside_others(facts: Facts) -> bool:
    """Then nothing shows which lock it is, unless the threads take turns at Python's own."""
    return facts.taken > TAKEN and (facts.gil or 0.0) >= HELD


def lock(case: Case) -> Finding | None:
    """One thread runs at a time, and the others do not wait for Python's own lock."""
    facts, waiting, demand = case.facts, case.facts.waiting, case.facts.demand
    if case.threads < 2 or waiting is None or demand is None or waiting < WAITS:
        return None
    if case.remote or case.grows or _looks_held_beside_others(facts):
        return None
    apart = case.apart is not None and case.apart >= APART
    # One thread computes while others could: this is no device that serves one request at a time.
    one_computes = 1 / ONE <= demand / facts.processes <= ONE and facts.gil is not None
    flat = case.gain is not None and case.gain < FLAT
    if not (one_computes or apart):
        return None
    evidence = [wait_text(waiting)]
    if one_computes:
        evidence.append(tr("on average one thread runs or wants to, with any number of threads"))
    if case.gain is not None:
        evidence.append(gain_text(case))
    if apart:
        evidence.append(apart_text(case))
    free = facts.gil is None or facts.gil <= FREE
    if facts.gil is not None and free:
        evidence.append(tr("Python's global lock is free when a thread asks for it"))
    sure = apart and (flat or one_computes) and free
    return finding(
        Cause.LOCK, evidence, tr("give each thread its own handle, or use processes"), sure=sure
    )


def latency(case: Case) -> Finding | None:
    """Threads that wait, where the waits overlap, or processes cannot shorten them either."""
    waiting = case.facts.waiting
    if waiting is None or waiting < WAITS or case.remote:
        return None
    overlap = case.threads > 1 and case.grows
    saturated = (
        case.gain is not None and case.gain < FLAT and case.apart is not None and case.apart < FLAT
    )
    if not (overlap or saturated) or (case.cached and not overlap):
        return None
    evidence = [wait_text(waiting), gain_text(case)]
    if saturated:
        evidence.append(apart_text(case))
    return finding(
        Cause.DEVICE,
        evidence,
        tr("more threads will help") if overlap else tr("only a faster device will help"),
        sure=overlap and waiting > 0.8,
        threads_help=overlap,
    )


def decompression(case: Case) -> Finding | None:
    """Threads that run, in a step that decompresses."""
    facts, waiting = case.facts, case.facts.waiting
    share = sum(part for name, part in facts.phases.items() if _UNPACKING.search(name))
    if waiting is None or waiting > WAITS or share < MOST_OF_IT:
        return None
    return finding(
        Cause.DECOMPRESSION,
        (
            *(
                tr("{share} of the time is {name}", share=show_share(part), name=name)
                for name, part in facts.phases.items()
                if _UNPACKING.search(name)
            ),
            cores_text(facts),
        ),
        tr("more cores, a faster codec or less compression will help"),
        sure=waiting <= RUNS,
    )


def more_cores(case: Case) -> str:
    """Nothing is said of more threads than were measured where each more has helped."""
    if case.gains:
        return tr("more cores will help")
    return tr("more cores will help, more threads will not")


def cpu(case: Case) -> Finding | None:
    """Threads that always run or want to run, outside Python's lock."""
    facts, waiting = case.facts, case.facts.waiting
    if waiting is None or waiting > RUNS:
        return None
    spare = facts.workers < facts.cores
    sure = facts.gil is not None and waiting <= IDLE and not case.from_storage
    return finding(
        Cause.CPU,
        (cores_text(facts),),
        tr("more threads will help") if spare else more_cores(case),
        sure=sure,
        threads_help=spare,
    )
