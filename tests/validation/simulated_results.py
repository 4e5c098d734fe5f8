"""Results whose truth is known, made of the product's own values, for the product's own judges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import building
import msgspec
import numpy as np

from core.judge.statistics.intervals import Floats
from core.vocabulary import Environment, FileSystem, Result, RunSpec, Slice, Trial, pack

type Sides = tuple[Result, Result]

BASELINE, CANDIDATE = (building.spec(threads=threads) for threads in (1, 2))
_WINDOW = 10**9  # ns
_TURN = 10**8  # ns


@cache
def _usual(threads: int, processes: int) -> Trial:
    return building.trial(building.spec(threads=threads, processes=processes), moments=())


@cache
def _machine() -> tuple[Environment, FileSystem]:
    return building.environment(), building.file_system()


def trial_of(spec: RunSpec, index: int, block: int, rate: float, slices: bytes = b"") -> Trial:
    """A trial of that throughput; those of lower index ran before."""
    usual = _usual(spec.load.threads, spec.load.processes)
    workers = tuple(
        msgspec.structs.replace(worker, window=_WINDOW, window_operations=rate / len(usual.workers))
        for worker in usual.workers
    )
    return msgspec.structs.replace(
        usual,
        spec_digest=spec.digest,
        index=index,
        block=block,
        started=1_770_000_000.0 + index,
        workers=workers,
        slices=slices,
    )


def result_of(spec: RunSpec, trials: Iterable[Trial]) -> Result:
    environment, file_system = _machine()
    return Result(spec=spec, environment=environment, file_system=file_system, trials=tuple(trials))


def sides_of(baseline: Sequence[float], candidate: Sequence[float]) -> Sides:
    """Both sides in the same blocks, from the throughput of each trial."""
    return (
        result_of(BASELINE, _in_blocks(BASELINE, baseline, 0)),
        result_of(CANDIDATE, _in_blocks(CANDIDATE, candidate, 1)),
    )


def _in_blocks(spec: RunSpec, rates: Sequence[float], place: int) -> list[Trial]:
    return [trial_of(spec, 2 * block + place, block, rate) for block, rate in enumerate(rates)]


def session_of(spec: RunSpec, rates: Sequence[float], number: int) -> Result:
    """A session of its own, `number` saying when it was measured."""
    return result_of(
        spec, [trial_of(spec, 100 * number + at, at, rate) for at, rate in enumerate(rates)]
    )


def turns_of(items: Floats) -> bytes:
    """Packed turns of a tenth of a second, from what each of them did."""
    return pack(
        Slice(at, at * _TURN, _TURN, done, done, done, 0, 0)
        for at, done in enumerate(np.round(items).astype(int).tolist())
    )


def in_turns(spec: RunSpec, items: Floats, block: int) -> Trial:
    """A trial that did so many items in each turn."""
    rate = float(items.sum()) / (len(items) * _TURN / 1e9)
    place = 0 if spec is BASELINE else 1
    return trial_of(spec, 2 * block + place, block, rate, turns_of(items))


def first_blocks(sides: Sides, blocks: int) -> Sides:
    """What there was of both after so many blocks."""
    one, two = (msgspec.structs.replace(side, trials=side.trials[:blocks]) for side in sides)
    return one, two


def by_label(sides: Sides) -> Mapping[str, Result]:
    return {"baseline": sides[0], "candidate": sides[1]}
