"""What is run, and in which order.

A `Plan` is a list of specs with repeats, laid out in interleaved blocks: each block holds
every spec once, in an order drawn from the seed, so that a drifting machine slows all alike.
"""

from __future__ import annotations

import random
from typing import Literal

import msgspec

from core.catalog.parameters import Value
from core.plan.spec import RunSpec


class Slot(msgspec.Struct, frozen=True):
    """One trial to run: the block it belongs to and the spec."""

    index: int
    block: int
    spec: RunSpec


type Turns = Literal["auto", "off"]
TURNS: Turns = "off"
"""Unless somebody asks for them: they are new, and what they bring is not settled yet."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Specs to run, each `repeats` times; the seed fixes the order.

    Where the plan is `adaptive` the specs are all that may be run, and a search decides while it
    goes on which of them are, and how often: the plan itself then has no slots.
    """

    title: str
    specs: tuple[RunSpec, ...]
    repeats: int = 1
    seed: int = 1
    study: str = ""
    adaptive: bool = False
    terms: dict[str, Value] = {}
    """What its advice keeps to: parameters of `core.plan.limits`."""
    choices: int = 0
    """How many of the specs, from the first on, a search chooses from; 0: all of them.  The others
    are measured to explain the answer, and are no answer themselves."""
    turns: Turns = TURNS
    """Whether the trials of a block take turns where they can (`core.execution.turns`), or all run one after
    the other, as in every plan that was written before there was this field."""

    def slots(self) -> tuple[Slot, ...]:
        """All trials in the order they are to run: interleaved blocks, each shuffled by the seed."""
        if self.adaptive:
            return ()
        drawn = random.Random(self.seed)
        order: list[Slot] = []
        for block in range(self.repeats):
            specs = list(self.specs)
            drawn.shuffle(specs)
            order.extend(
                Slot(index, block, spec) for index, spec in enumerate(specs, start=len(order))
            )
        return tuple(order)

    @property
    def seconds(self) -> float:
        """Expected time of all trials from what the specs say; at least a second for each start."""
        return self.repeats * sum(
            max(spec.load.duration, 1.0) + spec.load.warm_up + 1.0 for spec in self.specs
        )
