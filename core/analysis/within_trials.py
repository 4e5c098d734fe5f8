"""What the moments of a result's trials show that speaks against relying on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from core.analysis.verdict import Doubt
from core.errors import SessionError
from core.host.environment import describe_environment, describe_limits
from core.language.translation import tr, tr_word
from core.language.units import show_count, show_rate, show_seconds, show_size
from core.result.attempts import is_disturbed
from core.result.course import Change, Course, Growth, Stall
from core.result.metrics import leading
from core.result.result import Result


def doubts_within(result: Result) -> tuple[Doubt, ...]:
    """What the moments of its trials show: a stall, growth without an end, two levels.

    Growth is the workload's own if most trials have it; of the rest the worst trial is told.
    """
    trials = result.finished_trials or result.trials
    courses = []
    for trial in trials:
        with suppress(SessionError):  # who opens the trial is told
            courses.append((trial.course, is_disturbed(trial, result.environment)))
    stalls = [one.stall for one, _ in courses if one.stall]
    changes = [one.change for one, disturbed in courses if one.change and not disturbed]
    parts: list[Doubt] = []
    if stalls:
        parts.append(_stalled(max(stalls, key=lambda stall: stall.seconds)))
    if files := _usual(courses, lambda course: course.files):
        parts.append(_files_grow(files, open_files_allowed(result)))
    if memory := _usual(courses, lambda course: course.memory):
        parts.append(_memory_grows(memory, result.environment.memory_bytes))
    if changes:
        most = max(
            changes, key=lambda one: abs(one.after - one.before) / max(one.before, one.after)
        )
        parts.append(_changed(most, result))
    return tuple(parts)


def open_files_allowed(result: Result) -> int | None:
    """How many files its processes may open together; None where no limit is known.

    It is known of what was measured on this machine.
    """
    limit = describe_limits().open_files_soft
    here = describe_environment().machine_id == result.environment.machine_id
    return limit * result.spec.load.processes if limit is not None and here else None


def _usual(
    courses: Sequence[tuple[Course, bool]], of: Callable[[Course], Growth | None]
) -> Growth | None:
    """The middle one by its slope, if more than half have one."""
    found = sorted(
        (growth for course, _ in courses if (growth := of(course))),
        key=lambda growth: growth.per_second,
    )
    return found[len(found) // 2] if 2 * len(found) > len(courses) else None


def _stalled(stall: Stall) -> Doubt:
    gap, at = show_seconds(stall.seconds), show_seconds(stall.at)
    if stall.p99 > 0:
        text = tr(
            "No operation ended for {gap} at {at}; whoever asks at a steady rate sees a p99 of at "
            "least {p99}.",
            gap=gap,
            at=at,
            p99=show_seconds(stall.p99),
        )
    else:
        text = tr("No operation ended for {gap} at {at}.", gap=gap, at=at)
    remedy = tr("Find out what everything waited for then, and measure again.")
    return Doubt(text=text, remedy=remedy)


def _files_grow(growth: Growth, limit: int | None) -> Doubt:
    rate = show_count(round(growth.per_second, 1 if growth.per_second < 10 else 0))
    if limit is None:
        text = tr("Open files grow by {count} a second.", count=rate)
    else:
        text = tr(
            "Open files grow by {count} a second; the limit of {limit} is reached in {time}.",
            count=rate,
            limit=show_count(limit),
            time=_until(growth, limit),
        )
    return Doubt(text=text, remedy=tr("Close files that are no longer needed."))


def _memory_grows(growth: Growth, limit: int) -> Doubt:
    text = tr(
        "Memory grows by {size} a second; the machine's {limit} are reached in {time}.",
        size=show_size(growth.per_second),
        limit=show_size(limit),
        time=_until(growth, limit),
    )
    return Doubt(text=text, remedy=tr("Measure for longer: does it stop? If not, it is a leak."))


def _until(growth: Growth, limit: int) -> str:
    """Since the clock started."""
    return show_seconds(max(0.0, (limit - growth.start) / growth.per_second))


def _changed(change: Change, result: Result) -> Doubt:
    """Told in the figure in which people think who measure this."""
    first = leading([result])[0]
    before, after = (
        show_seconds(1 / rate) if first.unit == "seconds" else show_rate(rate, result.unit)
        for rate in (change.before, change.after)
    )
    figure, at = tr_word(first.title), show_seconds(change.at)
    text = (
        tr(
            "{figure} changed from {before} to {after} at {at}.",
            figure=figure,
            before=before,
            after=after,
            at=at,
        )
        if change.once
        else tr(
            "{figure} has two levels, {before} and {after}; it changed first at {at}.",
            figure=figure,
            before=before,
            after=after,
            at=at,
        )
    )
    remedy = tr("Measure again, for longer: the figure is a mean of two.")
    return Doubt(text=text, remedy=remedy)
