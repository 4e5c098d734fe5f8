"""`python -m app [SESSION.sluice | DATASET | ADDRESS …]`: the window."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QMessageBox

from app import EAGER
from app.shell.application import Application, ClosingSignals, GarbageCollector, import_plainly
from app.shell.crashes import CrashReporter, CrashTraces
from app.shell.translator import locale_for, speak
from app.shell.window import MainWindow
from app.style.theme import sluice_icon, window_font
from core import SluiceError, cache_folder, refusal_to_start

SWITCH_INTERVAL = 0.0005
"""Seconds for which a thread of this process can keep the interpreter while another waits.

Qt releases it at each call, so with Python's 5 ms the window would wait that long for every line it
draws while a thread of the pool computes results.  Workers are separate processes.
"""

_WITHOUT_SCREEN = ("offscreen", "minimal")
"""Platforms of Qt on which nobody could close a dialog."""

USAGE = """\
Usage: sluice-app [SESSION.sluice | DATASET | ADDRESS ...]

Open the window with a session, or with a dataset or an address that is chosen for the next run.
Each further one gets a window of its own, one after the other.
"""


def _application() -> Application:
    """With its name, font and language."""
    # As an argument: `setStyle` returns the style, and wrapping it takes as long as painting.
    application = Application([*sys.argv, "-style", "fusion"])
    application.setApplicationName("Sluice")
    application.setOrganizationName("sluice")
    application.setDesktopFileName("sluice")
    application.setWindowIcon(sluice_icon())
    application.setFont(window_font())
    speak(application, locale_for(QSettings()))
    return application


def _refuse(why: SluiceError) -> int:
    """Say why the window does not open, on stderr and where there is a screen; the exit code."""
    sys.stderr.write(f"sluice-app: {why}\n")
    if QApplication.platformName() not in _WITHOUT_SCREEN:
        QMessageBox.critical(None, "Sluice", str(why))
    return why.exit_code


def main(window_on: Callable[[QSettings, QApplication], MainWindow] = MainWindow) -> int:
    """Open the window and stay until it is closed; returns the exit code.

    Like the command line, it returns 128 + the number of the signal that closed it.
    """
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.stdout.write(USAGE)
        return 0
    import_plainly()
    refusal = refusal_to_start()
    for name in EAGER:
        os.environ.pop(name, None)  # PySide6 has read it; programs that are measured must not
    sys.setswitchinterval(SWITCH_INTERVAL)
    application = _application()
    if refusal is not None:
        return _refuse(refusal)
    GarbageCollector(application)
    traces = CrashTraces(cache_folder() / "crashes")
    earlier_faults = traces.begin()
    reporter = CrashReporter()
    sys.excepthook = reporter.hook
    window = window_on(QSettings(), application)
    signals = ClosingSignals(application)
    signals.received.connect(window.close)
    # Not by the interpreter, which would wait for the thread that hangs; sessions bear it.
    window.given_up.connect(lambda: os._exit(signals.code))
    reporter.caught.connect(window.show_crash)
    # Absolute, since the one that is shown in the form must be found from anywhere.
    places = application.arguments()[1:]
    window.open_places([one if "://" in one else Path(one).absolute() for one in places])
    application.asked_for.connect(lambda place: window.open_places([Path(place)]))
    window.show()
    if earlier_faults:
        from core import crash_report  # with all that looks for secrets in it

        report = crash_report(earlier_faults, os.environ)
        window.furnished.connect(lambda: window.show_crash(report, before=True))
    application.exec()
    traces.end()
    return signals.code


if __name__ == "__main__":
    sys.exit(main())
