"""The window itself: its place on the screen, its title, its end.

Its content takes several times as long to import as Qt.  So the window is shown first, in the
theme's colours; its workbench and menus follow after the first paint.  This module therefore
imports neither the engine nor anything large at its top.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, override

from PySide6.QtCore import (
    QByteArray,
    QEvent,
    QObject,
    QProcess,
    QSettings,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtWidgets import QApplication, QMainWindow, QSystemTrayIcon, QWidget

from app.style.theme import Appearance

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QPaintEvent

    from app.shell.drops import Place
    from app.shell.menus import Menus
    from app.shell.workbench import Workbench

_IDLE_MS = 20
_PATIENCE_MS = 30_000
"""What was cancelled ends in less, unless a file or a server does not answer."""

_FRAME = 48
"""Pixels for what a window manager draws around a window, before it has done so."""

LONG_RUN = 60.0
"""Seconds.  Nobody watches a window for longer; after a shorter run a message is in the way."""


class MainWindow(QMainWindow):
    """One window; `workbench` and `menus` are None until it has been painted."""

    furnished = Signal()
    """The workbench and the menus are there."""
    given_up = Signal()
    """The user does not wait for what still goes on: the process is to end as it stands."""

    def __init__(
        self, settings: QSettings, application: QApplication, patience_ms: int = _PATIENCE_MS
    ) -> None:
        """`patience_ms`: how long the window may stay hidden once it was closed."""
        super().__init__()
        self._settings = settings
        self._application = application
        self._painted = False
        self._title = self._progress = ""
        self._first: list[Place] = []
        self._further: list[Place] = []
        """What other windows are to open, once this one has opened its own."""
        self._end_timer = QTimer(self, singleShot=True, interval=_IDLE_MS)  # ends with the window
        self._end_timer.timeout.connect(
            lambda: self._end_timer.start() if self.busy else self.close()
        )
        self._hang_timer = QTimer(self, singleShot=True, interval=patience_ms)
        self._hang_timer.timeout.connect(self._show_again)
        self._hanging = False
        self.appearance = Appearance(application, settings, self)
        self.appearance.paint_ground()
        self.workbench: Workbench | None = None
        self.menus: Menus | None = None
        self.setWindowTitle("Sluice")
        # On a small screen, or one that enlarges all, the least size gives way, too.
        room = application.primaryScreen().availableGeometry().size() - QSize(0, _FRAME)
        self.setMinimumSize(QSize(900, 600).boundedTo(room))
        self.resize(QSize(1280, 800).boundedTo(room))
        geometry = settings.value("geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)

    @property
    def busy(self) -> bool:
        """Whether a run or a question is going on."""
        return self.workbench is not None and self.workbench.busy

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, self._furnish_if_seen)

    def _furnish_if_seen(self) -> None:
        if self.isVisible() and self.workbench is None:  # it may have been closed by now
            self.furnish()

    def furnish(self) -> Workbench:
        from app.shell.menus import Menus
        from app.shell.workbench import Workbench

        workbench = Workbench(self._settings, self.appearance, first=self._first)
        workbench.held.renamed.connect(lambda title: self._show_title(title=title))
        workbench.held.opened.connect(lambda _: self._open_further())
        workbench.held.failed.connect(lambda *_: self._open_further())
        workbench.held.damaged.connect(lambda *_: self._open_further())
        workbench.dropped.connect(self.open_places)
        workbench.drops.left.connect(self._open_further)
        # So a taskbar shows how far a run is, too.
        workbench.run.progressed.connect(lambda text: self._show_title(progress=text))
        workbench.run.finished.connect(Notification(self).tell)
        self.menus = Menus(self, workbench, self._settings)
        self.workbench = workbench
        self.setCentralWidget(workbench)
        # Once all is made and in its place: each part is polished for a style sheet only once.
        self.appearance.apply()
        self.furnished.emit()
        return workbench

    def _show_title(self, *, title: str | None = None, progress: str | None = None) -> None:
        self._title = self._title if title is None else title
        self._progress = self._progress if progress is None else progress
        self.setWindowTitle(" – ".join(filter(None, (self._progress, self._title, "Sluice"))))

    def open_places(self, places: Sequence[Place]) -> None:
        """Open a session, or ask about data, here; what is left gets windows of its own.

        These open one after the other: a window has the next one opened once it has opened its own.
        """
        if self.workbench is None:
            self._first = [*places]
        elif places:
            from app.shell.drops import is_session

            here = places[:1] if is_session(places[0]) else places
            self._further += places[len(here) :]
            self.workbench.open_place(*here)

    def _open_further(self, more: Sequence[Place] = ()) -> None:
        """Have another window open the further places, once this one has opened its own."""
        self._further += more
        if not self._further:
            return
        from core import has_room_for_another, tr

        assert self.workbench is not None
        further, self._further = self._further, []
        command = ["-P", "-m", "app", *map(str, further)]
        opening = self.tr("Opening further windows")
        if not has_room_for_another():
            why = self.tr("there is not enough memory for more windows; not opened: {}")
            self.workbench.complain(opening, why.format(len(further)))
        elif not QProcess.startDetached(sys.executable, command)[0]:
            self.workbench.complain(opening, tr("no further process can be started"))
        else:
            self.workbench.say(f"{opening}: {Path(further[0]).name} (1/{len(further)})")

    def open_another(self) -> None:
        """Open a window in a process of its own, so that neither draws on the other's time."""
        self._keep_state()
        QProcess.startDetached(sys.executable, ["-P", "-m", "app"])

    def leave(self) -> None:
        """Close, as the user asks; ask back while something is measured."""
        if not self._ask_before_stopping():
            self.close()

    def _ask_before_stopping(self) -> bool:
        """Ask the user where closing would stop a run; True where that is asked."""
        if self.workbench is None or not self.workbench.measuring.running or self._hanging:
            return False
        from app.style import dialogs

        box = dialogs.offer_to_close(self, self.close)
        self.workbench.measuring.ended.connect(box.reject)  # there is nothing to stop any more
        return True

    def _keep_state(self) -> None:
        self._settings.setValue("geometry", self.saveGeometry())
        if self.workbench is not None:
            self.workbench.keep_state()
        self._settings.sync()

    def show_crash(self, report: str, *, before: bool = False) -> None:
        """Show a fault of Sluice for the user to report; a window that stays empty then closes.

        `before`: it ended an earlier process.
        """
        from app.shell.crashes import CrashDialog

        dialog = CrashDialog(report, self, goes_on=self.workbench is not None, before=before)
        if self.workbench is None:
            dialog.finished.connect(self.close)
        dialog.open()

    def _show_again(self) -> None:
        assert self.workbench is not None
        self._hanging = True
        self.workbench.say_what_is_waited_for()
        self.show()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        """Close at once where nothing runs; otherwise cancel, hide, and close when it is over.

        What hangs, as on a server of files that is gone, cannot be cancelled: the window returns
        after a while, since nobody should have to look for a hidden process.
        """
        if event.spontaneous() and self._ask_before_stopping():
            event.ignore()
            return
        if self.workbench is not None and self.busy:
            event.ignore()
            if self._hanging:
                self._keep_state()
                self.given_up.emit()
                return
            self.hide()
            self.workbench.close_down()
            self._end_timer.start()
            if not self._hang_timer.isActive():
                self._hang_timer.start()
            return
        self._end_timer.stop()
        self._hang_timer.stop()
        self._keep_state()
        if self.workbench is not None:
            self.workbench.close_down()  # nothing is asked from now on
            self.workbench.held.let_go()
        super().closeEvent(event)
        if not self.isVisible():  # Qt ends with the last window only if that is closed while seen
            self._application.quit()


class Notification(QObject):
    """Tells someone who looks elsewhere meanwhile that a long run is over.

    It marks the taskbar and, where the desktop shows them, shows a message, until the window is
    looked at.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._icon: QSystemTrayIcon | None = None
        self.text = ""
        """What it says now; empty while there is nothing to say."""
        window.installEventFilter(self)

    def tell(self, outcome: str, took: float) -> None:
        """Say how a run ended that took so many seconds, unless its window is being looked at."""
        if took < LONG_RUN or self._window.isActiveWindow():
            return
        self.text = outcome
        QApplication.alert(self._window)
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            self._show_message(outcome)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take it away when the window is looked at, or closes."""
        if event.type() in (QEvent.Type.WindowActivate, QEvent.Type.Close):
            self.text = ""
            if self._icon is not None:
                self._icon.hide()
        return super().eventFilter(watched, event)

    def _show_message(self, text: str) -> None:
        if self._icon is None:
            self._icon = QSystemTrayIcon(self._window.windowIcon(), self)
            self._icon.messageClicked.connect(self._bring_window)
            self._icon.activated.connect(self._bring_window)
        self._icon.show()
        self._icon.showMessage("Sluice", text, self._window.windowIcon())

    def _bring_window(self) -> None:
        self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowMinimized)
        self._window.raise_()
        self._window.activateWindow()
