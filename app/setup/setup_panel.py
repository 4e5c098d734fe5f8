"""The left panel: what to measure, on which data, how hard, how often."""

from __future__ import annotations

from pathlib import Path
from typing import Any, override

from PySide6.QtCore import QEvent, QObject, QSettings, Qt, QThreadPool, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.setup.controls.choices import BRIEF_ROLE, QuietCombo
from app.setup.dataset_picker import DatasetPicker
from app.setup.effort_rows import EffortRows
from app.setup.form_stack import FormStack, Subject
from app.setup.mode_bar import Mode, ModeBar
from app.setup.server_starter import ServerStarter
from app.setup.usual_effort import Effort, UsualEffort
from app.style.label_widget import label
from core import (
    FormParameters,
    LocalServers,
    Request,
    SluiceError,
    load_study,
    study_names,
    tr_word,
    workloads,
)

_FIRST_BUDGET = 45.0
"""Seconds of the first sweep, so that it answers within a minute."""

type State = dict[str, Any]
type _Part = QWidget | QVBoxLayout | QFormLayout


class SetupPanel(QWidget):
    """Builds a request, or says why there is none yet."""

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
        self.modes = ModeBar()
        self.dataset = DatasetPicker(pool, settings)
        self.server = ServerStarter(pool, servers or LocalServers(), self)
        marks = {"threads": cores, "processes": cores} if cores > 1 else {}
        self.forms = FormStack(self, self.server, marks)
        self._workload = QuietCombo()
        self._workload.setAccessibleName(self.tr("Workload"))
        self._study = QuietCombo()
        self._study.setAccessibleName(self.tr("Study"))
        self._purpose = label(part="muted", wraps=True)
        self.effort = EffortRows(UsualEffort(settings))
        self._more = QPushButton()
        self._more.setCheckable(True)
        self._more.setAccessibleName(self.tr("More parameters"))
        self._more.setToolTip(self.tr("Show the parameters that are rarely changed."))
        self._fits = True
        """Whether to choose what suits the data once it is known; not where all was restored."""
        self._fill()
        self._lay_out()
        self._connect()
        self._show_more(shown=False)
        self._build()

    def _fill(self) -> None:
        for name, entry in workloads().items():
            self._workload.addItem(tr_word(entry.title), name)
            last = self._workload.count() - 1
            self._workload.setItemData(last, tr_word(entry.purpose), Qt.ItemDataRole.ToolTipRole)
        for name in study_names():
            self._study.addItem(name, name)

    def _show_studies(self, *, shown: bool) -> None:
        """Show or hide the list of studies; their files are read only when it is shown."""
        if shown:
            for place in range(self._study.count()):
                title = tr_word(load_study(self._study.itemData(place)).title)
                self._study.setItemText(place, title)
                self._study.setItemData(place, title.partition(":")[0], BRIEF_ROLE)
        self._study.setVisible(shown)

    def _lay_out(self) -> None:
        page = QWidget()
        page.setObjectName("formPage")
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 8, 12, 12)
        self._limits_title = _heading(self.tr("Limits"))
        top: tuple[_Part, ...] = (
            self.modes,
            _heading(self.tr("Workload")),
            self._workload,
            self._study,
            self._purpose,
            _heading(self.tr("Dataset")),
            self.dataset,
            _heading(self.tr("Parameters")),
            self.forms.places["own"],  # first, or nobody would see them come
            self.forms.places["usual"],
        )
        for part in top:
            _add(column, part)
        column.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        below: tuple[_Part, ...] = (
            self.forms.places["rare"],
            self.forms.places["where"],
            self._limits_title,
            self.forms.places["terms"],
            _heading(self.tr("Trials")),
            self.effort,
        )
        for part in below:
            _add(column, part)
        column.addStretch(1)
        area = QScrollArea()
        area.setObjectName("formArea")
        area.setAccessibleName(self.tr("Set-up"))
        area.setWidget(page)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)
        self._area, self._page = area, page
        page.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # A scroll area does not make room for its page, so a wide page would be cut off.
        if watched is self._page and event.type() == QEvent.Type.LayoutRequest:
            bar = self._area.verticalScrollBar().sizeHint().width()
            self.setMinimumWidth(self._page.minimumSizeHint().width() + bar)
        return super().eventFilter(watched, event)

    def _connect(self) -> None:
        self._workload.currentIndexChanged.connect(self._change_subject)
        self._study.currentIndexChanged.connect(self._change_subject)
        self.modes.changed.connect(self._change_subject)
        self._more.toggled.connect(lambda shown: self._show_more(shown=shown))
        self.effort.changed.connect(self.changed)
        self.forms.changed.connect(self.changed)
        self.dataset.changed.connect(self._fit)

    @property
    def mode(self) -> Mode:
        """The kind of run."""
        return self.modes.mode

    @property
    def study(self) -> str:
        """Name of the study to repeat; empty in other modes."""
        return str(self._study.currentData()) if self.mode is Mode.STUDY else ""

    @property
    def workload(self) -> str:
        """Name of the workload, or of the study's."""
        return load_study(self.study).workload if self.study else str(self._workload.currentData())

    def choose_mode(self, mode: Mode) -> None:
        """Choose another kind of run."""
        self.modes.choose(mode)
        self._change_subject()

    def request(self) -> Request:
        """The request that the form makes now."""
        look = self.dataset.look
        path: Path | None = look.dataset.path if look is not None else None
        return Request(
            workload="" if self.study else self.workload,
            study=self.study,
            tune=self.mode is Mode.TUNE,
            values=self.forms.values(),
            axes=self.forms.axes() if self.mode.varies else (),
            terms=self.forms.terms(),
            dataset=path,
            cluster=self.forms.cluster,
            **self.effort.effort._asdict(),
        )

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

    def form_problem(self, request: Request | None = None) -> str:
        """Why the form is not a request yet, whatever the dataset; `request` if it is known."""
        if reason := self.forms.problem() or self.effort.problem:
            return reason
        request = request or self.request()
        if self.mode is Mode.SWEEP and not request.axes:
            return self.tr("tick at least one parameter to sweep")
        if self.mode is Mode.TUNE:
            try:
                FormParameters(request.workload).threads_searched(request.axes)
            except SluiceError as error:
                return str(error)
        return ""

    # The form as a value, for undo and for the next start.

    def state(self) -> State:
        """All choices of the user, as JSON values."""
        return {
            "mode": self.mode.value,
            "workload": self._workload.currentData(),
            "study": self._study.currentData(),
            "rows": self.forms.state(),
            **self.effort.effort._asdict(),
            "dataset": self.dataset.place(),
        }

    def restore(self, state: State) -> None:
        """Restore everything; a choice that no longer exists changes nothing."""
        for part in (self._workload, self._study):
            part.blockSignals(True)
        _choose(self._workload, state.get("workload"))
        _choose(self._study, state.get("study"))
        for part in (self._workload, self._study):
            part.blockSignals(False)
        if state.get("mode") in {mode.value for mode in Mode}:
            self.modes.choose(Mode(state["mode"]))
        self._build()
        self.forms.restore(dict(state.get("rows", {})))
        chosen = self.effort.usual.of("")._asdict() | state
        effort = Effort(int(chosen["repeats"]), float(chosen["budget"]), bool(chosen["floor"]))
        self.effort.restore(self.mode, self.study, effort)
        place = str(state.get("dataset", ""))
        if place and place != self.dataset.place():
            self.dataset.choose(Path(place))
        self._fits = False
        self.forms.settle()

    def sweep_threads(self) -> None:
        """Set up a first sweep: few numbers of threads, and all the time for them."""
        self.choose_mode(Mode.SWEEP)
        plain = {"vary": False, "axis": None}
        self.forms.restore(
            {
                "usual": {
                    "threads": {"value": 1, "vary": True, "axis": [1, 8, 4]},
                    "duration": {"value": 1.0, **plain},
                    "warm_up": {"value": 1.0, **plain},
                }
            }
        )
        self.effort.choose(self.effort.effort._replace(budget=_FIRST_BUDGET, floor=False))
        self.forms.settle()

    def _change_subject(self) -> None:
        self.forms.keep()
        self._build()
        self.effort.follow(self.mode, self.study)

    def _fit(self) -> None:
        """Choose what reads the data, such as the reader, where what stands there cannot."""
        look = self.dataset.look
        if look is None:
            self._fits = True
        elif self._fits and (values := self.request().values_that_fit(look.dataset)):
            self.forms.fill(values)
            self.fitted.emit()
            self.forms.settle()
            return
        self.changed.emit()

    def _build(self) -> None:
        """Rebuild the forms for the chosen workload or study."""
        study = bool(self.study)
        self._workload.setVisible(not study)
        self._show_studies(shown=study)
        self._purpose.setText(
            _about(self.study) if study else tr_word(workloads()[self.workload].purpose)
        )
        self.forms.build(Subject(self.mode, self.workload, self.study))
        self._show_more(shown=self._more.isChecked())
        self._limits_title.setVisible(self.mode.varies)
        self.dataset.set_workload(self.workload, self.study)
        self.forms.settle()

    def _show_more(self, *, shown: bool) -> None:
        self._more.setText(self.tr("Less ▾") if shown else self.tr("More ▸"))
        self.forms.show_rare(shown=shown)


def _about(study: str) -> str:
    """The title in full, for which the list has no room, and what is to know before its start."""
    found = load_study(study)
    return f"{tr_word(found.title)}\n{tr_word(found.about)}"


def _heading(text: str) -> QWidget:
    return label(text.upper(), "heading")


def _add(column: QVBoxLayout, part: _Part) -> None:
    if isinstance(part, QWidget):
        column.addWidget(part)
    else:
        column.addLayout(part)


def _choose(box: QuietCombo, name: object) -> None:
    place = box.findData(name)
    if place >= 0:
        box.setCurrentIndex(place)
