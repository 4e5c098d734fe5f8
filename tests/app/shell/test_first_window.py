"""The first window has room on the screen, with what is drawn around it, however that enlarges."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.window
SCREEN, AROUND = (1920, 1080), 48
"""Pixels, and those of the frame and its title before they are enlarged."""
SIZES = """
import sys
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from app.shell.window import MainWindow
application = QApplication(["window", "-platform", f"offscreen:configfile={sys.argv[1]}"])
window = MainWindow(QSettings(sys.argv[2], QSettings.Format.IniFormat), application)
window.furnish().show_page("question")
window.show()
print(window.width(), window.height(), window.workbench.views.answer_page.height())
window.workbench.close_down()
"""


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_that_the_first_window_fits_the_screen(tmp_path: Path, scale: float) -> None:
    screen = {"name": "one", "x": 0, "y": 0, "width": SCREEN[0], "height": SCREEN[1]}
    dots = {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    (tmp_path / "screens.json").write_text(json.dumps({"screens": [screen | dots]}), "utf-8")
    said = subprocess.check_output(
        [sys.executable, "-c", SIZES, str(tmp_path / "screens.json"), str(tmp_path / "s.ini")],
        env=os.environ | {"QT_SCALE_FACTOR": str(scale), "SLUICE_SESSIONS": str(tmp_path)},
        text=True,
    )
    wide, high, page = map(int, said.split())
    assert wide <= SCREEN[0] / scale
    assert high + AROUND <= SCREEN[1] / scale
    assert min(wide, 900) == 900
    assert page >= 160
