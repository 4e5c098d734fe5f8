"""The parameters' forms, one below the other, made for a workload or a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.setup.controls.choices import ChipsControl
from app.setup.form import ParameterForm
from core import FormParameters, InvalidParameter, SluiceError, load_study

if TYPE_CHECKING:
    from app.setup.form import FormRow
    from app.setup.server_starter import ServerStarter
    from core import Axis, Dataset, Kind, Request, Value

_OF_TRIALS = ("usual", "rare")
_PLAIN = ("terms", "where")
"""Forms of what is no parameter of a trial, and never varies."""
_IN_DRAWER = ("rare", "where", "terms")


class Subject(NamedTuple):
    """What the forms are made for."""

    workload: str
    study: str
    """Empty where the question is the user's own."""

    @property
    def parameters(self) -> FormParameters:
        return FormParameters(self.workload, self.study)


class FormStack(QObject):
    """Holds a form for each group of parameters, by the group's name, and its place in the panel.

    `usual` has what the workload calls important and `rare` the rest, `own` what values of theirs
    bring with them, `where` the cluster, and `terms` the limits of an answer.
    """

    changed = Signal()
    """A value is another, or a parameter came or went."""

    def __init__(self, panel: QWidget, server: ServerStarter, marks: Mapping[str, int]) -> None:
        """`server` is offered below the parameter that should say where one is."""
        super().__init__(panel)
        self._panel, self._server, self._marks = panel, server, marks
        self.places = {name: QVBoxLayout() for name in ("usual", "own", "rare", "where", "terms")}
        """For the panel to lay out."""
        self.refused = ""
        """Why there can be no form for the subject."""
        self._forms: dict[str, ParameterForm] = {}
        self._asked: dict[str, object] = {}
        self._kept: dict[Subject, dict[str, Any]] = {}
        """What was chosen for each subject: it belongs to that question, and to no other."""
        self._subject = Subject("", "")
        server.found.connect(self._take_found)

    # What they hold.

    def values(self) -> dict[str, Value]:
        """The first values of all parameters of a trial that have an effect."""
        return _values(self._of_parameters())

    def axes(self) -> tuple[Axis, ...]:
        return _axes(self._of_parameters())

    def terms(self) -> dict[str, Value]:
        return self._forms["terms"].values()

    @property
    def cluster(self) -> str:
        """Where trials run; empty for this machine."""
        return str(self._forms["where"].values()["cluster"])

    def problem(self) -> str:
        if self.refused:
            return self.refused
        return next(filter(None, (form.problem() for form in self._forms.values())), "")

    def row(self, name: str) -> FormRow | None:
        rows = (form.row(name) for form in self._forms.values())
        return next((row for row in rows if row is not None), None)

    def state(self) -> dict[str, Any]:
        """The user's choices, as JSON values."""
        return {name: form.state() for name, form in self._forms.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore what `state` returned, without emitting `changed`."""
        for name in ("usual", "rare", "where", "terms", "own"):
            if name == "own":
                self._put_own()  # the others say which these are
            self._forms[name].restore(state.get(name, {}))

    def fill(self, values: Mapping[str, Value]) -> None:
        """Show values of parameters of a trial, as far as there are rows; `settle` is to follow."""
        for form in self._of_trials():
            form.fill(values)

    def refuse(self, request: Request, dataset: Dataset | None) -> None:
        """Offer no options that do not fit the data, beside the other values."""
        for form in self._of_trials():
            for row in form.rows():
                if isinstance(row.control, ChipsControl):
                    reasons = request.options_refused(row.kind, dataset) if dataset else {}
                    row.control.refuse(reasons)

    def show_drawer(self, *, shown: bool, words: str = "") -> None:
        """Show or hide what is rarely changed, all of it or what has these words."""
        for name in self._forms.keys() & set(_IN_DRAWER):
            self._forms[name].setVisible(shown)
            self._forms[name].look_for(words)

    def _of_parameters(self) -> list[ParameterForm]:
        return [form for name, form in self._forms.items() if name not in _PLAIN]

    def _of_trials(self) -> list[ParameterForm]:
        return [self._forms[name] for name in _OF_TRIALS]

    # What they are made for.

    def build(self, subject: Subject) -> None:
        """Make the forms of a subject as they were left; `settle` is to follow."""
        if self._forms:
            self._kept[self._subject] = self.state()
        another, self._subject = subject != self._subject, subject
        try:
            first, rest, values = self._declared()
            self.refused = ""
        except SluiceError as error:
            first, rest, values, self.refused = (), (), {}, str(error)
        self._put("usual", first, values)
        self._put("rare", rest, values)
        self._put("where", FormParameters.of_cluster(), {})
        self._put_own()
        self._put("terms", () if subject.study else FormParameters.of_limits(search=False), {})
        self._tell_each_other()
        if another and subject in self._kept:
            self.restore(self._kept[subject])

    def settle(self) -> None:
        """Hide what means nothing with the values as they are now."""
        self._tell_each_other()
        self._put_own()
        irrelevant = frozenset() if self._subject.study or self.refused else self._irrelevant()
        for form in self._of_trials():
            form.hide_irrelevant(irrelevant)
        self._offer_server()
        self.changed.emit()

    def _declared(self) -> tuple[Sequence[Kind], Sequence[Kind], Mapping[str, Value]]:
        """The subject's important parameters, the others, and values that are not as declared."""
        parameters = self._subject.parameters
        named = {kind.name: kind for kind in parameters.of_trial()}
        if study := self._subject.study:
            return (), (*named.values(),), load_study(study).base
        important = [named.pop(name) for name in parameters.important() if name in named]
        return important, (*named.values(),), {}

    def _put(self, name: str, kinds: Sequence[Kind], values: Mapping[str, Value]) -> None:
        # Making a form takes tenths of a second, so a form that asks for the same is kept.
        asks = (self._subject if name != "where" else "", tuple(kinds))
        if self._asked.get(name) == asks:
            return
        self._asked[name] = asks
        if name in self._forms:
            if self._forms[name].isAncestorOf(self._server):
                self._server.setParent(self._panel)
            self._forms[name].hide()
            self._forms[name].deleteLater()
        form = ParameterForm(kinds, values, self._marks)
        form.changed.connect(self.settle)
        self.places[name].addWidget(form)
        form.show()  # now, not when the event loop does it
        self._forms[name] = form

    def _put_own(self) -> None:
        """Have a row for each parameter that the values of others bring with them."""
        if self._subject.study or self.refused:
            self._put("own", (), {})
            return
        kinds = self._subject.parameters.brought_by(_values(self._of_trials()))
        before = self._forms["own"].state() if "own" in self._forms else {}
        self._put("own", kinds, _allowed(kinds, {name: one[0] for name, one in before.items()}))

    # What the values mean for each other.

    def _tell_each_other(self) -> None:
        states = [form.state() for form in self._of_trials()]
        for form, others in zip(self._of_trials(), reversed(states), strict=True):
            form.know_others(others)

    def _irrelevant(self) -> frozenset[str]:
        own = self._subject.parameters.names_of_workload()
        forms = self._of_trials()
        # Along an axis a parameter may mean something for one value and nothing for another.
        if own & {axis.name for axis in _axes(forms)}:
            return frozenset()
        values = _values(forms)
        chosen = {name: values[name] for name in own & values.keys()}
        return self._subject.parameters.irrelevant_with(chosen)

    def _offer_server(self) -> None:
        """Have a server offered below the parameter that should say where one is."""
        forms, subject = self._of_trials(), self._subject
        varied = {axis.name for axis in _axes(forms)}
        uses = () if subject.study or self.refused else subject.parameters.servers()
        # Along an axis of stores no address could be that of all.
        single = [use for use in uses if not varied & use.at.keys()]
        self._server.follow(single, _values(forms))
        for form in forms:
            if (row := form.row(self._server.parameter)) is not None:
                row.put_below(self._server)

    def _take_found(self, values: Mapping[str, Value]) -> None:
        self.fill(values)
        self.settle()


def _allowed(kinds: Sequence[Kind], values: Mapping[str, Value]) -> Mapping[str, Value]:
    """Those of the values that these parameters may have, for a form that takes another's place."""
    found: dict[str, Value] = {}
    for kind in kinds:
        if kind.name in values:
            with suppress(InvalidParameter):
                found[kind.name] = kind.check(values[kind.name])
    return found


def _values(forms: Sequence[ParameterForm]) -> dict[str, Value]:
    return {name: value for form in forms for name, value in form.values().items()}


def _axes(forms: Sequence[ParameterForm]) -> tuple[Axis, ...]:
    return tuple(axis for form in forms for axis in form.axes())
