"""What a rule judges, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.diagnosis.causes import Cause, Confidence
from core.analysis.diagnosis.facts import Facts

ALONG = 0.6
"""Above so many times the number of threads in throughput, their waits overlap."""
FILLED = 0.8
"""From this share of the throughput of one thread on each core on, nothing keeps threads apart."""
FROM_STORAGE = 0.5
"""Bytes from storage per byte that was returned, from which on data counts as cold: read-ahead and
compression move it either way."""


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
