"""What the form shows for a request, such as that of an opened session's run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.setup.setup_panel import State
    from core import Request, Value


def form_of(request: Request, now: State) -> State:
    """A state for `SetupPanel.restore`; what the request leaves open stays as it is now."""
    rows: dict[str, list[Value]] = {name: [value] for name, value in request.values.items()}
    rows |= {axis.name: list(axis.values) for axis in request.axes}
    asked: dict[str, Any] = {
        "rows": {
            "usual": rows,
            "own": rows,
            "rare": rows,
            "terms": _terms(request),
            "where": {"cluster": [request.cluster]},
        },
        "repeats": request.repeats,
        "budget": request.budget,
        "floor": request.floor,
        "study": request.study,
        "dataset": str(request.dataset) if request.dataset is not None else now["dataset"],
    }
    if not request.study:
        asked["workload"] = request.workload
    return {**now, **asked}


def _terms(request: Request) -> dict[str, list[Value]]:
    usual = {kind.name: kind.default for kind in request.known_terms}
    return {name: [value] for name, value in {**usual, **request.terms}.items()}
