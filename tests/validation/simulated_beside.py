"""Are claims for the quiet machine honest?  Threads that compute are simulated beside busy loops.

Each block has another number of loops, which share the cores with the threads as the kernel shares
them.  What the formula gets wrong is drawn for each setting of a sweep: on real machines it is off
by about `OFF`, where others took much.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import building
import msgspec
import numpy as np
from shares import at_least, at_most
from simulated_results import result_of, trial_of

from core.judge import advise, compare_answers
from core.selfcheck.cost import GoalRow
from core.vocabulary import MachineNoise, Result, RunSpec, Slice, Trial, VerdictKind, pack

CORES = 2
THREADS = (1, 2, 4, 8)
BLOCKS = 5
MOST_LOOPS = 4
NOISE = 0.05
"""Deviation of the log of a trial's throughput."""
OFF = 0.04
_MUCH = 0.3
"""Share that others took from which on the formula is off by that."""
_ROUNDS = 30


def _spec(threads: int, cache: str = "lru") -> RunSpec:
    return building.spec(parameters={"cache": cache}, threads=threads)


def _beside(spec: RunSpec, index: int, block: int, alone: float, loops: int, off: float,
            rng: np.random.Generator) -> Trial:  # fmt: skip
    """A trial whose threads share the cores with loops, as all want one all the time."""
    threads = spec.load.threads
    running = threads * min(1.0, CORES / (threads + loops))
    kept = running / min(threads, CORES)
    wrong = off * min(1.0, (1.0 - kept) / _MUCH)
    rate = alone * kept * math.exp(rng.normal(scale=NOISE) + wrong)
    made = trial_of(spec, index, block, rate)
    seen = running * math.exp(rng.normal(scale=0.01))
    workers = tuple(
        msgspec.structs.replace(
            worker,
            cpu=round(worker.window * seen / threads),
            process_cpu=round(worker.window * seen) if worker.worker == 0 else None,
            window_cpu=round(worker.window * seen / threads),
            window_queued=round(worker.window * (threads - running) / threads),
        )
        for worker in made.workers
    )
    noise = MachineNoise(seconds=1.0, cores=CORES, others=CORES - running, own=running)
    return msgspec.structs.replace(made, workers=workers, noise=noise)


def _result(spec: RunSpec, trials: Sequence[Trial]) -> Result:
    machine = building.environment(logical_cores=CORES, affinity_cores=CORES)
    return msgspec.structs.replace(result_of(spec, trials), environment=machine)


def _sweep(rng: np.random.Generator) -> tuple[Mapping[int, float], tuple[Result, ...]]:
    """Throughputs alone, and what was measured."""
    beyond = rng.uniform(0.6, 1.0)
    scaling = rng.uniform(0.5, 1.0)
    alone = {1: 1000.0, 2: 1000.0 * (1.0 + scaling)}
    alone |= {count: alone[2] * beyond ** math.log2(count / 2) for count in (4, 8)}
    off = {count: rng.normal(scale=OFF) for count in THREADS}
    trials: dict[int, list[Trial]] = {count: [] for count in THREADS}
    for block in range(BLOCKS):
        loops, mood = int(rng.integers(1, MOST_LOOPS + 1)), math.exp(rng.normal(scale=0.05))
        for at, count in enumerate(THREADS):
            index, rate = len(THREADS) * block + at, alone[count] * mood
            own = _beside(_spec(count), index, block, rate, loops, off[count], rng)
            trials[count].append(own)
    return alone, tuple(_result(_spec(count), trials[count]) for count in THREADS)


def _in_turns(spec: RunSpec, index: int, block: int, rng: np.random.Generator) -> Trial:
    """A trial in turns on a machine that gets busy in its middle."""
    quiet = rng.random(_ROUNDS) < 0.5
    quiet = np.convolve(quiet, np.ones(7) / 7, mode="same") > 0.5
    rates = (
        1e5
        * np.where(quiet, 1.0, rng.uniform(0.3, 0.9))
        * np.exp(rng.normal(scale=NOISE, size=_ROUNDS))
    )
    slices = [
        Slice(at, at * 10**9, 10**8, round(rate), round(rate), 0, 0, 0, others=0 if calm else 2 * 10**8)
        for at, (rate, calm) in enumerate(zip(rates.tolist(), quiet.tolist(), strict=True))
    ]  # fmt: skip
    made = trial_of(spec, index, block, float(rates.mean()) * 10, pack(slices))
    noise = MachineNoise(seconds=3.0, cores=CORES, others=3.0, own=1.0)
    return msgspec.structs.replace(made, noise=noise)


def _alike(rng: np.random.Generator, *, turns: bool) -> VerdictKind:
    """The verdict for the quiet machine on two settings that are the same."""
    sides: tuple[list[Trial], list[Trial]] = ([], [])
    specs = (_spec(2), _spec(2, "none"))
    off = rng.normal(scale=OFF, size=2)
    for block in range(BLOCKS):
        loops = int(rng.integers(1, MOST_LOOPS + 1))
        for at, (spec, own) in enumerate(zip(specs, sides, strict=True)):
            index = 2 * block + at
            own.append(
                _in_turns(spec, index, block, rng)
                if turns
                else _beside(spec, index, block, 1000.0, loops, off[at], rng)
            )
    one, two = (_result(spec, own) for spec, own in zip(specs, sides, strict=True))
    return compare_answers([(one, two)])[0].lasting


def checks_beside(rng: np.random.Generator, count: int) -> tuple[GoalRow, ...]:
    """Whether what is told for the quiet machine is true, and how often it is told."""
    told = short = missed = 0
    for _ in range(count):
        alone, results = _sweep(rng)
        advice = advise(results)
        assert advice is not None
        claim = advice.quiet
        if not claim.told:
            continue
        told += 1
        threads = int(claim.setting["threads"])
        short += alone[threads] < claim.at_least * max(alone.values())
        if claim.ratio is not None and claim.low and claim.high:
            missed += not claim.low <= alone[threads] / alone[1] <= claim.high
    false = sum(_alike(rng, turns=False) in _DIRECTIONS for _ in range(count)) / count
    turned = sum(_alike(rng, turns=True) in _DIRECTIONS for _ in range(count)) / count
    return (
        at_least("Told for quiet, sweeps beside 1 to 4 loops: ≥ 80 %", told / count, 0.8, count),
        at_most("For quiet, and shorter than said: ≤ 1 %", short / max(told, 1), 0.01, told),
        at_least("Ratio for quiet: held ≥ 93 %", 1.0 - missed / max(told, 1), 0.93, told),
        at_most("A/A given a direction for quiet, computed: ≤ 0.25 %", false, 0.0025, count),
        at_most("A/A given a direction for quiet, quiet turns: ≤ 0.25 %", turned, 0.0025, count),
    )


_DIRECTIONS = (VerdictKind.FASTER, VerdictKind.SLOWER)
