"""What the window imports before it is usable, and how."""

from __future__ import annotations

from pathlib import Path

import pytest
from window_process import told_by

pytestmark = pytest.mark.window
FURNISHED = """
import linecache, sys
from app.__main__ import main
from app.shell.window import MainWindow

class Telling(MainWindow):
    def furnish(self):
        workbench = super().furnish()
        read = {name for name in sys.modules if getattr(sys.modules[name], "__file__", None)
                in linecache.cache}
        print(*sys.modules, sep="\\n")
        print(*(f"read:{name}" for name in read), sep="\\n")
        self.close()
        return workbench

sys.exit(main(Telling))
"""
LATER = {
    "core.analysis.estimation",
    "core.execution.engine",
    "core.output.report",
    "core.result.result",
    "core.session",
    "core.study.reproduction",
    "importlib.metadata",
    "statistics",
}
"""What only a run, its results or an opened session need."""


def test_that_the_window_is_furnished_without_what_only_results_need(tmp_path: Path) -> None:
    loaded = {*told_by(FURNISHED, tmp_path)}
    assert "app.setup.setup_panel" in loaded
    assert not LATER & loaded


def test_that_pyside_does_not_read_the_source_of_what_furnishes_it(tmp_path: Path) -> None:
    told = {*told_by(FURNISHED, tmp_path)}
    assert {"app.shell.workbench", "core.catalog.registry"} <= told
    assert not {"read:app.shell.workbench", "read:core.catalog.registry"} & told
