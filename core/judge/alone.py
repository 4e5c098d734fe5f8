"""What settings would do on a quiet machine, from what they did beside other programs.

Two ways, the surer one first.  Where others came and went, the turns that they left alone are
results like any other.  Where they stayed, it is computed of threads that compute: while these ran
on c cores, d of them waited for one.

    alone = measured ÷ g,  with g between  c ÷ min(n, cores)  and  max(1 − d ÷ n, c ÷ cores)

The rest, n − c − d, was blocked: all of it by threads that waited for a core themselves (the first
bound), or none of it.  Work that hardly wants a core loses hardly anything to others, and stands as
it was measured, give or take d ÷ n.

Threads that wait for each other, at a lock or the interpreter's, cannot be computed: beside one
busy loop two with one lock did what they do alone, and the formula gave twice that.  There
n − c − d says nothing, because the kernel wakes a waiting thread on the core of the one that woke
it, where it then waits for a core.  What tells them apart is how often they give a core up.  Of
these, and of threads that are blocked for long, it is only known what they cannot exceed: all
cores, at the CPU time that an operation took.  `bench_beside.py --formula` holds all this against
the quiet machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import msgspec

from core.judge.estimation import typical
from core.judge.trust import LITTLE
from core.vocabulary import (
    UNKNOWN,
    CoreUse,
    OfPrograms,
    Result,
    Slice,
    Trial,
    WorkerTotals,
    pack,
    taken_from_trial,
)

_QUIET = 0.1
"""Cores' worth of other programs, per core of the machine, below which a round was quiet."""
_AROUND = 2
"""Rounds before and after that have to be quiet, too: the machine's time is counted in ticks."""
_ENOUGH_ROUNDS, _ENOUGH_BLOCKS = 12, 3
"""Quiet ones, of all settings, from which on they are the answer."""
_HARDLY = 0.35
"""Cores that the threads want together, below which they lose nothing but their own waits."""
_BLOCKED = 0.15
"""Share of the threads' time in which they may be blocked and still count as computing."""
_OFTEN = 250.0
"""Times in a second on a core that threads may give it up and still count as computing.  Threads
with files of their own: 0 to 150; threads that share one reader with a lock: 700."""
_ERROR = 0.045
"""Standard error of the formula, as a share, where much was taken; less where little was."""
_OF_PROGRAMS = 0.08
"""The same of a program: it starts, reads and ends with one thread, also where others leave the
cores to it.  `pigz` came to 1.88 cores of two alone, and to 1.02 to 1.17 times the truth."""
_MUCH = 0.3


@dataclass(frozen=True, kw_only=True)
class Alone:
    """Results as on a quiet machine.

    `results`: those that can be told, with the error of computing them.  `most`: what cannot be
    told, at the most that it can reach.  `kept`: the share of the turns that they rest on, where
    only quiet ones count; 0 = computed.
    """

    results: tuple[Result, ...]
    most: tuple[Result, ...] = ()
    kept: float = 0.0
    unknown: bool = False
    """Whether the kernel gave no account of what some of them waited for."""

    @property
    def error(self) -> float:
        """The largest of its results."""
        return max((one.error for one in self.results), default=0.0)


def alone(results: Sequence[Result]) -> Alone:
    """Results that were measured beside other programs, as they would be without them."""
    if (quiet := _of_quiet_turns(results)) is not None:
        return quiet
    computed: list[Result] = []
    most: list[Result] = []
    for one in results:
        bounds = [_bounds(trial, one) for trial in one.finished_trials]
        certain_bounds = [bound for bound in bounds if bound is not None]
        if certain_bounds and len(certain_bounds) == len(bounds):
            computed.append(_computed(one, certain_bounds))
        elif (limit := _at_most(one)) is not None:
            most.append(limit)
    trials = (trial for one in results for trial in one.finished_trials)
    unknown = any(CoreUse.of(trial) is None for trial in trials)
    return Alone(results=tuple(computed), most=tuple(most), unknown=unknown)


type _Bounds = tuple[float, float]
"""The least and the largest share of its time that a trial would have taken alone."""


def _bounds(trial: Trial, result: Result) -> _Bounds | None:
    """None where it cannot be computed."""
    share_taken, use = taken_from_trial(trial, result.environment), CoreUse.of(trial)
    timed = trial.shortened or all(worker.window for worker in trial.workers)
    if use is not None and timed:
        queued = _queued(use)
        if _hardly_wants(use):
            return 1.0 - 2.0 * queued / use.threads, 1.0
        if _computes(use, queued):
            return _shares(use, trial.cores_of(result.environment.usable_cores))
    return (1.0, 1.0) if share_taken is not None and share_taken <= LITTLE else None


def _queued(use: CoreUse) -> float:
    """Both are accounts of the kernel's, but of a window and of the whole turn."""
    return max(min(use.queued, use.threads - use.running), 0.0)


def _hardly_wants(use: CoreUse) -> bool:
    return use.running + _queued(use) <= _HARDLY


def _computes(use: CoreUse, queued: float) -> bool:
    blocked = (use.threads - use.running - queued) / use.threads
    return blocked <= _BLOCKED and use.waits <= _OFTEN * use.running


def _shares(use: CoreUse, cores: float) -> _Bounds:
    least = use.running / min(use.threads, cores)
    most = max(least, 1.0 - _queued(use) / use.threads, use.running / cores)
    return least, most


def _computed(result: Result, bounds: Sequence[_Bounds]) -> Result:
    shares = [math.sqrt(low * high) for low, high in bounds]
    spread = median(math.log(high / low) for low, high in bounds) / 2.0
    error = _error_of(result) * min(1.0, (1.0 - median(shares)) / _MUCH)
    cores = result.environment.usable_cores
    trials = [
        _in_turns(trial, share, cores) if share < 1.0 else trial
        for trial, share in zip(result.finished_trials, shares, strict=True)
    ]
    return msgspec.structs.replace(
        result, trials=tuple(trials), error=math.hypot(error, spread / 1.5)
    )


def _error_of(result: Result) -> float:
    of_programs = any(OfPrograms.CPU in trial.counters for trial in result.finished_trials)
    return _OF_PROGRAMS if of_programs else _ERROR


def _in_turns(trial: Trial, share: float, cores: float) -> Trial:
    """The trial as if it had been alone, turn by turn where each has an account of its own."""
    use = CoreUse.of(trial)
    turns = trial.turns
    of_programs = OfPrograms.CPU in trial.counters  # whose CPU time is in no turn's account
    accounted = all(turn.cpu and turn.active for turn in turns)
    if use is None or _hardly_wants(use) or of_programs or not accounted:
        return _in_shares(trial, share)
    of_turns = []
    for turn in turns:
        each = CoreUse(use.threads, turn.cpu / turn.active, turn.queued / turn.active, 0.0)
        low, high = _shares(each, trial.cores_of(cores))
        of_turns.append(min(math.sqrt(low * high), 1.0))
    return _in_shares(trial, share, of_turns)


def _in_shares(trial: Trial, share: float, of_turns: Sequence[float] = ()) -> Trial:
    """The trial as if its work had taken that share of the time; `of_turns`: of each turn's."""
    turns, whole = trial.turns, sum(turn.active for turn in trial.turns)
    each = of_turns or [share] * len(turns)
    if of_turns and whole:
        share = sum(one * turn.active for one, turn in zip(each, turns, strict=True)) / whole
    workers = tuple(
        msgspec.structs.replace(worker, window=max(round(worker.window * share), 1))
        if worker.window
        else worker
        for worker in trial.workers
    )
    scaled = (
        msgspec.structs.replace(
            turn, active=round(turn.active * one), early_active=round(turn.early_active * one)
        )
        for one, turn in zip(each, turns, strict=True)
    )
    return msgspec.structs.replace(trial, workers=workers, slices=pack(scaled))


def _at_most(result: Result) -> Result | None:
    """All cores, at the CPU time that an operation took; None if that is not known."""
    rate, cpu, trials = typical(result), typical(result, "cpu_each"), result.finished_trials
    if not rate or not cpu or not trials:
        return None
    limits = []
    for trial in trials:
        use, cores = CoreUse.of(trial), trial.cores_of(result.environment.usable_cores)
        running = rate * cpu if use is None else use.running
        able = cores if use is None else min(use.threads, cores)
        limits.append(_in_shares(trial, min(1.0, running / able)))
    return msgspec.structs.replace(result, trials=tuple(limits), error=_error_of(result))


def _of_quiet_turns(results: Sequence[Result]) -> Alone | None:
    """The results of the rounds in which others left the machine alone; None if they are few.

    A round is chosen by what others did in the turns of all settings, never by its figures.
    """
    trials = [trial for one in results for trial in one.finished_trials]
    if not trials or not all(trial.turns and trial.noise for trial in trials):
        return None
    quiet = _quiet_rounds(trials)
    whole = sum(len(trial.turns) for trial in trials)
    turns_kept = sum((trial.block, turn.round) in quiet for trial in trials for turn in trial.turns)
    blocks = {block for block, _ in quiet}
    if len(quiet) < _ENOUGH_ROUNDS or len(blocks) < _ENOUGH_BLOCKS:
        return None
    shortened = []
    for one in results:
        some = [_of_rounds(trial, quiet) for trial in one.finished_trials]
        quiet_trials = tuple(trial for trial in some if trial is not None)
        if len({trial.block for trial in quiet_trials}) < _ENOUGH_BLOCKS:
            return None
        shortened.append(msgspec.structs.replace(one, trials=quiet_trials))
    return Alone(results=tuple(shortened), kept=turns_kept / whole)


type _Round = tuple[int, int]
"""Its block, and its number."""


def _quiet_rounds(trials: Sequence[Trial]) -> set[_Round]:
    """The rounds that were quiet, as those around them in their block."""
    turns: dict[_Round, list[Slice]] = {}
    cores = max(trial.noise.cores for trial in trials if trial.noise)
    for trial in trials:
        for turn in trial.turns:
            turns.setdefault((trial.block, turn.round), []).append(turn)

    def busy(block: int, number: int) -> bool:
        near = range(number - _AROUND, number + _AROUND + 1)
        some = [turn for at in near for turn in turns.get((block, at), ())]
        if any(turn.others == UNKNOWN for turn in some):
            return True
        time_taken = sum(turn.others for turn in some)
        return time_taken > _QUIET * cores * sum(turn.active for turn in some)

    return {(block, number) for block, number in turns if not busy(block, number)}


def _of_rounds(trial: Trial, rounds: set[_Round]) -> Trial | None:
    """The trial as if it had had these turns alone; None if it had none of them."""
    turns = [turn for turn in trial.turns if (trial.block, turn.round) in rounds and turn.active]
    if not turns or not trial.workers:
        return None
    workers = len(trial.workers)
    active = sum(turn.active for turn in turns)
    totals: tuple[WorkerTotals, ...] = tuple(
        msgspec.structs.replace(
            worker,
            window=active,
            window_operations=sum(turn.operations for turn in turns) / workers,
            window_bytes=sum(turn.bytes for turn in turns) // workers,
        )
        for worker in trial.workers
    )
    return msgspec.structs.replace(trial, workers=totals, slices=pack(turns))
