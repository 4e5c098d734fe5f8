"""The packaged program's start: window, command line or Python, by its arguments."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from loading import PACKAGING, packaging_module

pytestmark = pytest.mark.quick

ENTRY = PACKAGING / "entry.py"
entry = packaging_module("entry")

SAYS = "import sys; print(__name__, *sys.argv)"


def said(command: list[str], folder: Path) -> tuple[int, str, str]:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr.rpartition("\n  ")[2]


@pytest.mark.parametrize(
    "arguments",
    [
        ["-c", SAYS],
        ["-c", SAYS, "one", "-m", "two"],
        ["-P", "-c", SAYS, "--flag"],
        ["-Xutf8", "-B", "-c", SAYS],
        ["-c", "raise SystemExit(3)"],
        ["-c", "1 / 0"],
        ["-m", "calendar", "2024", "2"],
        ["-P", "-m", "core", "--version"],
        ["-P", "-m", "core.selfcheck.no_such_module"],
    ],
    ids=" ".join,
)
def test_that_the_packaged_program_answers_as_python_does(
    arguments: list[str], tmp_path: Path
) -> None:
    ours = said([sys.executable, str(ENTRY), *arguments], tmp_path)
    pythons = said([sys.executable, *arguments], tmp_path)
    assert ours[0] == pythons[0]
    assert ours[1] == pythons[1]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-m"],
        ["--help"],
        ["-h"],
        ["measure", "raw", "-m", "x"],
        ["--path", "-c", "measure"],
        ["a.sluice"],
    ],
)
def test_that_what_is_not_for_python_is_left_to_others(arguments: list[str]) -> None:
    assert entry.python_call(arguments) is None


def test_that_arguments_are_a_command_line(tmp_path: Path) -> None:
    code, out, _ = said([sys.executable, str(ENTRY), "measure", "--help"], tmp_path)
    assert code == 0
    assert "Usage:" in out


@pytest.mark.parametrize(
    ("argv", "window"),
    [
        (["/usr/bin/sluice-app"], True),
        (["sluice-app", "genome.fa"], True),
        (["sluice", "night.sluice"], True),
        (["sluice", "show", "night.sluice"], False),
        (["sluice", "--help"], False),
    ],
)
def test_that_the_window_comes_by_its_name_or_by_a_session(argv: list[str], window: bool) -> None:
    assert entry.wants_window(argv, double_click=False) is window


def test_that_without_arguments_a_double_click_opens_the_window_and_a_terminal_gets_help() -> None:
    assert entry.wants_window(["sluice"], double_click=True)
    assert not entry.wants_window(["sluice"], double_click=False)


def test_that_modules_of_the_starting_process_are_found_behind_those_that_are_packaged(
    tmp_path: Path,
) -> None:
    (tmp_path / "extra_reader.py").write_text("print('found')")
    (tmp_path / "json.py").write_text("print('in the way')")
    command = [sys.executable, "-E", str(ENTRY), "-c", "import json, extra_reader"]
    done = subprocess.run(
        command, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True
    )
    assert done.stdout == "found\n"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the bootloader leaves it alone")
def test_that_other_programs_do_not_find_the_packaged_libraries() -> None:
    environment = {
        "_PYI_ARCHIVE_FILE": "/opt/sluice/sluice",
        "_PYI_PARENT_PROCESS_LEVEL": "1",
        "LD_LIBRARY_PATH": "/opt/sluice/_internal:/own",
        "LD_LIBRARY_PATH_ORIG": "/own",
        "HOME": "/home/me",
    }
    entry.forget_bootloader(environment)
    assert environment == {"LD_LIBRARY_PATH": "/own", "HOME": "/home/me"}
    environment = {"LD_LIBRARY_PATH": "/opt/sluice/_internal"}
    entry.forget_bootloader(environment)
    assert not environment


def test_that_the_start_of_a_child_imports_no_more_than_python_does(tmp_path: Path) -> None:
    code = "import sys; print(*sorted(sys.modules))"
    ours = said([sys.executable, str(ENTRY), "-c", code], tmp_path)[1].split()
    pythons = said([sys.executable, "-c", code], tmp_path)[1].split()
    assert set(ours) <= {*pythons, "__future__"}
