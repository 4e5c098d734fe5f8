"""What to use: the answer that a sweep or a search ends in, as values that any face can show.

`core.advising` finds it.  Nothing here computes, so that the event stream can carry it without
loading numpy.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from core.parameters import Value
from core.plan import RunSpec
from core.units import show_ratio, show_seconds, show_size

THREADS = "threads"
"""The parameter that advice is about."""


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """What one step up in threads brings and costs.

    `throughput` is relative (0.92 = 92 % more), memory in bytes, p99 in seconds; None = unknown.
    """

    start: int
    end: int
    throughput: float
    memory: int | None
    open_files: int | None
    p99: float | None

    @property
    def told_memory(self) -> str:
        """`+480 MiB`; empty where it is unknown."""
        return "" if self.memory is None else f"{_sign(self.memory)}{show_size(self.memory)}"

    @property
    def told(self) -> str:
        """`+92 % throughput, +480 MiB, +24 files, p99 +1.20 ms`."""
        parts = [f"{100 * self.throughput:+.0f} % throughput", self.told_memory]
        if self.open_files is not None:
            parts.append(f"{self.open_files:+,} files")
        if self.p99 is not None:
            parts.append(f"p99 {_sign(self.p99)}{show_seconds(self.p99)}")
        return ", ".join(filter(None, parts))

    @property
    def sentence(self) -> str:
        """`8 → 32 threads: +92 % throughput, +480 MiB`."""
        return f"{self.start} → {self.end} threads: {self.told}"


def _sign(value: float) -> str:
    return "+" if value >= 0 else ""


class Estimated(msgspec.Struct, frozen=True):
    """A coefficient and its 95 % interval; without one where nothing was repeated."""

    value: float
    low: float | None = None
    high: float | None = None


class Law(msgspec.Struct, frozen=True, kw_only=True):
    """The Universal Scalability Law through the chosen line's points."""

    contention: Estimated
    coherency: Estimated
    peak: float | None
    """Threads beyond which the law expects less; None = never."""
    misfit: float
    """Root mean square of the points' relative distances from the law."""


class Rival(msgspec.Struct, frozen=True, kw_only=True):
    """The best of another line: how many times its throughput the chosen setting has."""

    values: Mapping[str, Value]
    ratio: float


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """The setting to use, how surely, and what speaks for it.

    `values`: of the parameters that were varied, threads first; empty where nothing was usable.
    Where `confident` is false they are the best guess so far.
    """

    confident: bool
    values: Mapping[str, Value]
    spec: RunSpec | None
    baseline: Mapping[str, Value]
    """The setting that `ratio` is against: the fewest threads of the first line."""
    ratio: float | None
    beyond: float | None
    """Relative gain of the best usable number of threads above the chosen; None = none measured."""
    tried: int
    """Most threads that were measured on the chosen line, usable or not."""
    shape: str
    law: Law | None
    reasons: tuple[str, ...]
    steps: tuple[Price, ...]
    rivals: tuple[Rival, ...]
    refused: tuple[tuple[Mapping[str, Value], str], ...]
    """Settings that may not be used, with the reason."""
    trials: int
    """Trials that this rests on."""
    whole: int
    """Trials that the full sweep takes; equal to `trials` where this was one."""
    stopped: bool = False
    """The search was ended before it was done."""

    @property
    def sentence(self) -> str:
        """The advice in one line for people."""
        if not self.values:
            return f"Cannot tell: {self._why}"
        setting = setting_of(self.values)
        if not self.confident:
            early = (
                "Stopped early; the best so far is" if self.stopped else "Cannot tell yet, perhaps"
            )
            return f"{early} {setting}: {self._why}"
        told = [f"Use {setting}"]
        if self.ratio is not None and self.values != self.baseline:
            told[0] += f": {show_ratio(self.ratio)} {setting_of(self.baseline)}"
        told.append(self._about_more)
        return "; ".join(told) + "."

    @property
    def _why(self) -> str:
        return self.reasons[0] if self.reasons else "nothing was measured."

    @property
    def _about_more(self) -> str:
        threads = self.values.get("threads")
        if threads == self.tried:
            return f"more than {threads} were not tried"
        if self.beyond is None:
            return "more threads cannot be used"
        if self.beyond <= -0.01:
            return "more threads are slower"
        if self.beyond < 0.01:
            return "more threads gain nothing"
        # Rounded up, so that the sentence stays true.
        return f"more threads gain less than {int(100 * self.beyond) + 1} %"


def setting_of(values: Mapping[str, Value]) -> str:
    """`6 threads with cache lru-locked, cache size 128`."""
    threads = values.get("threads")
    others = ", ".join(
        f"{name.replace('_', ' ')} {value}" for name, value in values.items() if name != "threads"
    )
    if threads is None:
        return others
    noun = "1 thread" if threads == 1 else f"{threads} threads"
    return f"{noun} with {others}" if others else noun
