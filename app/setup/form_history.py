"""The form as it was: in the settings, in a request, and before the last change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, override

import msgspec
from PySide6.QtCore import QElapsedTimer, QObject, QSettings
from PySide6.QtGui import QUndoCommand, QUndoStack

from app.setup.setup_panel import SetupPanel, State
from core import EFFORT, InvalidParameter, Value

if TYPE_CHECKING:
    from core import Request


class Unreadable(Exception):
    """What is kept is not a form."""


class KeptForm(msgspec.Struct, kw_only=True):
    """What `SetupPanel.state` returns; a form of another version may lack parts."""

    workload: str | None = None
    study: str = ""
    rows: dict[str, dict[str, list[Value]]] = {}
    """By form and parameter; whether the values fit is for its control to say."""
    repeats: Annotated[int, msgspec.Meta(ge=1, le=EFFORT.repeats.high)] | None = None
    budget: float | None = None
    floor: bool = True
    dataset: str = ""


def form_from(kept: object) -> dict[str, Any]:
    """A state for `SetupPanel.restore` from what the settings hold; raises Unreadable."""
    try:
        form = msgspec.json.decode(str(kept), type=KeptForm)
    except (ValueError, ArithmeticError, RecursionError, msgspec.MsgspecError) as error:
        raise Unreadable(str(error)) from error
    found: dict[str, Any] = msgspec.to_builtins(form)
    return {name: part for name, part in found.items() if part is not None}


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


_ONE_GESTURE_MS = 1000
_MOST_STEPS = 200

type _Joins = Literal["never", "alike", "always"]
"""Whether a change is one with the change before it: `alike` where that changed the same parts."""


class FormHistory(QObject):
    """Watches a form; `stack` undoes and redoes what the user did."""

    def __init__(self, form: SetupPanel) -> None:
        super().__init__(form)
        self.form = form
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(_MOST_STEPS)
        self._seen = form.state()
        self._restoring = False
        self._since = QElapsedTimer()
        form.changed.connect(self._take)
        form.fitted.connect(self._take_with_last)

    def restore_from(self, settings: QSettings) -> bool:
        """Fill in the form of last time; what cannot be read is set aside, and it is False."""
        if (kept := settings.value("form")) is None:
            return True
        before = self._seen
        try:
            self.restore(form_from(kept))
        except (Unreadable, InvalidParameter, ArithmeticError):
            self.restore(before)
            settings.setValue("form set aside", kept)
            settings.remove("form")
            return False
        return True

    def keep_in(self, settings: QSettings) -> None:
        settings.setValue("form", msgspec.json.encode(self.form.state()).decode())

    def restore(self, state: State) -> None:
        """Put the form into a state; this does not count as a change by the user."""
        self._restoring = True
        try:
            self.form.restore(state)
        finally:
            self._restoring = False
            self._seen = self.form.state()

    def fill(self, state: State) -> None:
        """Put the form into a state as one change, which undo takes back as a whole."""
        before = self._seen
        self.restore(state)
        if self._seen != before:
            self.stack.push(_Change(self, before, self._seen, joins="never"))

    def _take_with_last(self) -> None:
        """Let what the form chose by itself be undone with what made it do so."""
        before, self._seen = self._seen, self.form.state()
        self.stack.push(_Change(self, before, self._seen, joins="always"))

    def _take(self) -> None:
        if self._restoring:
            return
        now = self.form.state()
        if now == self._seen:
            return
        quick = self._since.isValid() and self._since.elapsed() < _ONE_GESTURE_MS
        self._since.start()
        before, self._seen = self._seen, now
        self.stack.push(_Change(self, before, now, joins="alike" if quick else "never"))


class _Change(QUndoCommand):
    """From one state to another; one gesture, such as dragging a slider, is one change."""

    def __init__(self, history: FormHistory, before: State, after: State, *, joins: _Joins) -> None:
        super().__init__()
        self._history = history
        self._before, self._after = before, after
        self._joins = joins
        self._done = True

    @override
    def id(self) -> int:
        return 1

    @override
    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Change) or other._joins == "never":
            return False
        parts = _differing(self._before, self._after)
        if other._joins == "alike" and parts != _differing(other._before, other._after):
            return False
        self._after = other._after
        return True

    @override
    def redo(self) -> None:
        if self._done:  # the form has the change before it is pushed
            self._done = False
            return
        self._history.restore(self._after)

    @override
    def undo(self) -> None:
        self._history.restore(self._before)


def _differing(before: State, after: State) -> set[tuple[str, str]]:
    """The parts of a form that differ between two states."""
    found = {(part, "") for part in before.keys() - {"rows"} if before.get(part) != after.get(part)}
    for form, rows in before["rows"].items():
        others = after["rows"].get(form, {})
        found |= {(form, name) for name, row in rows.items() if others.get(name) != row}
    return found
