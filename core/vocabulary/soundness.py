"""Checks once, where values from outside are read, that a run can have them.

The seals of a session show damage, but not its author, and an export has none.  Single
numbers are bounded by their types (`core.language.sanitise`), where they are decoded.  This module
checks that several values agree.
"""

from __future__ import annotations

from collections.abc import Callable

from core.language import LARGEST_NUMBER, MOST_WORKERS, UsageError
from core.vocabulary.declarations import build, values_of
from core.vocabulary.histogram import MOST_COUNTED, from_bytes
from core.vocabulary.latency_map import unpack
from core.vocabulary.load import Load
from core.vocabulary.machine import FileSystem
from core.vocabulary.moments import Series, are_sound
from core.vocabulary.parameters import Value
from core.vocabulary.plan import MOST_TRIALS, Plan
from core.vocabulary.result import Result
from core.vocabulary.spec import RunSpec
from core.vocabulary.trial import Trial
from core.vocabulary.trial_record import WorkerTotals

_MOST_SPACE = 2**80
"""Bytes of a file system: some on networks claim to be endless."""

_SUMMED: tuple[Callable[[WorkerTotals], int], ...] = (
    lambda worker: worker.operations,
    lambda worker: worker.items,
    lambda worker: worker.bytes,
    lambda worker: worker.errors,
    lambda worker: worker.wrong,
)
_MOST_IN_ALL = 2**62
"""Operations or bytes of all workers: figures computed from them have 64 bits."""
_LOOSE = 10**9
"""Nanoseconds: where a trial was cut off, its workers were sampled while they went on."""


class UnsoundError(Exception):
    """No run has such values."""


def check_plan(plan: Plan) -> None:
    """Raise UnsoundError for a plan that cannot be carried out."""
    if plan.most_trials > MOST_TRIALS:
        raise UnsoundError(f"a plan has {plan.most_trials:,} trials")
    if not all(map(_is_moderate, plan.terms.values())):
        raise UnsoundError("a limit of a plan is no number that can be meant")


def check_spec(spec: RunSpec) -> None:
    """Raise UnsoundError for a spec that no request can have."""
    try:
        build(Load, values_of(spec.load))
    except UsageError as error:
        raise UnsoundError(f"a setting cannot be: {error}") from error
    if spec.load.all_workers > MOST_WORKERS:
        raise UnsoundError(f"a setting has {spec.load.all_workers:,} workers")
    if not all(map(_is_moderate, spec.parameters.values())):
        raise UnsoundError("a parameter is no number that can be meant")


def check_file_system(system: FileSystem) -> None:
    """Raise UnsoundError for a file system that no disk has."""
    if not (0 <= system.total_bytes <= _MOST_SPACE and 0 <= system.free_bytes <= _MOST_SPACE):
        raise UnsoundError("a file system has a size that none has")


def check_trial(trial: Trial, load: Load) -> None:
    """Raise UnsoundError for a trial that cannot be one with that load."""
    if len(trial.workers) > load.all_workers:
        raise UnsoundError("a trial has more workers than its load")
    _check_workers(trial)
    try:
        counts = from_bytes(trial.histogram).counts if trial.histogram else ()
        unpack(trial.latency_map)
    except ValueError as error:
        raise UnsoundError(str(error)) from error
    if max(counts, default=0) > MOST_COUNTED:
        raise UnsoundError("a histogram of a trial has more than can be counted")
    # A series is checked piece by piece, when its moments are asked for.
    if not isinstance(trial.moments, Series) and not are_sound(trial.moments):
        raise UnsoundError("moments of a trial are not as they can be")


def _check_workers(trial: Trial) -> None:
    for worker in trial.workers:
        if worker.ended + _LOOSE < worker.started:
            raise UnsoundError("a worker ended before it started")
        if len(worker.phases) < len(trial.steps):
            raise UnsoundError("a worker has no time for some steps")
    for count in _SUMMED:
        if abs(trial.total(count)) > _MOST_IN_ALL:
            raise UnsoundError("workers of a trial did more than can be counted")


def check_result(result: Result) -> None:
    """Raise UnsoundError for a result that no run has."""
    check_spec(result.spec)
    if result.file_system is not None:
        check_file_system(result.file_system)
    for trial in result.trials:
        check_trial(trial, result.spec.load)


def _is_moderate(value: Value) -> bool:
    return not isinstance(value, int | float) or abs(value) <= LARGEST_NUMBER
