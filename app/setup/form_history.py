"""The form as it was: in the settings, in a request, and before the last change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, override

import msgspec
from PySide6.QtCore import QElapsedTimer, QObject, QSettings
from PySide6.QtGui import QUndoCommand, QUndoStack

from app.setup.form import rows_of
from app.setup.setup_panel import FormState, SetupPanel
from core import InvalidParameter

if TYPE_CHECKING:
    from core import Request


class Unreadable(Exception):
    """The settings hold no form."""


def form_from(setting: object) -> FormState:
    """The form that the settings hold; raises Unreadable."""
    try:
        return msgspec.json.decode(str(setting), type=FormState)
    except (ValueError, ArithmeticError, RecursionError, msgspec.MsgspecError) as error:
        raise Unreadable(str(error)) from error


def form_of(request: Request, now: FormState) -> FormState:
    """The form that asks for a request; what this leaves open stays as it is now.

    Data for other work is no data at an address.
    """
    elsewhere = request.values.get("address") and request.workload != now.workload
    dataset = "" if elsewhere else now.dataset
    return FormState(
        workload=now.workload if request.study else request.workload,
        study=request.study,
        rows=rows_of(request),
        repeats=request.repeats,
        budget=request.budget,
        floor=request.floor,
        dataset=str(request.dataset) if request.dataset is not None else dataset,
    )


_ONE_GESTURE_MS = 1000
_MOST_STEPS = 200

type _Joins = Literal["never", "alike", "always"]
"""Whether undo takes a change back together with the one before it.

It always does so where the form has chosen something to suit the last change, and where both
changed the same parts in quick succession (`alike`).
"""


class FormHistory(QObject):
    """Watches a form; `stack` undoes and redoes what the user did."""

    def __init__(self, form: SetupPanel) -> None:
        super().__init__(form)
        self.form = form
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(_MOST_STEPS)
        self._last = form.state()
        self._restoring = self._filled = False
        self._since = QElapsedTimer()
        form.changed.connect(self._take)
        form.fitted.connect(lambda: self._push("always"))

    def restore_from(self, settings: QSettings) -> bool:
        """Fill in the form of last time; False if it cannot be read, and then it is set aside."""
        if (setting := settings.value("form")) is None:
            return True
        before = self._last
        try:
            self.restore(form_from(setting))
        except (Unreadable, InvalidParameter, ArithmeticError):
            self.restore(before)
            settings.setValue("form set aside", setting)
            settings.remove("form")
            return False
        return True

    def keep_in(self, settings: QSettings, state: FormState) -> None:
        settings.setValue("form", msgspec.json.encode(state).decode())

    def restore(self, state: FormState) -> None:
        """Put the form into a state; this does not count as a change by the user."""
        self._restoring = True
        try:
            self.form.restore(state)
        finally:
            self._restoring = False
            self._last = self.form.state()

    def ask(self, request: Request) -> None:
        """Show a question in the form as one change; where it needs no data, a sample stands in."""
        state = form_of(request, self.form.state())
        alone = not state.dataset and request.leaves_data_out
        self.fill(state, more=alone)
        if alone and not self.form.dataset.making:
            self.form.dataset.make_sample()

    def fill(self, state: FormState, *, more: bool = False) -> None:
        """Put the form into a state as one change, which undo takes back as a whole.

        `more`: the next change belongs to it.
        """
        before = self._last
        self.restore(state)
        if self._last != before:
            self.stack.push(_Change(self, before, self._last, joins="never"))
            self._filled = more

    def _take(self) -> None:
        if not self._restoring and self.form.state() != self._last:
            quick = self._since.isValid() and self._since.elapsed() < _ONE_GESTURE_MS
            self._since.start()
            filled, self._filled = self._filled, False
            self._push("always" if filled else "alike" if quick else "never")

    def _push(self, joins: _Joins) -> None:
        before, self._last = self._last, self.form.state()
        self.stack.push(_Change(self, before, self._last, joins=joins))


class _Change(QUndoCommand):
    """From one state to another; one gesture, such as dragging a slider, is one change."""

    def __init__(
        self, history: FormHistory, before: FormState, after: FormState, *, joins: _Joins
    ) -> None:
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


def _differing(before: FormState, after: FormState) -> set[tuple[str, str]]:
    """The parts of a form that differ between two states."""
    others = msgspec.structs.asdict(after)
    parts = {
        (name, "") for name, part in msgspec.structs.asdict(before).items() if part != others[name]
    } - {("rows", "")}
    for form, rows in before.rows.items():
        row_after = after.rows.get(form, {})
        parts |= {(form, name) for name, row in rows.items() if row_after.get(name) != row}
    return parts
