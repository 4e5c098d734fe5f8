"""The step that lowers what asks for more open files than a process may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from core.catalog.parameters import Value
from core.execution.request import Request
from core.language.translation import tr
from core.output.card_values import Act, NextStep
from core.plan.foreseen import fitting
from core.plan.spec import RunSpec, named, show_value
from core.plan.sweep import Axis


def fewer_files(asked: Request, specs: Sequence[RunSpec]) -> Iterator[NextStep]:
    """One step where a spec needs too many, and a lower value of one parameter helps.

    A study says itself what it measures, so there is none for it.
    """
    changes: dict[str, Value] = {}
    for spec in specs:
        for name, value in fitting(spec).items():
            changes[name] = min(changes.get(name, value), value)
    if not changes or asked.study:
        return
    ((name, value),) = list(changes.items())[:1]
    axes = tuple(_capped(axis, changes) for axis in asked.axes)
    request = msgspec.structs.replace(asked, values={**asked.values, **changes}, axes=axes)
    yield NextStep(
        act=Act.MEASURE,
        text=tr("Lower {parameter} to {value}", parameter=named(name), value=show_value(value)),
        why=tr("Then no process needs more files open than it may have."),
        request=request,
        name="fewer files",
    )


def _capped(axis: Axis, most: Mapping[str, Value]) -> Axis:
    if axis.name not in most:
        return axis
    limit = most[axis.name]
    values = dict.fromkeys(min(value, limit) for value in axis.values)
    return Axis(axis.name, tuple(values))
