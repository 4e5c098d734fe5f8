"""The question as sheets: which data, which work, what is tried, how long it may take."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, override

import msgspec
from PySide6.QtCore import (
    QEvent,
    QObject,
    QSettings,
    QSignalBlocker,
    QSize,
    Qt,
    QThreadPool,
    Signal,
)
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.setup.dataset_picker import DatasetPicker
from app.setup.effort_rows import ChosenEffort, EffortRows, UsualEffort
from app.setup.form_stack import IN_DRAWER, FormStack, Group, Subject
from app.setup.question_field import FieldText
from app.setup.server_starter import ServerStarter
from app.style.labels import label
from app.style.layouts import spaced
from app.style.menus import QuietCombo
from app.style.tab_order import step_focus
from core import (
    EFFORT,
    LocalServers,
    Request,
    SluiceError,
    Value,
    load_study,
    study_names,
    tr_word,
    workloads,
)

_BAR = 12
"""Pixels beside the settings for the bar that scrolls them."""


class FormState(msgspec.Struct, frozen=True, kw_only=True):
    """All choices of the user; one that was kept by another version may lack parts."""

    workload: str | None = None
    study: str = ""
    rows: dict[str, dict[str, list[Value]]] = {}
    """By form and parameter; whether the values fit is for its control to say."""
    repeats: Annotated[int, msgspec.Meta(ge=1, le=EFFORT.repeats.high)] | None = None
    budget: float | None = None
    floor: bool = True
    dataset: str = ""


class SetupPanel(QWidget):
    """Builds a request, or says why there is none yet.

    It shows its sheets until another widget takes them; what is in them is made once.
    """

    changed = Signal()
    fitted = Signal()
    """Something was chosen that suits the data; belongs to the user's last change."""

    def __init__(
        self,
        pool: QThreadPool,
        settings: QSettings,
        cores: int,
        servers: LocalServers | None = None,
    ) -> None:
        """`servers`: those of the user's own lab, if None."""
        super().__init__()
        self.setObjectName("setup")
        self.dataset = DatasetPicker(pool, settings)
        self.server = ServerStarter(pool, servers or LocalServers(), self)
        marks = {"threads": cores, "processes": cores} if cores > 1 else {}
        self.forms = FormStack(self, self.server, marks)
        self.study = ""
        """Name of the study that is repeated; empty where the question is the user's own."""
        self._workload = QuietCombo()
        self._workload.setAccessibleName(self.tr("Workload"))
        for at, (name, entry) in enumerate(workloads().items()):
            self._workload.addItem(tr_word(entry.title), name)
            self._workload.setItemData(at, tr_word(entry.purpose), Qt.ItemDataRole.ToolTipRole)
        self._purpose = label(part="small", wraps=True)
        self._own_question = QPushButton(self.tr("Back to my own question"))
        self._tried = label(self.tr("Settings to try"), "heading")
        self._count = label(part="small")
        self._count.setAccessibleName(self.tr("How much is tried"))
        self.effort = EffortRows(UsualEffort(settings), self)
        self._more = QPushButton(self.tr("Page cache, warm-up, limits, … ▾"))
        self._more.setProperty("part", "more")
        self._more.setCheckable(True)
        self._more.setAccessibleName(self.tr("More settings"))
        self._search = QLineEdit()
        self._search.setPlaceholderText(self.tr("Search the other settings"))
        self._search.setAccessibleName(self.tr("Search the other settings"))
        self._search.setClearButtonEnabled(True)
        self._fitted: object = None
        """What the options are offered for."""
        self._fits = True
        """Whether to choose what suits the data once it is known; not where all was restored."""
        self._lay_out()
        self._connect()
        self._build()

    def _lay_out(self) -> None:
        self.sheets = {
            "data": _sheet(self.dataset),
            "work": _sheet(self._workload, self._purpose, self._own_question),
            "settings": self._settings_sheet(),
            "time": _sheet(self.effort.time, self.effort.in_drawer),
        }
        self._column = spaced(QVBoxLayout(self), 8)
        for sheet in self.sheets.values():
            self._column.addWidget(sheet)

    def _settings_sheet(self) -> QWidget:
        page = QWidget()
        page.setObjectName("formPage")
        column = spaced(QVBoxLayout(page), 8, 0, 4, _BAR, 4)
        column.addLayout(self.forms.slots[Group.OWN])  # first, or nobody would see them come
        column.addLayout(self.forms.slots[Group.USUAL])
        column.addWidget(self._more)
        column.addWidget(self._search)
        for group in IN_DRAWER:
            column.addLayout(self.forms.slots[group])
        column.addStretch(1)
        self._area = SettingsArea(page)
        self._area.setAccessibleName(self.tr("Settings to try"))
        head = QHBoxLayout()
        head.addWidget(self._tried, 1)
        head.addWidget(self._count)
        sheet = QWidget()
        self._settings_column = spaced(QVBoxLayout(sheet), 8)
        self._settings_column.addLayout(head)
        self._settings_column.addWidget(self._area)
        return sheet

    def put_below(self, widget: QWidget) -> None:
        """Show a widget below the settings, wherever these are."""
        self._settings_column.addWidget(widget)

    def take_back(self) -> None:
        """Show the settings here, that another widget had."""
        self._column.addWidget(self.sheets["settings"])
        self.sheets["settings"].show()

    def focus_settings(self) -> None:
        """Lead the keys to the first of the settings."""
        step_focus(self._area, forward=True)

    def _connect(self) -> None:
        self._workload.currentIndexChanged.connect(self._change_subject)
        self._own_question.clicked.connect(lambda: self.choose_study(""))
        self._more.toggled.connect(self._show_drawer)
        self._search.textChanged.connect(self._show_drawer)
        self.effort.changed.connect(self._take_change)
        self.forms.changed.connect(self._take_change)
        self.dataset.changed.connect(self._fit)

    @property
    def workload(self) -> str:
        """Name of the workload, or of the study's."""
        return load_study(self.study).workload if self.study else str(self._workload.currentData())

    def choose_study(self, name: str) -> None:
        """Ask what a study asks; empty: ask the own question again, as it was left."""
        self.study = name
        self._change_subject()

    def request(self) -> Request:
        """The question: what varies, on which data; `chosen` says how it is measured."""
        look, effort = self.dataset.look, self.effort.effort
        return Request(
            workload="" if self.study else self.workload,
            study=self.study,
            values=self.forms.values(),
            axes=() if self.study else self.forms.axes(),
            terms=self.forms.terms(),
            dataset=look.dataset.path if look is not None else None,
            cluster=self.forms.cluster,
            until_sure=effort.until_sure,
            **effort._asdict(),
        )

    def chosen(self) -> Request:
        """The question as it is carried out."""
        return self.request().as_measured()

    def problem(self) -> str:
        """Why nothing can be measured yet; empty if something can."""
        return self.form_problem() or self.data_problem(self.request())

    def data_problem(self, request: Request) -> str:
        """Why the dataset cannot be measured, or not in the way that the form asks for."""
        look = self.dataset.look
        if look is None:
            return self.dataset.problem
        try:
            request.require_possible(look.dataset)
        except SluiceError as error:
            return str(error)
        return ""

    def form_problem(self) -> str:
        """Why the form is not a request yet, whatever the dataset."""
        return self.forms.problem() or self.effort.problem

    def texts(self) -> dict[str, FieldText]:
        """By sheet what is chosen on it."""
        if self.study:
            settings = FieldText(self.tr("as published"))
        else:
            count = math.prod(len(axis.values) for axis in self.forms.axes())
            problem = self.forms.problem()
            settings = FieldText(self.forms.sentence(), problem or f"{count:,}", bool(problem))
        return {
            "data": self.dataset.text(),
            "work": self._work_text(),
            "settings": settings,
            "time": FieldText(self.effort.text(), self.effort.problem, bool(self.effort.problem)),
        }

    def _work_text(self) -> FieldText:
        if self.study:
            return FieldText(tr_word(load_study(self.study).title), self.tr("study"))
        return FieldText(tr_word(workloads()[self.workload].title))

    # The form as a value, for undo and for the next start.

    def state(self) -> FormState:
        return FormState(
            workload=self._workload.currentData(),
            study=self.study,
            rows=self.forms.rows(),
            **self.effort.effort._asdict(),
            dataset=self.dataset.place(),
        )

    def restore(self, state: FormState) -> None:
        """Restore everything; a choice that no longer exists changes nothing."""
        with QSignalBlocker(self._workload):
            _choose(self._workload, state.workload)
        self.study = state.study if state.study in study_names() else ""
        self._build()
        with self.forms.edit() as edit:
            edit.restore(state.rows)
            usual = self.effort.usual.of("")
            budget = usual.budget if state.budget is None else state.budget
            effort = ChosenEffort(state.repeats or usual.repeats, budget, state.floor)
            self.effort.restore(self.study, effort)
            if state.dataset != self.dataset.place():
                self.dataset.choose(Path(state.dataset)) if state.dataset else self.dataset.clear()
            self._fits = False

    def _change_subject(self) -> None:
        self._build()
        self.effort.follow(self.study)

    def _fit(self) -> None:
        """Choose what reads the data, such as the reader, where what stands there cannot."""
        look = self.dataset.look
        if look is None:
            self._fits = True
        elif self._fits and (values := self.request().values_that_fit(look.dataset)):
            with self.forms.edit() as edit:
                edit.fill(values)
                self.fitted.emit()
            return
        self._take_change()

    def _build(self) -> None:
        """Rebuild the forms for the chosen workload or study."""
        study = bool(self.study)
        self._workload.setVisible(not study)
        self._tried.setVisible(not study)
        self._own_question.setVisible(study)
        if study:
            published = load_study(self.study)
            purpose = f"{tr_word(published.title)}\n{tr_word(published.about)}"
        else:
            purpose = tr_word(workloads()[self.workload].purpose)
        self._purpose.setText(purpose)
        with self.forms.edit() as edit:
            edit.build(Subject("" if study else self.workload, self.study))
            self._show_drawer()
            self.dataset.set_workload(self.workload, self.study)

    def _show_drawer(self) -> None:
        visible = self._more.isChecked()
        self._search.setVisible(visible)
        self.forms.show_drawer(visible=visible, words=self._search.text())

    def _take_change(self) -> None:
        look, request = self.dataset.look, self.request()
        if (request, look) != self._fitted:
            self._fitted = request, look
            self.forms.refuse(request, look.dataset if look is not None else None)
        count = math.prod(len(axis.values) for axis in self.forms.axes())
        text = self.tr("1 setting") if count == 1 else self.tr("{} combinations").format(count)
        self._count.setText("" if self.study else text)
        self.changed.emit()


class SettingsArea(QScrollArea):
    """Likes to be as high as its page is at its own width."""

    def __init__(self, page: QWidget) -> None:
        super().__init__()
        self._page = page
        self.setObjectName("formArea")
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._page and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    @override
    def sizeHint(self) -> QSize:
        layout = self._page.layout()
        assert layout is not None
        return QSize(layout.sizeHint().width(), layout.totalHeightForWidth(self.width()))


def _sheet(*parts: QWidget) -> QWidget:
    """The parts, one below the other."""
    sheet = QWidget()
    column = spaced(QVBoxLayout(sheet), 8)
    for part in parts:
        column.addWidget(part)
    return sheet


def _choose(box: QuietCombo, name: object) -> None:
    if (index := box.findData(name)) >= 0:
        box.setCurrentIndex(index)
