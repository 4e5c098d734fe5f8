"""The main window: joins the panels to jobs and sessions, and decides nothing itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QByteArray, QSettings, Qt, QThreadPool, QTimer
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QFontDatabase,
    QGuiApplication,
    QKeySequence,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMessageBox,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app import colours
from app.asking import Question
from app.crash import CrashDialog
from app.job import Job, Measure, Prepared
from app.live import LiveNumbers, PhaseStrip
from app.measuring import Shown, preparation, shown
from app.parts import label
from app.recent import Recent
from app.results import ResultsView
from app.setup import SetupPanel
from app.theme import DARK, HIGH_CONTRAST, LIGHT
from app.verdict import NOT_YET, VerdictCard
from core import (
    FORMATS,
    Event,
    Format,
    Headline,
    Moment,
    MomentTaken,
    Result,
    RunEnded,
    Session,
    SessionError,
    Table,
    Trial,
    TrialEnded,
    TrialStarted,
    Watch,
    command_line,
    describe_limits,
    export,
    run,
    sessions_folder,
)

if TYPE_CHECKING:
    from app.plots.live import LivePlots

_SYSTEM = "system"
_PLOT_THEMES = {"light": LIGHT, "dark": DARK, "contrast": HIGH_CONTRAST}
_IDLE_MS = 20
_RECENT_SESSIONS = 10


class MainWindow(QMainWindow):
    """One window, one session, at most one run at a time."""

    def __init__(
        self, settings: QSettings, application: QApplication, measure: Measure = run
    ) -> None:
        super().__init__()
        self._settings = settings
        self._used = Recent(settings, "sessions", _RECENT_SESSIONS)
        self._application = application
        self._measure = measure
        self._pool = QThreadPool(self)
        self._job: Job | None = None
        self._session: Session | None = None
        self._prepared: Prepared | None = None
        self._trials: list[Trial] = []
        self._watch = Watch()
        self._shown: Shown | None = None
        self._said = ""
        self._painted = False
        self._running_trial = False
        self.plots: LivePlots | None = None
        self._summary = Question(self._pool, self)
        self._opening = Question(self._pool, self)
        self._exporting = Question(self._pool, self)
        self.setWindowTitle("Sluice")
        self.setAcceptDrops(True)
        self._make_parts()
        self._lay_out()
        self._make_menus()
        self._connect()
        self._restore()
        self._refresh()

    @property
    def busy(self) -> bool:
        """Whether a run or a question is going on."""
        return self._job is not None or self._pool.activeThreadCount() > 0

    # What there is.

    def _make_parts(self) -> None:
        self.setup = SetupPanel(self._pool, self._settings, _usable_cores())
        self.start_button = QPushButton("▶ Start")
        self.start_button.setProperty("part", "start")
        self.start_button.setAccessibleName("Start")
        self.cancel_button = QPushButton("■ Cancel")
        self.cancel_button.setAccessibleName("Cancel")
        self.cancel_button.setToolTip("End the run and keep what was measured (Esc)")
        self.strip = PhaseStrip()
        self.why = label(part="muted")
        self.why.setAccessibleName("Why Start is disabled")
        self.verdict = VerdictCard()
        self.numbers = LiveNumbers()
        self.results = ResultsView()
        self.copy_markdown = QPushButton("Copy as Markdown")
        self.copy_csv = QPushButton("Copy as CSV")
        self.results_told = label("No results yet", "heading")
        self.command = QLineEdit()
        self.command.setReadOnly(True)
        self.command.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.command.setAccessibleName("Command line that does the same")
        self.copy_command = QPushButton("Copy")
        self.copy_command.setAccessibleName("Copy the command line")

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        for part in (self.start_button, self.cancel_button):
            top.addWidget(part)
        top.addWidget(self.strip, 1)
        table_head = QHBoxLayout()
        table_head.addWidget(self.results_told, 1)
        table_head.addWidget(self.copy_markdown)
        table_head.addWidget(self.copy_csv)
        bottom = _column(table_head, self.results)
        self._views = QTabWidget()
        self._views.addTab(self.numbers, "Figures")
        self._panes = QSplitter(Qt.Orientation.Vertical)
        self._panes.addWidget(self._views)
        self._panes.addWidget(bottom)
        self._panes.setStretchFactor(0, 3)
        self._panes.setStretchFactor(1, 2)
        self._panes.setChildrenCollapsible(False)
        right = _column(self.verdict, self._panes)
        right_layout = right.layout()
        assert right_layout is not None
        right_layout.setContentsMargins(12, 0, 12, 0)
        self._sides = QSplitter(Qt.Orientation.Horizontal)
        self._sides.addWidget(self.setup)
        self._sides.addWidget(right)
        self._sides.setStretchFactor(1, 1)
        self._sides.setChildrenCollapsible(False)
        self._sides.setSizes([340, 900])
        for named in (self._views, self._views.tabBar()):
            named.setAccessibleName("Views of the run")
        self.setup.setMinimumWidth(310)
        line = QHBoxLayout()
        line.addWidget(label("Same as"))
        line.addWidget(self.command, 1)
        line.addWidget(self.copy_command)
        whole = _column(top, self.why, self._sides, line)
        whole_layout = whole.layout()
        assert isinstance(whole_layout, QVBoxLayout)
        whole_layout.setContentsMargins(10, 8, 10, 8)
        whole_layout.setStretchFactor(self._sides, 1)
        self.setCentralWidget(whole)
        self.setMinimumSize(900, 600)

    def _make_menus(self) -> None:
        session = self.menuBar().addMenu("&Session")
        self._open = _action(session, "&Open…", self._choose_session, QKeySequence.StandardKey.Open)
        self._recent = session.addMenu("Open &recent")
        self._recent.aboutToShow.connect(self._fill_recent)
        self._new = _action(session, "&New", self.new_session, QKeySequence.StandardKey.New)
        self._export = session.addMenu("&Export results as")
        for form in FORMATS.values():
            _action(self._export, form.title, partial(self._choose_export, form))
        session.addSeparator()
        _action(session, "&Quit", self.close, QKeySequence.StandardKey.Quit)
        running = self.menuBar().addMenu("&Run")
        self._start = _action(running, "&Start", self.start, QKeySequence("Ctrl+Return"))
        self._stop = _action(running, "&Cancel", self.cancel, QKeySequence("Escape"))
        edit = self.menuBar().addMenu("&Edit")
        _action(edit, "Copy the &command line", self._copy_command, QKeySequence("Ctrl+Shift+C"))
        _action(edit, "Copy results as &Markdown", lambda: self.results.copy("markdown"))
        _action(edit, "Copy results as CS&V", lambda: self.results.copy("csv"))
        looks = self.menuBar().addMenu("&View").addMenu("&Theme")
        group = QActionGroup(self)
        chosen = str(self._settings.value("theme", _SYSTEM))
        titles = {_SYSTEM: "As the &system", "light": "&Light", "dark": "&Dark"}
        for name, title in {**titles, "contrast": "&High contrast"}.items():
            action = _action(looks, title, partial(self.choose_theme, name))
            action.setCheckable(True)
            action.setChecked(name == chosen)
            group.addAction(action)

    def _connect(self) -> None:
        self.start_button.clicked.connect(self.start)
        self.cancel_button.clicked.connect(self.cancel)
        self.copy_command.clicked.connect(self._copy_command)
        self.copy_markdown.clicked.connect(lambda: self.results.copy("markdown"))
        self.copy_csv.clicked.connect(lambda: self.results.copy("csv"))
        self.setup.changed.connect(self._refresh)
        self.results.chosen.connect(self._show_chosen)
        self._summary.answered.connect(self._show_results)
        self._opening.answered.connect(self._take_opened)
        self._opening.refused.connect(lambda why: self._complain("Opening the session", why))
        self._exporting.refused.connect(lambda why: self._complain("Exporting", why))
        self._exporting.answered.connect(lambda where: self.strip.finish(f"Written: {where}", 0.0))
        hints = self._application.styleHints()
        hints.colorSchemeChanged.connect(self._apply_theme)
        hints.accessibility().contrastPreferenceChanged.connect(self._apply_theme)

    # The plots, which come once the window is there.

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, self._add_plots)

    def _add_plots(self) -> None:
        """Importing pyqtgraph takes longer than all before: nobody shall wait for it."""
        from app.plots.live import LivePlots

        self.plots = LivePlots()
        self.plots.set_open_files_limit(describe_limits().open_files_soft)
        self._views.insertTab(0, self.plots, "Live")
        self._views.setCurrentIndex(0)
        self._apply_theme()

    def _show_chosen(self, results: tuple[Result, ...]) -> None:
        """Plot the last trial of the selected row, unless a run is being plotted."""
        if self.plots is None or self._job is not None or not results:
            return
        trials = [trial for trial in results[0].trials if trial.moments]
        if trials:
            self.plots.show_trial(trials[-1])

    # How it looks.

    def choose_theme(self, name: str) -> None:
        """Keep a theme, or follow the system again."""
        self._settings.setValue("theme", name)
        self._apply_theme()

    def _apply_theme(self) -> None:
        chosen = str(self._settings.value("theme", _SYSTEM))
        name = colours.wished(self._application.styleHints()) if chosen == _SYSTEM else chosen
        chosen_colours = colours.load(name)
        self._application.setPalette(chosen_colours.palette())
        self._application.setStyleSheet(chosen_colours.style_sheet())
        if self.plots is not None:
            self.plots.set_theme(_PLOT_THEMES[name])

    def _restore(self) -> None:
        self._apply_theme()
        self.resize(1280, 800)
        geometry, panes = self._settings.value("geometry"), self._settings.value("panes")
        sides = self._settings.value("sides")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if isinstance(panes, QByteArray):
            self._panes.restoreState(panes)
        if isinstance(sides, QByteArray):
            self._sides.restoreState(sides)

    def _keep_state(self) -> None:
        self._settings.setValue("geometry", self.saveGeometry())
        self._settings.setValue("panes", self._panes.saveState())
        self._settings.setValue("sides", self._sides.saveState())
        self._settings.sync()

    # What is asked for.

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        place = next(url for url in event.mimeData().urls() if url.isLocalFile())
        path = Path(place.toLocalFile())
        event.acceptProposedAction()
        if path.suffix == ".sluice":
            self.open_session(path)
        else:
            self.setup.dataset.choose(path)

    def _refresh(self) -> None:
        """Bring the buttons, the reason and the command line up to date with the form."""
        running = self._job is not None
        problem = self.setup.problem()
        self.start_button.setEnabled(not running and not problem)
        self._start.setEnabled(not running and not problem)
        self.start_button.setToolTip(problem or "Measure (Ctrl+Return)")
        self.why.setText(f"Start waits: {problem}" if problem and not running else "")
        self.cancel_button.setEnabled(running)
        self._stop.setEnabled(running)
        self._open.setEnabled(not running)
        self._recent.setEnabled(not running)
        self._new.setEnabled(not running)
        has_results = self._shown is not None and bool(self._shown.results)
        for part in (self.copy_markdown, self.copy_csv, self._export):
            part.setEnabled(has_results)
        self._show_command()

    def _show_command(self) -> None:
        problem = self.setup.form_problem()
        self.command.setText("" if problem else command_line(self.setup.request()))
        self.command.setPlaceholderText(problem)
        self.command.setCursorPosition(0)
        self.command.setToolTip(self.command.text())
        self.copy_command.setEnabled(bool(self.command.text()))

    def _copy_command(self) -> None:
        QGuiApplication.clipboard().setText(self.command.text())

    # A run.

    def start(self) -> None:
        """Measure what the form asks for."""
        look = self.setup.dataset.look
        if self._job is not None or look is None or self.setup.problem():
            return
        prepare = preparation(self.setup.request(), look.dataset, self._session)
        self._trials, self._shown, self._prepared = [], None, None
        self._running_trial = False
        self._watch = Watch()
        self._clear_live()
        self._job = Job(prepare, self._measure, self)
        self._job.happened.connect(self._take)
        self._job.ended.connect(self._take_end)
        self.verdict.show_headline(
            Headline(mood="open", text="Not yet", detail="The first trial is running.")
        )
        self._refresh()
        self._job.start(self._pool)

    def _clear_live(self) -> None:
        self.numbers.clear()
        self.strip.clear()
        if self.plots is not None:
            self.plots.clear()

    def cancel(self) -> None:
        """End the run; what was measured is kept."""
        if self._job is not None:
            self._job.cancel()
            self.cancel_button.setEnabled(False)
            self.strip.finish("Cancelling…", self._watch.elapsed)
            self._said = "Cancelling…"

    def _take(self, events: tuple[Event, ...]) -> None:
        """Show what has happened in the last tenth of a second."""
        assert self._job is not None
        self._adopt(self._job.prepared)
        ended = len(self._trials)
        for event in events:
            self._watch.take(event)
            self._take_one(event)
        if not self._said:
            self.strip.show_watch(self._watch)
        self._count(self._watch.moment if self._running_trial else None)
        if len(self._trials) > ended:
            self._summarise()

    def _take_one(self, event: Event) -> None:
        match event:
            case TrialStarted(index=index):
                self._running_trial = True
                self.numbers.next_trial()
                if self.plots is not None:
                    self.plots.begin_trial(index, self._watch.what)
            case MomentTaken(index=index, moment=moment):
                self.numbers.add(moment)
                if self.plots is not None:
                    self.plots.add(index, moment)
            case TrialEnded(trial=trial):
                self._running_trial = False
                self._trials.append(trial)
            case RunEnded(cancelled=cancelled, trials=trials, of=of):
                self._said = (
                    f"Cancelled after {trials} of {of} trials; what was measured is kept"
                    if cancelled
                    else f"Done: {trials} trials"
                )
            case _:
                pass

    def _count(self, moment: Moment | None) -> None:
        """Errors and wrong data of the trials that have ended and of the one that runs."""
        self.strip.count(
            sum(trial.errors for trial in self._trials) + (moment.errors if moment else 0),
            sum(trial.wrong for trial in self._trials) + (moment.wrong if moment else 0),
        )

    def _adopt(self, prepared: Prepared | None) -> None:
        """The run has a session now."""
        if prepared is None or prepared is self._prepared:
            return
        self._prepared = prepared
        self._keep_session(prepared.session)

    def _take_end(self, reason: str) -> None:
        assert self._job is not None
        self._job.deleteLater()
        self._job = None
        self.strip.finish(reason or self._said or "Done", self._watch.elapsed)
        self._said = ""
        if reason:
            self.verdict.show_headline(Headline(mood="bad", text="Not measured", detail=reason))
        self._refresh()

    def _summarise(self) -> None:
        prepared, trials = self._prepared, tuple(self._trials)
        if prepared is not None:
            self._summary.ask(lambda _: shown(prepared, trials))

    def _show_results(self, found: Shown) -> None:
        self._shown = found
        self.results.show_results(found.table, found.in_table)
        self.verdict.show_headline(found.headline)
        rows = len(found.in_table)
        self.results_told.setText(f"RESULTS · {rows} of {found.planned} configurations")
        self._refresh()

    # Sessions.

    def _keep_session(self, session: Session) -> None:
        if self._session is not session:
            if self._session is not None:
                self._session.close()
            self._session = session
            self._used.add(session.path)
        self.setWindowTitle(f"{session.path.stem} – Sluice")

    def new_session(self) -> None:
        """Let go of the session; the next run begins another."""
        if self._session is not None:
            self._session.close()
        self._session, self._prepared, self._shown, self._trials = None, None, None, []
        self.setWindowTitle("Sluice")
        self.results.show_results(*_NO_RESULTS)
        self.results_told.setText("No results yet")
        self.verdict.show_headline(NOT_YET)
        self._clear_live()
        self._refresh()

    def open_session(self, path: Path) -> None:
        """Show the last run of a session; what is measured next is added to it."""
        self._opening.ask(lambda _: _opened(path))

    def _take_opened(self, opened: tuple[Prepared, tuple[Trial, ...]]) -> None:
        prepared, trials = opened
        if self._job is not None:
            prepared.session.close()
            return
        self._prepared, self._trials = prepared, list(trials)
        self._keep_session(prepared.session)
        self._clear_live()
        self.strip.finish(f"Opened {prepared.session.path.name}", 0.0)
        self._count(None)
        self._summarise()

    def _choose_session(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self, "Open a session", str(sessions_folder()), "Sluice sessions (*.sluice)"
        )
        if path:
            self.open_session(Path(path))

    def _fill_recent(self) -> None:
        self._recent.clear()
        for path in self._used.places():
            title = path.stem.replace("&", "&&")
            _action(self._recent, title, partial(self.open_session, path))
        if not self._used.places():
            self._recent.addAction("No session yet").setEnabled(False)

    def _choose_export(self, form: Format) -> None:
        suffix = form.suffixes[0]
        stem = self._session.path.stem if self._session is not None else "results"
        path, _ = QFileDialog.getSaveFileName(
            self, f"Export as {form.name}", stem + suffix, f"*{suffix}"
        )
        if path:
            self.export(form, Path(path if Path(path).suffix else path + suffix))

    def export(self, form: Format, path: Path) -> None:
        """Write the shown run's results."""
        if self._shown is not None:
            results = self._shown.results
            self._exporting.ask(lambda _: _exported(results, path, form))

    def _complain(self, doing: str, reason: str) -> None:
        box = QMessageBox(QMessageBox.Icon.Warning, doing, f"{doing} failed.", parent=self)
        box.setInformativeText(reason)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def show_crash(self, told: str) -> None:
        """A fault of Sluice's own, for the user to report."""
        dialog = CrashDialog(told, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    # The end.

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        """Close at once where nothing goes on; else cancel, disappear, and close when it is over."""
        if not self.busy:
            self._keep_state()
            if self._session is not None:
                self._session.close()
            super().closeEvent(event)
            return
        event.ignore()
        self.hide()
        self.cancel()
        self.setup.dataset.drop_questions()
        for question in (self._summary, self._opening, self._exporting):
            question.drop()
        QTimer.singleShot(_IDLE_MS, self, self.close)


def _opened(path: Path) -> tuple[Prepared, tuple[Trial, ...]]:
    session = Session.open(path)
    runs = session.runs()
    if not runs:
        session.close()
        raise SessionError(f"{path.name} holds no run yet")
    return Prepared(session, runs[-1]), session.trials(runs[-1].id)


def _column(*parts: QWidget | QHBoxLayout) -> QWidget:
    widget = QWidget()
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    return widget


def _action(
    menu: QMenu,
    title: str,
    act: Callable[[], object],
    keys: QKeySequence | QKeySequence.StandardKey | None = None,
) -> QAction:
    action = menu.addAction(title)
    action.triggered.connect(lambda *_: act())  # Qt would hand over whether it is checked
    if keys is not None:
        action.setShortcut(keys)
    return action


def _exported(results: Sequence[Result], path: Path, form: Format) -> Path:
    export(results, path, form)
    return path


def _usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_NO_RESULTS: tuple[Table, tuple[Result, ...]] = (Table(columns=(), rows=()), ())
