"""The answer for a workflow in sentences and rows, the same in the terminal and on its page."""

from __future__ import annotations

from core.language import NOTHING, show_clock, show_share, tr
from core.workflow import StepAnswer, WorkflowAnswer


def headline(answer: WorkflowAnswer) -> str:
    """The answer as one would say it."""
    count = len(answer.changes)
    if not count:
        return tr("No other number of threads is known to save anything.")
    mid, _, _ = answer.core_seconds_after
    saved = show_share(1.0 - mid / answer.core_seconds)
    return tr(
        "Fewer threads in 1 step save {share} of the core-hours.",
        "Fewer threads in {count} steps save {share} of the core-hours.",
        count=count,
        share=saved,
    )


def in_figures(answer: WorkflowAnswer) -> str:
    mid, low, high = answer.core_seconds_after
    return tr(
        "{before} → {after} core-hours ({low} – {high}), and the run ends in {new} in place of"
        " {old}.",
        before=hours(answer.core_seconds),
        after=hours(mid),
        low=hours(low),
        high=hours(high),
        new=show_clock(answer.after),
        old=show_clock(answer.before),
    )


def whole_run(answer: WorkflowAnswer) -> str:
    """Both figures, and how far the simulation can be trusted."""
    about = tr(
        "Simulated, with cores: {cores}. Of the recorded run the simulation says {simulated}, and"
        " it took {took}.",
        cores=answer.cores,
        simulated=show_clock(answer.recorded_seconds * (1.0 + answer.off)),
        took=show_clock(answer.recorded_seconds),
    )
    return f"{in_figures(answer)} {about}"


def hours(seconds: float) -> str:
    """Core-hours with three digits."""
    return f"{seconds / 3600:.3g}"


def threads_text(step: StepAnswer) -> str:
    granted = step.group.granted
    if step.changes:
        return f"{granted} → {step.advised.threads}"
    return tr("{count} stays", "{count} stay", count=granted)


def core_hours_text(step: StepAnswer) -> str:
    before = hours(step.core_seconds)
    return f"{before} → {hours(step.core_seconds_after[0])}" if step.changes else before


def remark(step: StepAnswer) -> str:
    if step.why_not and step.group.heavy:
        why = tr("cannot be told: {why}", why=step.why_not)
        return "; ".join(filter(None, (why, step.remark)))
    if step.why_not:
        return step.why_not
    return step.remark or ("" if step.changes else tr("fewer do not save core-hours for sure"))


def step_rows(answer: WorkflowAnswer) -> list[tuple[str, ...]]:
    return [
        (
            step.group.name,
            f"{len(step.group.steps):,}",
            NOTHING if step.cores_used is None else f"{step.cores_used:.1f}",
            threads_text(step),
            step.how_sure,
            core_hours_text(step),
            remark(step),
        )
        for step in answer.steps
    ]
