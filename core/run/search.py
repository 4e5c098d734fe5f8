"""The search among many settings: the answer of measuring all, in a fraction of the trials.

An ask-and-tell searcher over threads and one more axis, which is fed with samples.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from core.judge import HOPELESS, cheapest
from core.language import tr
from core.run.axis_search import (
    AxisState,
    Round,
    ladder,
    last_round,
    look_at_all,
    nearest,
    next_round,
)
from core.run.sample_layout import (
    Ask,
    AxisValue,
    Configuration,
    Sample,
    SampleLayout,
    SearchAnswer,
    SearchAxis,
    SearchTerms,
)

# Shares of the trials after which threads at the first value, and the second axis, must be done.
FIRST_SHARE, SECOND_SHARE = 0.5, 0.8


class Searcher:
    """Plans which configurations to measure; it measures nothing itself.

    `while isinstance(asked := searcher.ask(), Ask): …searcher.add(setting, sample, block)…` ends
    with a `SearchAnswer`.  Each Ask is a block; every block but the first repeats one of the best
    so far, so that blocks can be compared.  `each`: trials of each configuration asked for.  The
    order within a block is drawn with `seed`, so that drift is not taken for an effect.

    With a second axis each of its values is measured once before any repeat.  Then come threads at
    its first value that works, or at the best if that one is hopeless; its values at the best
    threads; and threads again if another value won.  Then the other values run with fewer and more
    threads, and threads again if one of them wins.  In the end all measured settings are compared.
    """

    def __init__(
        self,
        threads: SearchAxis,
        second: SearchAxis | None = None,
        terms: SearchTerms | None = None,
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
        self._second: tuple[AxisValue | None, ...] = second.values if second else (None,)
        self._ordered = second is not None and second.ordered
        self._terms = terms or SearchTerms()
        self._each = each
        self._random = random.Random(self._terms.seed)
        self._samples: dict[Configuration, list[tuple[int, Sample]]] = {}
        self._layout = SampleLayout({}, self._terms.limits)
        self._trials = 0

    @property
    def trials(self) -> int:
        return self._trials

    def add(self, configuration: Configuration, sample: Sample, block: int) -> None:
        """Add one trial's figures; those of one block share the machine's disturbances."""
        self._samples.setdefault(configuration, []).append((block, sample))
        self._trials += 1

    def ask(self) -> Ask | SearchAnswer:
        """The next block, or the end."""
        self._layout = SampleLayout(self._samples, self._terms.limits)
        alone = self._second == (None,)
        end = self._stage(self._thread_line(None), 1.0) if alone else self._two_axes()
        if isinstance(end, Ask):
            return end
        last = self._stage(self._all_usable(), 1.0)
        return last if isinstance(last, Ask) else self.answer(spent=end.spent or last.spent)

    def to_come(self) -> int:
        """How many trials are still to come, simulated on the samples so far.

        0 while no trial was repeated, so that the noise is unknown.
        """
        layout = SampleLayout(self._samples, self._terms.limits)
        if not layout.deviation:
            return 0
        other, drawn = copy.copy(self), random.Random(self._terms.seed)
        other._samples = {one: list(samples) for one, samples in self._samples.items()}
        other._random = drawn
        block = layout.looks
        while isinstance(ask := other.ask(), Ask):
            block += 1
            for one in ask.configurations:
                nearest, level = layout.like(one)
                throughput = math.exp(drawn.gauss(level, layout.deviation))
                sample = replace(self._samples[nearest][-1][1], throughput=throughput)
                for _ in range(self._each):
                    other.add(one, sample, block)
        return other._trials - self._trials

    def answer(self, *, spent: bool = False) -> SearchAnswer:
        """The best answer so far, also of a search that is stopped early."""
        terms = self._terms
        self._layout = SampleLayout(self._samples, terms.limits)
        ordered = tuple(self._all_usable().places.values())
        judged = self._layout.judge(ordered, terms.near)
        chosen = None if judged is None else ordered[judged.chosen]
        unknown = chosen and terms.limits.unknown_of(self._layout.point(chosen, chosen.threads))
        return SearchAnswer(
            configuration=chosen,
            confident=judged is not None and judged.confident and not unknown,
            trials=self._trials,
            spent=spent,
        )

    def _two_axes(self) -> Ask | LineAnswer:
        start = self._first_stage(self._most_promising_first())
        if isinstance(start, Ask):
            return start if self._samples else self._with_first_samples(start)
        if start.configuration is None:
            return start
        across = self._stage(self._second_line(start.configuration.threads), SECOND_SHARE)
        if isinstance(across, Ask):
            return across
        spent = start.spent or across.spent
        searched, chosen = {start.configuration.second}, across.configuration
        while chosen is not None:
            for line in self._lines_through(chosen, searched):
                answer = self._stage(line, 1.0)
                if isinstance(answer, Ask):
                    return answer
                spent = spent or answer.spent
            searched.add(chosen.second)
            best = self.answer().configuration
            chosen = best if best is not None and best.second not in searched else None
        return LineAnswer(configuration=None, spent=spent)

    def _first_samples(self) -> list[Configuration]:
        """Each value of the second axis, or rungs of many numbers, with middling threads."""
        rungs = ladder(self._threads)
        numbers = [value for value in self._second if isinstance(value, int)]
        values = ladder(numbers) if self._ordered else self._second
        return [Configuration(threads=rungs[(len(rungs) - 1) // 2], second=one) for one in values]

    def _with_first_samples(self, start: Ask) -> Ask:
        """The first block, with all values if it may be that long."""
        configurations = list(dict.fromkeys((*start.configurations, *self._first_samples())))
        if self._each * len(configurations) > self._terms.most_trials:
            return start
        return Ask(
            configurations=tuple(self._random.sample(configurations, len(configurations))),
            reason=tr("Each value is looked at once, the first with several numbers of threads."),
        )

    def _most_promising_first(self) -> Sequence[AxisValue | None]:
        """The values in order, but after the best at first sight if the first is hopeless."""
        values = self._second
        levels = {
            one.second: math.log(self._samples[one][0][1].throughput)
            for one in self._first_samples()
            if one in self._layout.usable
        }
        if values[0] not in levels:
            return values
        best = max(values, key=lambda value: levels.get(value, -math.inf))
        if levels[values[0]] - levels[best] > HOPELESS:
            return values
        return (best, *(value for value in values if value != best))

    def _lines_through(
        self, chosen: Configuration, searched: Collection[AxisValue | None]
    ) -> Iterator[_SearchLine]:
        """Threads at its value of the second axis, unless done; then the other values again."""
        if chosen.second not in searched:
            yield self._thread_line(chosen.second, around=chosen.threads)
        yield self._crossing(chosen, {*searched, chosen.second})

    def _crossing(
        self, chosen: Configuration, searched: Collection[AxisValue | None]
    ) -> _SearchLine:
        """Values tried with only one number of threads, now with fewer and with more."""
        others = [value for value in self._second if value not in searched]
        places = [
            Configuration(threads=threads, second=value)
            for value in others
            for threads in self._around(chosen.threads)
        ]
        return _SearchLine(places=dict(enumerate(places, 1)), rules=look_at_all)

    def _first_stage(self, values: Sequence[AxisValue | None]) -> Ask | LineAnswer:
        """Threads at the first value at which any number of them can be used."""
        first, *others = values
        start = self._stage(self._thread_line(first), FIRST_SHARE)
        for value in others:
            if isinstance(start, Ask) or start.configuration is not None:
                break
            start = self._stage(self._thread_line(value), FIRST_SHARE)
        return start

    def _thread_line(self, second: AxisValue | None, around: int | None = None) -> _SearchLine:
        places = {n: Configuration(threads=n, second=second) for n in self._threads}
        return _SearchLine(places=places, rungs=None if around is None else self._around(around))

    def _around(self, threads: int) -> tuple[int, ...]:
        """Half and twice as many, this many, and the most."""
        targets = (threads / 2, threads, 2 * threads, self._threads[-1])
        return tuple(sorted({nearest(self._threads, one) for one in targets}))

    def _second_line(self, threads: int) -> _SearchLine:
        line = [Configuration(threads=threads, second=value) for value in self._second]
        if self._ordered:
            return _SearchLine(
                places={one.second: one for one in line if isinstance(one.second, int)}
            )
        places = dict(enumerate(line, 1))
        return _SearchLine(places=places, rungs=tuple(places))

    def _all_usable(self) -> _SearchLine:
        """All usable settings, the cheapest first; settings of equal cost in axis order."""
        usable = sorted(
            self._layout.usable, key=lambda one: (self._second.index(one.second), one.threads)
        )
        candidates = [self._layout.candidate(one) for one in usable]
        remaining, places = list(range(len(usable))), dict[int, Configuration]()
        while remaining:
            next_one = cheapest(candidates, remaining)
            remaining.remove(next_one)
            places[len(places) + 1] = usable[next_one]
        return _SearchLine(places=places, rules=last_round)

    def _stage(self, line: _SearchLine, share: float) -> Ask | LineAnswer:
        """The next block along one line, or its answer once it is done or its share is spent."""
        terms, layout = self._terms, self._layout
        points = sorted(layout.points(line.places), key=lambda point: point.threads)
        state = AxisState(
            values=tuple(sorted(line.places)),
            points=tuple(points),
            usable=tuple(point for point in points if not terms.limits.broken_by(point)),
            noise=layout.noise(line.places),
            near=terms.near,
            looks=max(layout.looks, 1),
        )
        next_one = line.rules(state, line.rungs)
        if next_one:
            contenders = [p for p in state.usable if p.threads not in state.out]
            ranked = sorted(contenders, key=lambda point: point.level, reverse=True)
            block = self._in_company(
                [line.places[position] for position in next_one.values],
                [line.places[point.threads] for point in ranked],
            )
            if block := self._allowed(block, share):
                order = tuple(self._random.sample(block, len(block)))
                return Ask(configurations=order, reason=next_one.reason)
        usable = [one for one in line.places.values() if one in layout.usable]
        judged = layout.judge(usable, terms.near)
        chosen = None if judged is None else usable[judged.chosen]
        return LineAnswer(configuration=chosen, spent=next_one is not None)

    def _allowed(self, block: list[Configuration], share: float) -> list[Configuration]:
        """All of a block or nothing; the first block is thinned to the number that is allowed."""
        most = self._terms.most_trials
        if self._trials + self._each * len(block) <= most * share:
            return block
        room = min(math.ceil(most * share / self._each), most // self._each, len(block))
        if self._samples or not room:
            return []
        return [block[at * (len(block) - 1) // max(room - 1, 1)] for at in range(room)]

    def _in_company(
        self, block: list[Configuration], ranked: list[Configuration]
    ) -> list[Configuration]:
        """The block with one of the best so far, which connects it with all blocks before.

        A block of one says nothing, because its effect is unknown.  It gets the first other of
        `ranked`, the settings that are still in the race.
        """
        anchor = self._layout.anchor(self._terms.near)
        if anchor is not None and anchor not in block:
            return [*block, anchor]
        others = [one for one in ranked if one not in block]
        return [*block, others[0]] if len(block) == 1 and others else block


@dataclass(frozen=True, kw_only=True)
class _SearchLine:
    """Configurations by their place on a line, its first rungs (None: the ladder), its rules."""

    places: dict[int, Configuration]
    rungs: tuple[int, ...] | None = None
    rules: Callable[[AxisState, Sequence[int] | None], Round | None] = next_round


@dataclass(frozen=True, kw_only=True)
class LineAnswer:
    """The best of a line; `spent`: the line would need more trials than it may take."""

    configuration: Configuration | None
    spent: bool
