"""A fault of Sluice's own is shown without secrets, also by the next start after a death."""

from __future__ import annotations

import base64
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.shell.crashes import CrashReporter
from app.shell.window import MainWindow
from core.language import sanitise
from core.measure import crash_report

pytestmark = pytest.mark.window


def test_that_a_report_holds_no_secret_and_no_home_folder() -> None:
    trace = f"File {Path.home()}/x.py\nValueError: s3://me:hunter22@host with s3cr3t-value\x1b[31m"
    told = crash_report(trace, {"MY_API_KEY": "s3cr3t-value", "PATH": "File"})
    assert "s3cr3t-value" not in told
    assert "<MY_API_KEY>" in told
    assert "hunter22" not in told
    assert str(Path.home()) not in told
    assert "\x1b" not in told
    assert "ValueError" in told


def test_that_a_report_holds_no_secret_that_was_used_in_any_form(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sanitise, "_REMEMBERED", {"from/a+keyring": "keyring:lab/me"})
    coded = base64.b64encode(b"me:from/a+keyring").decode()
    told = crash_report(f"ValueError: from/a+keyring from%2Fa%2Bkeyring {coded}", {})
    assert told.count("<keyring:lab/me>") == 3
    assert "from" not in told
    assert coded not in told


def test_that_a_fault_opens_a_dialog_with_the_report(
    qtbot: QtBot, window: MainWindow, capsys: pytest.CaptureFixture[str]
) -> None:
    reporter = CrashReporter()
    reporter.caught.connect(window.show_crash)
    try:
        raise RuntimeError("the slider fell off")
    except RuntimeError as error:
        reporter.hook(type(error), error, error.__traceback__)
    texts = [edit for edit in window.findChildren(QPlainTextEdit) if edit.isVisible()]
    assert "the slider fell off" in texts[0].toPlainText()
    assert texts[0].isReadOnly()
    dialog = texts[0].window()
    (copy,) = [one for one in dialog.findChildren(QPushButton) if one.text() == "Copy the report"]
    copy.click()
    assert QGuiApplication.clipboard().text() == texts[0].toPlainText()
    dialog.close()
    assert "the slider fell off" in capsys.readouterr().err


DYING = """
import faulthandler, sys
from pathlib import Path
from app.shell.crashes import CrashTraces
traces = CrashTraces(Path(sys.argv[1]))
print(traces.begin())
{}
"""


def run(folder: Path, end: str, umask: int = -1) -> subprocess.CompletedProcess[str]:
    code = DYING.format(end)
    return subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        umask=umask,
    )


def test_that_a_segmentation_fault_is_offered_once_by_the_next_start(tmp_path: Path) -> None:
    died = run(tmp_path, "faulthandler._sigsegv()")
    assert died.returncode < 0
    told = run(tmp_path, "traces.end()").stdout
    assert "Segmentation fault" in told
    assert "most recent call first" in told
    assert run(tmp_path, "traces.end()").stdout.strip() == ""
    assert not [*tmp_path.iterdir()]


def test_that_a_process_that_was_killed_leaves_nothing_to_be_told(tmp_path: Path) -> None:
    run(tmp_path, "import os; os._exit(1)")
    assert run(tmp_path, "traces.end()").stdout.strip() == ""
    assert not [*tmp_path.iterdir()]


def test_that_without_a_place_for_the_file_all_else_works(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert run(tmp_path / "file", "traces.end()").returncode == 0


def test_that_what_it_leaves_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "crashes"
    run(folder, "import os; os._exit(1)", umask=0)
    (left,) = folder.iterdir()
    assert [stat.S_IMODE(one.stat().st_mode) for one in (folder.parent, folder, left)] == [
        *(0o700, 0o700),
        0o600,
    ]
