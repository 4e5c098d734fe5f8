"""The left panel: what to measure, on which data, how hard, how often."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, QThreadPool, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.controls.choices import QuietCombo
from app.dataset import DatasetPicker
from app.form import ParameterForm
from app.parts import label
from core import (
    STUDY_ADJUSTABLE,
    Kind,
    Load,
    Request,
    SluiceError,
    Value,
    declared,
    load_study,
    load_workload,
    study_names,
    workloads,
)

RUN, SWEEP, STUDY = "Run", "Sweep", "Study"
_MODES = {
    RUN: "Measure one configuration.",
    SWEEP: "Measure every combination of the parameters that are ticked.",
    STUDY: "Repeat a published study beside its published figures.",
}
_RARE = ("operations", "share", "deadline", "stall", "seed")
_MOST_REPEATS = 1000


class SetupPanel(QWidget):
    """Builds a request; says why there is none yet."""

    changed = Signal()

    def __init__(self, pool: QThreadPool, settings: QSettings, cores: int) -> None:
        super().__init__()
        self.setObjectName("setup")
        self._marks = {"threads": cores, "processes": cores} if cores > 1 else {}
        self._form: ParameterForm | None = None
        self._rare: ParameterForm | None = None
        self._kept: dict[str, Value] = {}
        self._refused = ""
        self.dataset = DatasetPicker(pool, settings)
        self._workload = QuietCombo()
        self._workload.setAccessibleName("Workload")
        self._study = QuietCombo()
        self._study.setAccessibleName("Study")
        self._purpose = label(part="muted", wraps=True)
        self._about = label(part="muted", wraps=True)
        self._repeats = QSpinBox()
        self._repeats.setRange(1, _MOST_REPEATS)
        self._repeats.setAccessibleName("Repeats")
        self._repeats.setToolTip("Trials of each configuration, interleaved in a random order.")
        self._floor = QCheckBox("Also measure the bare files")
        self._floor.setChecked(True)
        self._floor.setToolTip("Also measure what the bare files give, for comparison.")
        self._more = QPushButton("More ▸")
        self._more.setCheckable(True)
        self._more.setAccessibleName("More parameters")
        self._more.setToolTip("Show the parameters that are rarely changed.")
        self._modes = QButtonGroup(self)
        self._fill()
        self._lay_out()
        self._connect()
        self._repeats.setValue(Request().repeats)
        self._build()

    def _fill(self) -> None:
        for name, entry in workloads().items():
            self._workload.addItem(entry.title, name)
            self._workload.setItemData(
                self._workload.count() - 1, entry.purpose, Qt.ItemDataRole.ToolTipRole
            )
        for name in study_names():
            self._study.addItem(load_study(name).title, name)
        for mode, help_text in _MODES.items():
            button = QPushButton(mode)
            button.setCheckable(True)
            button.setToolTip(help_text)
            button.setAccessibleDescription(help_text)
            button.setChecked(mode == RUN)
            self._modes.addButton(button)

    def _lay_out(self) -> None:
        page = QWidget()
        page.setObjectName("formPage")
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 8, 12, 12)
        modes = QHBoxLayout()
        modes.setSpacing(0)
        for button in self._modes.buttons():
            modes.addWidget(button, 1)
        column.addLayout(modes)
        for widget in (
            _heading("Workload"),
            self._workload,
            self._study,
            self._purpose,
            self._about,
            _heading("Dataset"),
            self.dataset,
            _heading("Parameters"),
        ):
            column.addWidget(widget)
        self._place = QVBoxLayout()
        column.addLayout(self._place)
        column.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        self._rare_place = QVBoxLayout()
        column.addLayout(self._rare_place)
        column.addWidget(_heading("Run"))
        rows = QFormLayout()
        rows.addRow("Repeats", self._repeats)
        column.addLayout(rows)
        column.addWidget(self._floor)
        column.addStretch(1)
        area = QScrollArea()
        area.setObjectName("formArea")
        area.setAccessibleName("Set-up")
        area.setWidget(page)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)

    def _connect(self) -> None:
        self._workload.currentIndexChanged.connect(self._change_subject)
        self._study.currentIndexChanged.connect(self._change_subject)
        self._modes.buttonClicked.connect(self._change_subject)
        self._more.toggled.connect(self._show_more)
        self._repeats.valueChanged.connect(self.changed)
        self._floor.toggled.connect(self.changed)
        self.dataset.changed.connect(self.changed)

    @property
    def mode(self) -> str:
        """One of RUN, SWEEP, STUDY."""
        checked = self._modes.checkedButton()
        return checked.text() if checked is not None else RUN

    @property
    def workload(self) -> str:
        """Name of the workload, or of the study's."""
        if self.mode == STUDY:
            return load_study(str(self._study.currentData())).workload
        return str(self._workload.currentData())

    def request(self) -> Request:
        """What is asked for as things stand."""
        look = self.dataset.look
        path: Path | None = look.dataset.path if look is not None else None
        forms = [form for form in (self._form, self._rare) if form is not None]
        values = {name: value for form in forms for name, value in form.values().items()}
        axes = tuple(axis for form in forms for axis in form.axes()) if self.mode == SWEEP else ()
        study = self.mode == STUDY
        return Request(
            workload="" if study else self.workload,
            study=str(self._study.currentData()) if study else "",
            values=values,
            axes=axes,
            dataset=path,
            repeats=self._repeats.value(),
            floor=self._floor.isChecked(),
        )

    def problem(self) -> str:
        """Why nothing can be measured yet; empty where it can."""
        return self.form_problem() or self.dataset.problem

    def form_problem(self) -> str:
        """Why the form is no request yet, whatever the dataset."""
        if self._refused:
            return self._refused
        for form in (self._form, self._rare):
            if form is not None and (reason := form.problem()):
                return reason
        if self.mode == SWEEP and not self.request().axes:
            return "tick at least one parameter to sweep"
        return ""

    def _change_subject(self) -> None:
        for form in (self._form, self._rare):
            if form is not None and self.mode != STUDY:
                self._kept |= form.everything()
        self._build()
        if self.mode == STUDY:
            self._repeats.setValue(load_study(str(self._study.currentData())).repeats)

    def _build(self) -> None:
        """Make the forms anew for the chosen workload or study."""
        study = self.mode == STUDY
        self._workload.setVisible(not study)
        self._study.setVisible(study)
        self._about.setVisible(study)
        entry = workloads()[self.workload]
        self._purpose.setText(entry.purpose)
        for form in (self._form, self._rare):
            if form is not None:
                form.hide()
                form.deleteLater()
        self._form = self._rare = None
        try:
            kinds, values = self._subject()
            self._refused = ""
        except SluiceError as error:
            kinds, values, self._refused = (), {}, str(error)
        self._form = self._add([k for k in kinds if k.name not in _RARE], values, self._place)
        self._rare = self._add([k for k in kinds if k.name in _RARE], values, self._rare_place)
        self._rare.setVisible(self._more.isChecked())
        self.dataset.set_workload(self.workload)
        self.changed.emit()

    def _subject(self) -> tuple[tuple[Kind, ...], Mapping[str, Value]]:
        if self.mode == STUDY:
            study = load_study(str(self._study.currentData()))
            self._about.setText(study.about)
            kinds = tuple(kind for kind in declared(Load) if kind.name in STUDY_ADJUSTABLE)
            return kinds, study.base
        workload = load_workload(self.workload)
        kinds = (*declared(workload.parameters), *declared(Load))
        own = {kind.name for kind in declared(workload.parameters)}
        kept = {name: value for name, value in self._kept.items() if name not in own}
        return kinds, kept

    def _add(
        self, kinds: list[Kind], values: Mapping[str, Value], place: QVBoxLayout
    ) -> ParameterForm:
        form = ParameterForm(kinds, values, self._marks)
        form.set_sweeping(self.mode == SWEEP)
        form.changed.connect(self.changed)
        place.addWidget(form)
        return form

    def _show_more(self, shown: bool) -> None:
        self._more.setText("Less ▾" if shown else "More ▸")
        if self._rare is not None:
            self._rare.setVisible(shown)


def _heading(text: str) -> QWidget:
    return label(text.upper(), "heading")
