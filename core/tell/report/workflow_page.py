"""The answer for a workflow as one page: a row for each step, and the whole run below."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from core.language import show_share
from core.tell.report.page import templates
from core.tell.report.svg import Drawing, path_through, tenth
from core.tell.workflow_text import (
    core_hours_text,
    headline,
    in_figures,
    remark,
    threads_text,
    whole_run,
)
from core.workflow import StepAnswer, WorkflowAnswer

_WIDTH, _HEIGHT = 180.0, 18.0
_CURVE = (96.0, 34.0)
_BAR = "stroke:none;fill:var(--{})"


def workflow_page(answer: WorkflowAnswer) -> str:
    """HTML without scripts; the same for the same answer."""
    most_cores = max((one.group.granted for one in answer.steps), default=1)
    most_hours = max((one.core_seconds for one in answer.steps), default=1.0)
    mid, low, high = answer.core_seconds_after
    whole = answer.core_seconds or 1.0
    return (
        templates()
        .get_template("workflow.html")
        .render(
            headline=headline(answer),
            figures=in_figures(answer),
            about=whole_run(answer).removeprefix(in_figures(answer)),
            saved=f"{show_share(1 - mid / whole)} fewer"
            f" ({show_share(1 - high / whole)} to {show_share(1 - low / whole)})"
            if answer.changes
            else "",
            source=str(answer.recorded.source),
            manager=answer.recorded.manager.capitalize(),
            runs=len(answer.recorded.steps),
            outputs=_outputs(answer.steps),
            steps=[_row(one, most_cores, most_hours) for one in answer.steps],
        )
    )


def _outputs(steps: Sequence[StepAnswer]) -> str:
    changed = [one for one in steps if one.changes]
    if changed and all(one.outputs_same for one in changed):
        return "outputs the same in each setting that is advised"
    return ""


def _row(step: StepAnswer, cores: int, seconds: float) -> dict[str, object]:
    return {
        "name": step.group.name,
        "runs": len(step.group.steps),
        "cores": _cores(step, cores),
        "curve": _curve(step),
        "threads": threads_text(step),
        "sure": step.how_sure,
        "bar": _hours(step, seconds),
        "hours": core_hours_text(step),
        "remark": remark(step),
        "open": bool(step.why_not) and step.group.heavy,
        "changes": step.changes,
    }


def _cores(step: StepAnswer, most: int) -> Markup:
    """Granted as a frame, used as what fills it."""
    drawing, granted = Drawing.empty(_WIDTH, _HEIGHT), step.group.granted
    wide = (_WIDTH - 2) * granted / most
    if step.cores_used is not None:
        used = (_WIDTH - 2) * min(step.cores_used, granted) / most
        drawing.area(_BAR.format("text"), _box(1, used))
    drawing.line("stroke:var(--muted);stroke-width:1", _box(1, wide))
    used_text = "" if step.cores_used is None else f", used: {step.cores_used:.1f}"
    return drawing.finished(f"granted: {granted}{used_text}")


def _box(left: float, wide: float) -> str:
    return f"M{tenth(left)} 2h{tenth(max(wide, 1.0))}v14h-{tenth(max(wide, 1.0))}z"


def _hours(step: StepAnswer, most: float) -> Markup:
    drawing = Drawing.empty(_WIDTH, _HEIGHT)
    drawing.area(_BAR.format("rule"), _box(1, (_WIDTH - 2) * step.core_seconds / most))
    if step.changes:
        after = step.core_seconds_after[0]
        drawing.area(_BAR.format("good"), _box(1, (_WIDTH - 2) * after / most))
    return drawing.finished(core_hours_text(step))


def _curve(step: StepAnswer) -> Markup | str:
    """Speed by threads, with a ring at the advised number."""
    if len(step.curve) < 2:
        return ""
    drawing, (wide, high) = Drawing.empty(*_CURVE), _CURVE
    threads, speeds = (np.array(column, float) for column in zip(*step.curve, strict=True))
    xs = 6 + (wide - 12) * (threads - threads[0]) / (threads[-1] - threads[0])
    ys = high - 6 - (high - 12) * speeds / speeds.max()
    drawing.line("stroke:var(--text);stroke-width:1.5", path_through(xs, ys))
    for x, y, count in zip(xs, ys, threads, strict=True):
        if count == step.advised.threads:
            drawing.dots([(x, y)], "stroke:var(--good);stroke-width:9")
            drawing.dots([(x, y)], "stroke:var(--paper);stroke-width:5")
    return drawing.finished(", ".join(f"{n}: {speed:.2f}" for n, speed in step.curve))
