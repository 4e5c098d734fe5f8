"""Where Qt cannot start, one line says what it lacks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt brings all it needs"),
]

ENTER = "import sys; from app.shell.entrance import main; sys.exit(main())"


def told(code: str = ENTER, **variables: str) -> tuple[int, str]:
    """How it ended without the display of these tests, and what it said."""
    environment = {"PATH": "/usr/bin:/bin", **variables}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


def test_that_without_a_display_the_command_line_is_offered() -> None:
    assert told() == (
        1,
        "sluice-app: there is no display: set DISPLAY, or use the command line, `sluice --help`\n",
    )


def test_that_a_display_that_does_not_answer_is_named() -> None:
    code, said = told(DISPLAY=":9999")
    assert code == 1
    assert said.startswith("sluice-app: the display :9999 does not answer: ")
    assert said.count("\n") == 1


def test_that_missing_libraries_are_named_with_their_packages(tmp_path: Path) -> None:
    for name in ("libxcb-cursor.so.0", "libgthread-2.0.so.0"):
        (tmp_path / name).touch()  # found first, and no library
    assert told(LD_LIBRARY_PATH=str(tmp_path), DISPLAY=":9999") == (
        1,
        "sluice-app: the window needs what this system lacks: libgthread-2.0.so.0, "
        "libxcb-cursor.so.0; on Debian and Ubuntu: apt install libglib2.0-0 libxcb-cursor0\n",
    )


def test_that_nothing_is_missed_where_no_display_is_wanted() -> None:
    code = "import os, app.shell.entrance as door; exit(door.what_is_missing(os.environ) or 0)"
    assert told(code, QT_QPA_PLATFORM="offscreen") == (0, "")
