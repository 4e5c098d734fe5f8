"""The parameters' forms, one below the other, made for a workload or a study."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.setup.controls.choices import ChipsControl
from app.setup.form import ParameterForm
from core import FormParameters, InvalidParameter, SluiceError, load_study

if TYPE_CHECKING:
    from app.setup.form import FormRow
    from app.setup.server_starter import ServerStarter
    from core import Axis, Dataset, Kind, Request, Value


class Group(StrEnum):
    """Parameters that share a form; the value is the group's name in the settings."""

    USUAL = "usual"
    """What the workload calls important."""
    RARE = "rare"
    """What else there is to say of a trial."""
    WHERE = "where"
    """The cluster."""
    OWN = "own"
    """What values of the usual and the rare ones bring with them."""
    TERMS = "terms"
    """The limits of an answer."""


_OF_TRIALS = (Group.USUAL, Group.RARE)
_VARYING = (*_OF_TRIALS, Group.OWN)
IN_DRAWER = (Group.RARE, Group.WHERE, Group.TERMS)

type Rows = dict[str, dict[str, list[Value]]]
"""The values of the forms, by group and parameter."""


def rows_of_trial(values: dict[str, list[Value]]) -> Rows:
    """Values of a trial's parameters, for each form to take what belongs to it."""
    return dict.fromkeys(_VARYING, values)


def rows_of(request: Request) -> Rows:
    """Everything that a request says."""
    values = {name: [value] for name, value in request.values.items()}
    axes = {axis.name: list(axis.values) for axis in request.axes}
    terms = {**{kind.name: kind.default for kind in request.known_terms}, **request.terms}
    return rows_of_trial(values | axes) | {
        Group.TERMS: {name: [value] for name, value in terms.items()},
        Group.WHERE: {"cluster": [request.cluster]},
    }


class Subject(NamedTuple):
    """What the forms are made for."""

    workload: str
    study: str
    """Empty where the question is the user's own."""

    @property
    def parameters(self) -> FormParameters:
        return FormParameters(self.workload, self.study)


class FormSlot(QVBoxLayout):
    """The place in the panel of one form, until another one takes it."""

    def __init__(self) -> None:
        super().__init__()
        self.form = ParameterForm((), {}, {})
        self.content: object = None
        """What the form was made from."""

    def replace(self, form: ParameterForm, content: object) -> None:
        self.form.hide()
        self.form.deleteLater()
        self.form, self.content = form, content
        self.addWidget(form)
        form.show()  # now, not when the event loop does it


@dataclass(frozen=True)
class FormEdit:
    """Changes to the forms that settle together; `FormStack.edit` makes it."""

    build: Callable[[Subject], None]
    """Makes the forms of a subject as they were left."""
    restore: Callable[[Rows], None]
    """Shows what `FormStack.rows` returned."""
    fill: Callable[[Mapping[str, Value]], None]
    """Shows values of parameters of a trial, as far as there are rows."""


class FormStack(QObject):
    """Holds a form for each group of parameters."""

    changed = Signal()
    """A value is another, or a parameter came or went."""

    def __init__(self, panel: QWidget, server: ServerStarter, marks: Mapping[str, int]) -> None:
        """`server` is offered below the parameter that should say where one is."""
        super().__init__(panel)
        self._panel, self._server, self._marks = panel, server, marks
        self.slots = {group: FormSlot() for group in Group}
        """For the panel to lay out."""
        self._refusal = ""
        """Why there can be no form for the subject."""
        self._earlier: dict[Subject, Rows] = {}
        """What was chosen for each subject: it belongs to that question, and to no other."""
        self._subject = Subject("", "")
        server.located.connect(self._show_server)

    # What they hold.

    def values(self) -> dict[str, Value]:
        """The first values of all parameters of a trial that have an effect."""
        return _values(self._forms(_VARYING))

    def axes(self) -> tuple[Axis, ...]:
        return _axes(self._forms(_VARYING))

    def terms(self) -> dict[str, Value]:
        return self.slots[Group.TERMS].form.values()

    @property
    def cluster(self) -> str:
        """Where trials run; empty for this machine."""
        return str(self.slots[Group.WHERE].form.values()["cluster"])

    def sentence(self) -> str:
        """What is tried, in a few words; where nothing is, what is measured."""
        rows = [row for form in self._forms(_VARYING) for row in form.rows()]
        varied = {axis.name for axis in self.axes()}
        shown = [row for row in rows if row.kind.name in (varied or {"threads"})]
        return " × ".join(row.text() for row in shown)

    def problem(self) -> str:
        problems = (form.problem() for form in self._forms())
        return self._refusal or next(filter(None, problems), "")

    def row(self, name: str) -> FormRow | None:
        rows = (form.row(name) for form in self._forms())
        return next((row for row in rows if row is not None), None)

    def rows(self) -> Rows:
        """The user's choices."""
        return {group: slot.form.state() for group, slot in self.slots.items()}

    def refuse(self, request: Request, dataset: Dataset | None) -> None:
        """Offer no options that do not fit the data, beside the other values."""
        for form in self._forms(_OF_TRIALS):
            for row in form.rows():
                if isinstance(row.control, ChipsControl):
                    reasons = request.options_refused(row.kind, dataset) if dataset else {}
                    row.control.refuse(reasons)

    def show_drawer(self, *, visible: bool, words: str = "") -> None:
        """Show or hide what is rarely changed, all of it or what has these words."""
        for form in self._forms(IN_DRAWER):
            form.setVisible(visible)
            form.look_for(words)

    def _forms(self, groups: Sequence[Group] = tuple(Group)) -> list[ParameterForm]:
        return [self.slots[group].form for group in groups]

    # What they are made for.

    @contextmanager
    def edit(self) -> Iterator[FormEdit]:
        """At its end the forms hide what means nothing with their values, and tell of the change.

        Nothing that is done within it emits `changed`.
        """
        yield FormEdit(self._build, self._restore, self._fill)
        self._settle()

    def _build(self, subject: Subject) -> None:
        self._earlier[self._subject] = self.rows()
        another, self._subject = subject != self._subject, subject
        try:
            kinds, self._refusal = subject.parameters.of_trial(), ""
            important = () if subject.study else subject.parameters.important()
            values = load_study(subject.study).base if subject.study else {}
        except SluiceError as error:
            kinds, important, values, self._refusal = (), (), {}, str(error)
        others = {kind.name: kind for kind in kinds}
        usual = [others.pop(name) for name in important if name in others]
        self._put(Group.USUAL, usual, values)
        self._put(Group.RARE, [*others.values()], values)
        self._put(Group.WHERE, FormParameters.of_cluster())
        self._put_own()
        self._put(Group.TERMS, () if subject.study else FormParameters.of_limits(search=False))
        self._tell_each_other()
        if another and subject in self._earlier:
            self._restore(self._earlier[subject])

    def _restore(self, rows: Rows) -> None:
        for group in Group:
            if group is Group.OWN:
                self._put_own()  # those before it say which these are
            self.slots[group].form.restore(rows.get(group, {}))

    def _fill(self, values: Mapping[str, Value]) -> None:
        for form in self._forms(_OF_TRIALS):
            form.fill(values)

    def _settle(self) -> None:
        self._tell_each_other()
        self._put_own()
        irrelevant = self._irrelevant() if self._is_own_question else frozenset()
        for form in self._forms(_OF_TRIALS):
            form.hide_irrelevant(irrelevant)
        self._offer_server()
        self.changed.emit()

    @property
    def _is_own_question(self) -> bool:
        return not self._subject.study and not self._refusal

    def _put(
        self, group: Group, kinds: Sequence[Kind], values: Mapping[str, Value] | None = None
    ) -> None:
        slot = self.slots[group]
        # Making a form takes tenths of a second, so one with the same content stays.
        content = (None if group is Group.WHERE else self._subject, tuple(kinds))
        if slot.content != content:
            if slot.form.isAncestorOf(self._server):
                self._server.setParent(self._panel)
            slot.replace(ParameterForm(kinds, values or {}, self._marks), content)
            slot.form.changed.connect(self._settle)

    def _put_own(self) -> None:
        """Have a row for each parameter that the values of others bring with them."""
        kinds: Sequence[Kind] = ()
        if self._is_own_question:
            kinds = self._subject.parameters.brought_by(_values(self._forms(_OF_TRIALS)))
        before = self.slots[Group.OWN].form.state()
        values: dict[str, Value] = {}
        for kind in kinds:
            if kind.name in before:
                with suppress(InvalidParameter):  # it is another parameter of that name
                    values[kind.name] = kind.check(before[kind.name][0])
        self._put(Group.OWN, kinds, values)

    # What the values mean for each other.

    def _tell_each_other(self) -> None:
        usual, rare = self._forms(_OF_TRIALS)
        of_usual, of_rare = usual.state(), rare.state()
        usual.know_others(of_rare)
        rare.know_others(of_usual)

    def _irrelevant(self) -> frozenset[str]:
        own = self._subject.parameters.names_of_workload()
        forms = self._forms(_OF_TRIALS)
        # Along an axis a parameter may mean something for one value and nothing for another.
        if own & {axis.name for axis in _axes(forms)}:
            return frozenset()
        values = _values(forms)
        chosen = {name: values[name] for name in own & values.keys()}
        return self._subject.parameters.irrelevant_with(chosen)

    def _offer_server(self) -> None:
        """Have a server offered below the parameter that should say where one is."""
        forms = self._forms(_OF_TRIALS)
        varied = {axis.name for axis in _axes(forms)}
        uses = self._subject.parameters.servers() if self._is_own_question else ()
        # Along an axis of stores no address could be that of all.
        single = [use for use in uses if not varied & use.at.keys()]
        self._server.follow(single, _values(forms))
        for form in forms:
            if (row := form.row(self._server.parameter)) is not None:
                row.put_below(self._server)

    def _show_server(self, values: Mapping[str, Value]) -> None:
        with self.edit() as edit:
            edit.fill(values)


def _values(forms: Sequence[ParameterForm]) -> dict[str, Value]:
    return {name: value for form in forms for name, value in form.values().items()}


def _axes(forms: Sequence[ParameterForm]) -> tuple[Axis, ...]:
    return tuple(axis for form in forms for axis in form.axes())
