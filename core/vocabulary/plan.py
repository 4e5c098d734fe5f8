"""The trials of a run, and their order.

A `Plan` is a list of specs with repeats in interleaved blocks: each block holds every spec once,
in an order drawn from the seed, so that a drifting machine slows all specs alike.

With a `budget`, or `until_sure`, a plan has more blocks than it needs: it is measured until its
questions can be answered or the time is up, and from a later block only the specs about which a
question is open.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Literal

import msgspec

from core.language import LARGEST_NUMBER, Name, Natural, Seconds
from core.vocabulary.declarations import declared
from core.vocabulary.load import Load
from core.vocabulary.parameters import Value
from core.vocabulary.spec import RunSpec
from core.vocabulary.timing import Timing


class Slot(msgspec.Struct, frozen=True):
    """One trial to run: the block it belongs to and the spec."""

    index: int
    block: int
    spec: RunSpec
    fewest: Natural = 0
    """The fewest threads with which its parameters are measured; 0: with its own only."""


def fewest_threads(specs: Iterable[RunSpec]) -> dict[tuple[object, ...], int]:
    """The fewest threads among specs that differ in nothing but the load, by `work_of` them."""
    fewest: dict[tuple[object, ...], int] = {}
    for spec in specs:
        work = work_of(spec)
        fewest[work] = min(spec.load.threads, fewest.get(work, spec.load.threads))
    return fewest


def work_of(spec: RunSpec) -> tuple[object, ...]:
    """A spec's work, under any load."""
    return (spec.workload, *spec.parameters.items(), spec.dataset)


type Turns = Literal["auto", "off"]
WAYS: tuple[Turns, ...] = ("auto", "off")
TURNS: Turns = "auto"
"""The default of every request: turns measure the ratio of two settings best."""

MOST_BLOCKS = 100
"""Blocks of a plan with a budget: time ends it long before."""
_MOST_BLOCKS_OF_STUDY = 500
"""Blocks of a study with a budget: each holds the cells of one claim."""
MOST_TRIALS = 1_000_000
"""Trials of a plan: its order is drawn as a whole before the first."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Specs to run, each `repeats` times, or more often within a budget; the seed fixes the order.

    For an `adaptive` plan the specs are only candidates: a search decides as it goes which of them
    to run, and how often.  Such a plan has no slots.
    """

    title: str
    specs: tuple[RunSpec, ...]
    repeats: Annotated[int, msgspec.Meta(ge=0, le=MOST_TRIALS)] = 1
    seed: int = 1
    study: Name = ""
    adaptive: bool = False
    terms: dict[Name, Value] = {}
    """The limits for its advice: parameters of `core.vocabulary.limits`."""
    choices: Natural = 0
    """A search chooses from this many specs, counted from the first; 0: from all.  The others are
    measured only to explain the answer."""
    turns: Turns = "off"
    """Whether the trials of a block take turns where they can, or run one after the other."""
    budget: Annotated[Seconds, msgspec.Meta(ge=0, le=LARGEST_NUMBER)] = 0.0
    """Time for the whole run, in which specs are measured beyond `repeats` until the questions
    about them can be answered; 0: each spec is measured `repeats` times.  A search ends with it."""
    until_sure: bool = False
    """Whether it looks at its questions from the first trials on, and ends once they are answered.
    Without a budget `repeats` is then the most trials of each spec."""
    is_shortened: bool = False
    """Whether its trials are shorter than usual so that they fit; no user said so."""
    pairs: tuple[tuple[Name, Name], ...] = ()
    """Digests of the specs to compare, baseline and candidate: the plan's questions, unless it asks
    for the best setting."""

    def chosen(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """Those of a spec's values that were not shortened, but chosen or as declared."""
        shorter = ("duration", "warm_up") if self.is_shortened else ()
        return {name: value for name, value in values.items() if name not in shorter}

    def slots(self) -> tuple[Slot, ...]:
        """All trials in running order: interleaved blocks, each shuffled by the seed."""
        if self.adaptive:
            return ()
        drawn = random.Random(self.seed)
        fewest = fewest_threads(self.specs)
        order: list[Slot] = []
        for block in range(self._blocks):
            specs = list(self.specs)
            drawn.shuffle(specs)
            order.extend(
                Slot(index, block, spec, fewest[work_of(spec)])
                for index, spec in enumerate(specs, start=len(order))
            )
        return tuple(order)

    @property
    def _blocks(self) -> int:
        if not self.budget:
            return self.repeats
        return _MOST_BLOCKS_OF_STUDY if self.study else MOST_BLOCKS

    @property
    def open_ended(self) -> bool:
        """Whether its questions decide how many trials there are."""
        return self.until_sure or self.budget > 0.0

    @property
    def first_look(self) -> int:
        """Trials of each spec before the first look at the questions."""
        return 1 if self.until_sure else self.repeats

    @property
    def most_trials(self) -> int:
        """Trials in all its slots."""
        return 0 if self.adaptive else self._blocks * len(self.specs)

    @property
    def least_trials(self) -> int:
        """Trials before the first look at the questions; without a budget, all of them."""
        return self.first_look * len(self.specs)


BLOCKS = 4
"""Blocks that a budget should pay for: three repeats, and one more for open questions."""
_SHORT: Seconds = 1.5
"""Time for a trial, with its warm-up, where questions decide how many there are: many short ones
tell as much as a few long ones, and sooner."""
_SHORTEST: Seconds = 0.3
"""Length of a trial: three turns of a tenth of a second."""
_SHORTEST_WARM_UP: Seconds = 0.2


def shortened(
    values: Mapping[str, Value],
    varied: Collection[str],
    budget: Seconds,
    timings: Sequence[Timing],
) -> dict[str, Value]:
    """Shorter values of duration and warm-up for specs that take so long; empty where the usual
    ones fit.  There is no warm-up where one operation takes longer than there is time for a trial.

    `budget`: of the whole run; 0 = it goes on until it is sure.

    Only where a user left the defaults: a length that the user chose is kept.
    """
    usual = {kind.name: kind.default for kind in declared(Load)}
    if any(
        name in varied or values.get(name, usual[name]) != usual[name]
        for name in ("duration", "warm_up", "operations")
    ):
        return {}
    from statistics import fmean  # which brings fractions along, and the window reads this module

    duration, warm_up = float(usual["duration"]), float(usual["warm_up"])
    each = _SHORT
    if budget:
        overhead = fmean(one.ready + one.ending for one in timings)
        each = min(each, budget / (BLOCKS * max(len(timings), 1)) - overhead)
    stretch = fmean(one.stretch for one in timings)
    whole = stretch * duration + warm_up
    if each >= whole:
        return {}
    measured = round(max(_SHORTEST, each * duration / whole), 1)
    warm_up = min(warm_up, max(_SHORTEST_WARM_UP, each - stretch * measured))
    if max(one.operation for one in timings) > max(each, measured):  # as long as the trial itself
        warm_up = 0.0
    return {"duration": measured, "warm_up": round(warm_up, 1)}
