"""The left panel: what to measure, on which data, how hard, how often."""

from __future__ import annotations

from collections.abc import Mapping
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

from app.setup.controls.choices import QuietCombo
from app.setup.dataset_picker import DatasetPicker
from app.setup.effort_rows import EffortRows
from app.setup.form import ParameterForm
from app.setup.mode_bar import Mode, ModeBar
from app.setup.own_parameters import allowed_by, brought_kinds, shown_kinds
from app.setup.server_starter import ServerStarter
from app.setup.usual_effort import Effort, UsualEffort
from app.style.label_widget import label
from core import (
    STUDY_ADJUSTABLE,
    Kind,
    Load,
    LocalServers,
    Request,
    SluiceError,
    Value,
    cluster_kinds,
    declared,
    load_study,
    load_workload,
    moot_with,
    require_possible,
    search_axes,
    servers_of,
    study_names,
    terms_of_search,
    terms_of_sweep,
    tr_word,
    workloads,
)

_FIRST = ("threads", "processes")
_RARE = (
    "cores",
    "operations",
    "warm_up_operations",
    "share",
    "deadline",
    "stall",
    "memory_limit",
    "seed",
    "nodes",
)
_PLAIN = ("terms", "where")
"""Forms of what is no parameter of a trial, and is never an axis."""
_FIRST_BUDGET = 45.0
"""Seconds of the first sweep, so that it answers within a minute."""

type State = dict[str, Any]
type _Part = QWidget | QVBoxLayout | QFormLayout


class SetupPanel(QWidget):
    """Builds a request, or says why there is none yet."""

    changed = Signal()

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
        self._marks = {"threads": cores, "processes": cores} if cores > 1 else {}
        self._forms: dict[str, ParameterForm] = {}
        self._asked: dict[str, object] = {}
        self._kept: dict[str, Value] = {}
        self._refused = ""
        self.modes = ModeBar()
        self.dataset = DatasetPicker(pool, settings)
        self.server = ServerStarter(pool, servers or LocalServers(), self)
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
        self._places = {name: QVBoxLayout() for name in ("usual", "own", "rare", "where", "terms")}
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
            self._places["own"],  # first, or nobody would see them come
            self._places["usual"],
        )
        for part in top:
            _add(column, part)
        column.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        below: tuple[_Part, ...] = (
            self._places["rare"],
            self._places["where"],
            self._limits_title,
            self._places["terms"],
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
        self.server.found.connect(self._fill_in)
        self.dataset.changed.connect(self.changed)

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
        parameters = [form for name, form in self._forms.items() if name not in _PLAIN]
        values = {name: value for form in parameters for name, value in form.values().items()}
        axes = tuple(axis for form in parameters for axis in form.axes())
        return Request(
            workload="" if self.study else self.workload,
            study=self.study,
            tune=self.mode is Mode.TUNE,
            values=values,
            axes=axes if self.mode.varies else (),
            terms=self._forms["terms"].values(),
            dataset=path,
            cluster=str(self._forms["where"].values()["cluster"]),
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
            require_possible(request, look.dataset)
        except SluiceError as error:
            return str(error)
        return ""

    def form_problem(self, request: Request | None = None) -> str:
        """Why the form is not a request yet, whatever the dataset; `request` if it is known."""
        if self._refused:
            return self._refused
        for form in self._forms.values():
            if reason := form.problem():
                return reason
        if self.effort.problem:
            return self.effort.problem
        request = request or self.request()
        if self.mode is Mode.SWEEP and not request.axes:
            return self.tr("tick at least one parameter to sweep")
        if self.mode is Mode.TUNE:
            try:
                search_axes(request.workload, request.axes)
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
            "rows": {name: form.state() for name, form in self._forms.items()},
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
        kept = dict(state.get("rows", {}))
        for name in ("usual", "rare", "where", "terms", "own"):
            if name == "own":
                self._put_own()  # the others say which these are
            self._forms[name].restore(kept.get(name, {}))
        chosen = self.effort.usual.of("")._asdict() | state
        effort = Effort(int(chosen["repeats"]), float(chosen["budget"]), bool(chosen["floor"]))
        self.effort.restore(self.mode, self.study, effort)
        place = str(state.get("dataset", ""))
        if place and place != self.dataset.place():
            self.dataset.choose(Path(place))
        self._take()

    def sweep_threads(self) -> None:
        """Set up a first sweep: few numbers of threads, and all the time for them."""
        self.choose_mode(Mode.SWEEP)
        plain = {"vary": False, "axis": None}
        self._forms["usual"].restore(
            {
                "threads": {"value": 1, "vary": True, "axis": [1, 8, 4]},
                "duration": {"value": 1.0, **plain},
                "warm_up": {"value": 1.0, **plain},
            }
        )
        self.effort.choose(self.effort.effort._replace(budget=_FIRST_BUDGET, floor=False))
        self._take()

    def _change_subject(self) -> None:
        for form in self._forms.values():
            self._kept |= form.everything()
        self._build()
        self.effort.follow(self.mode, self.study)

    def _build(self) -> None:
        """Rebuild the forms for the chosen workload or study."""
        study = bool(self.study)
        self._workload.setVisible(not study)
        self._show_studies(shown=study)
        self._purpose.setText(
            tr_word(load_study(self.study).about if study else workloads()[self.workload].purpose)
        )
        try:
            kinds, values = self._subject()
            self._refused = ""
        except SluiceError as error:
            kinds, values, self._refused = (), {}, str(error)
        self._put("usual", [kind for kind in kinds if kind.name not in _RARE], values)
        self._put("rare", [kind for kind in kinds if kind.name in _RARE], values)
        self._put("where", cluster_kinds(), {})
        self._put_own()
        terms = {Mode.SWEEP: terms_of_sweep, Mode.TUNE: terms_of_search}.get(self.mode, tuple)()
        self._put("terms", terms, {} if self.mode is Mode.STUDY else self._kept)
        self._show_more(shown=self._more.isChecked())
        self._limits_title.setVisible(self.mode.varies)
        self.dataset.set_workload(self.workload, self.study)
        self._take()

    def _take(self) -> None:
        """Hide what means nothing with the values as they are now."""
        self._put_own()
        self._forms["usual"].stand_in(self._searched())
        moot = frozenset() if self.study or self._refused else self._moot()
        for name in ("usual", "rare"):
            self._forms[name].hide_moot(moot)
        self._offer_server()
        self.changed.emit()

    def _offer_server(self) -> None:
        """Have a server offered below the parameter that should say where one is."""
        forms = [self._forms[name] for name in ("usual", "rare")]
        varied = {axis.name for form in forms for axis in form.axes()}
        uses = () if self.study or self._refused else servers_of(self.workload)
        # Along an axis of stores no address could be that of all.
        single = [use for use in uses if not varied & use.at.keys()]
        self.server.follow(
            single, {name: value for form in forms for name, value in form.values().items()}
        )
        for form in forms:
            if (row := form.row(self.server.parameter)) is not None:
                row.put_below(self.server)

    def _fill_in(self, values: Mapping[str, Value]) -> None:
        for name in ("usual", "rare"):
            self._forms[name].fill(values)
        self._take()

    def _moot(self) -> frozenset[str]:
        own = {kind.name for kind in declared(load_workload(self.workload).parameters)}
        forms = [self._forms[name] for name in ("usual", "rare")]
        # Along an axis a parameter may mean something for one value and nothing for another.
        if own & {axis.name for form in forms for axis in form.axes()}:
            return frozenset()
        values = {name: value for form in forms for name, value in form.values().items()}
        return moot_with(self.workload, {name: values[name] for name in own & values.keys()})

    def _subject(self) -> tuple[tuple[Kind, ...], Mapping[str, Value]]:
        if self.study:
            kinds = tuple(kind for kind in declared(Load) if kind.name in STUDY_ADJUSTABLE)
            return kinds, load_study(self.study).base
        workload = load_workload(self.workload)
        own = {kind.name for kind in declared(workload.parameters)}
        load = declared(Load)
        first = tuple(kind for kind in load if kind.name in _FIRST)
        others = tuple(kind for kind in load if kind.name not in _FIRST)
        kinds = (*first, *shown_kinds(workload.parameters), *others)
        return kinds, {name: value for name, value in self._kept.items() if name not in own}

    def _put_own(self) -> None:
        """Have a row for each parameter that the values of others bring with them."""
        if self.study or self._refused:
            self._put("own", (), {})
            return
        kinds = brought_kinds(
            load_workload(self.workload).parameters, self._forms["usual"].values()
        )
        before = self._forms["own"].everything() if "own" in self._forms else {}
        self._put("own", kinds, allowed_by(kinds, before))

    def _searched(self) -> dict[str, str]:
        """What a search covers by itself, by parameter."""
        if self.mode is not Mode.TUNE or self._refused:
            return {}
        forms = [form for name, form in self._forms.items() if name not in _PLAIN]
        values = {name: value for form in forms for name, value in form.values().items()}
        # A search over more than one of them is refused, and that is said elsewhere.
        other = [axis for form in forms for axis in form.axes() if axis.name != "threads"][:1]
        counts = search_axes(self.workload, other, values)[0].values
        if len(counts) == 1:
            return {}
        said = self.tr("{} to {} are searched; tick to choose others")
        return {"threads": said.format(counts[0], counts[-1])}

    def _put(self, name: str, kinds: tuple[Kind, ...] | list[Kind], values: Any) -> None:
        # Making a form takes tenths of a second, so a form that asks for the same is kept.
        asks = (name not in _PLAIN and (self.study or self.workload), tuple(kinds))
        sweeping = self.mode.varies and name not in _PLAIN
        if self._asked.get(name) == asks:
            self._forms[name].set_sweeping(sweeping)
            return
        self._asked[name] = asks
        if name in self._forms:
            if self._forms[name].isAncestorOf(self.server):
                self.server.setParent(self)
            self._forms[name].hide()
            self._forms[name].deleteLater()
        form = ParameterForm(kinds, values, self._marks)
        form.set_sweeping(sweeping)
        form.changed.connect(self._take)
        self._places[name].addWidget(form)
        form.show()  # now, not when the event loop does it
        self._forms[name] = form

    def _show_more(self, *, shown: bool) -> None:
        self._more.setText(self.tr("Less ▾") if shown else self.tr("More ▸"))
        for name in self._forms.keys() & {"rare", "where"}:
            self._forms[name].setVisible(shown)


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
