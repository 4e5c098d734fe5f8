"""Real windows in processes of their own, on settings and folders of a test's own."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from marking import MARK
from patience import PATIENCE

OPENING = """
import sys, threading
from app.__main__ import main
from PySide6.QtCore import QTimer
from app.shell.window import MainWindow

class Looking(MainWindow):
    'Looks about again and again once it is furnished.'

    def furnish(self):
        workbench = super().furnish()
        self.timer = QTimer(self, interval=20)
        self.timer.timeout.connect(self.look)
        self.timer.start()
        return workbench

    def look(self):
        pass
"""
"""What most of them begin with."""


@contextmanager
def window_of(
    code: str, folder: Path, *arguments: str, **settings: Any
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A window while it is open, and the mark of its descendants."""
    mark = uuid.uuid4().hex
    places = {
        name: str(folder / name.lower())
        for name in ("SLUICE_SESSIONS", "SLUICE_CACHE", "SLUICE_LAB", "XDG_CONFIG_HOME")
    }
    popen = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | places | {MARK: mark},
        **settings,
    )  # fmt: skip
    with popen:
        yield popen, mark
        popen.kill()


def wait_for(popen: subprocess.Popen[str], word: str) -> None:
    """Until a window says so."""
    assert popen.stdout is not None
    assert popen.stdout.readline() == f"{word}\n", popen.communicate()


def told_by(code: str, folder: Path) -> list[str]:
    """The lines that a window has printed when it has ended without a fault."""
    with window_of(code, folder) as (popen, _):
        told, errors = popen.communicate(timeout=PATIENCE)
    assert (popen.returncode, errors) == (0, "")
    return told.splitlines()
