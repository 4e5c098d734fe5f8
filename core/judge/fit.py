"""Which numbers of runs at once and threads of each cannot fit the cores and the memory there are.

A run takes at least the memory that one with as many threads or fewer took, so what is left out
surely does not fit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from core.language import show_size, tr
from core.vocabulary import Environment, Load, Result, RunSpec

type Cell = tuple[int, int]
"""How many run at once, and the threads of each."""


def cell_of(spec: RunSpec) -> Cell:
    return spec.load.processes, spec.load.threads


def within_cores(specs: Sequence[RunSpec], cores: float) -> tuple[RunSpec, ...]:
    """The specs without those of programs at once that have more threads than cores.

    All of them where none fits, or where not both numbers vary: then that is the question.
    """
    varies = all(len(set(column)) > 1 for column in zip(*map(cell_of, specs), strict=True))
    fitting = tuple(one for one in specs if not (one.at_once and _crowds(one.load, cores)))
    return fitting if varies and fitting else tuple(specs)


def left_out_text(count: int, of: int, cores: float) -> str:
    """Why `within_cores` left so many out, as a phrase."""
    return tr(
        "1 of {of} combinations has more threads than {cores:g} cores; --all measures it too",
        "{count} of {of} combinations have more threads than {cores:g} cores; --all measures them too",
        count=count,
        of=of,
        cores=cores,
    )


def unfit(specs: Sequence[RunSpec], results: Sequence[Result]) -> dict[Cell, str]:
    """Why cells of a plan were not measured, of those that cannot fit; empty without any results.

    Cells are all pairs of the numbers in the plan.
    """
    planned = {cell_of(spec) for spec in specs if spec.at_once}
    if not planned or not results:
        return {}
    load, machine = specs[0].load, results[0].environment
    measured = {cell_of(one.spec) for one in results if one.trials}
    memory, room = memory_each(results), _room(load, machine)
    reasons: dict[Cell, str] = {}
    for cell in product(*(sorted(set(column)) for column in zip(*planned, strict=True))):
        if cell in measured:
            continue
        cores = load.cores_of(machine.usable_cores)
        if cell not in planned and math.prod(cell) > cores:
            reasons[cell] = tr(
                "more threads than 1 core", "more threads than {count:g} cores", count=cores
            )
        elif too_large(cell, memory, room):
            reasons[cell] = _memory_text(cell, memory, room)
    return reasons


def memory_each(results: Iterable[Result]) -> dict[int, float]:
    """Peak bytes of one run, by its threads."""
    each: dict[int, float] = {}
    for result in results:
        jobs, threads = cell_of(result.spec)
        peaks = [one.peak_rss / jobs for one in result.trials if one.peak_rss]
        each[threads] = max([each.get(threads, 0.0), *peaks])
    return each


def too_large(cell: Cell, memory: Mapping[int, float], room: float) -> bool:
    """Whether so many runs surely take more memory than there is."""
    jobs, threads = cell
    return jobs > 1 and jobs * _least(memory, threads) > room


def _least(memory: Mapping[int, float], threads: int) -> float:
    """Bytes that a run with so many threads takes at least; 0 = unknown."""
    return max((bytes_ for count, bytes_ in memory.items() if count <= threads), default=0.0)


def _memory_text(cell: Cell, memory: Mapping[int, float], room: float) -> str:
    """`16 × 6.2 GiB = 99 of 96 GiB`."""
    jobs, threads = cell
    each = _least(memory, threads)
    return tr(
        "{jobs} × {each} = {all} of {room}",
        jobs=jobs,
        each=show_size(each),
        all=show_size(jobs * each),
        room=show_size(room),
    )


def _crowds(load: Load, cores: float) -> bool:
    return load.workers > load.cores_of(cores)


def _room(load: Load, machine: Environment) -> float:
    """Bytes that all runs together may take."""
    return min(
        load.memory_limit or math.inf,
        machine.memory_room or machine.memory_bytes or math.inf,
    )
