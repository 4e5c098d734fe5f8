"""What to run: loads, specs, sweeps and the order of their trials.

A `RunSpec` is one configuration; its `digest` is its identity.  A `Sweep` is a spec and axes.
A `Plan` is a list of specs with repeats, laid out in interleaved blocks: each block holds
every spec once, in an order drawn from the seed, so that a drifting machine slows all alike.
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import msgspec

from core.catalog.dataset import Dataset
from core.catalog.parameters import Value, build, choice, declared, integer, real, values_of
from core.errors import UnknownName, UsageError

REPEATS = 3
"""Trials of each spec in a sweep, and of each setting in the sweep that a search stands for,
unless a study or the user says otherwise."""

_MOST_SPECS = 10_000


@dataclass(frozen=True, kw_only=True)
class Load:
    """How hard a workload is driven; declared like any workload's parameters."""

    threads: int = integer(
        1, low=1, high=1024, scale="log2", help="Worker threads in each process."
    )
    processes: int = integer(
        1,
        low=1,
        high=256,
        scale="log2",
        help="Processes, each with its own threads and its own GIL.",
    )
    duration: float = real(
        3.0,
        low=0,
        high=86_400,
        unit="seconds",
        help="Measured time of a trial; 0 = until the operations are done or, without these, for one pass.",
    )
    operations: int = integer(
        0,
        low=0,
        high=10**12,
        help="Most operations of a trial, all workers together; 0 = as many as the time allows.",
    )
    warm_up: float = real(
        0.5,
        low=0,
        high=3600,
        unit="seconds",
        help="Time spent on operations that are not counted, before the clock.",
    )
    share: str = choice(
        "queue",
        options={
            "queue": "Workers claim the next items from one shared queue.",
            "split": "Every worker has its fixed share of the items.",
        },
        help="How the work is shared between the workers.",
    )
    page_cache: str = choice(
        "as-is",
        options={
            "as-is": "Leave the operating system's cache as it is.",
            "warm": "Read all files once before the clock starts.",
            "cold": "Evict the files before the clock starts, and prove it.",
        },
        help="State of the page cache when the clock starts.",
    )
    deadline: float = real(
        600.0,
        low=0.1,
        high=7 * 86_400,
        unit="seconds",
        help="A trial that takes longer in all is ended as timed out.",
    )
    stall: float = real(
        60.0,
        low=0.1,
        high=86_400,
        unit="seconds",
        help="A trial in which nothing moves for so long is ended as stalled.",
    )
    seed: int = integer(
        1, low=0, high=2**31 - 1, help="Seed of every random choice within the trial."
    )


class RunSpec(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One configuration of one workload on one dataset."""

    workload: str
    version: int
    parameters: dict[str, Value]
    load: Load
    dataset: Dataset

    @cached_property
    def digest(self) -> str:
        """Identity: 16 hexadecimal digits over everything the spec says."""
        told = msgspec.json.encode(self, order="deterministic")
        return hashlib.blake2b(told, digest_size=8).hexdigest()

    @property
    def values(self) -> dict[str, Value]:
        """Load and workload parameters under one set of names."""
        return values_of(self.load) | self.parameters

    def varied(self, parameters_class: type[Any], changes: Mapping[str, object]) -> RunSpec:
        """The same spec with some load or workload parameters changed; raises UsageError."""
        own = {kind.name for kind in declared(parameters_class)}
        of_load = {kind.name for kind in declared(Load)}
        for name in changes:
            if name not in own | of_load:
                raise UnknownName("parameter", name, tuple(sorted(own | of_load)))
        inside = {name: value for name, value in changes.items() if name in own}
        outside = {name: value for name, value in changes.items() if name in of_load}
        return msgspec.structs.replace(
            self,
            parameters=values_of(build(parameters_class, self.parameters | inside)),
            load=build(Load, values_of(self.load) | outside),
        )


class Axis(msgspec.Struct, frozen=True):
    """One parameter of a sweep and the values it takes."""

    name: str
    values: tuple[Value, ...]


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """A spec and the axes along which it is varied."""

    base: RunSpec
    axes: tuple[Axis, ...]
    asked: dict[str, Value] = {}
    """What was asked for beside the axes, such as a cache's size, also where it has no effect in
    the base: it may have one elsewhere along an axis."""

    def expand(self, parameters_class: type[Any]) -> tuple[RunSpec, ...]:
        """Every distinct combination, the last axis varying fastest.

        Combinations that differ only in a parameter without effect there are one spec.
        Raises UsageError where there would be more than ten thousand.
        """
        specs = self.combinations(parameters_class).values()
        return tuple({spec.digest: spec for spec in specs}.values())

    def combinations(self, parameters_class: type[Any]) -> dict[tuple[Value, ...], RunSpec]:
        """The spec of every combination by the axes' values, the last axis varying fastest.

        A parameter that has no effect in the base is back at its default there, so what was asked
        for counts again in every combination.  Raises UsageError as `expand` does.
        """
        total = 1
        for axis in self.axes:
            total *= len(axis.values)
        if total > _MOST_SPECS:
            raise UsageError(
                f"there would be {total:,} combinations", f"leave at most {_MOST_SPECS:,}"
            )
        own = {kind.name for kind in declared(parameters_class)}
        # Parameters and loads are checked once each, and not again in every combination of them.
        inside = self._varied(parameters_class, [axis for axis in self.axes if axis.name in own])
        outside = self._varied(
            parameters_class, [axis for axis in self.axes if axis.name not in own]
        )
        found: dict[tuple[Value, ...], RunSpec] = {}
        for places in itertools.product(*(range(len(axis.values)) for axis in self.axes)):
            chosen = list(zip(self.axes, places, strict=True))
            found[tuple(axis.values[at] for axis, at in chosen)] = msgspec.structs.replace(
                self.base,
                parameters=inside[tuple(at for axis, at in chosen if axis.name in own)].parameters,
                load=outside[tuple(at for axis, at in chosen if axis.name not in own)].load,
            )
        return found

    def _varied(
        self, parameters_class: type[Any], axes: Sequence[Axis]
    ) -> dict[tuple[int, ...], RunSpec]:
        """The base at every combination of some axes, by the places of their values."""
        return {
            places: self.base.varied(
                parameters_class,
                self.asked
                | {axis.name: axis.values[at] for axis, at in zip(axes, places, strict=True)},
            )
            for places in itertools.product(*(range(len(axis.values)) for axis in axes))
        }


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


def differing(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """Names of the parameters in which the specs differ, in declaration order, workload first."""
    names = dict.fromkeys(
        itertools.chain.from_iterable((*spec.parameters, *values_of(spec.load)) for spec in specs)
    )
    varying = [name for name in names if len({spec.values.get(name) for spec in specs}) > 1]
    if len({spec.workload for spec in specs}) > 1:
        varying.insert(0, "workload")
    return tuple(varying)
