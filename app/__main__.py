"""`python -m app`: the window."""

from __future__ import annotations

import sys

from PySide6.QtCore import QLocale, QSettings
from PySide6.QtWidgets import QApplication

from app.shell.crash_reporter import CrashReporter
from app.shell.translator import speak
from app.shell.window import MainWindow

SWITCH_INTERVAL = 0.0005
"""Seconds for which a thread of this process can keep the interpreter while another waits.

Qt releases it at each call, so with Python's 5 ms the window would wait that long for every line it
draws while a thread of the pool computes results.  Workers are separate processes.
"""


def main() -> int:
    """Open the window and stay until it is closed."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    # As an argument: `setStyle` returns the style, and wrapping it takes as long as painting.
    application = QApplication([*sys.argv, "-style", "fusion"])
    application.setApplicationName("Sluice")
    application.setOrganizationName("sluice")
    application.setDesktopFileName("sluice")
    speak(application, QLocale.system())
    reporter = CrashReporter()
    sys.excepthook = reporter.hook
    window = MainWindow(QSettings(), application)
    reporter.caught.connect(window.show_crash)
    window.show()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
