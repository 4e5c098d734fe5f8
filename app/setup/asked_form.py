"""What the form shows for a request, such as that of an opened session's run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from app.setup.mode_bar import Mode
from core import (
    Axis,
    Choice,
    Flag,
    FormParameters,
    Integer,
    Real,
    SluiceError,
)

if TYPE_CHECKING:
    from app.setup.setup_panel import State
    from core import (
        Kind,
        Request,
        Value,
    )


def form_of(request: Request, now: State) -> State:
    """A state for `SetupPanel.restore`; what the request leaves open stays as it is now."""
    rows = {name: _row(value) for name, value in request.values.items()}
    kinds = _kinds(request)
    for axis in request.axes:
        kind = kinds.get(axis.name)
        rows[axis.name] = _row(axis.values[0], None if kind is None else _axis(kind, axis))
    asked: dict[str, Any] = {
        "mode": mode_of(request).value,
        "rows": {
            "usual": rows,
            "rare": rows,
            "terms": _terms(request),
            "where": {"cluster": _row(request.cluster)},
        },
        "repeats": request.repeats,
        "budget": request.budget,
        "floor": request.floor,
        "dataset": str(request.dataset) if request.dataset is not None else now["dataset"],
    }
    asked["study" if request.study else "workload"] = request.study or request.workload
    return {**now, **asked}


def mode_of(request: Request) -> Mode:
    """The kind of run that a request is."""
    if request.study:
        return Mode.STUDY
    if request.tune:
        return Mode.TUNE
    return Mode.SWEEP if request.axes else Mode.RUN


def _terms(request: Request) -> dict[str, dict[str, Any]]:
    usual = {kind.name: kind.default for kind in request.known_terms}
    return {name: _row(value) for name, value in {**usual, **request.terms}.items()}


def _row(value: Value, axis: Sequence[Value] | None = None) -> dict[str, Any]:
    return {"value": value, "vary": axis is not None, "axis": axis and list(axis)}


def _kinds(request: Request) -> Mapping[str, Kind]:
    with suppress(SluiceError):  # the form says what is wrong with the workload
        kinds = FormParameters(request.of_workload, request.study).of_trial()
        return {kind.name: kind for kind in kinds}
    return {}


def _axis(kind: Kind, axis: Axis) -> Sequence[Value] | None:
    """What the axis' editor shows: a few ends and steps for numbers, ticked values for options."""
    match kind:
        case Integer() | Real():
            low, high = (float(end) for end in (min(axis.values), max(axis.values)))
            whole = isinstance(kind, Integer)
            ends = (int(low), int(high)) if whole else (low, high)
            return (*ends, _steps(kind, ends, axis.values))
        case Choice() | Flag():
            return axis.values
        case _:
            return None


def _steps(kind: Integer | Real, ends: tuple[float, float], values: Sequence[Value]) -> int:
    """Steps that give just these values, or as many where no number of steps does."""
    wanted = tuple(sorted(values))
    counts = range(len(wanted), 65)
    found = (count for count in counts if Axis.spaced(kind, *ends, count).values == wanted)
    return next(found, min(len(wanted), 64))
