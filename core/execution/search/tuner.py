"""Ask and tell: the search over threads and one more axis, as a state fed with samples."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.analysis.scaling import (
    NO_LIMITS,
    Evidence,
    Limits,
    Point,
    Recommendation,
    recommend,
)
from core.execution.search.axis_search import nearest, next_round
from core.plan.limits import NEAR
from core.result.latencies import Latencies, longest

type Value = int | str

# Shares of the trials after which threads at the first value, and the second axis, must be done.
FIRST_SHARE, SECOND_SHARE = 0.5, 0.8
SPENT = "all trials allowed are spent."


@dataclass(frozen=True, kw_only=True)
class SearchAxis:
    """Allowed values; `ordered`: numbers in rising order, of which smaller is better where equal.

    Values that are not ordered are all tried; among equals the first-named is preferred.
    """

    name: str
    values: tuple[Value, ...]
    ordered: bool = True


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """A number of threads and, where there is a second axis, its value."""

    threads: int
    second: Value | None = None


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One trial: throughput in any one unit, memory in bytes, what was timed; or why it failed."""

    throughput: float = 0.0
    peak_memory: int | None = None
    open_files: int | None = None
    latencies: Latencies | None = None
    failed: bool = False
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Ask:
    """Configurations to measure once each, in this order, and why in one sentence."""

    configurations: tuple[Configuration, ...]
    reason: str


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """The end of a search. `second` counts the places of the second axis' values, not threads."""

    configuration: Configuration | None
    evidence: Evidence
    reasons: tuple[str, ...]
    trials: int
    threads: Recommendation
    second: Recommendation | None = None


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What the search keeps to.

    Limits, how near the best is near enough, most trials, seed of the order.
    """

    limits: Limits = NO_LIMITS
    near: float = NEAR
    most_trials: int = 200
    seed: int = 0


class Tuner:
    """Plans which configurations to measure; it measures nothing itself.

    `while isinstance(asked := tuner.ask(), Ask): …tuner.tell(configuration, sample)…` ends with a
    `Tuning`. `each`: trials told for each configuration asked for. The order within a round is
    drawn with `seed`, so that drift is not taken for an effect. With a second axis: threads at its
    first value that works, then its values at the threads found, then threads again if another
    value won.
    """

    def __init__(
        self,
        threads: SearchAxis,
        second: SearchAxis | None = None,
        terms: Terms = Terms(),
        each: int = 1,
    ) -> None:
        numbers = tuple(value for value in threads.values if isinstance(value, int))
        if not numbers or len(numbers) != len(threads.values) or min(numbers) < 1:
            raise ValueError("the axis of threads needs whole numbers from 1 up")
        if second and not second.values:
            raise ValueError(f"no values to try for {second.name}")
        if second and second.ordered and not all(isinstance(v, int) for v in second.values):
            raise ValueError(f"only whole numbers can be ordered; say that {second.name} is not")
        self._threads = tuple(sorted(set(numbers)))
        self._second = second
        self._terms = terms
        self._each = each
        self._random = random.Random(terms.seed)
        self._samples: dict[Configuration, list[Sample]] = {}
        self._trials = 0

    @property
    def trials(self) -> int:
        """Samples told so far."""
        return self._trials

    def tell(self, configuration: Configuration, sample: Sample) -> None:
        """Add one trial's figures."""
        self._samples.setdefault(configuration, []).append(sample)
        self._trials += 1

    def answer(self) -> Tuning:
        """The best answer so far, for a search that is stopped early."""
        stopped = Tuner(
            SearchAxis(name="threads", values=self._threads),
            self._second,
            # No trials left let no stage ask for more.
            replace(self._terms, most_trials=-1),
        )
        stopped._samples, stopped._trials = self._samples, self._trials
        found = stopped.ask()
        assert isinstance(found, Tuning)
        return replace(found, reasons=tuple(one for one in found.reasons if one != SPENT))

    def ask(self) -> Ask | Tuning:
        """The next round, or the end."""
        if self._second is None:
            return self._stage(self._thread_line(None), 1.0)
        start = self._first_stage(self._second.values)
        if isinstance(start, Ask) or start.configuration is None:
            return start
        across = self._stage(self._second_line(start.configuration.threads), SECOND_SHARE)
        if isinstance(across, Ask):
            return across
        chosen = across.configuration
        if chosen is None or chosen == start.configuration:
            return _joined(start, across)
        again = self._stage(self._thread_line(chosen.second, around=chosen.threads), 1.0)
        return again if isinstance(again, Ask) else _joined(again, across)

    def _first_stage(self, values: Sequence[Value]) -> Ask | Tuning:
        """Threads at the first value at which any number of them can be used."""
        first, *others = values
        start = self._stage(self._thread_line(first), FIRST_SHARE)
        for value in others:
            if isinstance(start, Ask) or start.configuration is not None:
                break
            start = self._stage(self._thread_line(value), FIRST_SHARE)
        return start

    def _thread_line(self, second: Value | None, around: int | None = None) -> "_Line":
        rungs = None
        if around is not None:
            wanted = (around / 2, around, 2 * around, self._threads[-1])
            rungs = tuple(sorted({nearest(self._threads, one) for one in wanted}))
        places = {n: Configuration(threads=n, second=second) for n in self._threads}
        return _Line(places=places, rungs=rungs)

    def _second_line(self, threads: int) -> "_Line":
        assert self._second is not None
        values = self._second.values
        if self._second.ordered:
            places = {
                v: Configuration(threads=threads, second=v) for v in values if isinstance(v, int)
            }
            return _Line(places=places, rungs=None)
        places = {at: Configuration(threads=threads, second=v) for at, v in enumerate(values, 1)}
        return _Line(places=places, rungs=tuple(places))

    def _stage(self, line: "_Line", share: float) -> Ask | Tuning:
        """The next round along one line, or what is known when it is done or its share is spent."""
        terms = self._terms
        points = [
            self._point(configuration, place)
            for place, configuration in line.places.items()
            if configuration in self._samples
        ]
        found = next_round(
            tuple(line.places), points, rungs=line.rungs, limits=terms.limits, near=terms.near
        )
        if found and self._trials + self._each * len(found.values) <= terms.most_trials * share:
            order = self._random.sample(found.values, len(found.values))
            asked = tuple(line.places[place] for place in order)
            return Ask(configurations=asked, reason=found.reason)
        answer = recommend(points, terms.limits, terms.near)
        spent = (SPENT,) if found else ()
        return Tuning(
            configuration=None if answer.threads is None else line.places[answer.threads],
            evidence=answer.evidence,
            reasons=answer.reasons + spent,
            trials=self._trials,
            threads=answer,
        )

    def _point(self, configuration: Configuration, place: int) -> Point:
        samples = self._samples[configuration]
        failures = [sample for sample in samples if sample.failed]
        return Point(
            threads=place,
            throughputs=tuple(s.throughput for s in samples if not s.failed),
            peak_memory=_worst([s.peak_memory for s in samples]),
            open_files=_worst([s.open_files for s in samples]),
            p99=longest([s.latencies for s in samples if not s.failed], 0.99),
            failed=bool(failures),
            reason=failures[0].reason if failures else "",
        )


@dataclass(frozen=True, kw_only=True)
class _Line:
    """Configurations along one axis by their place on it, and where to start (None: the ladder)."""

    places: dict[int, Configuration]
    rungs: tuple[int, ...] | None


def _worst[Figure: (int, float)](figures: Sequence[Figure | None]) -> Figure | None:
    return max((one for one in figures if one is not None), default=None)


def _joined(threads: Tuning, second: Tuning) -> Tuning:
    both = (threads.evidence, second.evidence)
    sure = all(evidence is Evidence.CONFIDENT for evidence in both)
    return replace(
        threads,
        evidence=Evidence.CONFIDENT if sure else Evidence.CANNOT_TELL,
        reasons=threads.reasons + second.reasons,
        second=second.threads,
    )
