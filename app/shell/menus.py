"""The menus: every action of the window with its shortcut, in one place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QAction, QKeySequence, QUndoStack
from PySide6.QtWidgets import QMenu

from app.style.menus import Menu
from core import Format

if TYPE_CHECKING:
    from app.shell.help_windows import GuideWindow
    from app.shell.window import MainWindow
    from app.shell.workbench import Workbench

type Keys = QKeySequence | QKeySequence.StandardKey | str


class Menus(QObject):
    """Fills the menu of the bar at the top; knows which actions make sense when."""

    def __init__(self, window: MainWindow, workbench: Workbench, settings: QSettings) -> None:
        super().__init__(window)
        self._window, self._workbench = window, workbench
        self._appearance, self._settings = window.appearance, settings
        self.whole = Menu(window)
        self._idle: list[QAction | QMenu] = []
        self._with_session: list[QAction | QMenu] = []
        self._with_results: list[QAction | QMenu] = []
        self._fill_session()
        self._fill_edit(workbench.history.stack)
        self._fill_run()
        self._fill_help()
        workbench.top.menu_button.setMenu(self.whole)
        self.guide: GuideWindow | None = None
        workbench.start.guide_wanted.connect(self.show_user_guide)
        workbench.refreshed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        """Enable what makes sense now."""
        workbench = self._workbench
        running = workbench.measuring.running
        self._start.setEnabled(workbench.ready)
        self._cancel.setEnabled(running)
        for part in self._idle:
            part.setEnabled(not running)
        for part in self._with_session:
            part.setEnabled(workbench.held.session is not None)
        for part in self._with_results:
            part.setEnabled(workbench.has_results)

    def _fill_session(self) -> None:
        window, workbench, key = self._window, self._workbench, QKeySequence.StandardKey
        menu = self.whole.submenu(self.tr("&Session"))
        new = _action(menu, self.tr("&New"), workbench.sessions.new, key.New)
        _action(menu, self.tr("New &window"), window.open_another, "Ctrl+Shift+N")
        open_ = _action(menu, self.tr("&Open…"), workbench.sessions.choose, key.Open)
        self._recent = menu.submenu(self.tr("Open &recent"))
        self._recent.aboutToShow.connect(self._fill_recent)
        browse = _action(
            menu, self.tr("&Browse…"), partial(workbench.show_page, "sessions"), "Ctrl+B"
        )
        menu.addSeparator()
        rename = _action(menu, self.tr("&Rename…"), workbench.sessions.rename, "F2")
        notes = _action(menu, self.tr("No&tes…"), workbench.sessions.show_notes, "Ctrl+T")
        copy = _action(menu, self.tr("Save a &copy…"), workbench.sessions.save_copy, key.SaveAs)
        report = _action(menu, self.tr("Re&port…"), workbench.reports.show_report, key.Print)
        export = menu.submenu(self.tr("&Export"))
        for form in Format.all():
            _action(export, form.title, partial(workbench.run.choose_export, form))
        menu.addSeparator()
        choose = _action(menu, self.tr("Pre&ferences…"), self._show_preferences, "Ctrl+,")
        choose.setMenuRole(QAction.MenuRole.PreferencesRole)
        menu.addSeparator()
        # Each window is a process of its own, so that a fault ends no other run.
        leave = _action(menu, self.tr("&Close the window"), window.leave)
        leave.setShortcuts([QKeySequence(key.Close), QKeySequence("Ctrl+Q")])
        leave.setMenuRole(QAction.MenuRole.QuitRole)
        self._idle += [new, open_, self._recent, browse]
        self._with_session += [rename, notes, copy]
        self._with_results += [report, export]

    def _fill_edit(self, undo: QUndoStack) -> None:
        workbench, key = self._workbench, QKeySequence.StandardKey
        menu = self.whole.submenu(self.tr("&Edit"))
        back = undo.createUndoAction(menu, self.tr("&Undo"))
        back.setShortcut(QKeySequence(key.Undo))
        again = undo.createRedoAction(menu, self.tr("&Redo"))
        # Desktops disagree about which of the two it is.
        again.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        menu.addActions([back, again])
        menu.addSeparator()
        _action(menu, self.tr("Copy the &command line"), workbench.command.copy, "Ctrl+Shift+C")
        markdown = partial(workbench.results.copy, "markdown")
        comma = partial(workbench.results.copy, "csv")
        self._with_results += [
            _action(menu, self.tr("Copy the table as &Markdown"), markdown, "Ctrl+Shift+M"),
            _action(menu, self.tr("Copy the table as CS&V"), comma, "Ctrl+Shift+V"),
        ]
        menu.addSeparator()
        find = _action(menu, self.tr("&Filter the table"), workbench.look_for, key.Find)
        self._with_results.append(find)

    def _fill_run(self) -> None:
        workbench = self._workbench
        menu = self.whole.submenu(self.tr("&Run"))
        self._start = _action(menu, self.tr("&Measure"), workbench.run.start, "Ctrl+Return")
        self._cancel = _action(menu, self.tr("&Stop"), workbench.run.cancel, "Escape")
        menu.addSeparator()
        title = self.tr("Stop the ser&vers on this computer")
        stop = _action(menu, title, workbench.setup.server.stop)

        def name_servers() -> None:
            """Say which servers run on this computer; while none does, none can be stopped."""
            names = ", ".join(workbench.setup.server.recorded())
            stop.setText(f"{title} ({names})" if names else title)
            stop.setEnabled(bool(names) and not workbench.measuring.running)

        menu.aboutToShow.connect(name_servers)

    def _fill_help(self) -> None:
        menu = self.whole.submenu(self.tr("&Help"))
        start = partial(self._workbench.show_page, "start")
        _action(menu, self.tr("&Start page"), start, "F1")
        _action(menu, self.tr("&User guide"), self.show_user_guide, "Shift+F1")
        _action(menu, self.tr("&About Sluice…"), self._show_about)

    def show_user_guide(self) -> None:
        """Open the guide in a window of its own, or bring that to the front."""
        from app.shell.help_windows import GuideWindow

        if self.guide is None:
            self.guide = GuideWindow(self._window, self._appearance)
        self.guide.show()
        self.guide.raise_()
        self.guide.activateWindow()

    def _show_preferences(self) -> None:
        from app.shell.preferences_dialog import PreferencesDialog

        PreferencesDialog(self._settings, self._appearance, self._workbench).open()

    def _show_about(self) -> None:
        from app.shell.help_windows import AboutDialog

        AboutDialog(self._window).open()

    def _fill_recent(self) -> None:
        self._recent.clear()
        places, sentences = self._workbench.held.recent(), self._workbench.start.runs.sentences()
        for path in places:
            parts = (path.stem, sentences.get(path, ""))
            title = " – ".join(filter(None, parts)).replace("&", "&&")
            _action(self._recent, title, partial(self._workbench.sessions.open, path))
        if not places:
            self._recent.addAction(self.tr("No session yet")).setEnabled(False)


def _action(menu: Menu, title: str, act: Callable[[], object], keys: Keys | None = None) -> QAction:
    action = menu.addAction(title)
    action.triggered.connect(lambda *_: act())  # Qt would hand over whether it is checked
    if keys is not None:
        action.setShortcut(QKeySequence(keys))
    return action
