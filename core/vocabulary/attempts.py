"""Trials that were measured again: which attempt at a slot counts.

A slot of a plan has one index, and every attempt at it has that index.  There are two reasons for
another attempt.  A trial that was cancelled is measured again in its block when its run is resumed.
A disturbed trial is measured again in a later block (`core.run.budget`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from core.vocabulary.job import OfPrograms
from core.vocabulary.machine import Environment
from core.vocabulary.outcome import Cancelled

if TYPE_CHECKING:
    from core.vocabulary.trial import Trial


TAKEN = 0.2
"""Share of the time on the cores for its workers above which other programs disturb a trial.  The
window itself, while it draws, takes half of that on two cores."""
STEAL = 0.3
"""Share of the wanted core time above which the hypervisor disturbs."""
THROTTLED = 0.05
"""Share of the wanted core time above which a quota disturbs."""
_WAKING = 100e-6
"""Wait for a core, in seconds, that each wake-up can cost without any other program.  With the
global lock handed over 160,000 times a second it is 5 µs; a thread that waits for another program
waits for milliseconds."""


def is_disturbed(trial: Trial, environment: Environment) -> bool:
    """Whether one of the limits was exceeded while the trial had the clock."""
    return (disturbance(trial, environment) or 0.0) > 1.0


def disturbance(trial: Trial, environment: Environment) -> float | None:
    """The largest of the trial's disturbances, each as a multiple of its limit; None if unknown.

    It looks only at the machine, never at the trial's own throughput or latencies:
    otherwise measuring disturbed trials again would be choosing results.  Heat is recorded but is
    no reason: it comes mostly from the trial's own work, so that heavy settings would be measured
    until they were lucky.
    """
    return max(_multiples(trial, environment), default=None)


def _multiples(trial: Trial, environment: Environment) -> Iterator[float]:
    if (taken_share := taken_from_trial(trial, environment)) is not None:
        yield taken_share / TAKEN
    noise, workers = trial.noise, len(trial.workers)
    if noise is None or not workers:
        return
    core_seconds = noise.seconds * min(workers, trial.cores_of(noise.cores))
    if core_seconds <= 0:
        return
    if noise.steal is not None:
        yield noise.steal / core_seconds / STEAL
    # With more workers than cores in the quota, the trial itself exceeds it: that is its figure.
    if noise.throttled is not None and workers <= trial.cores_of(environment.usable_cores):
        yield noise.throttled / core_seconds / THROTTLED


_OWN_THREADS = 1.15
"""CPU of a process over that of its workers, above which a library has threads of its own."""


class CoreUse(NamedTuple):
    """What a trial's threads did with cores on average, while it was measured."""

    threads: int
    running: float
    """Cores that they were on."""
    queued: float
    """Threads that were ready to run, and waited for a core."""
    waits: float
    """How many times a second a thread gave its core up, to wait for something else."""

    @classmethod
    def of(cls, trial: Trial) -> CoreUse | None:
        """By the kernel's account of each of its threads; None where that is not known of all.

        Of programs, those that they had at the last look: their threads mostly live as long as they
        do.  Threads of a library beside the workers have no account.
        """
        if OfPrograms.QUEUED in trial.counters and trial.elapsed:
            names = (OfPrograms.CPU, OfPrograms.QUEUED, OfPrograms.GAVE_UP)
            figures = (trial.counters.get(name, 0.0) / trial.elapsed for name in names)
            return cls(max(trial.client_threads, 1), *figures)
        measured = [worker for worker in trial.workers if worker.window]
        own, whole = trial.cpu_seconds, trial.process_cpu
        beside_them = own is not None and whole is not None and whole > _OWN_THREADS * own
        if trial.client_threads or beside_them or not measured:
            return None
        queued_ns = [worker.window_queued for worker in measured]
        if None in queued_ns:
            return None
        return cls(
            threads=len(measured),
            running=trial.cores_in_windows,
            queued=sum((worker.window_queued or 0) / worker.window for worker in measured),
            waits=sum(1e9 * worker.window_waits / worker.window for worker in measured),
        )


def taken_by_others(trial: Trial, environment: Environment) -> float | None:
    """Share of the time on the cores for its workers that other programs took from them.

    It is a share of the time on the wall: what hardly wants a core loses next to nothing.  It
    follows from how long the threads ran, and how long they were ready to run but did not; it is
    no more than other programs ran at all.  Threads that hand a lock to each other are often left
    waiting for the core of the one that woke them while another core is idle: with ten threads that
    is a quarter of the time.  None where it was not recorded.
    """
    cores, able = core_demand(trial, environment), _able(trial, environment.usable_cores)
    if cores is None or able <= 0:
        return None
    share = (min(cores.demand, able) - cores.running) / able
    return max(0.0, min(share, _most_taken(trial, able)))


def _able(trial: Trial, cores: float) -> float:
    """Cores that its workers can keep busy, of so many."""
    return min(max(len(trial.workers), trial.client_threads), trial.cores_of(cores))


class CoreDemand(NamedTuple):
    """Cores on which a trial's threads ran on average, and on which they would have run."""

    running: float
    demand: float


def core_demand(trial: Trial, environment: Environment) -> CoreDemand | None:
    """The times for which its threads ran, or were ready to, as cores; None if not recorded."""
    if (use := CoreUse.of(trial)) is not None:
        most = trial.cores_of(environment.usable_cores)
        return CoreDemand(use.running, min(use.running + use.queued, most))
    first, last = trial.first, trial.last
    if OfPrograms.CPU in trial.counters or first is None or last is None:
        return None  # a program's wait for a core is lost when it ends
    if first.processes != last.processes:
        return None
    if first.queued is None or last.queued is None or last.at <= first.at:
        return None
    switches = sum(
        (getattr(last, name) or 0) - (getattr(first, name) or 0)
        for name in ("switches_voluntary", "switches_involuntary")
    )
    seconds = last.at - first.at
    # The cost of waking is an upper limit: where it exceeds the wait, no program made them wait.
    queued = max(0.0, last.queued - first.queued - _WAKING * max(switches, 0)) / seconds
    used = last.cpu_user + last.cpu_system - first.cpu_user - first.cpu_system
    # Where a process has taken the place of another, the sum of both can fall.
    running = max(0.0, used) / seconds
    return CoreDemand(running, min(running + queued, trial.cores_of(environment.usable_cores)))


def taken_from_trial(
    trial: Trial, environment: Environment, *, wanted: bool = False
) -> float | None:
    """Share of the time on the cores for its workers that other programs took; None if unknown.

    `wanted`: of the time for which its threads wanted cores.  Of a sleeper that is much, and costs
    it nothing; it tells whether waits are others' doing.
    """
    if wanted:
        cores = core_demand(trial, environment)
        return _crowding(trial) if cores is None else _taken_of_wanted(trial, cores)
    taken_share = taken_by_others(trial, environment)
    return _crowded_out(trial) if taken_share is None else taken_share


def _taken_of_wanted(trial: Trial, cores: CoreDemand) -> float | None:
    if cores.demand <= 0:
        return None
    share = 1.0 - cores.running / cores.demand
    return max(0.0, min(share, _most_taken(trial, cores.demand)))


def _most_taken(trial: Trial, cores: float) -> float:
    """The share of so many cores that all other programs used; 1 where that is unknown."""
    noise = trial.noise
    if noise is None or noise.others is None or noise.seconds <= 0:
        return 1.0
    return noise.others / (noise.seconds * cores)


def _crowded_out(trial: Trial) -> float | None:
    """As `taken_by_others`, for systems that do not record how long threads wait for a core.

    It is what others cannot have left free, as far as its threads wanted it; None if unknown.
    """
    crowded = _crowding(trial)
    used = trial.counters.get(OfPrograms.CPU, trial.process_cpu)
    if crowded is None or used is None or not trial.elapsed or crowded >= 1.0 or not trial.noise:
        return crowded
    # What ran for so long, though others had that share of its cores, wanted so much more.
    able = _able(trial, trial.noise.cores)
    return min(crowded, used / trial.elapsed / able * crowded / (1.0 - crowded))


def _crowding(trial: Trial) -> float | None:
    """The share of the cores for its workers that others cannot have left free."""
    noise = trial.noise
    if noise is None or noise.others_share is None or not trial.workers:
        return None
    able = _able(trial, noise.cores)
    return max(0.0, 1.0 - noise.cores * (1.0 - noise.others_share) / able)


def counted(trials: Sequence[Trial], environment: Environment) -> tuple[Trial, ...]:
    """The trials that count, in their order.

    A trial that was not cancelled counts, unless its slot was measured again and both attempts are
    valid: then the one that was less disturbed counts, whatever their figures.  A trial that
    crashed, failed or returned wrong data always counts.

    A shortened trial counts unless its slot has a trial that was not cancelled; of several
    shortened ones, the one with the most turns counts.
    """
    slots: dict[tuple[str, int], list[Trial]] = {}
    for trial in trials:
        slots.setdefault((trial.spec_digest, trial.index), []).append(trial)
    chosen = {id(one) for slot in slots.values() for one in _of_slot(slot, environment)}
    return tuple(trial for trial in trials if id(trial) in chosen)


def replaced(trials: Sequence[Trial], environment: Environment) -> tuple[Trial, ...]:
    """The trials that could count and do not, because another attempt at their slot does."""
    counting = {id(trial) for trial in counted(trials, environment)}
    return tuple(
        trial
        for trial in trials
        if id(trial) not in counting
        and (trial.shortened or not isinstance(trial.outcome, Cancelled))
    )


def _of_slot(attempts: Sequence[Trial], environment: Environment) -> Iterator[Trial]:
    whole = [trial for trial in attempts if not isinstance(trial.outcome, Cancelled)]
    if not whole:
        shortened = [trial for trial in attempts if trial.shortened]
        if shortened:
            yield max(reversed(shortened), key=lambda trial: len(trial.turns))
        return
    if len(whole) == 1:
        yield whole[0]
        return
    disturbances = {
        id(one): multiple
        for one in whole
        if one.valid and (multiple := disturbance(one, environment)) is not None
    }
    blocks = {trial.block for trial in whole if id(trial) in disturbances}
    several = len(blocks) == len(disturbances) > 1
    least = min(disturbances, key=disturbances.__getitem__, default=None)
    for trial in whole:
        if not several or id(trial) == least or id(trial) not in disturbances:
            yield trial


def better_of(cut: Trial, saved: Trial | None) -> Trial:
    """A trial in turns at its end, or as it was saved before, where only that counts.

    When it is cut off there may be too little time to verify its last seconds.  Errors and wrong
    data that are known by then count.
    """
    lost = isinstance(cut.outcome, Cancelled) and not cut.shortened
    if saved is None or not (lost and saved.shortened) or cut.errors or cut.wrong:
        return cut
    return msgspec.structs.replace(saved, outcome=cut.outcome, moments=cut.moments)


def without_superseded(trials: Sequence[Trial]) -> tuple[Trial, ...]:
    """The trials of a run without cancelled ones that came again, unless they are shortened."""
    last = {trial.index: trial for trial in trials}
    others = {
        trial.index
        for trial in trials
        if trial.shortened or not isinstance(trial.outcome, Cancelled)
    }
    return tuple(
        trial
        for trial in trials
        if not isinstance(trial.outcome, Cancelled)
        or trial.shortened
        or (last[trial.index] is trial and trial.index not in others)
    )
