"""The question as sheets: which data, which work, what is tried, how long it may take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, override

import msgspec
from PySide6.QtCore import QEvent, QObject, QSettings, QSize, Qt, QThreadPool, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.setup.dataset_picker import DatasetPicker
from app.setup.effort_rows import ChosenEffort, EffortRows, UsualEffort
from app.setup.form import ParameterForm, Subject
from app.setup.question_field import FieldText
from app.setup.server_starter import ServerStarter
from app.setup.try_once import TryDialog
from app.setup.work_list import WorkList, WorkRow
from app.style import dialogs
from app.style.labels import label
from app.style.layouts import spaced
from app.style.tab_order import step_focus
from core import (
    EFFORT,
    LocalServers,
    Preset,
    Request,
    SluiceError,
    UsageError,
    Value,
    load_study,
    study_names,
    tr_word,
    workloads,
)

_MARKED = ("threads", "processes")
"""What a slider marks the cores for."""


class FormState(msgspec.Struct, frozen=True, kw_only=True):
    """All choices of the user; one that was kept by another version may lack parts."""

    workload: str | None = None
    study: str = ""
    rows: dict[str, dict[str, list[Value]]] = {}
    """By group and parameter; whether the values fit is for its control to say."""
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
    asked = Signal(object, str)
    """A whole question fills the form in one step (Request), and what is to be said of it."""

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
        self.form = ParameterForm(self.server, dict.fromkeys(_MARKED, cores) if cores > 1 else {})
        self.study = ""
        """Name of the study that is repeated; empty where the question is the user's own."""
        self._workload = next(iter(workloads()))
        """That of the own question."""
        self.work = WorkList()
        self.work.chosen.connect(self._take_work)
        self._pool = pool
        self._tried = label(self.tr("Settings to try"), "heading")
        self.try_button = QPushButton(self.tr("Try once…"))
        self.try_button.setProperty("part", "plain")
        self.try_button.setToolTip(
            self.tr("Run the command once, unmeasured, and show what it puts out")
        )
        self.try_button.clicked.connect(self.try_once)
        self._run = ""
        """The command before the last change."""
        self.effort = EffortRows(UsualEffort(settings))
        self._fitted: object = None
        """What the options are offered for."""
        self._fits = True
        """Whether to choose what suits the data once it is known; not where all was restored."""
        self._lay_out()
        self._connect()
        self._build()

    def _lay_out(self) -> None:
        self.sheets = {
            "data": self.dataset,
            "work": self.work,
            "settings": self._settings_sheet(),
            "time": self.effort,
        }
        self._column = spaced(QVBoxLayout(self), 8)
        for sheet in self.sheets.values():
            self._column.addWidget(sheet)

    def _settings_sheet(self) -> QWidget:
        self._area = SettingsArea(self.form)
        self._area.setAccessibleName(self.tr("Settings to try"))
        sheet = QWidget()
        self._settings_column = spaced(QVBoxLayout(sheet), 8)
        head = spaced(QHBoxLayout(), 8)
        head.addWidget(self._tried, 1)
        head.addWidget(self.try_button)
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

    def _show_drawer(self, *, opened: bool) -> None:
        """Scroll to the drawer as it opens."""
        if opened:
            self.form.adjustSize()
            self._area.verticalScrollBar().setValue(self.form.more.y())

    def _connect(self) -> None:
        self.form.more.toggled.connect(lambda opened: self._show_drawer(opened=opened))
        self.effort.changed.connect(self._take_change)
        self.form.changed.connect(self._take_change)
        self.dataset.changed.connect(self._fit)
        self.dataset.asked.connect(lambda asked: self.asked.emit(asked, ""))

    @property
    def workload(self) -> str:
        """Name of the workload, or of the study's."""
        return load_study(self.study).workload if self.study else self._workload

    def choose_study(self, name: str) -> None:
        """Ask what a study asks; empty: ask the own question again, as it was left."""
        self.study = name
        self.effort.follow(name)
        self._build()

    def choose_work(self, name: str) -> None:
        """Ask about a workload, as it was left."""
        self._workload = name
        self.choose_study("")

    def list_work(self) -> None:
        """List all work and presets as they are now, those first that read the data by its name."""
        self.work.show_rows([*self._work_rows()])

    def _work_rows(self) -> Iterator[WorkRow]:
        look = self.dataset.look
        place = look.dataset.path if look is not None else None
        offers = Preset.offered(place)
        command = self.request().values.get("run")
        presets = [
            WorkRow(
                one.name,
                one.name,
                one.about,
                one.unavailable,
                one.run or one.name,
                chosen=one.run == command,
            )
            for one in offers
        ]
        of_preset = any(one.chosen for one in presets)
        suiting = sum(one.suits for one in offers)
        if place is not None and suiting:
            yield WorkRow(self.tr("Programs for {}").format(place.name))
        yield from presets[:suiting]
        yield WorkRow(self.tr("Work"))
        for name, entry in workloads().items():
            yield WorkRow(
                tr_word(entry.title),
                name,
                tr_word(entry.purpose),
                self.dataset.unfit.get(name, ""),
                chosen=not (self.study or of_preset) and name == self._workload,
            )
        yield WorkRow(self.tr("Programs"))
        yield from presets[suiting:]

    def _take_work(self, row: WorkRow) -> None:
        if not row.run:
            self.choose_work(row.name)
            return
        with suppress(SluiceError):  # gone since it was listed
            self.asked.emit(Request.first("command", preset=row.name), "")

    def try_once(self) -> None:
        """Run the command once, on the data as it was looked at."""
        if (look := self.dataset.look) is not None:
            dialogs.open_in_turn(TryDialog(self.window(), self._pool, self.request(), look.dataset))

    def request(self) -> Request:
        """The question: what varies, on which data; `chosen` says how it is measured."""
        look, effort = self.dataset.look, self.effort.effort
        return Request(
            workload="" if self.study else self.workload,
            study=self.study,
            values=self.form.values(),
            axes=() if self.study else self.form.axes(),
            terms=self.form.terms(),
            dataset=look.dataset.path if look is not None else None,
            cluster=self.form.cluster,
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
        return self.form.problem() or self.effort.problem

    def look_again(self) -> None:
        """Look whether a server that is needed has been started meanwhile."""
        if self.server.parameter:
            with self.form.edit():
                pass

    def texts(self) -> dict[str, FieldText]:
        """By sheet what is chosen on it."""
        # What is wrong with the data alone stands in its own field.
        request = self.request()
        unfit = self.data_problem(request) if self.dataset.look is not None else ""
        problem, count = self.form.problem() or unfit, f"{self.form.count():,}"
        settings = FieldText(self.form.sentence(), problem or count, bool(problem))
        title = tr_word(workloads()[self._workload].title)
        work = FieldText(title, self.form.fixed())
        if command := request.values.get("run"):
            work = FieldText(str(command), title)
        if self.study:
            settings = FieldText(self.tr("as published"), problem, bool(problem))
            work = FieldText(tr_word(load_study(self.study).title), self.tr("study"))
        data = self.dataset.text()
        if (address := request.values.get("address")) and not data.wrong:
            about = self.dataset.problem if data.empty else f"{data.value} {data.detail}"
            about = "" if request.leaves_data_out else about
            data = FieldText(str(address).partition("?")[0], about)
        return {
            "data": data,
            "work": work,
            "settings": settings,
            "time": FieldText(self.effort.text(), self.effort.problem, bool(self.effort.problem)),
        }

    # The form as a value, for undo and for the next start.

    def state(self) -> FormState:
        return FormState(
            workload=self._workload,
            study=self.study,
            rows=self.form.state(),
            **self.effort.effort._asdict(),
            dataset=self.dataset.place(),
        )

    def restore(self, state: FormState) -> None:
        """Restore everything; a choice that no longer exists changes nothing."""
        if state.workload is not None and state.workload in workloads():
            self._workload = state.workload
        self.study = state.study if state.study in study_names() else ""
        self._build()
        with self.form.edit():
            self.form.restore(state.rows)
            usual = self.effort.usual.of("")
            budget = usual.budget if state.budget is None else state.budget
            effort = ChosenEffort(state.repeats or usual.repeats, budget, state.floor)
            self.effort.restore(self.study, effort)
            if state.dataset != self.dataset.place():
                self.dataset.choose(Path(state.dataset)) if state.dataset else self.dataset.clear()
            self._fits = False

    def _fit(self) -> None:
        """Choose what reads the data, such as the reader, where what stands there cannot."""
        look = self.dataset.look
        if look is None:
            self._fits = True
        elif self._fits and (values := self.request().values_that_fit(look.dataset)):
            with self.form.edit():
                self.form.fill(values)
                self.fitted.emit()
            return
        self._take_change()

    def _build(self) -> None:
        """Rebuild the forms for the chosen workload or study."""
        self._tried.setVisible(not self.study)
        with self.form.edit():
            self.form.build(Subject("" if self.study else self._workload, self.study))
            self.dataset.set_workload(self.workload, self.study)

    def _take_change(self) -> None:
        look, request = self.dataset.look, self.request()
        if self._asks_hyperfine(str(request.values.get("run", ""))):
            return
        can_be_tried = request.can_be_tried
        self.try_button.setVisible(can_be_tried)
        self.try_button.setEnabled(look is not None)
        if (request, look) != self._fitted:
            self._fitted = request, look
            self.form.refuse(request, look.dataset if look is not None else None)
        self.changed.emit()

    def _asks_hyperfine(self, run: str) -> bool:
        """Whether a line of hyperfine has been pasted as a command: its question is asked then."""
        pasted, self._run = len(run) - len(self._run) > 1, run
        if pasted and run.split()[:1] == ["hyperfine"]:
            with suppress(UsageError):  # a line that it would refuse too
                self.asked.emit(*Request.of_hyperfine(run))
                return True
        return False


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
