"""What a plan will measure, as a figure: a place for each setting, on the curves of the answer."""

from __future__ import annotations

from core.language import tr, tr_word
from core.measure import without_bare_files
from core.vocabulary import (
    METRICS,
    CurvesFigure,
    FigureCurve,
    Plan,
    differing,
    distinguishing,
    label,
    leading_keys,
)


def planned_figure(plan: Plan) -> CurvesFigure:
    """The curves on which the answer will lie: names, order and colours stay what they are here.

    Empty if neither threads nor processes vary.
    """
    specs = without_bare_files(plan.specs[: plan.choices or None])
    varying = differing(specs)
    axis = next((name for name in ("threads", "processes") if name in varying), None)
    if axis is None:
        return CurvesFigure()
    names = distinguishing(specs, without=(axis,))
    curves: dict[str, list[tuple[float, str]]] = {}
    for spec in specs:
        name = label(spec, names) if names else ""
        curves.setdefault(name, []).append((float(str(spec.values[axis])), spec.digest))
    metric = METRICS[leading_keys(specs[0].workload)[0]]
    return CurvesFigure(
        axis=axis,
        unit="rate" if metric.unit == "rate" else "seconds",
        measured=metric.key,
        curves=tuple(
            FigureCurve(name=name, cells=tuple(sorted(cells))) for name, cells in curves.items()
        ),
    )


def planned_check(plan: Plan) -> str:
    """What will be compared, or with what; empty where nobody can say."""
    specs = without_bare_files(plan.specs)
    other = specs[0].compared_with(specs)
    if other is None:
        return ""
    units = tr_word(f"{specs[0].known_setting.workload.unit}s")
    return other or tr("{units} will be compared", units=units)
