"""Workloads of users' own, in no table: where they are found, what they bring, who is imported.

Those that measure are processes of their own: a kind is known from when its workload was loaded.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import hostile_sessions
import pytest

from core.language import UnknownName
from core.tell.cli import main
from core.vocabulary import registry

RIG = Path(__file__).parents[2] / "rigged_kind.py"
COUNTED = ("measure", "rigged_kind:Counted")
SHORT = ("--duration", "0", "--operations", "20", "--warm-up", "0", "--repeats", "1")


def core(folder: Path, *arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """A command in a folder that is not where Sluice is; `path`: where modules are besides."""
    folders = {f"SLUICE_{name}": str(folder / name) for name in ("CACHE", "SESSIONS", "STATE")}
    return subprocess.run(
        [sys.executable, "-P", "-m", "core", *(("--path", path) if path else ()), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={name: os.environ[name] for name in ("PATH", "HOME")} | folders,
    )


@pytest.fixture
def readers(tmp_path: Path) -> Path:
    """A folder with a module that has a workload and its own kind of data."""
    folder = tmp_path / "readers"
    folder.mkdir()
    shutil.copy(RIG, folder)
    return folder


def test_that_it_is_found_where_path_says_and_generates_its_kind_of_data(
    tmp_path: Path, readers: Path
) -> None:
    assert core(tmp_path, *COUNTED, *SHORT).returncode == 2
    for path in ("readers", str(readers)):
        done = core(tmp_path, *COUNTED, *SHORT, path=path)
        assert done.returncode == 0, done.stderr
        assert "rows/s" in done.stdout


def test_that_a_file_there_hides_no_part_of_sluice(tmp_path: Path) -> None:
    shutil.copy(RIG, tmp_path)
    for name in ("click", "json", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('in the way')")
    told = core(tmp_path, *COUNTED, *SHORT, path=".")
    assert told.returncode == 0, told.stderr


def test_that_a_folder_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    told = core(tmp_path, "list", path="nowhere")
    assert told.returncode == 2
    assert "nowhere" in told.stderr


@pytest.mark.usefixtures("readers")
def test_that_its_kind_is_recognised_and_measured(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet"
    sheet.write_bytes(b"tally" * 10)
    done = core(tmp_path, *COUNTED, "--dataset", str(sheet), *SHORT, path="readers")
    assert done.returncode == 0, done.stderr
    assert "rows/s" in done.stdout


@pytest.mark.usefixtures("readers")
def test_that_other_data_is_refused_by_the_title_of_its_kind(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"something else")
    done = core(tmp_path, *COUNTED, "--dataset", str(other), *SHORT, path="readers")
    assert done.returncode == 2
    assert "what is read here is: tally sheet" in done.stderr


@pytest.mark.usefixtures("readers")
def test_that_a_recorded_run_of_it_is_measured_again(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet"
    sheet.write_bytes(b"tally" * 10)
    session = str(tmp_path / "both.sluice")
    asked = ("again=1,2", "--dataset", str(sheet), *SHORT, "--no-floor", "--session", session)
    swept = core(tmp_path, *COUNTED, *asked, path="readers")
    assert swept.returncode == 0, swept.stderr
    pair = (f"{session}#again=1", "#again=2")
    done = core(tmp_path, "compare", *pair, "--again", "--repeats", "1", path="readers")
    assert "dataset kind" not in done.stderr
    assert "there is no" not in done.stderr
    assert done.stdout


def test_that_showing_a_session_imports_no_module_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "planted.py").write_text("raise SystemExit('it ran')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    change = hostile_sessions.body("specs", hostile_sessions.updated(workload="planted:Workload"))
    path = hostile_sessions.make(tmp_path / "x.sluice", change)
    for words in (["show", str(path), "--why"], ["report", str(path), "-o", "-"]):
        assert main(words) == 0
    assert "planted:Workload" in capsys.readouterr().out
    assert "planted" not in sys.modules


def test_that_nothing_but_a_workload_is_called_for_one() -> None:
    for name in ("os:abort", "os:getpid", ":x", ".x:y", "builtins:dict"):
        with pytest.raises(UnknownName):
            registry.load_workload(name)


def test_that_a_workload_is_known_once_it_was_loaded_to_be_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry.require_known("raw")
    (tmp_path / "known_later.py").write_text(
        "from core import Workload\nfrom core.vocabulary.load import Load\n\n\n"
        "class Later(Workload):\n    name = 'later'\n    parameters = Load\n\n"
        "    def open(self, context):\n        raise AssertionError\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UnknownName):
        registry.require_known("known_later:Later")
    registry.load_workload("known_later:Later")
    registry.require_known("known_later:Later")
