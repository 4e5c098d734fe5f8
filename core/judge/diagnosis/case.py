"""What a rule judges and answers, and the sentences about what was observed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.judge.diagnosis.facts import Facts
from core.judge.workload_facts import SharedReader
from core.language import (
    marked,
    show_byte_rate,
    show_ratio,
    show_seconds,
    show_share,
    show_size,
    tr,
)
from core.vocabulary import Cause, Confidence

RESIDENT = 0.99
"""Share of the data in the page cache from which on all of it counts as being there."""


ALONG = 0.6
"""Above so many times the number of threads in throughput, their waits overlap."""
FILLED = 0.8
"""From this share of the throughput of one thread on each core on, nothing keeps threads apart."""
FROM_STORAGE = 0.5
"""Bytes from storage per byte that was returned, from which on data counts as cold: read-ahead and
compression move it either way."""
_PART = 0.05
"""Share of an operation's time from which on a part of it is named."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One result's facts, and what stands beside it.

    `single`: the same with one thread; `spread`: with as many processes of one thread each.
    """

    facts: Facts
    raw: bool
    """The workload does nothing but read."""
    remote: str
    """Where the data is, as a phrase; empty where it is on this machine."""
    floor: float | None
    """Bytes per second of plain reads of the same data with the same load."""
    single: Facts | None
    spread: Facts | None
    shared: SharedReader | None = None
    """Of a result with wrong data: the reader that its threads share."""
    gains: bool = False
    """Whether its threads are the most, and fewer are slower: nobody knows what more would do."""

    @property
    def threads(self) -> int:
        return self.facts.workers // self.facts.processes

    @property
    def gain(self) -> float | None:
        """Throughput over that of one thread."""
        return _ratio(self.facts.rate, self.single.rate if self.single else None)

    @property
    def grows(self) -> bool:
        """Whether throughput is known to grow along with the threads."""
        return self.gain is not None and self.gain >= ALONG * self.threads

    @property
    def fills(self) -> bool:
        """Whether several threads are known to reach nearly as much as the cores can."""
        most = min(self.threads, self.facts.cores)
        return self.threads > 1 and self.gain is not None and self.gain >= FILLED * most

    @property
    def longer(self) -> float | None:
        """Median time of an operation over that with one thread."""
        return _ratio(self.facts.latency, self.single.latency if self.single else None)

    @property
    def from_storage(self) -> bool:
        """Whether a good part of the bytes came from storage.

        What is delivered can be less than what is read for it.  Data that was in the page cache
        when the clock started did not come from there, whatever else did.
        """
        storage, moved = self.facts.storage or 0.0, self.facts.byte_rate or 0.0
        return not self.cached and storage > 0 and storage >= FROM_STORAGE * moved

    @property
    def cached(self) -> bool:
        """Whether all of the data was in the page cache when the clock started."""
        return (self.facts.resident or 0.0) >= RESIDENT

    @property
    def apart(self) -> float | None:
        """Throughput of processes over that of as many threads."""
        return _ratio(self.spread.rate if self.spread else None, self.facts.rate)


@dataclass(frozen=True)
class Finding:
    cause: Cause
    confidence: Confidence
    evidence: tuple[str, ...]
    advice: str = ""
    threads_help: bool = False
    """Whether more threads should bring more, going by these alone."""


def finding(
    cause: Cause,
    evidence: Iterable[str],
    advice: str = "",
    *,
    sure: bool = True,
    threads_help: bool = False,
) -> Finding:
    confidence = Confidence.SURE if sure else Confidence.LIKELY
    return Finding(cause, confidence, tuple(evidence), advice, threads_help)


def _ratio(one: float | None, two: float | None) -> float | None:
    return one / two if one and two else None


def wait_text(share: float) -> str:
    return tr(
        "the threads wait {share} of the time for something that is not a core",
        share=show_share(share),
    )


def cores_text(facts: Facts) -> str:
    """How many threads run, and how many would."""
    running = facts.running or 0.0
    # Both are accounts of the kernel's, but of a window and of the whole turn.
    queued = min(facts.queued or 0.0, max(facts.workers - running, 0.0))
    parts = [
        tr(
            "of 1 thread {running} run at a time",
            "of {count} threads {running} run at a time",
            count=facts.workers,
            running=marked(f"{running:.2g}"),
        )
    ]
    if queued >= 0.1 * facts.workers:
        parts.append(tr(" and {queued} wait for a core", queued=marked(f"{queued:.2g}")))
    if facts.bound:
        parts.append(tr(", bound to 1 core", ", bound to {count:g} cores", count=facts.cores))
        if running < 0.8 * min(facts.workers, facts.cores):
            parts.append(tr(", so other programs or a limit keep cores from them"))
    return "".join(parts)


def others_text(facts: Facts) -> str:
    return tr(
        "other programs took {share} of the time on cores that its threads wanted",
        share=show_share(facts.taken),
    )


def gain_text(case: Case) -> str:
    """What the threads reach beside one; for a case whose `gain` is known."""
    assert case.gain is not None
    return tr(
        "{threads} threads reach {ratio} what one does",
        threads=case.threads,
        ratio=show_ratio(case.gain),
    )


def apart_text(case: Case) -> str:
    """What processes reach beside threads; for a case whose `apart` is known."""
    assert case.apart is not None
    return tr(
        "{processes} processes reach {ratio} what as many threads do",
        processes=case.facts.workers,
        ratio=show_ratio(case.apart),
    )


def parts_text(facts: Facts) -> tuple[str, ...]:
    """What an operation that is the whole of a program or a client is made of, as far as seen.

    A client's threads are known, so that it is their time; of a program's nobody knows how many
    wait, so that only for one the rest is known.
    """
    computing = facts.running if facts.busy is None else facts.busy
    if not facts.rate or computing is None:
        return ()
    took = facts.workers / facts.rate if facts.busy is None else facts.latency
    if not took:
        return ()
    cpu, queued = computing / facts.rate, (facts.queued or 0.0) / facts.rate
    times = {"time": show_seconds(took), "cpu": show_seconds(cpu)}
    parts = [
        tr("an operation takes {time} of its threads' time, and {cpu} of it CPU time", **times)
        if facts.busy is None
        else tr("an operation takes {time} and {cpu} of CPU time", **times)
    ]
    if queued >= _PART * took:
        parts.append(tr("{time} of it is waiting for a core", time=show_seconds(queued)))
    other = took - cpu - queued
    if other >= _PART * took and (facts.busy is None or facts.workers == 1):
        parts.append(
            tr(
                "{time} of it is waiting for something else, such as files or a server",
                time=show_seconds(other),
            )
        )
    if facts.storage:
        parts.append(
            tr("{size} for it come from storage", size=show_size(facts.storage / facts.rate))
        )
    return tuple(parts)


def storage_text(rate: float) -> str:
    return tr("{rate} come from storage", rate=show_byte_rate(rate))


def resident_text(facts: Facts) -> tuple[str, ...]:
    """How much of the data was in memory, where that is known."""
    if facts.resident is None:
        return ()
    share = show_share(facts.resident)
    return (tr("{share} of the data was in the page cache at the start", share=share),)
