"""The parameters of a workload or a study as rows: values, what varies, and what is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.setup.controls.choices import ChipsControl
from app.setup.form_row import FormRow
from app.style.layouts import spaced
from core import Axis, Choice, FormParameters, InvalidParameter, SluiceError, load_study

if TYPE_CHECKING:
    from app.setup.server_starter import ServerStarter
    from core import Dataset, Kind, Request, ServerUse, Value


class Group(StrEnum):
    """Parameters that belong together; the value is the group's name in the settings."""

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
_IN_DRAWER = (Group.RARE, Group.WHERE, Group.TERMS)
_BAR = 12
"""Pixels beside the rows for the bar that scrolls them."""

type Rows = dict[str, dict[str, list[Value]]]
"""The values in the rows, by group and parameter."""


def rows_of(request: Request) -> Rows:
    """Everything that a request says; each group takes what belongs to it."""
    values = {name: [value] for name, value in request.values.items()}
    axes = {axis.name: list(axis.values) for axis in request.axes}
    terms = {**{kind.name: kind.default for kind in request.known_terms}, **request.terms}
    return {
        **dict.fromkeys(_VARYING, values | axes),
        Group.TERMS: {name: [value] for name, value in terms.items()},
        Group.WHERE: {"cluster": [request.cluster]},
    }


class Subject(NamedTuple):
    """What the rows are made for."""

    workload: str
    study: str
    """Empty where the question is the user's own."""

    @property
    def parameters(self) -> FormParameters:
        return FormParameters(self.workload, self.study)


class ParameterForm(QWidget):
    """Holds a row for each parameter; a button opens the drawer with what is rarely changed."""

    changed = Signal()
    """A value is another, or a parameter came or went."""

    def __init__(self, server: ServerStarter, marks: Mapping[str, int]) -> None:
        """`server` is offered below the parameter that should say where one is."""
        super().__init__()
        self.setObjectName("formPage")
        self._server, self._marks = server, marks
        self._rows: dict[Group, dict[str, FormRow]] = {group: {} for group in Group}
        self._columns = {group: spaced(QVBoxLayout(), 8) for group in Group}
        self._refusal = ""
        """Why there can be no rows for the subject."""
        self._earlier: dict[Subject, Rows] = {}
        """What was chosen for each subject: it belongs to that question, and to no other."""
        self._subject = Subject("", "")
        self._irrelevant: frozenset[str] = frozenset()
        """Parameters that mean nothing with the values of others."""
        self.more = QPushButton(self.tr("Page cache, warm-up, limits, … ▾"))
        self.more.setProperty("part", "more")
        self.more.setCheckable(True)
        self.more.setAccessibleName(self.tr("More settings"))
        self._search = QLineEdit()
        self._search.setPlaceholderText(self.tr("Search the other settings"))
        self._search.setAccessibleName(self.tr("Search the other settings"))
        self._search.setClearButtonEnabled(True)
        column = spaced(QVBoxLayout(self), 8, 0, 4, _BAR, 4)
        column.addLayout(self._columns[Group.OWN])  # first, or nobody would see them come
        column.addLayout(self._columns[Group.USUAL])
        column.addWidget(self.more)
        column.addWidget(self._search)
        for group in _IN_DRAWER:
            column.addLayout(self._columns[group])
        column.addStretch(1)
        self.more.toggled.connect(self._show_rows)
        self._search.textChanged.connect(self._show_rows)
        server.located.connect(self._show_server)

    # What it holds.

    def row(self, name: str) -> FormRow | None:
        return next((row for row in self.rows() if row.kind.name == name), None)

    def rows(self, groups: Iterable[Group] = Group) -> list[FormRow]:
        return [row for group in groups for row in self._rows[group].values()]

    def values(self) -> dict[str, Value]:
        """The first value of each parameter of a trial that has an effect."""
        return self._values(_VARYING)

    def axes(self) -> tuple[Axis, ...]:
        """The parameters of which several values are tried."""
        return self._axes(_VARYING)

    def count(self) -> int:
        """How many settings are tried."""
        return math.prod(len(axis.values) for axis in self.axes())

    def terms(self) -> dict[str, Value]:
        return self._values([Group.TERMS])

    @property
    def cluster(self) -> str:
        """Where trials run; empty for this machine."""
        return str(self._values([Group.WHERE])["cluster"])

    def sentence(self) -> str:
        """What is tried, in a few words; where nothing is, what is measured."""
        varied = {axis.name for axis in self.axes()} or {"threads"}
        return " × ".join(row.text() for row in self.rows(_VARYING) if row.kind.name in varied)

    def fixed(self) -> str:
        """The usual choices that are not tried, such as the reader."""
        rows = [row for row in self.rows([Group.USUAL]) if isinstance(row.kind, Choice)]
        single = [row for row in rows if len(row.control.values()) == 1 and self._applies(row)]
        return " · ".join(row.text() for row in single)

    def problem(self) -> str:
        """The first problem, with the parameter's name; empty if there is none."""
        problems = (row.problem() for row in self.rows() if self._applies(row))
        return self._refusal or next(filter(None, problems), "")

    def state(self) -> Rows:
        """The user's choices, also of parameters without effect."""
        return {
            group: {name: list(row.control.values()) for name, row in rows.items()}
            for group, rows in self._rows.items()
        }

    def refuse(self, request: Request, dataset: Dataset | None) -> None:
        """Offer no options that do not fit the data, beside the other values."""
        for row in self.rows(_OF_TRIALS):
            if isinstance(row.control, ChipsControl):
                row.control.refuse(request.options_refused(row.kind, dataset) if dataset else {})

    # How it changes.

    @contextmanager
    def edit(self) -> Iterator[None]:
        """Within it, `build`, `restore` and `fill` change the rows without emitting `changed`.

        At its end the rows hide that mean nothing with the others' values, and it is told once.
        """
        yield
        self._settle()

    def build(self, subject: Subject) -> None:
        """Make the rows of a subject, as they were left."""
        another = subject != self._subject
        self._earlier[self._subject], self._subject = self.state(), subject
        try:
            kinds, self._refusal = subject.parameters.of_trial(), ""
            important = () if subject.study else subject.parameters.important()
            values = load_study(subject.study).base if subject.study else {}
        except SluiceError as error:
            kinds, important, values, self._refusal = (), (), {}, str(error)
        others = {kind.name: kind for kind in kinds}
        usual = [others.pop(name) for name in important if name in others]
        self._put(Group.USUAL, usual, values, anew=another)
        self._put(Group.RARE, [*others.values()], values, anew=another)
        self._put(Group.WHERE, FormParameters.of_cluster())
        self._put_own()
        unsafe = subject.parameters.declaration.unlocked if self._is_own_question else {}
        for row in self.rows(_OF_TRIALS):
            if isinstance(row.control, ChipsControl):
                row.control.warn_of(unsafe.get(row.kind.name, {}))
        self._put(Group.TERMS, subject.parameters.of_terms(), anew=another)
        if another and subject in self._earlier:
            self.restore(self._earlier[subject])

    def restore(self, rows: Rows) -> None:
        """Show what `state` returned."""
        for group in Group:
            if group is Group.OWN:
                self._put_own()  # those before it say which these are
            for name, values in rows.get(group, {}).items():
                if name in self._rows[group] and values:
                    with suppress(InvalidParameter):  # it is no longer allowed
                        self._rows[group][name].control.set_values(values)

    def fill(self, values: Mapping[str, Value]) -> None:
        """Show values of parameters of a trial, as far as there are rows."""
        for row in self.rows(_OF_TRIALS):
            if row.kind.name in values:
                row.control.set_value(values[row.kind.name])

    def _put(
        self,
        group: Group,
        kinds: Sequence[Kind],
        values: Mapping[str, Value] | None = None,
        *,
        anew: bool = False,
    ) -> None:
        """Have these rows in a group; `anew`: with their first values.

        Making a row takes a hundredth of a second, so one of the same parameter stays.
        """
        before, first = self._rows[group], values or {}
        rows: dict[str, FormRow] = {}
        for kind in kinds:
            row = before.get(kind.name)
            if row is None or row.kind != kind:
                row = FormRow(kind, first.get(kind.name), self._marks.get(kind.name))
                row.changed.connect(self._settle)
            elif anew:
                row.control.set_value(first.get(kind.name, kind.default))
            rows[kind.name] = row
        self._rows[group] = rows
        if [*rows.values()] == [*before.values()]:
            return
        for gone in set(before.values()) - set(rows.values()):
            if gone.isAncestorOf(self._server):
                self._server.setParent(self)
            gone.hide()
            gone.deleteLater()
        for row in rows.values():
            self._columns[group].addWidget(row)

    def _put_own(self) -> None:
        """Have a row for each parameter that the values of others bring with them."""
        kinds: Sequence[Kind] = ()
        if self._is_own_question:
            kinds = self._subject.parameters.brought_by(self._values(_OF_TRIALS))
        values: dict[str, Value] = {}
        for kind in kinds:
            if (row := self._rows[Group.OWN].get(kind.name)) is not None:
                with suppress(InvalidParameter):  # it is another parameter of that name
                    values[kind.name] = kind.check(row.control.value())
        self._put(Group.OWN, kinds, values)

    def _settle(self) -> None:
        self._put_own()
        self._irrelevant = self._meaningless() if self._is_own_question else frozenset()
        self._show_rows()
        self._offer_server()
        self.changed.emit()

    def _show_rows(self) -> None:
        opened, words = self.more.isChecked(), self._search.text().lower().split()
        self._search.setVisible(opened)
        for group in Group:
            shown = opened or group not in _IN_DRAWER
            searched = words if group in _IN_DRAWER else ()
            for row in self.rows([group]):
                row.setVisible(shown and self._applies(row) and row.says(searched))
                row.say()

    # What the values mean for each other.

    @property
    def _is_own_question(self) -> bool:
        return not self._subject.study and not self._refusal

    def _values(self, groups: Iterable[Group]) -> dict[str, Value]:
        rows = self.rows(groups)
        return {row.kind.name: row.control.value() for row in rows if self._applies(row)}

    def _axes(self, groups: Iterable[Group]) -> tuple[Axis, ...]:
        return tuple(
            Axis(row.kind.name, values)
            for row in self.rows(groups)
            if len(values := row.control.values()) > 1 and self._applies(row)
        )

    def _applies(self, row: FormRow) -> bool:
        """Whether a parameter has an effect with any of the others' values."""
        return row.kind.name not in self._irrelevant and all(
            (other := self.row(name)) is not None
            and any(value in allowed for value in other.control.values())
            for name, allowed in row.kind.only_when.items()
        )

    def _meaningless(self) -> frozenset[str]:
        own = self._subject.parameters.names_of_workload()
        # Along an axis a parameter may mean something for one value and nothing for another.
        if own & {axis.name for axis in self._axes(_OF_TRIALS)}:
            return frozenset()
        values = self._values(_OF_TRIALS)
        chosen = {name: values[name] for name in own & values.keys()}
        return self._subject.parameters.irrelevant_with(chosen)

    def _offer_server(self) -> None:
        """Have a server offered below the parameter that should say where one is.

        A study finds by itself where it is, so that one is offered above its rows.
        """
        self._server.follow(*self._servers())
        if (row := self.row(self._server.parameter)) is not None:
            row.put_below(self._server)
        elif self._subject.study and self._columns[Group.OWN].indexOf(self._server) < 0:
            self._columns[Group.OWN].addWidget(self._server)

    def _servers(self) -> tuple[Sequence[ServerUse], Mapping[str, Value]]:
        """The servers that may be used, and the values that say where they are."""
        if self._subject.study:
            study = load_study(self._subject.study)
            return study.needed_servers(), study.values_with_servers()
        varied = {axis.name for axis in self._axes(_OF_TRIALS)}
        uses = self._subject.parameters.servers() if self._is_own_question else ()
        # Along an axis of stores no address could be that of all.
        return [use for use in uses if not varied & use.at.keys()], self._values(_OF_TRIALS)

    def _show_server(self, values: Mapping[str, Value]) -> None:
        with self.edit():
            self.fill(values)
